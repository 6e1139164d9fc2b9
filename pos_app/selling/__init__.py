"""Core of the till: carts, confirmed sales and the outbox that brings each to its one receipt."""
