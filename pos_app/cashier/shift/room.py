"""The room of the shift: it asks others for facts while its screen is open, and afterwards.

Source: till.md ("Shift").
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal

from pos_app.cashier.services.self_test import tested
from pos_app.cashier.shift.model import ShiftModel, ShiftPageKind
from pos_app.cashier.ui.fonts import breakable
from pos_app.cashier.window.frame import Change, Frame, Room, ShopChange
from pos_app.cashier.window.screens import RECEIPTS, SHIFT, ReceiptPlace
from pos_app.documents.blocks import Document
from pos_app.domain.receipt.shift_report import FromServer, ShiftReport
from pos_app.domain.text.instant import in_belgrade
from pos_app.domain.text.transliteration import latin
from pos_app.errors import MachineError, PosError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.people.rights import Act
from pos_app.selling.reports.report import first_categories
from pos_app.selling.sale.receipt_drafts import DeliveryWay
from pos_app.selling.server.self_test import DEADLINE_SECONDS, MachineFacts, machine_facts
from pos_app.selling.shift.cash import CashRow
from pos_app.selling.shift.telling import ShiftFacts, ask_server

_TOGETHER_MS = 300
"""Milliseconds within which changes of sales are read together."""


@dataclass(frozen=True, slots=True)
class _WaitingPaper:
    """A report whose paper waits for the server's part. asked_at: as `ShiftModel.shown_report`."""

    facts: ShiftFacts
    report: ShiftReport
    asked_at: object
    way: DeliveryWay


