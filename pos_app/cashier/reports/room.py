"""The room of the reports asks the server and the till's own files, and has papers and files made.

Source: till.md ("Reports").
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal

from pos_app.cashier.reports.model import ReportsModel
from pos_app.cashier.reports.words import ReportWords
from pos_app.cashier.services.exporting import Exporting
from pos_app.cashier.services.tasks import LastAsked
from pos_app.cashier.texts.of_store import texts_for
from pos_app.cashier.window.frame import Busy, Change, Frame, Room, ShopChange
from pos_app.cashier.window.screens import REPORTS
from pos_app.documents.report_sheet import ReportSheet, on_roll
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.reports import ReportSums
from pos_app.domain.receipt.server_status import JournalMark
from pos_app.domain.text.instant import beginning_of, day_of
from pos_app.errors import PosError
from pos_app.selling.catalogue.catalogue import PriceChange
from pos_app.selling.people.acts import ActRow
from pos_app.selling.reports import own
from pos_app.selling.reports.own import NOT_ASKED, acts_report, prices_report
from pos_app.selling.reports.periods import Preset
from pos_app.selling.reports.receivables import MOST_AT_ONCE, CollectedPayment, overpaid
from pos_app.selling.reports.report import (
    Report,
    ReportChoice,
    ReportName,
    asked_receivables,
    books_with_receivables,
    collected_report,
    first_categories,
    receivables_report,
    turnover_report,
)

_AT_ONCE = 250
"""The number of price changes that are read before the window gets its turn."""
MOST_ON_ROLL = 200
"""The most rows of a table that are printed on a roll of paper."""
LOOK_SECONDS = 3
"""Seconds between two looks at an incomplete list, or at a server that is away."""
_DAY = timedelta(days=1)


class ReportsRoom(Room):
    """Signals, to be connected queued: `changed()`, something must be shown anew."""

    changed = Signal()
    _reported = Signal(str)

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.model = ReportsModel(frame.services, on_lifted=self._on_lifted)
        self.exporting = Exporting(self)
        self._services = frame.services
        self._asking = LastAsked(frame.tasks)
        self._seconds = 0
        self._receivables: tuple[ReportChoice, ReportSums] | None = None
        self._ids: dict[str, str] = {}
        """The ids of receipts by their numbers."""
        self._is_old = False
        """Whether receipts came, or may have come, since the report was made."""
        self._journal: JournalMark | None = None
        """The server's journal, as far as it was known, when the report was asked for."""
        self.refused_at: tuple[ReportChoice, str] | None = None
        """The report and line with which an act was refused."""
        self._reported.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    # --- for the frame ---------------------------------------------------------------------------

    def handle_change(self, change: Change) -> None:
        if change.what is ShopChange.SERVER and self.model.fault is not None:
            self.ask(again=True)

    @property
    def busy(self) -> Busy | None:
        return Busy.REPORT if self.exporting.poll is not None else None

    def leave(self) -> None:
        self.refused_at = None
        self.model.holds_days = False
        self._asking.drop()
        self._receivables, self._is_old = None, False
        self.exporting.leave()
        self.model.leave()

    def tick(self) -> None:
        self._seconds = (self._seconds + 1) % LOOK_SECONDS
        model = self.model
        busy = model.is_asking or model.is_collecting or model.asks_back or model.message
        if self._seconds or not model.is_open or busy:
            return
        is_whole = model.report is None or model.report.state.is_whole
        is_of_server = model.name.is_of_server
        if (is_of_server and not is_whole) or model.fault is not None or not self._is_of_today():
            self.ask(again=True)
        elif self._is_old or (is_of_server and self._journal != self._journal_now()):
            self._ask_quietly()

    def _journal_now(self) -> JournalMark | None:
        facts = self._services.server.facts
        return None if facts is None else facts.journal

    def _is_of_today(self) -> bool:
        """Whether the report is current: at midnight the periods that end today move on."""
        return self.model.report is None or self.model.is_current

    def _on_lifted(self) -> None:
        self.enter()
        self.changed.emit()

    # --- what is asked for -----------------------------------------------------------------------

    def enter(self) -> None:
        """Make the report of a visit that begins; an export that ended meanwhile is still told."""
        self._begin(again=False)

    def choose(self, name: ReportName) -> None:
        if name is not self.model.name:
            self.model.name, self.model.chosen, self.model.person = name, "", ""
            self.model.asks_back = self.model.last_press = ()
            self.ask()

    def choose_preset(self, preset: Preset) -> None:
        """Choose a preset, and ask for its report even if it was chosen before."""
        if preset is Preset.DAYS and not any(self.model.days_typed):
            period = self.model.period  # the visible days, to be changed
            self.model.days = (period.first, period.last)
            first, last = (f"{day.day}.{day.month}.{day.year}." for day in self.model.days)
            self.model.days_typed = (first, last)
        self.model.preset = preset
        self.ask()

    def choose_days(self, first: date, last: date) -> None:
        if self.model.days != (first, last):
            self.model.days = (first, last)
            self.ask()

    def ask(self, *, again: bool = False) -> None:
        """Make the chosen report; one that is still being made is dropped.

        again: the till asks by itself, so a shown error stays until there is an answer.
        """
        if self.model.is_open and not again:
            self.exporting.forget()
        self._receivables, self._is_old = None, False
        self._begin(again=again)

    def _ask_quietly(self) -> None:
        """Make the report anew while the one before is used; it stays where that fails."""
        self._receivables, self._is_old = None, False
        self._journal = self._journal_now()
        self._asking.ask(
            partial(self._ask, self.model.choice),
            name="report of what came since",
            take=self._take,
            fail=lambda _: None,
        )

    def ask_owed(self, then: Callable[[], None]) -> None:
        """Ask what the form's receipts owe by now, for another program may have refunded them
        since; then go on, also where the server does not answer. Raises Invalid for the form."""
        form = self.model.form
        assert form is not None
        _ = form.day, form.shares
        self._receivables, self._journal = None, self._journal_now()

        def take(report: Report) -> None:
            self._take(report)
            then()

        self._asking.ask(
            partial(self._ask, self.model.choice),
            name="what is owed now",
            take=take,
            fail=lambda _: then(),
        )

    def collect(self) -> None:
        """Write down what the form says; it is shown without the server, which is asked later
        whether receipts came meanwhile. Raises as the model."""
        self.model.collect()
        self._show_written()

    def take_back(self) -> None:
        """Take back what was asked about. Raises as the model."""
        self.model.take_back()
        self._show_written()

    def _show_written(self) -> None:
        self._begin(again=True)
        self._is_old = self.model.name is ReportName.RECEIVABLES

    def _begin(self, *, again: bool) -> None:
        if not self.model.is_open:
            return
        self.model.begin(again=again)
        self._journal = self._journal_now()
        self._asking.ask(
            partial(self._ask, self.model.choice), name="report", take=self._take, fail=self._fail
        )
        self.changed.emit()

    def stop(self) -> None:
        self._asking.drop()
        self.model.stop()
        self.model.message = "rep.stopped"
        self.changed.emit()

    async def _ask(self, choice: ReportChoice) -> Report:
        match choice.name:
            case ReportName.PRICES:
                changes = await self._prices(choice)
                return await asyncio.to_thread(prices_report, choice, changes)
            case ReportName.ACTS:
                acts = await self._acts(choice)
                return await asyncio.to_thread(acts_report, choice, acts)
            case ReportName.RECEIVABLES:
                sums = await self._receivables_of(choice)
                came = await self._collected(date.min, choice.period.last)
                replaced = await self._replaced(sums, came)
                return await asyncio.to_thread(receivables_report, choice, sums, came, replaced)
            case ReportName.COLLECTED:
                came = await self._collected(choice.period.first, choice.period.last)
                return await asyncio.to_thread(collected_report, choice, came)
            case _:
                report = await turnover_report(
                    choice,
                    self._services.receipts.report,
                    categories=await self._categories(choice),
                    report_progress=self._show_progress,
                )
        if choice.name is not ReportName.BOOKS:
            return report
        sums = await self._receivables_of(choice)
        came = await self._collected(date.min, choice.period.last)
        replaced = await self._replaced(sums, came)
        return await asyncio.to_thread(books_with_receivables, report, sums, came, replaced)

    async def _receivables_of(self, choice: ReportChoice) -> ReportSums:
        """Ask for what is paid later, but not again after a person wrote something down."""
        if self._receivables is None or self._receivables[0] != choice:
            methods = self._services.settings.till.paid_later
            sums = await asked_receivables(
                choice,
                self._services.receipts.report,
                methods=frozenset(map(PaymentMethod, methods)),
                report_progress=self._show_progress,
            )
            self._receivables = (choice, sums)
        return self._receivables[1]

    async def _replaced(
        self, sums: ReportSums, came: Sequence[CollectedPayment]
    ) -> dict[str, Sequence[str]]:
        """Find what was issued in place of the receipts for which too much came in."""
        services = self._services
        found = dict[str, Sequence[str]]()
        for number in await asyncio.to_thread(overpaid, sums.receivables, came):
            if number not in self._ids:
                self._ids[number] = (await services.receipts.receipt(number)).overview.receipt_id
            found[number] = services.collected.replaced_by(self._ids[number])
        return found

    async def _collected(self, first: date, last: date) -> list[CollectedPayment]:
        """Read what came in some at a time, so that the window gets its turn."""
        found = list[CollectedPayment]()
        while True:
            some = self._services.collected.collected(
                first=first, last=last, after=found[-1].id if found else 0, limit=MOST_AT_ONCE
            )
            found += some
            if len(some) < MOST_AT_ONCE:
                return found
            await asyncio.sleep(0)

    def _show_progress(self, done: int, of: int) -> None:
        self.model.progress = (done, of)
        self.changed.emit()

    async def _categories(self, choice: ReportChoice) -> dict[str, str]:
        if choice.name is not ReportName.CATEGORY:
            return {}
        return await first_categories(self._services.catalogue)

    async def _prices(self, choice: ReportChoice) -> list[PriceChange]:
        """Read the price changes, the latest first, until there are more than a report shows."""
        first, last = choice.period.first, choice.period.last
        since, until = beginning_of(first), beginning_of(last + _DAY)
        services = self._services
        services.editor.note_planned_prices(at=services.till.clock.now())
        found = list[PriceChange]()
        while len(found) <= own.MOST_OWN:
            some = self._services.catalogue.price_changes(
                since=since, until=until, after=found[-1] if found else None, limit=_AT_ONCE
            )
            found += some
            if len(some) < _AT_ONCE:
                break
            self._show_progress((last - day_of(some[-1].at)).days, choice.period.length)
            await asyncio.sleep(0)
        return found

    async def _acts(self, choice: ReportChoice) -> list[ActRow]:
        """Read the acts day by day, the latest first, until there are more than a report shows."""
        days, found = list(choice.period.days), list[ActRow]()
        for index, day in enumerate(reversed(days)):
            since, until = beginning_of(day), beginning_of(day + _DAY)
            done = self._services.acts.acts(since=since, until=until)
            found += [one for one in reversed(done) if one.done not in NOT_ASKED]
            if len(found) > own.MOST_OWN:
                break
            self._show_progress(index, len(days))
            await asyncio.sleep(0)
        return found

    def _take(self, report: Report) -> None:
        self.model.take(report)
        self.changed.emit()

    def _fail(self, error: PosError) -> None:
        if self.model.is_open:
            self.model.fail(error)
            self.changed.emit()

    # --- files and paper -------------------------------------------------------------------------

    def sheet(self) -> ReportSheet | None:
        model = self.model
        if model.report is None or not model.is_current or model.is_asking:
            return None
        texts = texts_for(self._services.catalogue.store(), self.frame.ui.texts)
        words = ReportWords(texts, self._services.rates, model.buyers)
        shop, now = self.frame.home.shop_name(), self._services.till.clock.now()
        return words.sheet(model.report, shop=shop, made=now)

    def export(self, sheet: ReportSheet, path: Path) -> None:
        self._tell("")
        self.exporting.begin(self._services.report_export.export(sheet, path), path)

    def print(self, sheet: ReportSheet) -> None:
        self._tell("")
        self.exporting.end_refusal()
        self.frame.tasks.start(
            self._print(sheet), name="print a report", on_failure=self._failed_paper
        )

    async def _print(self, sheet: ReportSheet) -> None:
        printer = self._services.receipt_printer
        assert printer is not None
        paper = on_roll(replace(sheet, bars=()))
        await printer.print(paper, key=secrets.token_hex(16))
        self._reported.emit("rep.printing")

    def _failed_paper(self, error: PosError) -> None:
        if self.frame.top_name != REPORTS:
            self.frame.home.show_error(error)
        self._reported.emit(self.frame.ui.texts.error(error).happened)

    def _tell(self, words: str) -> None:
        self.model.message = words
        self.changed.emit()
