"""Makes codes of a wedge scanner's keys, wherever the focus is. Typing stays typing."""
