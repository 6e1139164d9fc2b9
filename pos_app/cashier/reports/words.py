"""A report in words: keys as people read them, and the sheet for files and paper."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from types import MappingProxyType
from typing import Literal
from urllib.parse import urlsplit

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.words.buyer_words import buyer_words
from pos_app.cashier.words.receipt_words import short_number
from pos_app.documents import report_sheet
from pos_app.documents.chart import ChartBar, scale_of
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import grouped_text, percent_text, sum_text
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.text.instant import in_belgrade
from pos_app.selling.catalogue.catalogue import FROM_FILE, PriceReason
from pos_app.selling.people.acts import NotedAct, PersonChange
from pos_app.selling.people.rights import Act, Leave, Role
from pos_app.selling.reports.periods import Period
from pos_app.selling.reports.receivables import RECEIPT, CollectedPayment
from pos_app.selling.reports.report import NO_CATEGORY, Report, ReportChoice, ReportName
from pos_app.selling.reports.table import Cell, ColumnKind, ReportColumn, Table
from pos_app.selling.shift.cash import MoveKind
from pos_app.selling.shift.shift import FloatIs

_Weekday = Literal["0", "1", "2", "3", "4", "5", "6"]
_WEEKDAYS: tuple[_Weekday, ...] = ("0", "1", "2", "3", "4", "5", "6")
_Month = Literal["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"]
_MONTHS: tuple[_Month, ...] = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12")
_UNITS: Mapping[int, Literal["", "thousand", "million"]] = {
    1: "",
    1_000: "thousand",
    1_000_000: "million",
}
_LEAST_BARS = 2
"""A chart compares; what a single bar says, the figures beside it say, too."""
_IN_TIME = (ReportName.DAY, ReportName.HOUR)


def day_text(day: date) -> str:
    """For example "7.11.2026." """
    return f"{day.day}.{day.month}.{day.year}."


def period_text(period: Period, *, with_year: bool = True) -> str:
    """For example "7.11. – 20.11.2026." """
    first, last = period.first, period.last
    end = day_text(last) if with_year else f"{last.day}.{last.month}."
    if first == last:
        return end
    begin = f"{first.day}.{first.month}."
    return f"{day_text(first) if first.year != last.year else begin} – {end}"


NO_NAMES: Mapping[str, str] = MappingProxyType({})


class ReportWords:
    """rates: today's rate of each tax label, in percent. buyers: the names of the buyers' book, by
    the buyers in wire form."""

    def __init__(
        self, texts: Texts, rates: Mapping[TaxLabel, Decimal], buyers: Mapping[str, str] = NO_NAMES
    ) -> None:
        self._texts, self._rates, self._buyers = texts, rates, buyers

    # --- what a line stands for ------------------------------------------------------------------

    def key(self, column: ReportColumn, cell: Cell) -> str:
        """The words of a cell of the kind KEY."""
        text = str(cell)
        match column.name:
            case "day" if len(text) <= _LONGEST_MONTH:
                return self._month(text)
            case "day" | "date":
                day = date.fromisoformat(text)
                return self._day(day) if column.name == "day" else day_text(day)
            case "hour":
                return f"{int(text)}–{int(text) + 1}"
            case "method" | "methods":
                return ", ".join(map(self._method, text.split()))
            case "label":
                return self._label(text)
            case "category" | "cause" | "buyer" | "owing":
                return self._named(column.name, cell)
            case "act" | "subject" | "was" | "now":
                of = self._subject if column.name == "subject" else self._of_act
                return of(*text.split(":", maxsplit=1))
        return text

    def _named(self, name: str, cell: Cell) -> str:
        if isinstance(cell, PriceReason):
            return self._cause(cell)
        text = str(cell)
        if name == "owing" and text.startswith(f"{RECEIPT} "):
            _, number, day = text.split()
            words = {"number": short_number(number), "day": day_text(date.fromisoformat(day))}
            return self._texts("rep.owing", **words)
        if name in ("buyer", "owing"):
            return self.buyer(text)
        return text or self._texts("rep.no_category")

    def _cause(self, reason: PriceReason) -> str:
        if reason.percent is None:
            return self._texts(f"rep.cause.{reason.cause}")
        signed = report_sheet.cell_text(reason.percent, ColumnKind.CHANGE)
        return self._texts(f"rep.cause.{reason.cause}.by_percent", percent=signed)

    def _of_act(self, done: str, text: str | None = None) -> str:
        """Return the words for an act, or for `text`, which is its subject or a value."""
        if text is None:
            return self._texts(f"rep.done.{NotedAct(done)}")
        match NotedAct(done):
            case _ if done in _MAY_BE_PERCENT and (percent := _PERCENT.fullmatch(text)):
                return percent_text(Decimal(percent[1]))
            case NotedAct.SHIFT_OPENED if text in _FLOATS:
                return self._texts(f"rep.float.{FloatIs(text)}")
            case NotedAct.RIGHTS:
                return self._right(text)
            case NotedAct.SETTINGS:
                return self._setting(text)
            case NotedAct.CASH_IN | NotedAct.CASH_OUT if found := _MOVE.fullmatch(text):
                return self._move(MoveKind(found[1]), found[2])
            case NotedAct.PERSON:
                return ", ".join(map(self._of_person, text.split(", ")))
        return text

    def _subject(self, done: str, text: str) -> str:
        match NotedAct(done):
            case NotedAct.COUNTED | NotedAct.SHIFT_CLOSED:
                shift, comma, reasons = text.partition(", ")
                return f"{self._texts('rep.shift', n=shift)}{comma}{reasons}"
            case NotedAct.CATALOGUE if text.startswith("many "):
                return self._texts("rep.many_changed", n=text.removeprefix("many "))
            case NotedAct.DECISION if text.startswith("undo "):
                return self._texts("rep.undone", number=text.removeprefix("undo "))
        return self._of_act(done, text)

    def _of_person(self, word: str) -> str:
        if word in _ROLES:
            return self._texts(f"role.{Role(word)}")
        return self._texts(f"rep.person.{PersonChange(word)}") if word in _CHANGED else word

    def _move(self, kind: MoveKind, bag: str | None) -> str:
        """The words for cash in or out for which the cashier typed no reason."""
        words = self._texts(f"shift.move.{kind}")
        return words if bag is None else f"{words}, {self._texts('shift.bag', n=bag)}"

    def _right(self, text: str) -> str:
        """The words for a value of a right, or for the right with its role."""
        if text in _LEAVES:
            return self._texts(f"leave.{Leave(text)}")
        act, _, role = text.partition(" ")
        if role not in _ROLES:
            return text
        return f"{self._texts(f'right.{Act(act)}')}, {self._texts(f'role.{Role(role)}')}"

    def _setting(self, text: str) -> str:
        """The words for a page of the settings, for a setting, or with "=" for its value."""
        name, _, value = text.partition("=")
        group, _, member = name.partition(".")
        if value in ("True", "False"):
            return self._texts("rep.switch.on" if value == "True" else "rep.switch.off")
        if value:
            ids = {one: f"set.value.{group}.{member}.{one}" for one in value.split("\n")}
            return ", ".join(
                self._texts(text_id) if self._texts.has(text_id) else one
                for one, text_id in ids.items()
            )
        if name in _PAGES:
            return self._texts(f"set.page.{_PAGES[name]}")
        return self._texts(f"set.value.{group}.{member}") if _SETTING.fullmatch(name) else text

    def bar(self, report: Report, key: str) -> str:
        match report.choice.name:
            case ReportName.DAY if report.choice.is_by_month:
                return f"{int(key[5:])}/{key[2:4]}"
            case ReportName.DAY:
                day = date.fromisoformat(key)
                return f"{self._texts(f'rep.weekday.short.{_WEEKDAYS[day.weekday()]}')} {day.day}."
            case ReportName.HOUR:
                return f"{int(key)}"
            case ReportName.ACTS:
                return key
        column, cell = _key_of(report.table, key)
        return self.key(column, cell)

    def narrowed_to(self, report: Report, key: str) -> str:
        """Words for the line that the list of receipts is narrowed to: its head and its cell."""
        line = next(line for line in report.table.lines if line.key == key)
        index = 1 if report.choice.name is ReportName.BOOKS else 0
        column = report.table.columns[index]
        return f"{self.head(report, column)}: {self.key(column, line.cells[index])}"

    def _day(self, day: date) -> str:
        weekday = self._texts(f"rep.weekday.{_WEEKDAYS[day.weekday()]}")
        return f"{weekday}, {day.day}.{day.month}."

    def _month(self, text: str) -> str:
        year, _, month = text.partition("-")
        return f"{self._texts(f'rep.month.{_MONTHS[int(month) - 1]}')} {year}."

    def _method(self, text: str) -> str:
        return self._texts("rep.paid_before" if text == "advance" else f"pay.method.{text}")

    def _label(self, text: str) -> str:
        rate = self._rates.get(TaxLabel(text))
        return text if rate is None else f"{text} · {percent_text(rate)}"

    # --- the table -------------------------------------------------------------------------------

    def head(self, report: Report, column: ReportColumn) -> str:
        if column.kind is ColumnKind.TICK:
            return ""
        if column.name == "day" and report.choice.is_by_month:
            return self._texts("rep.head.month")
        return self._texts(f"rep.head.{column.name}")

    def cell(self, column: ReportColumn, cell: Cell) -> str:
        if isinstance(cell, Decimal) and column.kind is ColumnKind.KEY:
            return grouped_text(cell)
        if column.kind is ColumnKind.KEY and cell is not None:
            return self.key(column, cell)
        if column.kind is ColumnKind.TICK:
            return self._texts("rep.ticked") if cell else ""
        if column.name == "receipt" and isinstance(cell, str):
            return short_number(cell)
        if column.name == "by" and isinstance(cell, str):
            return self._by(cell)
        return report_sheet.cell_text(_local(cell), column.kind.value)

    def total_name(self, report: Report) -> str:
        if report.choice.name is ReportName.RECEIVABLES:
            return self._texts("rep.total")
        length = report.choice.period.length
        return self._texts.count("rep.days", length) if length > 1 else self._texts("rep.one_day")

    # --- beside it -------------------------------------------------------------------------------

    def title(self, report: Report) -> str:
        return self.title_of(report.choice)

    def title_of(self, choice: ReportChoice) -> str:
        return self._texts("rep.title.month" if choice.is_by_month else f"rep.title.{choice.name}")

    def heading(self, choice: ReportChoice) -> str:
        """The title, with the day of a report that tells of one moment."""
        title = self.title_of(choice)
        is_of_moment = choice.name is ReportName.RECEIVABLES
        return f"{title}, {day_text(choice.period.last)}" if is_of_moment else title

    def unit_word(self, report: Report) -> str:
        """The word for the unit of the figures at standing bars; "" for single ones."""
        unit = _UNITS[scale_of(self.bars(report)).unit]
        return self._texts(f"rep.unit.{unit}") if unit else ""

    def is_lying(self, report: Report) -> bool:
        """Whether the bars lie, for they are no times but have names."""
        return report.choice.name not in _IN_TIME

    def chart_title(self, report: Report) -> str:
        unit = _UNITS[scale_of(self.bars(report)).unit]
        title = self.title(report)
        if not unit or self.is_lying(report):
            return title
        return self._texts(f"rep.in_{unit}s", title=title)

    def bars(self, report: Report) -> tuple[ChartBar, ...]:
        told = [bar for bar in report.bars if bar.value or bar.before or not self.is_lying(report)]
        if len(told) < _LEAST_BARS:
            return ()
        is_day = report.choice.name is ReportName.DAY
        return tuple(
            ChartBar(
                word,
                bar.value,
                bar.before,
                word.split()[-1] if is_day else "",
                self.value(report, bar.value) if report.choice.name is ReportName.ACTS else "",
            )
            for bar in report.bars
            for word in [self.bar(report, bar.key)]
        )

    def value(self, report: Report, value: Decimal) -> str:
        if report.choice.name is ReportName.ACTS:
            return self._texts.count("rep.acts", int(value))
        return sum_text(value)

    def legend(self, report: Report) -> tuple[str, ...]:
        """The period and the one before, with a note if both begin on one weekday."""
        choice = report.choice
        if not any(bar.before is not None for bar in report.bars):
            return ()
        before = self._before(choice)
        if (choice.period.first - choice.before.first).days % 7 == 0:
            before = self._texts("rep.same_weekdays", period=before)
        return period_text(choice.period, with_year=False), before

    def before(self, report: Report) -> str:
        """The period before in words: by its length where it ends as the period begins."""
        choice, days = report.choice, report.choice.before.length
        if days > 1 and (choice.period.first - choice.before.last).days == 1:
            return self._texts.count("rep.days_before", days)
        return self._before(choice)

    def _before(self, choice: ReportChoice) -> str:
        is_other_year = choice.before.last.year != choice.period.last.year
        return period_text(choice.before, with_year=is_other_year)

    def notes(self, report: Report) -> tuple[str, ...]:
        parts = list[str]()
        if report.choice.name is ReportName.PRICES and report.table.lines:
            parts.append(self._texts("rep.per_unit"))
        if report.untaxed:
            parts.append(self._texts.count("rep.untaxed", report.untaxed))
        if report.choice.name is ReportName.BOOKS:
            paid = sum((one.paid.amount for one in report.open_advances), Decimal(0))
            day = day_text(report.choice.period.last)
            many = len(report.open_advances)
            parts.append(
                self._texts.count("rep.open_advances", many, day=day, amount=sum_text(paid))
            )
            if many := len(report.receivables):
                rest = sum((one.rest_due for one in report.receivables), Decimal(0))
                parts.append(self._texts.count("rep.owed_at", many, day=day, amount=sum_text(rest)))
            parts += self._collected(report.collected)
        elif any(one.rest_due < 0 for one in report.receivables):
            parts.append(self._texts("rep.to_give_back"))
        return tuple(parts)

    def _collected(self, payments: Sequence[CollectedPayment]) -> Iterator[str]:
        """What came in for how many receipts, and what was given back."""
        for text_id, is_back in (("rep.came_in", False), ("rep.went_back", True)):
            some = [one for one in payments if (one.amount < Money.ZERO) is is_back]
            if many := len({one.number for one in some}):
                amount = sum((abs(one.amount.amount) for one in some), Decimal(0))
                yield self._texts.count(text_id, many, amount=sum_text(amount))

    def cut(self, report: Report) -> str:
        """The time from which rows are shown, if there were too many for a report; else ""."""
        if report.whole_from is None:
            return ""
        at = report_sheet.cell_text(_local(report.whole_from), ColumnKind.MOMENT.value)
        return self._texts.count("rep.cut", len(report.table.lines), at=at)

    # --- files -----------------------------------------------------------------------------------

    def sheet(self, report: Report, *, shop: str, made: datetime) -> report_sheet.ReportSheet:
        table, choice = report.table, report.choice
        total = None
        if table.total is not None:
            total = (self.total_name(report), *map(_local, table.total[1:]))
        legend = self.legend(report)
        return report_sheet.ReportSheet(
            title=self.title(report),
            shop=shop,
            period=self._period(choice),
            columns=tuple(
                report_sheet.SheetColumn(self.head(report, one), one.kind.value)
                for one in table.columns
            ),
            rows=tuple(
                tuple(map(self._sheet_cell, table.columns, line.cells)) for line in table.lines
            ),
            total=total,
            notes=(
                *filter(None, (self.cut(report),)),
                *self.notes(report),
                *self._advances(report),
                *self._books_lines(report),
                *self._whose(report),
            ),
            page_word=self._texts("rep.page"),
            language=self._texts.language,
            made=made,
            bars=self.bars(report),
            chart_title=self.chart_title(report) if report.bars else "",
            legend=legend,
            is_line=choice.is_by_month,
            is_lying=self.is_lying(report),
        )

    def _whose(self, report: Report) -> tuple[str, ...]:
        """Whose receipts a report is of; prices and acts are none."""
        is_none = report.choice.name in (ReportName.PRICES, ReportName.ACTS)
        return () if is_none else (self._texts("rep.this_till_note"),)

    def _advances(self, report: Report) -> tuple[str, ...]:
        return tuple(
            f"{one.number} · {day_text(one.began)} · {sum_text(one.paid.amount)}"
            for one in report.open_advances
        )

    def _period(self, choice: ReportChoice) -> str:
        if choice.name is not ReportName.RECEIVABLES:
            return period_text(choice.period)
        return self._texts("rep.at_end", day=day_text(choice.period.last))

    def _books_lines(self, report: Report) -> tuple[str, ...]:
        """What is owed at the end of the days of the books, and what came in during them."""
        if report.choice.name is not ReportName.BOOKS:
            return ()
        owed = (
            self._texts(
                "rep.owed_line",
                number=one.number,
                day=day_text(one.day),
                buyer=self.buyer(one.buyer),
                amount=sum_text(one.rest_due),
            )
            for one in report.receivables
        )
        came = (
            self._texts(
                "rep.back_line" if one.amount < Money.ZERO else "rep.came_line",
                day=day_text(one.day),
                number=one.number,
                buyer=self.buyer(one.buyer),
                amount=sum_text(abs(one.amount.amount)),
                note=one.note or "–",
            )
            for one in report.collected
        )
        return (*owed, *came)

    def buyer(self, buyer: str) -> str:
        name = self._buyers.get(buyer, "")
        return buyer_words(buyer, self._texts, name=name) or self._texts("rep.no_buyer")

    def _by(self, who: str) -> str:
        """A person's name, or words for the platform, as its address and key, or for the file whose
        list changed a price."""
        if who == FROM_FILE:
            return self._texts("rep.by.list")
        if "://" not in who:
            return who
        return self._texts("rep.by.platform", host=urlsplit(who.split(maxsplit=1)[0]).netloc)

    def _sheet_cell(self, column: ReportColumn, cell: Cell) -> report_sheet.SheetCell:
        """The value of a cell; a day is a date, which a spreadsheet sorts."""
        if column.name == "by" and isinstance(cell, str):
            return self._by(cell)
        if column.kind is not ColumnKind.KEY or cell is None or isinstance(cell, Decimal):
            return _local(cell)
        is_day = column.name == "date" or (column.name == "day" and len(str(cell)) > _LONGEST_MONTH)
        if is_day:
            return date.fromisoformat(str(cell))
        return self.key(column, cell)


_LONGEST_MONTH = len("2026-11")
_FLOATS, _LEAVES = frozenset(FloatIs), frozenset(Leave)
_ROLES, _CHANGED = frozenset(Role), frozenset(PersonChange)
_MAY_BE_PERCENT = frozenset((NotedAct.DISCOUNT, NotedAct.CART_DISCOUNT, NotedAct.RIGHTS))
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)%")
"""A percentage as the row of an act keeps it."""
_MOVE = re.compile(r"(in|out|drop|change)(?: (\d+))?")
_PAGES: Mapping[str, str] = {
    "store": "store",
    "cashier": "vat",
    "buyers": "buyers",
    "processor": "processor",
    "printer": "printers",
    "display": "display",
    "platform": "platform",
    "backup": "backup",
    "api": "api",
    "mail": "mail",
    "pin": "pin",
}
"""The settings page on which something was changed."""
_SETTING = re.compile(r"[a-z_]+\.[a-z_0-9]+")


def _local(cell: Cell) -> report_sheet.SheetCell:
    assert not isinstance(cell, PriceReason)  # whose column is one of words
    if isinstance(cell, datetime):
        return in_belgrade(cell).replace(tzinfo=None, microsecond=0)
    return cell


def _key_of(table: Table, key: str) -> tuple[ReportColumn, Cell]:
    """The first column, and its cell in the line of a key."""
    cell = next((line.cells[0] for line in table.lines if line.key == key), NO_CATEGORY)
    return table.columns[0], cell
