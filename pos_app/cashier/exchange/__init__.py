"""A frozen exchange in front of the cashier: its state, and the sum that the hand moves."""