class ShiftRoom(Room):
    """Signal: `changed()`, something must be shown anew."""

    changed = Signal()
    _machine_read = Signal(object)
    _server_answered = Signal(object, object)
    _kept = Signal(object, object)

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.model = ShiftModel(frame.services)
        self._machine = MachineFacts()
        self._late = QTimer(self, interval=round(1000 * DEADLINE_SECONDS), singleShot=True)
        self._late.timeout.connect(self._end_waiting)
        self._soon = QTimer(self, interval=_TOGETHER_MS, singleShot=True)
        self._soon.timeout.connect(self.show_again)
        queued = Qt.ConnectionType.QueuedConnection
        self._machine_read.connect(self._take_machine, queued)
        self._server_answered.connect(self._take_server, queued)
        self._kept.connect(self._show_file, queued)
        self._waiting: list[_WaitingPaper] = []

    # --- for the frame ---------------------------------------------------------------------------

    def leave(self) -> None:
        """Leave the screen. A count goes on at the next visit; pages that only show are closed."""
        if self.model.page in (
            ShiftPageKind.X,
            ShiftPageKind.MOVE,
            ShiftPageKind.DONE,
            ShiftPageKind.CLOSED,
            ShiftPageKind.PAST,
        ):
            self.model.page = ShiftPageKind.HOME
        self.model.error = self.model.done = None

    def handle_change(self, change: Change) -> None:
        if (
            change.what in (ShopChange.SALES, ShopChange.SERVER)
            and self.model.page is ShiftPageKind.CHECK
        ):
            self.changed.emit()

    def to_check(self) -> None:
        """Go from the count or the difference back to the open things, and from there with Esc to
        the shift; the count is kept."""
        if self.model.page in (ShiftPageKind.COUNT, ShiftPageKind.DIFFERENCE):
            self.model.page, self.model.error = ShiftPageKind.CHECK, None
            self.changed.emit()

    # --- rights ----------------------------------------------------------------------------------

    def begin(self, act: Act, then: Callable[[], None]) -> None:
        """Begin an act that the person who works here may do, also where somebody has to lift it
        when it is done; else say that nobody may."""
        if self.frame.services.may(act):
            then()
        else:
            self.frame.permit(act, then)

    # --- the self-test ---------------------------------------------------------------------------

    def test(self) -> None:
        """Run the self-test; missing answers are shown as unknown, and filled in later."""
        self._take_machine(MachineFacts())
        if self.frame.services.machine is not None:
            self.frame.tasks.start(self._ask_machine(), name="the self-test")

    async def _ask_machine(self) -> None:
        machine = self.frame.services.machine
        assert machine is not None
        self._machine_read.emit(await asyncio.to_thread(machine_facts, machine))

    def _take_machine(self, machine: MachineFacts) -> None:
        self._machine = machine
        self.test_server()
        self.changed.emit()

    def test_server(self) -> None:
        """Test the server anew, with the computer's last facts."""
        self.model.findings = tested(self.frame.services, self._machine)

    # --- what the journal knows ------------------------------------------------------------------

    def ask_server(self) -> None:
        """Ask for the part of the report that only the journal knows. Nobody waits longer than
        three seconds; a later answer still fills it in."""
        facts = self.model.facts
        if facts is None:
            return
        self.model.asks_server = True
        self._late.start()
        self.frame.tasks.start(self._ask_server(facts), name="the shift's receipts")
        self.changed.emit()

    async def _ask_server(self, facts: ShiftFacts) -> None:
        services = self.frame.services
        from_server = await ask_server(
            services.receipts,
            facts,
            until=services.till.clock.now(),
            categories=await first_categories(services.catalogue),
        )
        self._server_answered.emit(facts, from_server)

    def _take_server(self, facts: ShiftFacts, from_server: FromServer | None) -> None:
        self._hand_over_waiting(facts, from_server)
        if self.model.facts is not facts:
            return  # another report is shown by now
        self._late.stop()
        self.model.asks_server, self.model.server = False, from_server
        self.model.make_report()
        self.changed.emit()

    def _end_waiting(self) -> None:
        self.model.asks_server = False
        for facts in [one.facts for one in self._waiting]:
            self._hand_over_waiting(facts, None)
        self.changed.emit()

    def read_soon(self) -> None:
        """Read the difference anew soon, because a sale went on."""
        if self.model.page is ShiftPageKind.DIFFERENCE and not self._soon.isActive():
            self._soon.start()

    def show_again(self) -> None:
        if self.model.page is not ShiftPageKind.DIFFERENCE:
            return
        try:
            self.model.announce()
        except PosError as error:
            self.frame.tell_failure(error, of=SHIFT)
            return
        if self.model.server is None:
            self.ask_server()
        self.changed.emit()

    # --- receipts --------------------------------------------------------------------------------

    def open_receipt(self, row: CashRow) -> bool:
        if row.is_receipt:
            self.frame.open(RECEIPTS, ReceiptPlace(row.what, back_to=SHIFT))
        else:
            self.frame.home.tone("no")
        return row.is_receipt

    # --- papers ----------------------------------------------------------------------------------

    @property
    def ways(self) -> tuple[DeliveryWay, ...]:
        """The ways to hand a report over here; a PDF needs no device."""
        ways = self.frame.services.ways_here
        order = (DeliveryWay.THERMAL, DeliveryWay.A4)
        has_printer = self.frame.services.receipt_printer is not None
        return (*(way for way in order if way in ways and has_printer), DeliveryWay.PDF)

    def hand_over_report(self, way: DeliveryWay) -> None:
        """Hand the shown report over. While the server is asked for its part the paper waits for
        the answer, also where the screen is left. A way that is under way is not taken twice."""
        model = self.model
        if model.report is None or way in model.under_way:
            self.frame.home.tone("no")
            return
        if not model.asks_server or model.facts is None:
            self.hand_over(model.paper(), way)
            return
        self.frame.top.end_refusal()
        model.under_way.add(way)
        self._waiting.append(_WaitingPaper(model.facts, model.report, model.shown_report, way))
        model.printed = "waits"

    def _hand_over_waiting(self, facts: ShiftFacts, from_server: FromServer | None) -> None:
        """Hand over the papers of these facts. from_server: None where it did not answer."""
        ready = [one for one in self._waiting if one.facts is facts]
        self._waiting = [one for one in self._waiting if one.facts is not facts]
        for one in ready:
            paper = self.model.paper_of(replace(one.report, server=from_server))
            self._hand_over(paper, one.way, one.asked_at)

    def hand_over(self, paper: Document | None, way: DeliveryWay) -> None:
        self.frame.top.end_refusal()
        if paper is not None:
            self.model.under_way.add(way)
            self._hand_over(paper, way, self.model.shown_report)

    def _hand_over(self, paper: Document, way: DeliveryWay, asked_at: object) -> None:
        self._take_printed(asked_at, "asked")
        on_end, on_failure = (partial(one, asked_at, way) for one in (self._end, self._fail))
        if way is not DeliveryWay.PDF:
            try:
                self.frame.home.print_paper(paper, on_a4=way is DeliveryWay.A4, on_end=on_end)
            except PosError as error:
                on_failure(error)
            return
        files = self.frame.services.paper_files
        if files is not None:
            moment = in_belgrade(paper.moment)
            name = f"{latin(paper.title)} {moment:%Y-%m-%d %H%M%S}"
            work = self._write_pdf(partial(files.pdf_of, paper, name=name), asked_at)
            self.frame.tasks.start(work, name="a paper as PDF", on_failure=on_failure)

    async def _write_pdf(self, act: Callable[[], Awaitable[Path]], asked_at: object) -> None:
        self._kept.emit(await act(), asked_at)

    def _fail(self, asked_at: object, way: DeliveryWay, error: PosError) -> None:
        self._end(asked_at, way, "")  # the failure is told once
        self.frame.tell_failure(error, of=SHIFT)

    def _end(self, asked_at: object, way: DeliveryWay, what: str) -> None:
        if asked_at is self.model.shown_report:
            self.model.under_way.discard(way)
        self._take_printed(asked_at, what)

    def _take_printed(self, asked_at: object, what: str) -> None:
        """Show what became of a paper, unless another report stands than the one it is of."""
        if asked_at is self.model.shown_report:
            self.model.printed = what
            self.changed.emit()

    def _show_file(self, file: Path, asked_at: object) -> None:
        self._end(asked_at, DeliveryWay.PDF, "pdf")
        error = MachineError("pdf_unopened", file=breakable(str(file)))
        on_failed = partial(self._fail, asked_at, DeliveryWay.PDF, error)
        self.frame.viewer.show(file, on_failed=on_failed)
