"""Receipts, articles and carts in words that several screens say."""
