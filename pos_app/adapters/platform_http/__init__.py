"""The platform's public API over HTTP: its catalogue, its stores, its files."""
