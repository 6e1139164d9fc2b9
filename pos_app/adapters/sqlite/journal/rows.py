"""Translates rows of journal.db to and from the core's values."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, TypeVar

import apsw

from pos_app.adapters.sqlite import faults
from pos_app.adapters.sqlite.contents import UNREADABLE
from pos_app.adapters.sqlite.database import transaction
from pos_app.adapters.sqlite.journal import packing
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.request import FrozenArticle
from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.errors import AlreadyStored, DatabaseDamaged, NotAllowed
from pos_app.fiscalization import ports
from pos_app.fiscalization.plans.chain import Chain, ChainReceipt
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.wire.strict_json import dumps, loads

T = TypeVar("T")

_UNREADABLE = (*UNREADABLE, zlib.error)

_REMEMBERED = 32
"""The number of contents that are kept parsed, by the row's own content."""
_DERIVED = re.compile(r"UNIQUE constraint failed: (commands\.|requests\.(id|command_id)\b)")
"""Names that follow from origin and key alone; `requests.lane` is unique for another reason."""


COMMAND_COLUMNS = (
    "id, origin, key, keyless, operation, cashier, body, body_hash, facts, accepted_at,"
    " till_sequence, target"
)
"""The columns that `command_of_row` reads."""
REQUEST_COLUMNS = (
    "requests.id, command_id, child, lane, state, pfr_request_id, planned, attempt,"
    " changed_at, sent_at, baseline, sent_clock, reason_class, reason_code, reason_words,"
    " coalesce(chain, requests.id), reason_pfr_code, commands.id"
)
"""The columns that `request_of_row` reads, of requests beside their commands."""
ITS_COMMAND = (
    " CROSS JOIN commands ON commands.row = (SELECT row FROM commands AS named"
    " WHERE named.id = requests.command_id) AND child < receipts "
)
LINKS = (
    "SELECT requests.id, command_id, operation, child, state, planned, content, number,"
    f" coalesce(chain, requests.id), commands.id FROM requests {ITS_COMMAND}"
    " LEFT JOIN receipts ON request_id = requests.id LEFT JOIN answers ON answers.row = answer"
    " WHERE requests.id IN (SELECT ? UNION ALL SELECT id FROM requests AS named"
    "  INDEXED BY requests_of_chain WHERE named.chain = ?)"
    " ORDER BY commands.row, child"
)
"""The columns that `chain_of_rows` reads; the chain is bound twice."""


@contextmanager
def translated_row_errors() -> Iterator[None]:
    """Raise errors of ours instead of SQLite's: NotAllowed for a rule of the tables, else
    MachineError. The core knows no others.

    Raises AlreadyStored for a derived name that exists: the request is known.
    """
    try:
        with faults.translated_errors():
            yield
    except apsw.ConstraintError as error:
        if _DERIVED.search(str(error)):
            raise AlreadyStored(why=error) from error
        raise NotAllowed("journal", why=error) from error


def read(
    connection: apsw.Connection, fetch: Callable[[apsw.Cursor], T], sql: str, *values: Any
) -> T:
    """Return what `fetch` makes of the rows; outside a transaction a failed read is repeated."""

    def once() -> T:
        return fetch(connection.execute(sql, values))

    try:
        return once() if connection.in_transaction else faults.tried_again(once)
    except (apsw.Error, UnicodeDecodeError):
        with translated_row_errors():  # only here: a receipt has forty reads, and each would pay
            raise


@contextmanager
def kept_row(of: str) -> Iterator[None]:
    """Raise DatabaseDamaged for stored content that we can't read; no caller is at fault."""
    try:
        yield
    except _UNREADABLE as error:
        raise DatabaseDamaged("row", of=of, why=error) from error


def asked_for(asked: object, stored: object) -> None:
    """Raise DatabaseDamaged unless the row found is the row asked for. An index with undetected
    damage leads to the row of another sale."""
    if stored != asked:
        raise DatabaseDamaged("other_row")


@kept_row("a command")
def command_of_row(row: Any) -> ports.Command:
    return ports.Command(
        id=row[0],
        origin=row[1],
        key=row[2],
        keyless=bool(row[3]),
        operation=Operation(row[4]),
        cashier=row[5],
        body=packing.unpacked(row[6]),
        body_hash=row[7],
        facts=_facts(row[8]),
        accepted_at=moment_of(row[9]),
        till_sequence=row[10],
        target=row[11],
    )


