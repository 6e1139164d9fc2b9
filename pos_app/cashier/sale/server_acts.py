"""Requests of the cashier to the server beside sales: the drawer, papers of shifts, the last
receipt as a file, and a receipt that was scanned.

A request that takes longer than 0.2 s is shown while it runs, and selling goes on. If it fails,
words say whether it was surely not done (till.md, Promises 3 and 4; architecture.md, rule 11).
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Final, NoReturn, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from pos_app import errors, log
from pos_app.cashier.sale import notices
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.services.file_viewer import Viewer
from pos_app.cashier.services.tasks import Tasks
from pos_app.documents.blocks import Document
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.selling.sale.sale import Sale
from pos_app.selling.server.drawer_openings import DrawerShut, open_by_hand
from pos_app.selling.server.monitor import ServerLink
from pos_app.selling.server.ports import ServerReceiptPrinter
from pos_app.selling.shift.shift import OwedPaper

_log = log.get(__name__)

T = TypeVar("T")

SHOW_MS = 200
_OWED_MS = 5_000
OF_SALE: Final = "drawer_of_sale"


class ServerAct(QObject):
    """Runs acts of one sort, one at a time."""

    _over = Signal()

    def __init__(
        self, action: notices.ServerActName, model: SaleModel, tasks: Tasks, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._action = action
        self._model = model
        self._tasks = tasks
        self._runs = False
        self._document: notices.DocumentName = "receipt"
        self._over.connect(self._end, Qt.ConnectionType.QueuedConnection)
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(SHOW_MS)
        self._slow.timeout.connect(
            lambda: model.context.notify(notices.Running(action, self._document))
        )

    def start(
        self,
        act: Callable[[], Coroutine[object, object, None]],
        *,
        document: notices.DocumentName = "receipt",
    ) -> None:
        """Do the act, unless one is under way. document: the act's subject."""
        if self._runs:
            self._model.context.tone("no")
            return
        self._runs = True
        self._document = document
        self._slow.start()
        self._tasks.start(self._until_done(act()), name=self._action, on_failure=self._fail)

    async def _until_done(self, act: Coroutine[object, object, None]) -> None:
        try:
            await act
        finally:
            self._over.emit()

    def _end(self) -> None:
        self._runs = False
        self._slow.stop()
        self._model.context.withdraw(notices.Running(self._action, self._document))

    def _fail(self, error: errors.PosError) -> None:
        if isinstance(error, errors.RemoteError):
            self._model.context.notify(
                notices.NotDone(self._action, error, self._document), "attention"
            )
        else:
            self._model.context.note_fault(error)
            self._model.context.notify(notices.ActFailed(error), "no")


