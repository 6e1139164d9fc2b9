"""The catalogue as a sheet of rows and columns, for the import and export of articles."""
