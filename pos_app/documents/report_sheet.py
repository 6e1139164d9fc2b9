"""A report on paper and in files: words, cells and the chart of any report."""

from __future__ import annotations

from dataclasses import field
from datetime import date, datetime
from decimal import Decimal

from pos_app.documents.blocks import COLUMNS, Document, Lines
from pos_app.documents.chart import ChartBar
from pos_app.domain.money import number_text
from pos_app.lazy_dataclass import dataclass

SheetCell = str | int | Decimal | datetime | date | None
"""A datetime is Belgrade time without a zone."""


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """kind: one of `selling.reports.table.Kind`."""

    head: str
    kind: str

    @property
    def is_number(self) -> bool:
        return self.kind in ("count", "quantity", "amount", "back", "net", "quiet", "change", "age")


@dataclass(frozen=True, slots=True)
class ReportSheet:
    """shop: the shop's name. period: the days, in words. total: the row of the total; its first
    cell has the word for it. notes: the notes below the table. bars, chart_title, legend: the parts
    of the chart, empty without a chart; the legend has the period and the period before. is_line:
    the chart is drawn as a line; is_lying: its bars lie. page_word: "Страна". made: an
    instant in UTC."""

    title: str
    shop: str
    period: str
    columns: tuple[SheetColumn, ...]
    rows: tuple[tuple[SheetCell, ...], ...]
    total: tuple[SheetCell, ...] | None
    notes: tuple[str, ...]
    page_word: str
    language: str
    made: datetime
    bars: tuple[ChartBar, ...] = ()
    chart_title: str = ""
    legend: tuple[str, ...] = field(default_factory=tuple)
    is_line: bool = False
    is_lying: bool = False


def cell_text(cell: SheetCell, kind: str) -> str:
    """A cell as a person reads it: -1057.88 -> "−1.057,88", 2707 -> "2.707", None -> "".

    | cell   | kind     | text    |
    | 4.6    | change   | +4,6 %  |
    | 1.56   | quantity | 1,560   |
    """
    match cell:
        case None:
            return ""
        case datetime():
            return f"{cell.day}.{cell.month}.{cell.year}. {cell:%H:%M}"
        case date():
            return f"{cell.day}.{cell.month}.{cell.year}."
        case Decimal() if kind == "change":
            return f"{'+' if cell > 0 else ''}{number_text.percent_text(cell)}"
        case Decimal() if kind == "quantity":
            return number_text.quantity_sum_text(cell)
        case Decimal():
            return number_text.sum_text(cell)
        case int():
            return number_text.grouped_text(cell)
    return cell


def on_roll(sheet: ReportSheet) -> Document:
    """The sheet on 40 columns: the words of each row with its main amount."""
    main = next(
        (index for index, column in enumerate(sheet.columns) if column.kind == "net"),
        len(sheet.columns) - 1,
    )
    text_lines = [sheet.shop, sheet.title, sheet.period, "=" * COLUMNS]
    for row in sheet.rows:
        text_lines += _roll_line(sheet, row, main)
    text_lines.append("-" * COLUMNS)
    if sheet.total is not None:
        text_lines += _roll_line(sheet, sheet.total, main)
    parts = [*text_lines, *(part for note in sheet.notes for part in _wrapped(note))]
    return Document(
        title=sheet.title,
        moment=sheet.made,
        language=sheet.language,
        blocks=(
            Lines(
                tuple(
                    text_line.replace(number_text.NO_BREAK_SPACE, " ")[:COLUMNS]
                    for text_line in parts
                )
            ),
        ),
        page_word=sheet.page_word,
    )


def _roll_line(sheet: ReportSheet, row: tuple[SheetCell, ...], main: int) -> list[str]:
    words = " ".join(
        filter(
            None,
            (
                cell_text(cell, column.kind)
                for cell, column in zip(row, sheet.columns, strict=True)
                if not column.is_number
            ),
        )
    )
    if not sheet.columns[main].is_number:
        return [words[:COLUMNS]]
    amount = cell_text(row[main], sheet.columns[main].kind).replace(number_text.MINUS, "-")
    room = COLUMNS - len(amount) - 1
    if len(words) <= room:
        return [f"{words:<{room}} {amount}"]
    return [words[:COLUMNS], f"{amount:>{COLUMNS}}"]


def _wrapped(words: str) -> list[str]:
    text_lines, text_line = list[str](), ""
    for word in words.split():
        if text_line and len(text_line) + 1 + len(word) > COLUMNS:
            text_lines.append(text_line)
            text_line = word
        else:
            text_line = f"{text_line} {word}".strip()
    return [*text_lines, text_line]
