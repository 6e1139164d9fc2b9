"""Opens, feeds and reads receipt-index.db in one thread. Nothing is lost with the file: one that is
missing, damaged, of another version or of another journal is made again."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import apsw

from pos_app import errors, log
from pos_app.adapters.data_folder.disk import FolderDisk
from pos_app.adapters.sqlite.database import open_database
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.receipt_index.advances import AdvanceDescriptions, described_advances
from pos_app.adapters.sqlite.receipt_index.feeding import AnotherJournal, Feeding, fed_of
from pos_app.adapters.sqlite.receipt_index.questions import page_of, turnover_of
from pos_app.adapters.sqlite.receipt_index.schema import KINDS, METHODS, MIGRATIONS
from pos_app.adapters.sqlite.receipt_index.signed_rows import JournalAway, SignedRows
from pos_app.adapters.sqlite.stored_values import money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt import receipt_list
from pos_app.domain.receipt.open_advances import OpenAdvances
from pos_app.fiscalization.found_by import number_of, shown_buyer

T = TypeVar("T")

LEAST_ROOM = 128 * 1024 * 1024
"""With less room than this the list does not grow: the rest is for receipts."""
CATCH_UP_SECONDS = 0.01
"""The time that a question gives to receipts that were signed since the last step."""
LONGEST_FIGURES, LINE_LENGTH = 500_000, 150
"""The characters of all lines in one page, and those of a line beside its name: a receipt may have
half a million; an answer has room for four million."""
CACHE_KIB = 16_000
"""The cache is large because each page read from outside it is compared with its checksum, which
takes most of the time of a walk."""
_ENDS = ("", "-wal", "-shm", "-journal")
_LISTED = (
    "SELECT receipt.at, row, receipt.id, head.text, counter, kind, total, methods, cashier.text,"
    " program.text, buyer.text, e_invoice, referent"
    " FROM json_each(?) CROSS JOIN receipt ON row = value JOIN name AS head ON head.id = head"
    " JOIN name AS cashier ON cashier.id = cashier JOIN name AS program ON program.id = program"
    " LEFT JOIN name AS buyer ON buyer.id = buyer ORDER BY receipt.at DESC, row DESC"
)

_log = log.get(__name__)


class ReceiptIndexFile:
    """The list of one journal. No method raises MachineError: `state` reports it."""

    def __init__(self, path: Path, journal: Path) -> None:
        self._path = path
        self._journal = SignedRows(journal)
        self._connection: apsw.Connection | None = None
        self._feeding: tuple[Feeding, AdvanceDescriptions] | None = None
        self._trouble: errors.MachineError | None = None
        self._state = receipt_list.ListState(0, 0)
        self._is_moved = False

    def close(self) -> None:
        self._close_file()
        self._journal.close()

    # --- feeding ---------------------------------------------------------------------------------

    def step(self) -> bool:
        """Add some receipts; tell whether there are more that can be added now."""
        return self._fed(lambda feeding, advances: feeding.step() or advances.step())

    def catch_up(self) -> None:
        """Add the receipts that were signed since the last step, as far as there is time for it."""
        end = time.monotonic() + CATCH_UP_SECONDS
        while self.step() and time.monotonic() < end:
            pass

    def _fed(self, feed: Callable[[Feeding, AdvanceDescriptions], bool]) -> bool:
        try:
            self._check_room()
            more = self._tried(lambda connection: feed(*self._fed_by(connection)))
        except JournalAway as away:
            more, self._trouble = False, away.fault
        except errors.MachineError as fault:
            more, self._trouble = False, fault
        else:
            self._trouble = None
        self._learn_state()
        return more

    def _check_room(self) -> None:
        folder = self._path.parent
        try:
            folder.mkdir(parents=True, exist_ok=True)
            has_room = FolderDisk(folder).free_bytes() >= LEAST_ROOM
        except OSError as error:
            _log.warning("the list of receipts has no place: %s", error)
            raise errors.DiskFull("list_of_receipts") from error
        if not has_room:
            raise errors.DiskFull("list_least", least=LEAST_ROOM >> 20)

    def _learn_state(self) -> None:
        try:
            self._state = self._tried(self._read_state)
        except JournalAway as away:
            self._trouble = self._trouble or away.fault
        except errors.MachineError as fault:
            self._trouble = self._trouble or fault

    def _read_state(self, connection: apsw.Connection) -> receipt_list.ListState:
        fed, of = fed_of(connection), self._journal.receipts()
        if fed is None:
            return receipt_list.ListState(0, of)
        done = fed.receipts + fed.left_out
        whole = fed.first <= 1 and fed.last >= self._journal.last()[0]
        return receipt_list.ListState(done, max(of, done) if not whole else done, fed.left_out)

    # --- questions -------------------------------------------------------------------------------

    @property
    def state(self) -> receipt_list.ListState:
        state = self._state
        return receipt_list.ListState(state.done, state.of, state.left_out, self._trouble)

    def page(
        self, query: receipt_list.ReceiptQuery, after: receipt_list.ListPosition | None, most: int
    ) -> receipt_list.ListPage:
        def ask(connection: apsw.Connection) -> receipt_list.ListPage:
            found = page_of(connection, query, after, most + 1)
            rows = self._rows(connection, found[:most])
            go_on = rows[-1].list_position if len(found) > most else None
            return receipt_list.ListPage(rows, go_on, self.state)

        return self._answered(ask) or receipt_list.ListPage((), None, self.state)

    def with_figures(self, page: receipt_list.ListPage) -> receipt_list.ListPage:
        """Return the page with its signed receipts; the next one has the rows behind
        `LONGEST_FIGURES`."""
        rows, length = list[receipt_list.ListedReceipt](), 0
        for row in page.rows:
            if length > LONGEST_FIGURES:
                return replace(page, rows=tuple(rows), go_on=rows[-1].list_position)
            try:
                figures = self._journal.figures(row.request_id)
            except JournalAway as away:
                self._trouble = away.fault
                return replace(page, rows=(), state=self.state)
            rows.append(replace(row, figures=figures))
            if figures is not None:
                length += sum(LINE_LENGTH + len(line.name) for line in figures.lines)
        return replace(page, rows=tuple(rows))

    def turnover(self, query: receipt_list.ReceiptQuery) -> receipt_list.ReportedTurnover:
        def ask(connection: apsw.Connection) -> receipt_list.ReportedTurnover:
            return receipt_list.ReportedTurnover(turnover_of(connection, query), self.state)

        return self._answered(ask) or receipt_list.ReportedTurnover(None, self.state)

    def listed(self, request_ids: Sequence[str]) -> tuple[receipt_list.ListedReceipt, ...]:
        def ask(connection: apsw.Connection) -> tuple[receipt_list.ListedReceipt, ...]:
            signed = map(self._journal.signed_in, request_ids)
            return self._rows(connection, [row for row in signed if row is not None])

        return self._answered(ask) or ()

    def choices(self) -> receipt_list.ListChoices:
        def ask(connection: apsw.Connection) -> receipt_list.ListChoices:
            return receipt_list.ListChoices(
                _texts(connection, "cashier"), _texts(connection, "program")
            )

        return self._answered(ask) or receipt_list.ListChoices()

    def _answered(self, ask: Callable[[apsw.Connection], T]) -> T | None:
        try:
            return self._tried(ask)
        except JournalAway as away:
            self._trouble = away.fault
        except errors.MachineError as fault:
            self._trouble = fault
        return None

    def _rows(
        self, connection: apsw.Connection, rows: Sequence[int]
    ) -> tuple[receipt_list.ListedReceipt, ...]:
        found: list[Any] = connection.execute(_LISTED, (str(list(rows)),)).fetchall()
        kinds = [(str(uuid.UUID(bytes=row[2])), KINDS[row[5]]) for row in found]
        now: Mapping[str, receipt_list.HandOver] = {}
        try:
            now = self._journal.handed_over(kinds)
        except JournalAway as away:
            self._trouble = away.fault
        return tuple(
            _listed(row, request_id, now.get(request_id, receipt_list.HandOver.UNKNOWN))
            for row, (request_id, _) in zip(found, kinds, strict=True)
        )

    def open_advances(self) -> OpenAdvances:
        advances = self._answered(described_advances) or OpenAdvances((), is_whole=False)
        state = self.state
        return replace(
            advances, is_whole=advances.is_whole and state.is_whole and not state.left_out
        )

    # --- the file --------------------------------------------------------------------------------

    def _tried(self, work: Callable[[apsw.Connection], T]) -> T:
        """Return the result of `work` with the open file; a faulty file is made anew, and the work
        tried once more. A file that the disk does not give, or that was cut, is made anew only once
        in a run, because a failing disk would be kept busy for ever. Raises JournalAway,
        MachineError."""
        try:
            return self._worked(work)
        except AnotherJournal:
            _log.warning("the list of receipts is of another journal, it is made anew")
        except errors.DiskFailed as fault:
            if self._is_moved:
                raise
            self._is_moved = True
            _log.warning("the list of receipts is made anew elsewhere on the disk: %s", fault)
        except (errors.DatabaseDamaged, errors.DatabaseTooNew, apsw.ConstraintError) as error:
            _log.warning("the list of receipts can't be used, it is made anew: %s", error)
        self._throw_away()
        return self._worked(work)

    def _worked(self, work: Callable[[apsw.Connection], T]) -> T:
        with translated_errors(self._path.name):
            if self._connection is None:
                self._connection = open_database(self._path, migrations=MIGRATIONS, durable=False)
                self._connection.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
            return work(self._connection)

    def _fed_by(self, connection: apsw.Connection) -> tuple[Feeding, AdvanceDescriptions]:
        if self._feeding is None:
            self._feeding = (
                Feeding(connection, self._journal),
                AdvanceDescriptions(connection, self._journal),
            )
        return self._feeding

    def _throw_away(self) -> None:
        self._close_file()
        for end in _ENDS:
            with suppress(OSError):
                self._path.with_name(f"{self._path.name}{end}").unlink()
        self._state = receipt_list.ListState(0, self._state.of)

    def _close_file(self) -> None:
        connection, self._connection, self._feeding = self._connection, None, None
        if connection is not None:
            connection.close()


def _listed(
    row: Any, request_id: str, handed_over: receipt_list.HandOver
) -> receipt_list.ListedReceipt:
    at, order, _, head, counter, kind, total, methods, cashier, program, buyer, e_invoice, of = row
    return receipt_list.ListedReceipt(
        list_position=receipt_list.ListPosition(at, order),
        request_id=request_id,
        at=datetime.fromtimestamp(at / 1000, UTC),
        number=number_of(head, counter),
        kind=KINDS[kind],
        total=money(total),
        payments=_methods(methods),
        cashier=cashier,
        program=program,
        buyer=None if buyer is None else shown_buyer(buyer),
        asks_e_invoice=bool(e_invoice),
        referent=of,
        handed_over=handed_over,
    )


@cache
def _methods(bits: int) -> tuple[PaymentMethod, ...]:
    return tuple(one for index, one in enumerate(METHODS) if bits >> index & 1)


def _texts(connection: apsw.Connection, sort: str) -> tuple[str, ...]:
    rows = connection.execute("SELECT text FROM name WHERE sort = ? ORDER BY id", (sort,))
    return tuple(row[0] for row in rows)
