"""The product is broken line by line, to see whether a test notices."""
