"""What the HTTP fronts share: the error answer, and the target and body of a request."""
