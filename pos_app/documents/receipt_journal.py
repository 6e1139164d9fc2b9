"""A processor's journal as lines of paper, split where the QR code is printed.

Source: fiscal.md 3 (point 9: a tax line of each label; point 11: the QR code stands before the
last line).
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import takewhile
from types import MappingProxyType

from pos_app.documents import columns
from pos_app.documents.blocks import COLUMNS
from pos_app.domain.article.store import ReceiptLanguage
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.text.transliteration import latin
from pos_app.lazy_dataclass import dataclass

_END_LINE = re.compile(r"=+ .*[^= ].* =+")


@dataclass(frozen=True, slots=True)
class JournalLines:
    """The lines above the QR code, and the end line below it (empty where the journal has none)."""

    above: tuple[str, ...]
    end: tuple[str, ...]


def read_journal(text: str, *, language: ReceiptLanguage) -> JournalLines | None:
    """The lines of a journal in the script of the paper, or None for a blank journal. In Cyrillic
    the lines are as signed; a line wider than the paper is broken between words."""
    text_lines = columns.trimmed_lines(text)
    if not text_lines:
        return None
    end = [text_lines.pop()] if _END_LINE.fullmatch(text_lines[-1].strip()) else []
    return JournalLines(_on_paper(text_lines, language), _on_paper(end, language))


@dataclass(frozen=True, slots=True)
class PrintedTax:
    """A tax line: its rate in percent, and the amount with two decimals."""

    percent: Decimal
    amount: Decimal


def printed_taxes(text: str) -> dict[str, PrintedTax]:
    """The tax lines of a journal by label; lines whose rate is no percentage are left out."""
    text_lines = iter(text.splitlines())
    if not any(_TAX_HEADING.fullmatch(text_line) for text_line in text_lines):
        return {}
    rows = map(
        _TAX_ROW.fullmatch, takewhile(lambda text_line: not _RULE.fullmatch(text_line), text_lines)
    )
    return {row[1]: PrintedTax(_number(row[2]), _number(row[3])) for row in rows if row}


def printed_totals(text: str) -> dict[str, Money]:
    """The totals of a journal's items by label, in the order of first appearance. Amounts are
    positive, on a refund too; an unreadable item is left out."""
    text_lines = deque(text.splitlines())
    while text_lines and not _ITEM_HEADING.fullmatch(text_lines.popleft()):
        pass
    totals: dict[str, Money] = {}
    name: list[str] = []
    while text_lines and not (_RULE.fullmatch(text_lines[0]) and "-" in text_lines[0]):
        text_line = text_lines.popleft()
        if name and name[-1].rstrip().endswith(")") and _FIGURES.fullmatch(text_line):
            label = _LABELS_AT_END.search(_joined(name))
            key, total = "" if label is None else label[0].strip()[1:-1], text_line.split()[-1]
            totals[key] = totals.get(key, Money.ZERO) + Money(_number(total.lstrip("-")))
            name = []
        elif name or not _RULE.fullmatch(text_line):
            name.append(text_line)
    return totals


def printed_payments(text: str) -> dict[PaymentMethod, Money]:
    """The payments of a journal, by method, as far as they can be read."""
    found: dict[PaymentMethod, Money] = {}
    for text_line in text.splitlines():
        for label, method in METHODS.items():
            value = text_line[len(label) :].strip() if text_line.startswith(label) else ""
            if _AMOUNT.fullmatch(value):
                found[method] = Money(_number(value.lstrip("-")))
    return found


def _number(text: str) -> Decimal:
    """Read a printed number: "1.234,50" -> 1234.50."""
    return Decimal(text.replace(".", "").replace(",", "."))


def _on_paper(text_lines: Sequence[str], language: ReceiptLanguage) -> tuple[str, ...]:
    if language is ReceiptLanguage.LATIN:
        return tuple(latin_lines(text_lines))
    return tuple(part for text_line in text_lines for part in columns.wrapped(text_line))


# --- in Latin letters --------------------------------------------------------------------------
# The journal is laid out again, because Љ, Њ and Џ become two letters and columns move. Tax labels
# stay Cyrillic, because they are codes. Text that the processor cut at column 40 is joined, written
# in Latin and cut again. A line of an unknown layout is written in Latin and fitted on its own, so
# nothing is ever left out. Source: fiscal.md 3 (layout; "For sr-Latn-RS transliterate on
# printing").


METHODS: Mapping[str, PaymentMethod] = MappingProxyType(
    {
        "Готовина:": PaymentMethod.CASH,
        "Платна картица:": PaymentMethod.CARD,
        "Чек:": PaymentMethod.CHECK,
        "Пренос на рачун:": PaymentMethod.WIRE_TRANSFER,
        "Ваучер:": PaymentMethod.VOUCHER,
        "Инстант плаћање:": PaymentMethod.MOBILE_MONEY,
        "Друго безготовинско плаћање:": PaymentMethod.OTHER,
    }
)
_PAIR_LABELS = (
    "Касир:",
    "ИД купца:",
    "Опционо поље купца:",
    "ЕСИР број:",
    "ЕСИР време:",
    "Реф. број:",
    "Реф. време:",
    "Укупан износ:",
    "Укупна рефундација:",
    *METHODS,
    "Укупан износ пореза:",
    "ПФР време:",
    "ПФР број рачуна:",
    "Бројач рачуна:",
)
_AMOUNT = re.compile(r"-?[\d.]+,\d\d")
_ITEM_HEADING = re.compile(r"\s*Назив\s+Цена\s+Кол\.\s+Укупно\s*")
_TAX_HEADING = re.compile(r"\s*Ознака\s+Име\s+Стопа\s+Порез\s*")
_FIGURES = re.compile(r"\s*-?[\d.]+,\d\d\s+[\d.]+(,\d{1,3})?\s+-?[\d.]+,\d\d\s*")
_TAX_ROW = re.compile(r"(\S)\s+\S.*?\s([\d.]+,\d\d)%\s+([\d.]+,\d\d)\s*")
_RULE = re.compile(r"\s*(-{10,}|={10,})\s*")
_LABELS_AT_END = re.compile(r"\(\S(?:, ?\S)*\)\s*$")
_FILLER = re.compile(r" {2,}|={2,}|-{2,}")


def latin_lines(text_lines: Iterable[str]) -> Iterator[str]:
    """The lines of a journal, at most 40 columns each, in Latin letters."""
    rest = deque(text_lines)
    while rest:
        text_line = rest.popleft()
        label = next((label for label in _PAIR_LABELS if text_line.startswith(label)), None)
        if label is not None:
            yield from _pair(label, _whole(text_line, label, rest))
            continue
        yield from _fitted(text_line)
        if _ITEM_HEADING.fullmatch(text_line):
            yield from _items(rest)
        elif _TAX_HEADING.fullmatch(text_line):
            yield from _taxes(rest)


# --- in Latin letters: label and value ---------------------------------------------------------


def _whole(text_line: str, label: str, rest: deque[str]) -> str:
    """A label with its value, the end of which may stand in the lines below; these are taken from
    `rest`. Only a pair that fills its lines with a single blank after the label can have been
    cut."""
    while len(text_line) % COLUMNS == 0 and rest and text_line[len(label) + 1] != " ":
        following = rest[0]
        if _RULE.fullmatch(following) or following.startswith(("---", "===", *_PAIR_LABELS)):
            break
        text_line += rest.popleft()
    return text_line


def _pair(label: str, text_line: str) -> list[str]:
    return columns.pair(latin(label), latin(text_line[len(label) :].strip()))


# --- in Latin letters: items -------------------------------------------------------------------


def _items(rest: deque[str]) -> Iterator[str]:
    name: list[str] = []
    while rest and not (_RULE.fullmatch(rest[0]) and "-" in rest[0]):
        text_line = rest.popleft()
        if name and name[-1].rstrip().endswith(")") and _FIGURES.fullmatch(text_line):
            yield from columns.cut(_latin_but_labels(_joined(name)))
            yield from _fitted(text_line)
            name = []
        elif not name and _RULE.fullmatch(text_line):
            yield text_line[:COLUMNS]
        else:
            name.append(text_line)
    for text_line in name:
        yield from _fitted(text_line)


def _joined(name_pieces: list[str]) -> str:
    """A name in one piece; a part whose trailing blanks were cut gets one back."""
    *cut_parts, last = name_pieces
    parts_with_blanks = (
        part if len(part) == COLUMNS else f"{part.rstrip()} " for part in cut_parts
    )
    return "".join((*parts_with_blanks, last.rstrip()))


def _latin_but_labels(text: str) -> str:
    """Transliterate all but the labels at the end: "Њоки (Ђ)" -> "Njoki (Ђ)"."""
    labels = _LABELS_AT_END.search(text)
    at = labels.start() if labels else len(text)
    return latin(text[:at]) + text[at:]


# --- in Latin letters: taxes and everything else -----------------------------------------------


def _taxes(rest: deque[str]) -> Iterator[str]:
    while rest and not _RULE.fullmatch(rest[0]):
        row = rest.popleft()
        yield from _narrowed(row[:1] + latin(row[1:]))


def _fitted(text_line: str) -> list[str]:
    return _narrowed(_latin_but_labels(text_line))


def _narrowed(text_line: str) -> list[str]:
    excess = len(text_line) - COLUMNS
    if excess <= 0:
        return [text_line]
    filler = max(_FILLER.finditer(text_line), key=lambda hit: len(hit[0]), default=None)
    if filler is None or len(filler[0]) <= excess:
        return columns.wrapped(text_line)
    return [text_line[: filler.start()] + text_line[filler.start() + excess :]]
