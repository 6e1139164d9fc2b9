"""The common parts of the HTTP fronts: the error answer, and the target and body of a request."""
