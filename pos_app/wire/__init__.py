"""The JSON of our protocols: shapes, exact numbers, and their way to and from the domain."""
