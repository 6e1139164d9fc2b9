"""Signers of certificate mode: where they lie, and how a worker talks to one."""
