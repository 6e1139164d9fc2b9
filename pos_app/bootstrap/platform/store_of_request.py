"""The store of a request of certificate mode: what the platform tells with each, and what of it
is kept for receipts that are drawn later."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar
from pathlib import Path

from pos_app.adapters.data_folder.private_files import write_private
from pos_app.adapters.sqlite.catalogue.articles import Paper
from pos_app.domain.request import FrozenArticle
from pos_app.domain.store import ReceiptLanguage
from pos_app.local_api.signer_door import BroughtStore

_PAPER = "paper.json"
"""In an element's folder: how the store of its last request draws a receipt."""


class StoreOfRequest:
    """Implements Articles, PrintMethods and StorePaper: what the platform told with a request.

    A receipt that is mailed later is drawn as the store of the last request has it, which is kept
    in `folder` for that.
    """

    def __init__(self, folder: Path) -> None:
        self._articles: ContextVar[Mapping[int, FrozenArticle]] = ContextVar("articles")
        self._kept = folder / _PAPER
        self._paper = _kept_paper(self._kept)

    @asynccontextmanager
    async def brought(self, store: BroughtStore) -> AsyncIterator[None]:
        paper = Paper(store.language, store.print_discounts, store.print_bank_accounts)
        if paper != self._paper:
            self._paper = paper
            told = [paper.language, paper.print_discounts, paper.print_bank_accounts]
            write_private(self._kept, json.dumps(told).encode())
        before = self._articles.set(store.articles)
        try:
            yield
        finally:
            self._articles.reset(before)

    def articles(self, sku: int) -> list[FrozenArticle]:
        known = self._articles.get({})
        return [known[sku]] if sku in known else []

    def print_methods(self) -> frozenset[str]:
        return frozenset({"email"})

    def paper(self) -> Paper:
        return self._paper

    def close(self) -> None:
        """Nothing is open."""


def _kept_paper(path: Path) -> Paper:
    """The usual one where none was kept."""
    try:
        language, discounts, accounts = json.loads(path.read_bytes())
        return Paper(ReceiptLanguage(language), bool(discounts), bool(accounts))
    except (OSError, ValueError, TypeError):
        return Paper()
