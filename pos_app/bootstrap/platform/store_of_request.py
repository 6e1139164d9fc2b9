"""Keeps the receipt form of a certificate-mode request's store, for receipts that are drawn
later."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from pos_app.adapters.data_folder.private_files import write_private
from pos_app.adapters.sqlite.catalogue.articles import PaperSettings
from pos_app.domain.article.store import ReceiptLanguage
from pos_app.domain.receipt.request import FrozenArticle, PlatformArticle
from pos_app.local_api.signer_door import BroughtStore

_PAPER = "paper.json"
"""The file in an element's folder with the receipt form of its last request's store."""


class StoreOfRequest:
    """Implements Articles, PrintMethods and StorePaper. The platform's articles come with each
    request, and there is no other catalogue here. A receipt that is mailed later is drawn in the
    form of the last request's store, which is kept in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._kept = folder / _PAPER
        self._paper = _kept_paper(self._kept)

    def save(self, store: BroughtStore) -> None:
        paper = PaperSettings(store.language, store.print_discounts, store.print_bank_accounts)
        if paper != self._paper:
            self._paper = paper
            entries = [paper.language, paper.print_discounts, paper.print_bank_accounts]
            write_private(self._kept, json.dumps(entries).encode())

    def articles(
        self, sku: int, *, sold: Sequence[PlatformArticle] | None = None
    ) -> list[FrozenArticle]:
        return [one.frozen for one in sold or ()]

    def print_methods(self) -> frozenset[str]:
        return frozenset({"email"})

    def paper(self) -> PaperSettings:
        return self._paper

    def close(self) -> None:
        """Close nothing, because nothing is open."""


def _kept_paper(path: Path) -> PaperSettings:
    try:
        language, discounts, accounts = json.loads(path.read_bytes())
        return PaperSettings(ReceiptLanguage(language), bool(discounts), bool(accounts))
    except (OSError, ValueError, TypeError):
        return PaperSettings()
