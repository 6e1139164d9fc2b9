"""It makes codes of a wedge scanner's keys, wherever the focus is; typing stays typing."""
