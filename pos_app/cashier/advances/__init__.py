"""The open advances, which can be paid further, closed or given back."""
