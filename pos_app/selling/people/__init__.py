"""Who works at the till, who may do what, and what was done."""
