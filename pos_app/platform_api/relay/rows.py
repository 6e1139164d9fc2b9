"""The relay's ports on the platform's database. Each method is one transaction.

What may follow what is asked of the row itself, in the statement that changes it, so that two
workers, or an answer and a retry, can't both be right about it. Source: `commands`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Row,
    and_,
    bindparam,
    case,
    delete,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from pos_app.errors import NotAllowed
from pos_app.platform_api.clients import register_client
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.database.relay_tables import COMMAND, PDF, PRESENCE, WORKER
from pos_app.platform_api.relay.batches import Batches, Statement
from pos_app.platform_api.relay.commands import BINDING, LOOK_UP, CommandState, RelayCommand
from pos_app.platform_api.relay.store import (
    GONE_MS,
    KEYLESS_MS,
    AnswerOf,
    Application,
    Barred,
    Entered,
    entry,
    fits,
)
from pos_app.wire.relay import RefusalCode

_NAMES = tuple(field.name for field in fields(RelayCommand))
_KEY = and_(COMMAND.c.operation != LOOK_UP)
_OK, _REFUSALS, _UNKNOWN = 200, 400, 500


_VALUES = attrgetter(*_NAMES)
_COLUMNS = (*_NAMES, "receipt_id")


class SqlCommands:
    """Implements Commands."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._batches = Batches(database)

    async def add(self, command: RelayCommand) -> bool:
        return await self._batches.changed(_ADD, _values(command))

    async def by_id(self, command_id: str) -> RelayCommand | None:
        return await self._one(COMMAND.c.id == command_id)

    async def by_key(self, account: str, key: str) -> RelayCommand | None:
        return await self._one(and_(COMMAND.c.account == account, COMMAND.c.key == key, _KEY))

    async def by_receipt(self, account: str, receipt_id: str) -> RelayCommand | None:
        of = and_(COMMAND.c.account == account, COMMAND.c.receipt_id == receipt_id, _KEY)
        return await self._one(of)

    async def _one(self, of: ColumnElement[bool]) -> RelayCommand | None:
        async with self._database.reading() as connection:
            row = (await connection.execute(select(COMMAND).where(of))).first()
        return None if row is None else _command(row)

    async def keyless_twin(
        self, account: str, body_hash: bytes, *, now_ms: int
    ) -> RelayCommand | None:
        query = (
            select(COMMAND)
            .where(
                COMMAND.c.account == account,
                COMMAND.c.body_hash == body_hash,
                COMMAND.c.keyless.is_(True),
                COMMAND.c.delivered_ms.is_(None),
                COMMAND.c.state.in_(BINDING),
                COMMAND.c.repeated_ms > now_ms - KEYLESS_MS,
            )
            .order_by(COMMAND.c.made_ms)
        )
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).first()
        if row is None:
            return None
        async with self._database.writing() as connection:
            change = update(COMMAND).where(COMMAND.c.id == row.id).values(repeated_ms=now_ms)
            await connection.execute(change)
        return _command(row)

    async def again(self, command: RelayCommand, changed: RelayCommand) -> bool:
        as_read = and_(
            COMMAND.c.id == command.id,
            COMMAND.c.state == command.state,
            COMMAND.c.attempt == command.attempt,
            COMMAND.c.begun == command.begun,
        )
        return await self._changed(as_read, _values(changed))

    async def begin(self, command_id: str, attempt: int) -> RelayCommand | None:
        is_open = and_(
            COMMAND.c.id == command_id,
            COMMAND.c.attempt == attempt,
            COMMAND.c.begun < attempt,
            COMMAND.c.state != CommandState.ANSWERED,
        )
        values = {
            "state": CommandState.HANDED_OVER,
            "begun": attempt,
            "unsure": COMMAND.c.unsure + 1,
        }
        if not await self._changed(is_open, values):
            return None
        return await self.by_id(command_id)

    async def withdraw(self, command_id: str, attempt: int) -> bool:
        is_open = and_(
            COMMAND.c.id == command_id, COMMAND.c.attempt == attempt, COMMAND.c.begun < attempt
        )
        return await self._changed(is_open, {"attempt": attempt + 1})

    async def answered(self, of: AnswerOf, *, status: int, body: str) -> bool:
        if status == _OK:
            statement = _ANSWERED
        else:
            statement = _REFUSED if _REFUSALS <= status < _UNKNOWN else _TOLD
        told = _told(of) | {"to_status": status, "to_answer": body}
        return await self._batches.changed(statement, told)

    async def declined(self, of: AnswerOf) -> bool:
        return await self._batches.changed(_DECLINED, _told(of))

    async def delivered(self, command_id: str, *, now_ms: int) -> None:
        await self._changed(COMMAND.c.id == command_id, {"delivered_ms": now_ms})

    async def forget(self, command_id: str) -> None:
        gone = and_(COMMAND.c.id == command_id, COMMAND.c.operation == LOOK_UP)
        async with self._database.writing() as connection:
            await connection.execute(delete(COMMAND).where(gone))

    async def _changed(self, of: ColumnElement[bool], values: Mapping[str, Any]) -> bool:
        statement = update(COMMAND).where(of).values(**values).returning(COMMAND.c.id)
        return await self._batches.changed(Statement(statement), {})


