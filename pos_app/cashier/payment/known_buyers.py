"""The firms of the buyers' book, as the payment looks them up while a buyer is typed.

A book that can't be read now knows nobody: the number alone makes a receipt. The status line
reports the fault of the file. Source: till.md ("Payment").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pos_app.cashier.payment.model import Payment
from pos_app.domain.receipt.buyer import BUYER_KINDS, BuyerId
from pos_app.errors import Invalid, MachineError
from pos_app.selling.buyers.buyer_book import BuyerBook, KnownBuyer, is_searched
from pos_app.selling.sale.receipt_drafts import BuyerDraft

MOST_MATCHES = 4


class KnownBuyers:
    def __init__(self, book: BuyerBook) -> None:
        self._book = book

    def matching(self, draft: BuyerDraft) -> Sequence[KnownBuyer]:
        """Return the firms that the typed text may mean. There are none for a natural person, and
        none for a number that is in the book as it is typed."""
        if BUYER_KINDS[draft.code].personal or not is_searched(draft.value):
            return ()
        if self.known(draft) is not None:
            return ()
        try:
            return self._book.find(draft.value, at_most=MOST_MATCHES)
        except MachineError:
            return ()

    def known(self, draft: BuyerDraft) -> KnownBuyer | None:
        """Return the firm with the typed number."""
        buyer = id_of(draft)
        if buyer is None or buyer.is_personal:
            return None
        try:
            return self._book.buyer(buyer)
        except MachineError:
            return None

    def name(self, draft: BuyerDraft) -> str:
        """Return the name of the typed buyer, "" while nobody said it."""
        known = self.known(draft)
        return (known.name if known is not None else "") or draft.name.strip()

    def email(self, draft: BuyerDraft) -> str:
        known = self.known(draft)
        return "" if known is None else known.email

    @contextmanager
    def address_of(self, model: Payment) -> Iterator[None]:
        """Let another buyer have another address: one that came from the book goes with the firm
        that it belongs to."""
        before = self.email(model.buyer)
        yield
        after = self.email(model.buyer)
        if before and before == model.delivery.email and after != before:
            model.set_email(after)


def id_of(draft: BuyerDraft) -> BuyerId | None:
    """Return the typed buyer, or None while the number is not whole."""
    try:
        return draft.buyer()
    except Invalid:
        return None
