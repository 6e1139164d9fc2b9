"""The papers of a shift: its X, its Z, and the slip for cash that comes in or goes out.

Source: till.md ("Shift").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from types import MappingProxyType

from pos_app.documents.blocks import COLUMNS, Block, Document, FramedNotice, Heading, Lines
from pos_app.documents.columns import clean
from pos_app.documents.words import PaperWords, clock_text, program_words
from pos_app.domain.article import store
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import NO_BREAK_SPACE, percent_text, plain_amount_text
from pos_app.domain.receipt import shift_report
from pos_app.domain.text import instant
from pos_app.lazy_dataclass import dataclass

METHODS = MappingProxyType(
    {
        "cash": "Готовина",
        "card": "Картица",
        "check": "Чек",
        "mobilemoney": "Инстант",
        "wiretransfer": "Пренос",
        "voucher": "Ваучер",
        "other": "Друго",
    }
)
PARTS = MappingProxyType(
    {
        shift_report.CashPart.FLOAT: "Затечено на почетку",
        shift_report.CashPart.RECEIVED: "Примљено од купаца",
        shift_report.CashPart.CHANGE: "Кусур",
        shift_report.CashPart.REFUNDS: "Рефундације у готовини",
        shift_report.CashPart.EARLIER: "Продаје ранијих смена",
        shift_report.CashPart.IN: "Унето",
        shift_report.CashPart.FROM_SAFE: "Ситнина из сефа",
        shift_report.CashPart.OUT: "Изнето",
        shift_report.CashPart.TO_SAFE: "Предато у сеф",
    }
)
MOVES = MappingProxyType(
    {
        "in": "УНОС ГОТОВИНЕ",
        "out": "ИЗНОС ГОТОВИНЕ",
        "drop": "ПРЕДАЈА У СЕФ",
        "change": "СИТНИНА ИЗ СЕФА",
    }
)
_RULE = "-" * COLUMNS
_PLOT = 20
"""The columns of the longest bar."""


@dataclass(frozen=True, slots=True)
class CashSlip:
    """kind: one of `MOVES`. at: UTC. bag: the number of a drop's bag."""

    kind: str
    amount: Money
    reason: str
    by: str
    at: datetime
    bag: int | None = None


def report_paper(
    report: shift_report.ShiftReport, *, shop: Sequence[str], language: store.ReceiptLanguage
) -> Document:
    """An X or a Z. shop: lines above it."""
    return _ReportPaper(report, PaperWords(language)).document(shop)


def cash_paper(slip: CashSlip, *, shop: Sequence[str], language: store.ReceiptLanguage) -> Document:
    """The paper of a cash slip, with room to sign."""
    words = PaperWords(language)
    entries = [("Износ:", plain_amount_text(slip.amount)), ("Касир:", slip.by)]
    if slip.bag is not None:
        entries.insert(0, ("Кеса број:", str(slip.bag)))
    if slip.reason:
        entries.append(("Разлог:", slip.reason))
    entries.append(("Време:", clock_text(slip.at)))
    text_lines = [
        text_line for label, value in entries for text_line in words.pair(label, clean(value))
    ]
    text_lines += ["", "", "_" * 18 + "    " + "_" * 18]
    text_lines.append(
        words.text("Предао").center(18) + "    " + words.text("Примио").center(18).rstrip()
    )
    title = words.text(MOVES[slip.kind])
    return _document(
        words,
        title,
        slip.at,
        [*_heading(shop), FramedNotice(_notice(title)), Lines(tuple(text_lines))],
    )


def _heading(shop: Sequence[str]) -> list[Block]:
    parts = tuple(text_line for one in shop if (text_line := clean(one).strip()[:COLUMNS]))
    return [Heading(parts)] if parts else []


def _notice(title: str) -> tuple[str, ...]:
    """The title as lines of a notice: two lines where it is too long for one."""
    if len(title) <= 20:
        return (title,)
    first, _, second = title.rpartition(" ")
    return first, second


def _document(words: PaperWords, title: str, at: datetime, blocks: list[Block]) -> Document:
    return Document(
        title=title,
        moment=at,
        language=words.language.value,
        blocks=tuple(blocks),
        page_word=words.text("Страна"),
    )


