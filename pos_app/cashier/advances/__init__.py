"""The open advances: paid further, closed, or given back."""
