"""The shop's outgoing mail over SMTP."""
