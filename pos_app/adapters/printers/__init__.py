"""Paper: what a receipt looks like in a printer's language, and what carries it there."""
