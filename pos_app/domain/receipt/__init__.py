"""A request and its receipt: their states, what is known of them, lists and sums."""
