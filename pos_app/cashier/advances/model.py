"""The list of open advances, its search, and the advance that is opened.

Source: till.md ("Advances").
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cached_property

from pos_app.cashier.words.receipt_words import short_number
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.open_advances import OpenAdvance, OpenAdvances
from pos_app.domain.receipt.receipt_number import same_number
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.domain.text.search_text import fold, words
from pos_app.errors import PosError


class AdvancesModel:
    """untouched: an advance without payment or refund for this time counts as forgotten."""

    def __init__(self, *, untouched: timedelta) -> None:
        self.untouched_after = untouched
        self.listed: OpenAdvances | None = None
        self.error: PosError | None = None
        self.typed_text = ""
        self.chosen = ""
        """The number of the chosen advance's first receipt, or ""."""
        self.opened: ReceiptOverview | None = None
        """The whole chosen advance; it is None until the server has sent it."""
        self.held: frozenset[str] = frozenset()
        """The ids of receipts on which an act of this till is under way."""

    # --- the list --------------------------------------------------------------------------------

    def take(
        self, listed: OpenAdvances, *, awaits_another: bool = False, opens: bool = False
    ) -> None:
        """Take the server's list. The chosen advance stays chosen while it is found, if it was
        closed, or while another one is awaited. opens: it is the first list of a visit, of which
        one is chosen; later no other one takes the place of one that went."""
        first = self.listed is None
        self.listed, self.error = listed, None
        self._forget_found()
        went = self.row is None and self._is_open and not awaits_another
        if self.chosen and (went or (self.row is not None and self.index is None)):
            self.forget()
        if (first or opens) and not self.chosen and self.matches:
            self.choose(self.matches[0])

    def search(self, typed_text: str) -> None:
        """Search for beginnings of words of the ordered items, or parts of a buyer's or receipt's
        number. The first one found is chosen, none where none is found."""
        self.typed_text = typed_text
        self._forget_found()
        if not self.matches:
            self.forget()
        elif self.index is None:
            self.choose(self.matches[0])

    @cached_property
    def matches(self) -> Sequence[OpenAdvance]:
        """The advances that match the search; the last one touched comes first."""
        rows = self.listed.advances if self.listed is not None else ()
        parts = words(self.typed_text)
        return [row for row in rows if _is_meant(row, parts)] if parts else rows

    @property
    def lists_nothing(self) -> bool:
        """Whether no advance is listed, or the list can't be shown, and none is opened."""
        is_told = self.listed is not None or self.error is not None
        return is_told and not self.matches and self.opened is None

    @property
    def paid(self) -> Money:
        return Money.total(row.paid for row in self.matches)

    def is_under_way(self, row: OpenAdvance) -> bool:
        """Whether an act on it has not ended, so that nobody knows what remains to be paid."""
        return row.under_way or row.receipt_id in self.held

    def is_untouched(self, row: OpenAdvance, now: datetime) -> bool:
        return now - row.touched > self.untouched_after

    def untouched(self, now: datetime) -> int:
        return sum(self.is_untouched(row, now) for row in self.matches)

    @property
    def untouched_days(self) -> int:
        return self.untouched_after.days

    # --- the one that is opened ------------------------------------------------------------------

    @property
    def row(self) -> OpenAdvance | None:
        rows = self.listed.advances if self.listed is not None else ()
        return next((row for row in rows if row.numbers[0] == self.chosen), None)

    @property
    def index(self) -> int | None:
        chosen = (at for at, row in enumerate(self.matches) if row.numbers[0] == self.chosen)
        return next(chosen, None)

    @property
    def opens_another(self) -> bool:
        """Whether the opened advance is in no list because it was closed or given back."""
        return self.opened is not None and self.row is None

    @property
    def _is_open(self) -> bool:
        """Whether the opened advance was open when the server sent it; True if none is opened."""
        advance = None if self.opened is None else self.opened.advance
        return advance is None or not advance.is_closed

    def forget(self) -> None:
        self.chosen, self.opened = "", None

    def choose(self, row: OpenAdvance) -> None:
        if row.numbers[0] != self.chosen:
            self.chosen, self.opened = row.numbers[0], None

    def step(self, by: int) -> None:
        if self.matches:
            now = self.index
            at = 0 if now is None else min(max(now + by, 0), len(self.matches) - 1)
            self.choose(self.matches[at])

    def of_number(self, number: str) -> OpenAdvance | None:
        rows = self.listed.advances if self.listed is not None else ()
        return next(
            (row for row in rows if any(same_number(number, one) for one in row.numbers)), None
        )

    def open(self, overview: ReceiptOverview) -> None:
        """Open an advance chosen by its row or code. A search that hides the advance ends."""
        first = overview.first_number
        if self.row is None or first != self.chosen:
            self.typed_text = ""
            self._forget_found()
        self.chosen, self.opened = first, overview

    def _forget_found(self) -> None:
        self.__dict__.pop("matches", None)


def _is_meant(row: OpenAdvance, beginnings: Sequence[str]) -> bool:
    names = fold(row.ordered).split()
    numbers = [short_number(number) for number in (*row.numbers, row.proforma) if number]
    buyer = fold((row.buyer or "").partition(":")[2])
    return all(
        any(name.startswith(part) for name in names)
        or any(number.endswith(part) for number in numbers)
        or part in buyer
        for part in beginnings
    )
