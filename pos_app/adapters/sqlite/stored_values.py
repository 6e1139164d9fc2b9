"""Values in the till's and the catalogue's files: para, thousandths, ten-thousandths, UTC text."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money, Quantity


def para(amount: Money) -> int:
    return int(amount.amount.scaleb(2))


def money(para_count: int) -> Money:
    return Money.of_para(para_count)


def optional_para(amount: Money | None) -> int | None:
    return None if amount is None else para(amount)


def optional_money(para_count: int | None) -> Money | None:
    return None if para_count is None else money(para_count)


def thousandths(quantity: Quantity) -> int:
    return int(quantity.amount.scaleb(3))


def quantity_of(thousandth_count: int) -> Quantity:
    return Quantity(Decimal(thousandth_count).scaleb(-3))


def ten_thousandths(percent: Percent | None) -> int | None:
    return None if percent is None else int(percent.value.scaleb(4))


def percent_of(ten_thousandth_count: int | None) -> Percent | None:
    if ten_thousandth_count is None:
        return None
    return Percent(Decimal(ten_thousandth_count).scaleb(-4))


def moment_text(moment: datetime) -> str:
    """Write an instant as UTC text of one width."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def optional_text(moment: datetime | None) -> str | None:
    return None if moment is None else moment_text(moment)


def moment_of(text: str) -> datetime:
    return datetime.fromisoformat(text)


def optional_moment(text: str | None) -> datetime | None:
    return None if text is None else moment_of(text)
