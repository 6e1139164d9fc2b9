"""The first start: the demo in one press, or a shop in six steps."""
