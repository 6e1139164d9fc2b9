"""The self-hosted public platform: its HTTP front, its rules and its database."""
