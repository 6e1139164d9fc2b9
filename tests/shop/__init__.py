"""A whole shop in one process, played by dice and judged apart from the product's rules."""
