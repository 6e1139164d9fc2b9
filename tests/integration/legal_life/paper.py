"""Reads a receipt from its journal text alone: 40 columns, as processors write it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

METHODS = {
    "Готовина": "cash",
    "Платна картица": "card",
    "Чек": "check",
    "Пренос на рачун": "wiretransfer",
    "Ваучер": "voucher",
    "Инстант плаћање": "mobilemoney",
    "Друго безготовинско плаћање": "other",
}
_NUMBER = r"[\d.]+(?:,\d+)?"
_FIGURES = re.compile(rf" *({_NUMBER}) +({_NUMBER}) +(-?{_NUMBER})")
_SECTION = re.compile(r"-+(\w+ \w+)-+")


@dataclass(frozen=True)
class Line:
    """An item: its name without the label, and its figures; a refund's total is negative."""

    name: str
    label: str
    price: Decimal
    quantity: Decimal
    total: Decimal


@dataclass(frozen=True)
class Paper:
    """kind: "ПРОМЕТ ПРОДАЈА". payments: amounts by method. reference: number and time, or None."""

    kind: str
    lines: tuple[Line, ...]
    total: Decimal
    payments: dict[str, Decimal]
    time: str
    buyer: str | None
    reference: tuple[str, str] | None


def read_paper(journal: str) -> Paper:
    lines = journal.split("\r\n")
    pairs = {
        name.strip(): value.strip() for name, _, value in (one.partition(":") for one in lines)
    }
    kind = next(found[1] for one in lines if (found := _SECTION.fullmatch(one)))
    total = "Укупна рефундација" if "РЕФУНДАЦИЈА" in kind else "Укупан износ"
    number = pairs.get("Реф. број")
    return Paper(
        kind=kind,
        lines=tuple(_items(lines)),
        total=_figure(pairs[total]),
        payments={METHODS[name]: _figure(pairs[name]) for name in pairs if name in METHODS},
        time=pairs["ПФР време"],
        buyer=pairs.get("ИД купца"),
        reference=None if number is None else (number, pairs["Реф. време"]),
    )


def _items(lines: list[str]) -> list[Line]:
    found, name = [], ""
    start = next(place for place, one in enumerate(lines) if one.startswith("Назив"))
    for one in lines[start + 1 :]:
        figures = _FIGURES.fullmatch(one)
        if name and figures:
            printed, _, label = name.rpartition(" (")
            price, quantity, total = map(_figure, figures.groups())
            found.append(Line(printed, label.rstrip(") "), price, quantity, total))
            name = ""
        elif one.startswith("-" * 40):
            return found
        else:
            name += one
    raise AssertionError("the items have no end")


def _figure(text: str) -> Decimal:
    return Decimal(text.replace(".", "").replace(",", "."))
