"""The screen on which a receipt, or a part of it, is refunded."""
