"""The catalogue as a sheet of rows and columns: articles are imported from it and exported to
it."""
