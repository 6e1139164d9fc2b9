"""Fakes of the ports; each passes the same contract tests as its real adapter."""
