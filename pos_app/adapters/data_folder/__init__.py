"""What lies in a data folder, and who may have it open."""

from __future__ import annotations

from pathlib import Path

JOURNAL = Path("journal", "journal.db")
TILL = Path("till", "till.db")
CATALOGUE = Path("catalogue", "catalogue.db")
"""A shop's databases, within its folder."""
DEMO = "demo"
"""The folder of the demo shop, within the shop's."""
RECEIPT_INDEX = Path("receipt-index", "receipt-index.db")
"""Made of the journal, and made again where it is missing or damaged: nothing is lost with it."""


def catalogue_file(data: Path) -> Path:
    """Where the catalogue of a data folder lies."""
    return data / CATALOGUE
