"""The self-hosted public platform."""
