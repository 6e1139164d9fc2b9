"""The HTTP front of fiscalization: guard, open routes for other programs, token routes."""
