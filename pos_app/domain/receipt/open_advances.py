"""The advances of a journal that are neither closed nor refunded, as the till lists them.

The server fills these in and the till reads them; between the two they are JSON (`wire.records`).
Instants are UTC. Source: fiscal.md 6.2; till.md ("Advances").
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime

from pos_app.domain.money.money import Money
from pos_app.domain.text.transliteration import latin
from pos_app.lazy_dataclass import dataclass

_BY_PROFORMA = "По предрачуну"
_NAMED = re.compile(rf"^(?:{_BY_PROFORMA}|{latin(_BY_PROFORMA)}) (\S+-\S+-\d+)$", re.MULTILINE)


def by_proforma(number: str, *, in_latin: bool) -> str:
    """The line of text by which an advance names its proforma; the advance does not refer to the
    proforma (fiscal.md 6.3)."""
    text_line = f"{_BY_PROFORMA} {number}"
    return latin(text_line) if in_latin else text_line


def proforma_named(text: str) -> str:
    """The number that a line of `by_proforma` in this text names, or ""."""
    found = _NAMED.search(text)
    return found[1] if found else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAdvance:
    """receipt_id, number, time: of the buyer's last payment on the advance, to which every further
    receipt refers.

    since: the first payment. touched: the last payment or refund. paid: without refunds. total is
    None while the final amount is unknown. ordered: the name of the first ordered line; lines: the
    number of ordered lines. numbers: the numbers of all its receipts, in the order of acceptance.
    buyer: in wire form. proforma: the number that its text names, or "". under_way: whether an act
    on it is not ended, so that nobody knows yet what is paid.
    """

    receipt_id: str
    number: str
    time: datetime
    since: datetime
    touched: datetime
    paid: Money
    ordered: str
    lines: int
    numbers: tuple[str, ...]
    buyer: str | None = None
    total: Money | None = None
    proforma: str = ""
    under_way: bool = False

    @property
    def remaining(self) -> Money | None:
        return None if self.total is None else self.total - self.paid

    @property
    def is_paid(self) -> bool:
        """Whether nothing remains to be paid; never while the final amount is unknown."""
        return self.total is not None and self.paid >= self.total


@dataclass(frozen=True, slots=True)
class OpenAdvances:
    """The open advances, as `in_order` sorts them. is_whole is False while the server still reads
    its journal, or can't read a part: there may be more."""

    advances: tuple[OpenAdvance, ...]
    is_whole: bool


def in_order(advances: Iterable[OpenAdvance]) -> tuple[OpenAdvance, ...]:
    """The last touched first."""
    return tuple(
        sorted(advances, key=lambda advance: (advance.touched, advance.number), reverse=True)
    )
