"""Keys of a wedge scanner become codes, wherever the focus is; typing stays typing."""