class _ReportPaper:
    def __init__(self, report: shift_report.ShiftReport, words: PaperWords) -> None:
        self._report = report
        self._words = words

    def document(self, shop: Sequence[str]) -> Document:
        report, words = self._report, self._words
        name = "Z ИЗВЕШТАЈ" if report.is_closed else "X ИЗВЕШТАЈ"
        title = words.text(f"{name} {report.number}" if report.number else name)
        blocks = [*_heading(shop), FramedNotice((title,)), Lines(tuple(self._facts()))]
        blocks += [Lines((_RULE, *part)) for part in self._sections() if part]
        return _document(words, title, report.told_at, blocks)

    def _facts(self) -> Iterable[str]:
        report = self._report
        entries = [("Каса:", report.till)]
        if report.number:
            entries.append(("Отворена:", clock_text(report.opened_at)))
            entries += [("Отворио:", report.opened_by)] * bool(report.opened_by)
        else:
            entries.append(("Дан:", f"{instant.in_belgrade(report.opened_at):%d.%m.%Y.}"))
        entries.append(("Закључена:" if report.is_closed else "Стање:", clock_text(report.told_at)))
        if report.told_by:
            entries.append(("Закључио:" if report.is_closed else "Читао:", report.told_by))
        for label, value in entries:
            yield from self._words.pair(label, clean(value))

    def _sections(self) -> Iterable[list[str]]:
        report = self._report
        yield self._turnover(report.takings)
        yield self._from_server(report.server)
        yield self._named("По касиру", report.takings.cashiers)
        yield self._hours(report.takings.hours)
        yield self._others(report.takings)
        yield self._beside(report.server)
        if report.drawer is not None:
            yield self._drawer(report.drawer)

    def _turnover(self, takings: shift_report.Takings) -> list[str]:
        text_lines = self._line("ПРОМЕТ", takings.turnover)
        text_lines += self._words.pair("Рачуна", str(takings.receipts))
        for one in takings.methods:
            text_lines += self._line(METHODS.get(one.name, one.name), one.amount)
        return text_lines

    def _from_server(self, server: shift_report.FromServer | None) -> list[str]:
        if server is None:
            return list(
                self._words.wrapped("Порез, категорије и други програми: сервер их није рекао.")
            )
        text_lines = [self._words.text("По ознаци, са ПДВ-ом")]
        for one in server.labels:
            rate = "" if one.rate is None else percent_text(one.rate).replace(NO_BREAK_SPACE, " ")
            text_lines += self._line(f"{one.label} {rate}".strip(), one.total)
            text_lines += self._line("  ПДВ", one.tax)
        if server.categories:
            text_lines += ["", self._words.text("По категорији")]
            none = self._words.text("Без категорије")
            for each in server.categories:
                text_lines += self._plain(each.name or none, each.amount)
        return text_lines

    def _named(self, title: str, sums: Sequence[shift_report.Sum]) -> list[str]:
        text_lines = [self._words.text(title)] if sums else []
        for one in sums:
            text_lines += self._plain(one.name, one.amount)
        return text_lines

    def _hours(self, hours: Sequence[shift_report.HourSum]) -> list[str]:
        """One line for each hour, from the first to the last, with a bar as long as its share."""
        if not hours:
            return []
        most = max(one.amount.amount for one in hours)
        by_hour = {one.hour: one.amount for one in hours}
        text_lines = [self._words.text("Промет по сату")]
        for hour in range(hours[0].hour, hours[-1].hour + 1):
            amount = by_hour.get(hour, Money.ZERO)
            share = amount.amount / most if most > 0 else 0
            bar = "=" * max(round(share * _PLOT), 0)
            text_lines.append(f"{hour:2} {bar:<{_PLOT}} {plain_amount_text(amount):>16}"[:COLUMNS])
        return text_lines

    def _others(self, takings: shift_report.Takings) -> list[str]:
        acts = self._report.acts
        text_lines = self._counted(
            "Рефундације купцима", takings.refunds.many, takings.refunds.amount
        )
        corrections = takings.corrections
        text_lines += self._counted("Исправке, једном", corrections.many, corrections.amount)
        text_lines += self._counted("Попусти", acts.discounts, acts.discounts_total)
        text_lines += self._counted("Одбачене корпе", acts.dropped, acts.dropped_total)
        text_lines += self._words.pair("Отварања фиоке без продаје", str(acts.openings))
        text_lines += self._counted("Непотписано", takings.unsigned.many, takings.unsigned.amount)
        later = takings.signed_later
        text_lines += self._counted("Потписано касније", later.many, later.amount)
        return text_lines

    def _beside(self, server: shift_report.FromServer | None) -> list[str]:
        if server is None:
            return []
        closed, text_lines = server.closed_advances, list[str]()
        if closed.many:
            text_lines += self._counted("Затворени аванси", closed.many, closed.amount)
        if server.others:
            text_lines.append(self._words.text("Други програми, посебно"))
            for one in server.others:
                text_lines += self._plain(f"{program_words(one.name)}, {one.many}", one.amount)
        return text_lines

    def _drawer(self, drawer: shift_report.CountedDrawer) -> list[str]:
        text_lines = [self._words.text("ГОТОВИНА")]
        for part in drawer.parts:
            text_lines += self._line(PARTS[part.part], part.amount)
        text_lines += self._line("Очекивано у фиоци", drawer.expected)
        if drawer.rounding:
            text_lines += self._line("  у томе заокружење", drawer.rounding)
        if drawer.counted is None:
            return text_lines
        text_lines += self._line("Избројано", drawer.counted)
        for each in drawer.differences:
            if each.amount:
                method = METHODS.get(each.method, each.method)
                text_lines += self._line(f"Разлика, {method}", each.amount)
                text_lines += (
                    self._words.pair("  разлог:", clean(each.reason)) if each.reason else []
                )
        if drawer.counts > 1:
            text_lines += self._words.pair("Бројано пута", str(drawer.counts))
        for one in drawer.earlier:
            text_lines += self._line("  раније избројано", one)
        text_lines += self._line("Износи се", drawer.taken)
        text_lines += self._line("Остаје у фиоци", drawer.stays)
        return text_lines

    # --- lines -----------------------------------------------------------------------------------

    def _line(self, label: str, amount: Money) -> list[str]:
        return self._words.pair(label, plain_amount_text(amount))

    def _plain(self, name: str, amount: Money) -> list[str]:
        """A line with a name of the shop's own, which keeps its letters."""
        text = plain_amount_text(amount)
        room = COLUMNS - len(text) - 1
        return [clean(name)[:room].ljust(room) + " " + text]

    def _counted(self, label: str, many: int, amount: Money) -> list[str]:
        return self._line(f"{label}, {many}" if many else label, amount)
