"""The articles of a shop: how the till reads them, and what a manager does to them."""
