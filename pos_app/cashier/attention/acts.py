"""A person's acts in Attention: started here, told to the screen as signals, never guessed."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal

from pos_app import log
from pos_app.cashier.attention import case_texts, job_texts, pair_texts
from pos_app.cashier.attention.decisions import Decisions
from pos_app.cashier.attention.model import AttentionModel
from pos_app.cashier.attention.rows import Row
from pos_app.cashier.file_viewer import Viewer, breakable
from pos_app.cashier.services import TillServices
from pos_app.cashier.tasks import OnError, Tasks
from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.server_status import DeliveryJob
from pos_app.domain.verification import decode
from pos_app.errors import Invalid, MachineError, NotAllowed, PosError, RemoteError
from pos_app.selling.delivery_trouble import is_paper_to_come
from pos_app.selling.server_answers import Issued

_log = log.get(__name__)


class Acts(QObject):
    """Signals: `changed()`, read anew; `said(str)`, what was done; `failed(str)`, why it was not;
    `not_opened(str, Path)`, why a file was not, and where it lies; `address_wrong(str)`, why an
    address is none of this receipt; `running(str)`: "look", "url", "absent", "seen", "again",
    "pdf", "pair" or ""; `taken(Sale)`, its lines become the cart.
    """

    changed = Signal()
    said = Signal(str)
    failed = Signal(str)
    not_opened = Signal(str, object)
    address_wrong = Signal(str)
    running = Signal(str)
    taken = Signal(object)
    _pdf_came = Signal(object, object)

    def __init__(
        self, services: TillServices, model: AttentionModel, texts: Texts, tasks: Tasks,
        viewer: Viewer,
        *, parent: QObject,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._model = model
        self._person = Decisions(services, model)
        self._texts = texts
        self._tasks = tasks
        self._viewer = viewer
        self._pdf_came.connect(self._show_pdf, Qt.ConnectionType.QueuedConnection)
        self._asking = False
        self.runs = ""
        self.corrects = ""
        """Key of the sale that is taken back as soon as it is cancelled."""

    # --- at the server ---------------------------------------------------------------------------

    def ask_server(self) -> None:
        """Ask what it found out and whom it refused; no answer changes nothing."""
        if not self._asking:
            self._asking = True
            self._tasks.start(self._ask(), name="ask the server", on_failure=self._ignore)

    def look_again(self, row: Row) -> None:
        """Have the processor asked once more."""
        self._run("look", self._look(row), self._fail)

    def found(self, row: Row, url: str) -> None:
        """The receipt by its address. What is no receipt's address is never sent."""
        try:
            decode(url)
        except Invalid as error:
            self.address_wrong.emit(case_texts.url_words(error, self._texts))
            return
        self._run("url", self._find(row, url), self._fail_address)

    def absent(self, row: Row, manager: str) -> None:
        """A manager's word that there is no such receipt."""
        self._run("absent", self._declare(row, manager), self._fail)

    def alarm_seen(self, row: Row, manager: str) -> None:
        """A manager has seen an alarm, or answers what needs a name."""
        self._run("seen", self._see(row, manager), self._fail)

    def job_again(self, row: Row) -> None:
        """Print or send it once more."""
        self._run("again", self._job_again(row), self._fail)

    def job_seen(self, row: Row) -> None:
        """It came out after all, or is not wanted any more."""
        self._run("seen", self._job_seen(row), self._fail)

    def open_receipt(self, row: Row) -> None:
        """Open the receipt as a file, to be shown, printed elsewhere or sent. One that is opened
        instead of a paper that waits settles this."""
        job = row.job
        if job is not None and job.receipt_id is not None:
            self._run("pdf", self._open_receipt(job, job.receipt_id), self._fail)

    def pair_again(self, row: Row, manager: str) -> None:
        """The refused receipt of a pair once more."""
        self._run("pair", self._pair(self._person.pair_again(row, manager)), self._fail)

    def reverse_pair(self, row: Row, manager: str) -> None:
        """What is signed of a pair is undone."""
        self._run("pair", self._pair(self._person.reverse_pair(row, manager)), self._fail)

    # --- at the till -----------------------------------------------------------------------------

    def correct(self, row: Row) -> None:
        """Cancel a refused sale; its lines are taken back once the server gave its word."""
        self.corrects = row.id
        self._do(lambda: self._person.correct(row), "att.cancelling")

    def drop(self, row: Row, reason: str) -> None:
        """Cancel a sale for good."""
        self._do(lambda: self._person.drop(row, reason), "att.dropped")

    def again(self, row: Row) -> None:
        """Send a refused sale as it is."""
        self._do(lambda: self._person.try_again(row), "att.sent_again")

    def seen(self, row: Row) -> None:
        """The cashier knows of it."""
        self._do(lambda: self._person.seen(row), "")

    def start_server(self) -> None:
        """Try at once what the keeper tries again only after a while."""
        self._do(self._person.start_server, "att.starting")

    def take_back(self, row: Row) -> None:
        """The lines of a cancelled sale become the open cart.

        Whoever has the cart marks the sale as seen in the same commit: a refusal leaves the row.
        """
        self.corrects = ""
        self.changed.emit()
        if row.sale is not None:
            self.taken.emit(row.sale)

    def refuse(self, error: PosError) -> None:
        """What was asked of the sale screen can't be done there now: told here."""
        self._fail(error)

    # --- parts -----------------------------------------------------------------------------------

    def _run(self, what: str, act: Coroutine[object, object, str], on_failure: OnError) -> None:
        """Start an act at the server; one at a time."""
        if self.runs:
            act.close()
            return
        self._set_running(what)
        self._tasks.start(self._until_done(act), name=what, on_failure=on_failure)

    async def _until_done(self, act: Coroutine[object, object, str]) -> None:
        try:
            said = await act
        finally:
            self._set_running("")
            self.changed.emit()
        if said:
            self.said.emit(self._texts(said))

    def _set_running(self, what: str) -> None:
        self.runs = what
        self.running.emit(what)

    def _do(self, act: Callable[[], None], said: str) -> None:
        try:
            act()
        except (NotAllowed, MachineError) as error:
            self._fail(error)
            return
        self.changed.emit()
        if said:
            self.said.emit(self._texts(said))

    async def _ask(self) -> None:
        came_out: tuple[DeliveryJob, ...] = ()
        try:
            if self._model.has_doubts:
                await self._model.ask_doubts()
            came_out = await self._model.ask_repeated()
            await self._model.ask_callers()
        finally:
            self._asking = False
            self.changed.emit()
            for job in came_out:
                self.said.emit(job_texts.came_out_words(job, self._texts))

    async def _look(self, row: Row) -> str:
        found = await self._person.look_again(row)
        await self._read_anew()
        return "att.found" if found else "att.not_found"

    async def _find(self, row: Row, url: str) -> str:
        await self._person.declare_found(row, url)
        return "att.accepted"

    async def _declare(self, row: Row, manager: str) -> str:
        await self._person.declare_absent(row, manager)
        return "att.declared"

    async def _see(self, row: Row, manager: str) -> str:
        await self._person.answer(row, manager)
        return "att.seen_kept"

    async def _job_again(self, row: Row) -> str:
        await self._person.job_again(row)
        return job_texts.asked_again_key(row.job)

    async def _open_receipt(self, job: DeliveryJob, receipt_id: str) -> str:
        file = await self._person.receipt_pdf(receipt_id, instead=is_paper_to_come(job))
        self._pdf_came.emit(job, file)
        return ""

    def _show_pdf(self, job: DeliveryJob, file: Path) -> None:
        """The paper is given up only once a program has taken the file."""
        self.said.emit(self._texts("att.job.pdf_opened"))
        self._viewer.show(
            file,
            on_opened=lambda: self._settle_paper(job),
            on_failed=lambda: self._tell_not_opened(job, file),
        )

    def _settle_paper(self, job: DeliveryJob) -> None:
        """Beside whatever else is asked of the server: the file stands open already."""
        if is_paper_to_come(job):
            self._tasks.start(self._give_up_paper(job), name="settle", on_failure=self._fail)

    async def _give_up_paper(self, job: DeliveryJob) -> None:
        await self._person.pdf_opened(job)
        self.changed.emit()
        self.said.emit(self._texts("att.job.pdf_instead_opened"))

    def _tell_not_opened(self, job: DeliveryJob, file: Path) -> None:
        key = "att.job.pdf_no_program"
        told = self._texts(key, file=breakable(file))
        if is_paper_to_come(job):
            told = f"{self._texts(f'{key}.paper')} {told}"
        self.not_opened.emit(told, file)

    async def _job_seen(self, row: Row) -> str:
        await self._person.job_seen(row)
        return "att.seen_kept"

    async def _pair(self, act: Coroutine[object, object, Issued | str]) -> str:
        ended = await act
        await self._read_anew()
        return pair_texts.said_words(ended)

    async def _read_anew(self) -> None:
        """The act was answered: that nobody tells more now is no word about it."""
        try:
            await self._model.ask_doubts()
        except RemoteError as error:
            self._ignore(error)

    def _ignore(self, error: PosError) -> None:
        """A question that nobody answered: the next one may be, and the log has it."""
        _log.info("the server was asked and did not tell: %s", error.code)

    def _fail(self, error: PosError) -> None:
        self.failed.emit(case_texts.failure_words(error, self._texts))

    def _fail_address(self, error: PosError) -> None:
        self.address_wrong.emit(case_texts.failure_words(error, self._texts))