@kept_row("a request")
def request_of_row(row: Any) -> ports.Request:
    asked_for(row[1], row[17])
    return ports.Request(
        id=row[0],
        command_id=row[1],
        child=row[2],
        lane=row[3],
        state=RequestState(row[4]),
        pfr_request_id=row[5],
        planned=planned_of(row[6]),
        attempt=row[7],
        changed_at=moment_of(row[8]),
        sent_at=None if row[9] is None else moment_of(row[9]),
        baseline=row[10],
        sent_clock=None if row[11] is None else moment_of(row[11]),
        reason=None if row[12] is None else _reason(row[12], row[13], row[14], row[16]),
        chain=row[15],
    )


@kept_row("a request of a chain")
def link_of_row(row: Any) -> ChainReceipt:
    receipt = None if row[7] is None else receipt_of(row[6])
    asked_for(row[7], receipt and receipt.invoice_number)
    return ChainReceipt(
        id=row[0],
        command_id=row[1],
        operation=Operation(row[2]),
        child=row[3],
        state=RequestState(row[4]),
        planned=planned_of(row[5]),
        receipt=receipt,
    )


def chain_of_rows(chain: str, rows: Iterable[Any]) -> Chain:
    links = list[ChainReceipt]()
    for row in rows:
        asked_for((chain, row[1]), (row[8], row[9]))
        links.append(link_of_row(row))
    return Chain(tuple(links))


@kept_row("a request proven absent")
def absent_of_row(row: Any) -> ports.ReleasedAttempt:
    return ports.ReleasedAttempt(
        request_id=row[0],
        attempt=row[1],
        pfr_request_id=row[2],
        document=planned_of(row[3]).document,
        lane=row[7],
        baseline=row[4],
        sent_clock=None if row[5] is None else moment_of(row[5]),
        alarmed_number=row[6],
    )


def reason_row(reason: ports.StateReason | None) -> tuple[str | None, ...]:
    if reason is None:
        return None, None, None, None
    return reason.answer_class.value, reason.code, reason.words, reason.pfr_code


def _reason(answer_class: str, code: str, words: str, pfr_code: str | None) -> ports.StateReason:
    return ports.StateReason(AnswerClass(answer_class), code, words, pfr_code or "")


def planned_row(planned: PlannedReceipt) -> bytes:
    """Pack a plan, and read it back before anything is committed.

    A plan that could be written and never read would bind its key for ever; such a bug ends here,
    with nothing stored and nothing sent. It costs some 0.1 ms a receipt.
    """
    plain = packing.planned_to_json(planned)
    if packing.planned_from_json(plain) != planned:
        raise ValueError("a plan is not read back as it was written")
    return packing.packed(plain)


@lru_cache(maxsize=_REMEMBERED)
def planned_of(content: bytes) -> PlannedReceipt:
    """Read the content of `planned_row`. A receipt on its way reads its own row six times."""
    return packing.planned_from_json(packing.unpacked(content))


@kept_row("a receipt")
def receipt_of(content: bytes) -> SignedReceipt:
    return _answer_of(content)


_answer_of = lru_cache(maxsize=_REMEMBERED)(packing.answer_of)


def facts_packed(command: ports.Command) -> bytes:
    rows = [
        None if fact is None else [fact.name, fact.label.value, fact.unit, fact.gtin]
        for fact in command.facts
    ]
    return packing.packed(dumps(rows))


def _facts(content: bytes) -> tuple[FrozenArticle | None, ...]:
    rows: Any = loads(packing.unpacked(content))
    return tuple(
        None if row is None else FrozenArticle(row[0], TaxLabel(row[1]), row[2], row[3])
        for row in rows
    )


def ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def moment_of(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


# --- the file on its one connection ------------------------------------------------------------


class JournalFile:
    """A connection to journal.db that raises our errors."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def _row(self, sql: str, *values: Any) -> Any:
        return read(self._connection, lambda cursor: cursor.fetchone(), sql, *values)

    def _rows(self, sql: str, *values: Any) -> list[Any]:
        return read(self._connection, lambda cursor: cursor.fetchall(), sql, *values)

    @contextmanager
    def _transaction(self) -> Iterator[apsw.Connection]:
        with translated_row_errors(), transaction(self._connection) as connection:
            yield connection

    def _note(self, what: str, request_id: str | None, now: datetime, words: str) -> None:
        """Append to the log of acts, in a transaction."""
        self._connection.execute(
            "INSERT INTO notes (at, what, request_id, words) VALUES (?, ?, ?, ?)",
            (ms(now), what, request_id, words),
        )

    def _keep_lane(self, lane: ports.LaneState) -> None:
        self._connection.execute(
            "INSERT INTO lanes (name, uid, tin, counter, is_counted, place)"
            " VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (name) DO UPDATE SET uid = excluded.uid, tin = excluded.tin,"
            " counter = excluded.counter, is_counted = excluded.is_counted, place = excluded.place",
            (lane.name, lane.uid, lane.tin, lane.counter, int(lane.is_counted), lane.address),
        )
