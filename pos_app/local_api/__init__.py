"""The HTTP front of fiscalization: access rules, open routes for other programs, token routes."""
