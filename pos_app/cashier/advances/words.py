"""Words for open advances: a row of the list, the buyer, the days."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.words.buyer_words import buyer_words
from pos_app.cashier.words.receipt_words import short_number
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.receipt.open_advances import OpenAdvance
from pos_app.domain.receipt.receipt_overview import PaidBy
from pos_app.domain.receipt.request import name_and_unit
from pos_app.domain.text.instant import in_belgrade
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class AdvanceRow:
    """A row as it is painted. remaining is an amount, or words where `is_amount` is not set. icon
    is shown before these words. quiet says why the row can wait; it is "" for a usual row."""

    title: str
    words: str
    paid: str
    total: str
    remaining: str
    number: str
    opened: str
    is_amount: bool = True
    icon: str = ""
    quiet: str = ""

    @property
    def spoken(self) -> str:
        parts = (self.title, self.words, self.paid, self.remaining, self.number, self.quiet)
        return ", ".join(part for part in parts if part)


def row_of(
    row: OpenAdvance,
    texts: Texts,
    *,
    now: datetime,
    untouched_days: int | None,
    under_way: bool = False,
) -> AdvanceRow:
    """untouched_days counts the days for which nobody touched the advance. under_way: an act on it
    has not ended, so that what remains is not known."""
    remaining, icon = "", ""
    if under_way:
        remaining = texts("adv.under_way")
    elif row.remaining is None:
        remaining = texts("adv.not_known")
    elif row.is_paid:
        remaining, icon = texts("adv.is_paid"), "check"
    quiet = "" if untouched_days is None else texts.count("adv.row_untouched", untouched_days)
    buyer, ordered = buyer_words(row.buyer or "", texts), ordered_text(row, texts)
    if row.proforma:
        by = texts("adv.by_proforma", number=short_number(row.proforma))
        ordered = f"{by} · {ordered}"
    return AdvanceRow(
        title=buyer or ordered,
        words=ordered if buyer else texts("adv.no_buyer"),
        paid=amount_text(row.paid),
        total="–" if row.total is None else amount_text(row.total),
        remaining=remaining or amount_text(row.remaining or row.paid),
        number=short_number(row.number),
        opened=day_text(row.since, now),
        is_amount=not remaining,
        icon=icon,
        quiet=quiet,
    )


def ordered_text(row: OpenAdvance, texts: Texts) -> str:
    more, name = row.lines - 1, name_and_unit(row.ordered)[0]
    return texts.count("adv.and_more", more, name=name) if more else name


def day_text(moment: datetime, now: datetime) -> str:
    """A day in Belgrade: 14.11., with the year where it is not this year."""
    day, today = in_belgrade(moment), in_belgrade(now)
    text = f"{day.day}.{day.month}."
    return text if day.year == today.year else f"{text}{day.year}."


def paid_text(paid: Sequence[PaidBy], texts: Texts) -> str:
    """The payment methods with their amounts: "готовина 3.000,00 · картица 2.000,00"."""
    return " · ".join(
        f"{texts(f'pay.method.{one.method}').lower()} {amount_text(one.amount)}" for one in paid
    )
