"""The names of the files in a data folder, and the lock on it."""

from __future__ import annotations

from pathlib import Path

JOURNAL = Path("journal", "journal.db")
TILL = Path("till", "till.db")
CATALOGUE = Path("catalogue", "catalogue.db")
"""The shop's databases, within its folder."""
CA = Path("processor-ca.pem")
"""The authorities of the processor that a person chose."""
DEMO = "demo"
"""The folder of the demo shop, within the shop's folder."""
RECEIPT_INDEX = Path("receipt-index", "receipt-index.db")
"""Made from the journal, and made again where it is missing or damaged: nothing is lost with it."""


def catalogue_file(data: Path) -> Path:
    return data / CATALOGUE