def _told(of: AnswerOf) -> dict[str, Any]:
    return {
        "command": of.command_id,
        "of_account": of.account,
        "of_client": of.client,
        "of_attempt": of.attempt,
    }


# --- statements that are made once -------------------------------------------------------------

_ATTEMPT = bindparam("of_attempt", type_=BigInteger)
_ITS = and_(
    COMMAND.c.id == bindparam("command"),
    COMMAND.c.account == bindparam("of_account"),
    COMMAND.c.client == bindparam("of_client"),
    COMMAND.c.state == CommandState.HANDED_OVER.value,
    COMMAND.c.attempt >= _ATTEMPT,
)
"""Of an answer: the command, where it is open, and its application's."""
_IS_LAST = and_(_ITS, COMMAND.c.attempt == _ATTEMPT, COMMAND.c.answered < _ATTEMPT)
_TOLD_ANSWER: dict[str, Any] = {
    "status": bindparam("to_status"),
    "answer": bindparam("to_answer"),
    "answered": _ATTEMPT,
}


def _change(of: ColumnElement[bool], values: Mapping[str, Any]) -> Statement:
    return Statement(update(COMMAND).where(of).values(**values).returning(COMMAND.c.id))


_ADD = Statement(
    sqlite.insert(COMMAND).on_conflict_do_nothing().returning(COMMAND.c.id),
    postgresql.insert(COMMAND).on_conflict_do_nothing().returning(COMMAND.c.id),
)
_TOLD = _change(_IS_LAST, _TOLD_ANSWER)
_REFUSED = _change(_IS_LAST, _TOLD_ANSWER | {"state": CommandState.REFUSED.value, "unsure": 0})
_ANSWERED = _change(_ITS, _TOLD_ANSWER | {"state": CommandState.ANSWERED.value})
"""A receipt that is there is there, whichever attempt made it."""
_DECLINED = _change(
    and_(_ITS, COMMAND.c.begun >= _ATTEMPT, COMMAND.c.answered < _ATTEMPT),
    {
        "state": case((COMMAND.c.unsure <= 1, CommandState.NEW.value), else_=COMMAND.c.state),
        "unsure": COMMAND.c.unsure - 1,
        "answered": _ATTEMPT,
        "status": None,
    },
)


def _values(command: RelayCommand) -> dict[str, Any]:
    return dict(zip(_COLUMNS, (*_VALUES(command), command.receipt_id), strict=True))


def _command(row: Row[Any]) -> RelayCommand:
    members = {name: getattr(row, name) for name in _NAMES}
    return RelayCommand(**members | {"state": CommandState(row.state)})


