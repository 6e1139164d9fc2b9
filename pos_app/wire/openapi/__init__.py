"""The OpenAPI document of the open routes, made from the shapes that requests are read with."""
