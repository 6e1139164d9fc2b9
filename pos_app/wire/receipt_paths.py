"""Where receipts are asked for and looked up, on the local API and on the platform alike.

Source: platform-contract.md 1.
"""

from __future__ import annotations

RECEIPTS = "/fiscalization/receipts"
LONGEST_REFERENCE = 200
"""Characters of what a receipt is looked up by: its id, its number, or its key."""
ANSWERED_WITHIN = 20
"""Seconds that the documentation tells callers to wait for an answer."""
