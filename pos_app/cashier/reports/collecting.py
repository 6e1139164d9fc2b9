"""What a person says of money that came in for receipts: the state of the form, without a
widget."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import field
from datetime import date
from typing import Literal

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

Lack = Literal["day", "amount"]


@dataclass(slots=True)
class CollectForm:
    """The form of some receipts, the oldest first. key: the same for each press of its button, so
    that the money is written down once."""

    receivables: tuple[OpenReceivable, ...]
    today: date
    day_text: str
    amount_text: str
    note: str = ""
    key: str = field(default_factory=lambda: secrets.token_hex(16))
    error: Invalid | None = None

    @classmethod
    def of(cls, receivables: Sequence[OpenReceivable], today: date) -> CollectForm:
        """Raises Invalid for "receipts" where some are owed and others to be given back."""
        form = cls(
            tuple(sorted(receivables, key=lambda receivable: receivable.day)),
            today,
            f"{today.day}.{today.month}.{today.year}.",
            amount_text(rest_of(receivables)),
        )
        _ = form.shares
        return form

    @property
    def rest_due(self) -> Money:
        return rest_of(self.receivables)

    @property
    def gives_back(self) -> bool:
        return self.receivables[0].rest_due < 0

    @property
    def day(self) -> date:
        """Raises Invalid for "day"."""
        day = day_typed(self.day_text, today=self.today)
        return check_day(day, today=self.today, since=self._since)

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
        return shared_out(self.receivables, amount)

    @property
    def lack(self) -> Lack | None:
        """The field that is empty, or that nothing can be written down with."""
        try:
            _ = self.day
        except Invalid:
            return "day"
        try:
            _ = self.shares
        except Invalid:
            return "amount"
        return None
