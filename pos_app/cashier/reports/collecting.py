"""What a person says of money that came in for receipts: the state of the form, without a
widget."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from datetime import date

from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text, parse_amount
from pos_app.domain.text.instant import day_typed
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.reports.receivables import (
    Collecting,
    OpenReceivable,
    check_day,
    rest_of,
    shared_out,
)


@dataclass(slots=True)
class CollectForm:
    """The form of some receipts, the oldest first. key: the same for each press of its button, so
    that the money is written down once. offered_day: the last day that nobody typed. gives_back:
    whether the money goes back to the buyers. is_renewed: what is owed changed meanwhile."""

    receivables: tuple[OpenReceivable, ...]
    today: Callable[[], date]
    amount_text: str
    day_text: str = ""
    offered_day: str = ""
    note: str = ""
    key: str = field(default_factory=lambda: secrets.token_hex(16))
    gives_back: bool = False
    is_renewed: bool = False
    error: Invalid | None = None

    @classmethod
    def of(cls, receivables: Sequence[OpenReceivable], today: Callable[[], date]) -> CollectForm:
        """Raises Invalid for "receipts" where some are owed and others to be given back."""
        by_day = sorted(receivables, key=lambda receivable: receivable.day)
        _ = shared_out(by_day, rest_of(by_day))
        form = cls(tuple(by_day), today, amount_text(rest_of(by_day)))
        form.gives_back = by_day[0].rest_due < 0
        form.offer_today()
        return form

    def offer_today(self) -> None:
        """Put today in place of the day that was offered before; a typed day stays."""
        today, before = self.today(), self.offered_day
        self.offered_day = f"{today.day}.{today.month}.{today.year}."
        if self.day_text == before:
            self.day_text = self.offered_day

    def renew(self, receivables: Sequence[OpenReceivable]) -> None:
        """Take what is owed now. What was typed stays, to be judged by it."""
        now = {one.number: one for one in receivables}
        renewed = tuple(
            now.get(one.number) or replace(one, collected=one.owed) for one in self.receivables
        )
        self.is_renewed |= renewed != self.receivables
        self.receivables = renewed

    @property
    def rest_due(self) -> Money:
        return rest_of(self._due)

    @property
    def _due(self) -> tuple[OpenReceivable, ...]:
        """The receipts that the form's money can be for still."""
        open_still = (one for one in self.receivables if one.rest_due)
        return tuple(one for one in open_still if (one.rest_due < 0) is self.gives_back)

    @property
    def day(self) -> date:
        """Raises Invalid for "day"."""
        today = self.today()
        return check_day(day_typed(self.day_text, today=today), today=today, since=self._since)

    @property
    def _since(self) -> date:
        """The day of the latest receipt that the money is for; of the oldest one, as long as there
        is no amount."""
        days = {one.number: one.day for one in self.receivables}
        try:
            return max(days[share.number] for share in self.shares)
        except Invalid:
            return min(days.values())

    @property
    def shares(self) -> tuple[Collecting, ...]:
        """Raises Invalid for "amount" or "receipts"."""
        try:
            amount = parse_amount(self.amount_text)
        except Invalid as error:
            if error.kind == "negative":  # whose words are about a price
                raise Invalid("no_payment", field="amount") from error
            raise error.at("amount") from error
        if not self._due:
            raise Invalid("above_rest", field="amount", rest=Money.ZERO)
        return shared_out(self._due, amount)

    @property
    def lack(self) -> Invalid | None:
        """Why nothing can be written down yet, of the first field that is empty or wrong."""
        try:
            _ = self.day, self.shares
        except Invalid as error:
            return error
        return None

    @property
    def excess(self) -> Money | None:
        """What a typed amount is more than what is due; None where that is not what is wrong."""
        lack, rest = self.lack, self.rest_due
        is_above = lack is not None and lack.kind == "above_rest" and rest > Money.ZERO
        return parse_amount(self.amount_text) - rest if is_above else None