class SqlPresence:
    """Implements Presence."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def enter(self, application: Application, *, now_ms: int) -> Entered | Barred:
        """Applications of one account enter one after the other: its row is locked."""
        async with self._database.writing() as connection:
            if self._database.is_shared:
                await connection.exec_driver_sql(
                    "SELECT id FROM account WHERE id = %s FOR UPDATE", (application.account,)
                )
            same = _named(client=application.client, store=application.store)
            alive = _alive(application.account, now_ms).where(or_(*same))
            rows = (await connection.execute(alive)).all()
            entered = entry(application, [_application(row) for row in rows])
            if isinstance(entered, Barred):
                return entered
            try:
                await register_client(
                    connection,
                    application.account,
                    client_id=application.client,
                    install_id=application.install,
                    store_id=application.store,
                    name=application.name,
                    version="",
                    now=datetime.fromtimestamp(now_ms / 1000, UTC),
                )
            except NotAllowed:
                return Barred(RefusalCode.FOREIGN_CLIENT)
            before = and_(PRESENCE.c.account == application.account, or_(*same))
            await connection.execute(delete(PRESENCE).where(before))
            await connection.execute(insert(PRESENCE), asdict(application))
        return entered

    async def leave(self, connection: str) -> None:
        gone = PRESENCE.c.connection == connection
        async with self._database.writing() as writer:
            await writer.execute(delete(PRESENCE).where(gone))

    async def find(
        self, account: str, *, client: str | None, store: str | None, now_ms: int
    ) -> Application | None:
        async with self._database.reading() as connection:
            named = _named(client=client, store=None if client else store)
            rows = (await connection.execute(_alive(account, now_ms).where(*named))).all()
        return fits([_application(row) for row in rows], client=client, store=store)

    async def beat(self, worker: str, *, now_ms: int) -> None:
        dialect = postgresql if self._database.is_shared else sqlite
        statement = dialect.insert(WORKER).on_conflict_do_update(
            index_elements=["worker"], set_={"beat_ms": now_ms}
        )
        async with self._database.writing() as connection:
            await connection.execute(statement, {"worker": worker, "beat_ms": now_ms})
            gone = WORKER.c.beat_ms < now_ms - 10 * GONE_MS
            await connection.execute(delete(WORKER).where(gone))
            left = and_(COMMAND.c.operation == LOOK_UP, COMMAND.c.until_ms < now_ms)
            await connection.execute(delete(COMMAND).where(left))

    async def end(self, worker: str) -> None:
        """The worker stops: nobody waits until its last beat is old."""
        async with self._database.writing() as connection:
            await connection.execute(delete(PRESENCE).where(PRESENCE.c.worker == worker))
            await connection.execute(delete(WORKER).where(WORKER.c.worker == worker))


def _named(*, client: str | None, store: str | None) -> list[ColumnElement[bool]]:
    told = ((PRESENCE.c.client, client), (PRESENCE.c.store, store))
    return [column == value for column, value in told if value is not None]


def _alive(account: str, now_ms: int) -> Any:
    """The applications of an account whose worker is alive."""
    return (
        select(PRESENCE)
        .join(WORKER, WORKER.c.worker == PRESENCE.c.worker)
        .where(PRESENCE.c.account == account, WORKER.c.beat_ms > now_ms - GONE_MS)
        .order_by(PRESENCE.c.since_ms)
    )


def _application(row: Row[Any]) -> Application:
    return Application(**{field.name: getattr(row, field.name) for field in fields(Application)})


class SqlPdfFiles:
    """Implements PdfFiles."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, files: Mapping[str, bytes], *, until_ms: int, now_ms: int) -> None:
        rows = [
            {"secret": secret, "content": content, "until_ms": until_ms}
            for secret, content in files.items()
        ]
        async with self._database.writing() as connection:
            await connection.execute(delete(PDF).where(PDF.c.until_ms < now_ms))
            await connection.execute(insert(PDF), rows)

    async def content(self, secret: str, *, now_ms: int) -> bytes | None:
        query = select(PDF.c.content).where(PDF.c.secret == secret, PDF.c.until_ms > now_ms)
        async with self._database.reading() as connection:
            content: bytes | None = (await connection.execute(query)).scalar()
        return content
