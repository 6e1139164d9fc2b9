"""The firms of the buyers' book, as they are looked up where a buyer is typed.

A book that can't be read now knows nobody: the number alone makes a receipt. The status line
reports the fault of the file. Source: till.md ("Payment").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.option_button import OptionButton
from pos_app.cashier.ui.panel import clear_layout
from pos_app.cashier.ui.scrolling import bring_into_sight
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.words.cart_texts import known_buyer_label
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

    def with_certainty(self, draft: BuyerDraft) -> BuyerDraft:
        """Return a draft as it was typed: a number that was on a receipt is certain."""
        known = self.known(draft)
        is_certain = known is not None and bool(known.receipts)
        return replace(draft, sure=True) if is_certain else draft

    def name(self, draft: BuyerDraft) -> str:
        """Return the name of the typed buyer, "" while nobody said it."""
        known = self.known(draft)
        return (known.name if known is not None else "") or draft.name.strip()

    def email(self, draft: BuyerDraft) -> str:
        known = self.known(draft)
        return "" if known is None else known.email


def id_of(draft: BuyerDraft) -> BuyerId | None:
    """Return the typed buyer, or None while the number is not whole."""
    try:
        return draft.buyer()
    except Invalid:
        return None


_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
_LEAST_SEEN = 3
"""The firms that are seen at once, if there are so many."""


class BuyerMatches(QWidget):
    """Firms of the buyers' book, one of which may be marked. Signal: `taken(KnownBuyer)`."""

    taken = Signal(object)

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self._theme, self._texts = theme, texts
        self._buyers: tuple[KnownBuyer, ...] = ()
        self._marked = -1
        self.rows: list[OptionButton] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.metrics.s2)
        self.hide()

    @property
    def marked(self) -> KnownBuyer | None:
        return self._buyers[self._marked] if self._marked >= 0 else None

    def show_buyers(self, buyers: Sequence[KnownBuyer], *, marks_first: bool) -> None:
        """Show these firms, unless they stand there already. marks_first: the first one is marked,
        because what was typed is nothing else."""
        if tuple(buyers) == self._buyers:
            return
        self._buyers = tuple(buyers)
        clear_layout(self._column)
        self.rows = [self._row(one) for one in buyers]
        for row in self.rows:
            self._column.addWidget(row)
        self.setVisible(bool(buyers))
        self._mark(0 if buyers and marks_first else -1)
        if self.rows:  # the kinds above give way to them where a keyboard takes the room
            bring_into_sight(self.rows[:_LEAST_SEEN][-1])

    def step(self, key: int) -> bool:
        """Mark the next firm or the one before by an arrow; return False if there is none."""
        at = self._marked + _STEPS.get(Qt.Key(key), 0)
        if at == self._marked:
            return False
        if 0 <= at < len(self._buyers):
            self._mark(at)
        return bool(self._buyers)

    def _mark(self, at: int) -> None:
        self._marked = at
        for number, row in enumerate(self.rows):
            row.setChecked(number == at)
        if at > 0:
            bring_into_sight(self.rows[at])

    def _row(self, buyer: KnownBuyer) -> OptionButton:
        label = known_buyer_label(buyer, self._texts)
        row = OptionButton(self._theme, label, buyer.name or buyer.id.value, icon="building-2")
        row.setCheckable(True)
        row.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        metrics = self._theme.metrics
        words = metrics.line(TypeStep.SMALL) + metrics.line(TypeStep.BASE) + 2 * metrics.s1
        row.setFixedHeight(max(metrics.touch, words))  # so that several stand above a keyboard
        row.clicked.connect(lambda: self.taken.emit(buyer))
        return row