class DrawerControl(QObject):
    """The cash drawer: opened when a sale for cash is confirmed, and by F10; nobody waits for it.
    Signal: `changed()`, `shut` has a new value."""

    changed = Signal()
    _opened = Signal()

    def __init__(self, model: SaleModel, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self._tasks = tasks
        self._by_hand = ServerAct("drawer", model, tasks, self)
        self.shut: DrawerShut | None = None
        """The reason why the drawer did not open with the last sale, or None."""
        self._opened.connect(self._is_well, Qt.ConnectionType.QueuedConnection)

    def open_for(self, sale: Sale) -> None:
        """Open the drawer if the sale takes cash. A drawer that stays shut is reported once; while
        it stays shut with the next sales, the status line shows it."""
        if sale.money_taken.tendered.cash > Money.ZERO and sale.kind.takes_money:
            self.open()

    def open(self) -> None:
        """Open the drawer, if there is one."""
        services = self._model.context.services
        if services.has_drawer:
            assert services.receipt_printer is not None
            self._tasks.start(
                self._open(services.receipt_printer, key=services.till.new_key()),
                name="open the drawer",
                on_failure=self.note_shut,
            )

    @property
    def is_there(self) -> bool:
        services = self._model.context.services
        return services.receipt_printer is not None and services.has_drawer

    def open_by_hand(self) -> None:
        """Open the drawer without a sale (F10), which is logged."""
        printer = self._model.context.services.receipt_printer
        if printer is None or not self.is_there:  # it went while somebody was asked to allow it
            self._model.context.refuse(errors.NotAllowed("no_drawer"))
            return
        self._by_hand.start(lambda: self._open_by_hand(printer))

    def see(self) -> None:
        self._is_well()

    # --- parts -----------------------------------------------------------------------------------

    async def _open(self, printer: ServerReceiptPrinter, *, key: str) -> None:
        await printer.open_drawer(key=key, by=self._model.context.services.cashier)
        self._opened.emit()

    async def _open_by_hand(self, printer: ServerReceiptPrinter) -> None:
        services = self._model.context.services
        await open_by_hand(
            papers=printer,
            openings=services.openings,
            clock=services.till.clock,
            key=services.till.new_key(),
            by=services.cashier,
        )
        self._opened.emit()

    def note_shut(self, error: errors.PosError) -> None:
        _log.warning("the drawer did not open: %s", error.what)
        if not isinstance(error, errors.RemoteError):
            self._model.context.notify(notices.ActFailed(error), "attention")
            return
        was_well, now = self.shut is None, self._model.context.services.till.clock.now()
        self.shut = DrawerShut(error, now)
        if was_well:
            self._model.context.notify(notices.NotDone(OF_SALE, error), "attention")
        self.changed.emit()

    def _is_well(self) -> None:
        if self.shut is not None:
            self._model.context.withdraw(notices.NotDone(OF_SALE, self.shut.why))
            self.shut = None
            self.changed.emit()


class OwedPapers(QObject):
    """Papers of shifts. till.db keeps each paper until the server has it; the server is asked again
    while a paper is owed, also after a restart."""

    _came = Signal(str)

    def __init__(self, model: SaleModel, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._context = model.context
        self._services = model.context.services
        self._tasks = tasks
        self._asked: dict[str, Callable[[str], None]] = {}
        """The functions to call with the result, by key, while the server is asked."""
        self._again = QTimer(self, interval=_OWED_MS)
        self._again.timeout.connect(self._try_again)
        self._again.start()  # an earlier run of the till may have left one
        self._came.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def print(self, paper: Document, *, on_a4: bool, on_end: Callable[[str], None]) -> None:
        """Owe the paper and ask the server to print it. on_end: as Home.print_paper. Raises
        DiskFull."""
        services = self._services
        self._ask(services.shifts.owe(OwedPaper(services.till.new_key(), paper, on_a4)), on_end)

    def close(self) -> None:
        self._again.stop()

    def _try_again(self) -> None:
        """Ask the server for all owed papers, if it answered when it was last asked."""
        services = self._services
        if services.server.link is not ServerLink.OURS:
            return
        self._again.stop()
        for owed in self._attempt(services.shifts.owed) or ():
            if owed.key not in self._asked:
                self._ask(owed, lambda _: None)

    def _ask(self, owed: OwedPaper, on_end: Callable[[str], None]) -> None:
        printer = self._services.receipt_printer
        if printer is None:
            return
        is_asked = owed.key in self._asked
        self._asked[owed.key] = on_end
        if not is_asked:
            self._tasks.start(
                self._print(printer, owed),
                name="print a paper",
                on_failure=lambda error: self._fail(owed.key, error),
            )

    async def _print(self, printer: ServerReceiptPrinter, owed: OwedPaper) -> None:
        await printer.print(owed.paper, key=owed.key, on_a4=owed.on_a4)
        self._came.emit(owed.key)

    def _take(self, key: str) -> None:
        self._attempt(lambda: self._services.shifts.note_taken(key))
        self._asked.pop(key)("printed")

    def _fail(self, key: str, error: errors.PosError) -> None:
        """Report a refusal, after which somebody prints the paper by hand; after other errors it is
        tried again."""
        is_over = isinstance(error, errors.Refused) and error.values.get("answer_class") != "wait"
        if is_over:
            self._attempt(lambda: self._services.shifts.note_taken(key))
            self._show(error)
        else:
            self._again.start()
            _log.warning("a paper is still owed: %s", error.what)
        self._asked.pop(key)("failed" if is_over else "owed")

    def _attempt(self, act: Callable[[], T]) -> T | None:
        try:
            return act()
        except errors.PosError as error:
            self._show(error)
            return None

    def _show(self, error: errors.PosError) -> None:
        self._context.notify(notices.ActFailed(error), "attention")


class ScannedReceipt(QObject):
    """Asks the server about a receipt whose code was scanned at the sale."""

    _came = Signal(object, object)

    def __init__(self, model: SaleModel, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self._tasks = tasks
        self._came.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    def ask(self) -> None:
        """Ask about the receipt of the top notice, unless the answer is there already."""
        notice = next(reversed(self._model.context.notices), None)
        if isinstance(notice, notices.ReceiptRead) and notice.answer is None:
            self._tasks.start(
                self._ask(notice),
                name="scanned receipt",
                on_failure=lambda error: self._tell(notice, error),
            )

    async def _ask(self, notice: notices.ReceiptRead) -> None:
        shown = await self._model.context.services.receipt_now(notice.code.reference)
        self._came.emit(notice, shown.overview)

    def _tell(
        self, notice: notices.ReceiptRead, overview: ReceiptOverview | errors.PosError
    ) -> None:
        self._model.context.exchange(notice, replace(notice, answer=overview))


class ReceiptViewer(QObject):
    """Shows the receipt of the sale that was confirmed last, of whatever kind."""

    _came = Signal(object)

    def __init__(self, model: SaleModel, tasks: Tasks, viewer: Viewer, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self._viewer = viewer
        self._asking = ServerAct("receipt", model, tasks, self)
        self._came.connect(self._show, Qt.ConnectionType.QueuedConnection)

    def show(self) -> None:
        """Fetch the receipt's file and open it; say so if there is no receipt yet."""
        model = self._model
        last = model.confirmation.last
        receipt = last.receipt if last is not None else None
        if last is None or receipt is None:
            model.context.attempt(_none_yet if last is None else _not_issued_yet)
            return
        document = notices.document_of(last)
        self._asking.start(lambda: self._fetch(receipt.receipt_id, document), document=document)

    async def _fetch(self, receipt_id: str, document: notices.DocumentName) -> None:
        services = self._model.context.services
        file = await services.receipt_files.pdf_of(receipt_id, by=services.cashier)
        self._came.emit(notices.FileKept(file, document))

    def _show(self, kept: notices.FileKept) -> None:
        self._viewer.show(
            kept.file, on_failed=lambda: self._model.context.notify(kept, "attention")
        )


def _none_yet() -> NoReturn:
    raise errors.NotAllowed("no_receipt_yet")


def _not_issued_yet() -> NoReturn:
    raise errors.NotAllowed("not_issued_yet")
