"""An exchange that is frozen, for whoever waits for it: how far it is, and what the hand moves."""
