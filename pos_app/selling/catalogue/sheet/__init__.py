"""The catalogue as a sheet of rows and columns: articles come in from it and go out to it."""
