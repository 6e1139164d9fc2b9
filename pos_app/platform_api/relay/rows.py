"""The relay's ports on the platform's database. Each method is one transaction.

What may follow what is asked of the row itself, in the statement that changes it, so that two
workers, or an answer and a retry, can't both be right about it. Source: `commands`.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import asdict, fields
from datetime import UTC, datetime, timedelta
from functools import partial
from operator import attrgetter
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Row,
    Text,
    Update,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    not_,
    null,
    or_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from pos_app.platform_api.clients import registering
from pos_app.platform_api.database.batches import Batches, News, Rows, Statement, Write
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.database.relay_tables import COMMAND, PDF, PRESENCE, WORKER
from pos_app.platform_api.database.tables import ACCOUNT, CLIENT
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
    only_one,
)

SEEN_EVERY = timedelta(minutes=1)
_NAMES = tuple(field.name for field in fields(RelayCommand))
_KEY = and_(COMMAND.c.operation != LOOK_UP)
_OK, _REFUSALS, _UNKNOWN = 200, 400, 500


_VALUES = attrgetter(*_NAMES)
_COLUMNS = (*_NAMES, "receipt_id")
_PLACES = tuple(field.name for field in fields(Application))


class SqlCommands:
    """Implements Commands."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.batches = Batches(database)
        self._passing = Batches(database, is_durable=False)

    @property
    def line(self) -> object | None:
        return self.batches.line

    async def add(self, command: RelayCommand, *, news: News | None = None) -> bool:
        return await self.batches.changed(_ADD, _values(command), order=command.id, news=news)

    async def by_id(self, command_id: str) -> RelayCommand | None:
        return _first(await self.batches.rows(_FOUND, {"command": command_id}, order=command_id))

    async def by_key(self, account: str, key: str) -> RelayCommand | None:
        return await self._one(and_(COMMAND.c.account == account, COMMAND.c.key == key, _KEY))

    async def by_receipt(self, account: str, receipt_id: str) -> RelayCommand | None:
        of = and_(COMMAND.c.account == account, COMMAND.c.receipt_id == receipt_id, _KEY)
        return await self._one(of)

    async def has_answered(self, account: str, client: str) -> bool:
        answered = COMMAND.c.state == CommandState.ANSWERED
        of = and_(COMMAND.c.account == account, COMMAND.c.client == client, answered)
        return await self._one(of) is not None

    async def _one(self, of: ColumnElement[bool]) -> RelayCommand | None:
        async with self._database.reading() as connection:
            row = (await connection.execute(select(COMMAND).where(of))).first()
        return None if row is None else _command(row)

    async def keyless_twin(
        self, account: str, body_hash: bytes, *, now_ms: int, but: Container[str] = ()
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
            rows = (await connection.execute(query)).all()
        row = next((one for one in rows if one.id not in but), None)
        if row is None:
            return None
        await self.batches.changed(_REPEATED, {"command": row.id, "now": now_ms}, order=row.id)
        return _command(row)

    async def again(
        self,
        command: RelayCommand,
        changed: RelayCommand,
        *,
        news: News | None = None,
        line: object | None = None,
    ) -> bool:
        as_read = {
            "was_state": command.state.value,
            "was_attempt": command.attempt,
            "was_begun": command.begun,
        }
        values = _values(changed) | as_read
        return await self.batches.changed(_AGAIN, values, order=command.id, news=news, line=line)

    async def begin(self, command_id: str, attempt: int) -> RelayCommand | None:
        told = {"command": command_id, "of_attempt": attempt}
        return _first(await self._passing.rows(_BEGUN, told, order=command_id))

    async def withdraw(self, command_id: str, attempt: int, *, line: object | None) -> bool:
        if line is None:
            return False
        told = {"command": command_id, "of_attempt": attempt}
        return await self.batches.changed(_WITHDRAWN, told, order=command_id, line=line)

    async def answered(
        self, of: AnswerOf, *, status: int, body: str, news: News | None = None
    ) -> bool:
        if status == _OK:
            statement = _ANSWERED
        else:
            statement = _REFUSED if _REFUSALS <= status < _UNKNOWN else _TOLD
        told = _told(of) | {"to_status": status, "to_answer": body}
        return await self.batches.changed(statement, told, order=of.command_id, news=news)

    async def declined(self, of: AnswerOf, *, news: News | None = None) -> bool:
        return await self.batches.changed(_DECLINED, _told(of), order=of.command_id, news=news)

    async def tell(self, news: News) -> None:
        told = {"channel": news.channel, "message": news.message}
        await self._passing.changed(_TOLD_ALONE, told)

    async def delivered(self, command_id: str, *, now_ms: int) -> None:
        told = {"command": command_id, "now": now_ms}
        await self.batches.changed(_DELIVERED, told, order=command_id)

    async def undelivered(self, command_id: str) -> None:
        await self.batches.changed(_UNDELIVERED, {"command": command_id}, order=command_id)

    async def forget(self, command_id: str) -> None:
        await self.batches.changed(_FORGOTTEN, {"command": command_id}, order=command_id)

    async def shed(self, *, before_ms: int, most: int) -> int:
        return await self.batches.done(partial(_shed, before_ms, most))


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
    (COMMAND.c.account == bindparam("of_account")).is_(True),
    (COMMAND.c.client == bindparam("of_client")).is_(True),
    COMMAND.c.state == CommandState.HANDED_OVER.value,
    COMMAND.c.attempt >= _ATTEMPT,
)
"""Of an answer: the command, where it is open, and its application's.

IS TRUE keeps it found by its id: a plan that PostgreSQL made while the table was empty took the
index that begins with the account, and read all commands of that (measured: 4.6 ms an answer).
"""
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


_ID = COMMAND.c.id == bindparam("command")
_NOW = bindparam("now", type_=BigInteger)
_UNBEGUN = and_(
    _ID,
    COMMAND.c.state == CommandState.HANDED_OVER.value,
    COMMAND.c.attempt == _ATTEMPT,
    COMMAND.c.begun < _ATTEMPT,
    COMMAND.c.answered < _ATTEMPT,
)
_AGAIN = _change(
    and_(
        COMMAND.c.id == bindparam("id"),
        COMMAND.c.state == bindparam("was_state"),
        COMMAND.c.attempt == bindparam("was_attempt", type_=BigInteger),
        COMMAND.c.begun == bindparam("was_begun", type_=BigInteger),
    ),
    {name: bindparam(name) for name in _COLUMNS if name != "id"},
)
_BEGUN = Statement(
    update(COMMAND)
    .where(_UNBEGUN)
    .values(begun=_ATTEMPT)
    .returning(*(COMMAND.c[name] for name in _NAMES))
)
_WITHDRAWN = _change(
    _UNBEGUN,
    {
        "state": case((COMMAND.c.unsure <= 1, CommandState.NEW.value), else_=COMMAND.c.state),
        "unsure": COMMAND.c.unsure - 1,
        "attempt": _ATTEMPT + 1,
        "until_ms": 0,
    },
)
_TOLD_ALONE = Statement(
    select(func.pg_notify(bindparam("channel", type_=Text), bindparam("message", type_=Text)))
)
_DELIVERED = _change(_ID, {"delivered_ms": _NOW})
_UNDELIVERED = _change(and_(_ID, COMMAND.c.delivered_ms.is_(None)), {"until_ms": 0})
_REPEATED = _change(_ID, {"repeated_ms": _NOW})
_FORGOTTEN = Statement(
    delete(COMMAND).where(_ID, COMMAND.c.operation == LOOK_UP).returning(COMMAND.c.id)
)


_OLD = (
    select(COMMAND.c.id)
    .where(COMMAND.c.body != "", COMMAND.c.repeated_ms < bindparam("before", type_=BigInteger))
    .order_by(COMMAND.c.repeated_ms)
    .limit(bindparam("most", type_=BigInteger))
)
_BINDS = or_(*(COMMAND.c.state == state.value for state in sorted(BINDING)))
_NEXT_OLD = Statement(_OLD, _OLD.with_for_update(skip_locked=True))
_NEEDED = case((COMMAND.c.state == CommandState.ANSWERED.value, ""), else_=COMMAND.c.articles)
_SHED = _change(and_(_ID, _BINDS), {"body": "", "answer": null(), "articles": _NEEDED})
_DROPPED = Statement(delete(COMMAND).where(_ID, not_(_BINDS)).returning(COMMAND.c.id))


def _shed(before_ms: int, most: int) -> Write[int]:
    rows = yield _NEXT_OLD, {"before": before_ms, "most": most}
    for (command_id,) in rows:
        yield _SHED, {"command": command_id}
        yield _DROPPED, {"command": command_id}
    return len(rows)


_FOUND = Statement(select(*(COMMAND.c[name] for name in _NAMES)).where(_ID))


def _first(rows: Rows) -> RelayCommand | None:
    return _command_of(dict(zip(_NAMES, rows[0], strict=True))) if rows else None


def _values(command: RelayCommand) -> dict[str, Any]:
    return dict(zip(_COLUMNS, (*_VALUES(command), command.receipt_id), strict=True))


def _command(row: Row[Any]) -> RelayCommand:
    return _command_of({name: getattr(row, name) for name in _NAMES})


def _command_of(members: Mapping[str, Any]) -> RelayCommand:
    told = {"state": CommandState(members["state"]), "keyless": bool(members["keyless"])}
    return RelayCommand(**{**members, **told})


# --- who is connected --------------------------------------------------------------------------

_SAME = or_(
    PRESENCE.c.client == bindparam("client"), PRESENCE.c.store == bindparam("store", type_=Text)
)
_OF_ACCOUNT = PRESENCE.c.account == bindparam("account")
_LOCKED = Statement(
    select(ACCOUNT.c.id).where(ACCOUNT.c.id == bindparam("account")).with_for_update(key_share=True)
)
"""SQLite has no such lock, and needs none."""
_LIVING = (
    select(*(PRESENCE.c[name] for name in _PLACES))
    .join(WORKER, WORKER.c.worker == PRESENCE.c.worker)
    .where(_OF_ACCOUNT, WORKER.c.beat_ms > bindparam("beat", type_=BigInteger))
    .order_by(PRESENCE.c.since_ms)
)
"""The applications of an account whose worker is alive."""
_OF_CLIENT = Statement(_LIVING.where(PRESENCE.c.client == bindparam("client")))
_ALIVE = select(WORKER.c.worker).where(WORKER.c.beat_ms > bindparam("beat", type_=BigInteger))
_ITS_PLACE = and_(
    PRESENCE.c.account == CLIENT.c.account_id,
    PRESENCE.c.client == CLIENT.c.id,
    PRESENCE.c.worker.in_(_ALIVE),
)
_CLIENTS_FOR_STORE = Statement(
    select(CLIENT.c.id, CLIENT.c.store_id, *(PRESENCE.c[name] for name in _PLACES))
    .select_from(CLIENT.outerjoin(PRESENCE, _ITS_PLACE))
    .where(
        CLIENT.c.account_id == bindparam("account"),
        or_(CLIENT.c.store_id == bindparam("store", type_=Text), CLIENT.c.store_id.is_(None)),
        or_(CLIENT.c.deleted_at.is_(None), PRESENCE.c.client.is_not(None)),
    )
)
"""Those that are registered, each with where it is connected, or nothing."""
_OTHERS = Statement(_LIVING.where(_SAME))
_REPLACED = Statement(delete(PRESENCE).where(_OF_ACCOUNT, _SAME).returning(PRESENCE.c.connection))
_ENTERED = Statement(insert(PRESENCE).returning(PRESENCE.c.connection))
_LEFT = Statement(
    delete(PRESENCE)
    .where(PRESENCE.c.connection == bindparam("gone"))
    .returning(PRESENCE.c.connection)
)


def _enter(application: Application, version: str, now_ms: int) -> Write[Entered | Barred]:
    """Applications of one account enter one after the other: its row is locked."""
    yield _LOCKED, {"account": application.account}
    same = {
        "account": application.account,
        "client": application.client,
        "store": application.store,
    }
    rows = yield _OTHERS, same | {"beat": now_ms - GONE_MS}
    entered = entry(application, [Application(*row) for row in rows])
    if isinstance(entered, Barred):
        return entered
    registered = yield from registering(
        application.account,
        client_id=application.client,
        install_id=application.install,
        store_id=application.store,
        name=application.name,
        version=version,
        now_ms=now_ms,
    )
    if registered is not None:
        return Barred(registered)
    yield _REPLACED, same
    yield _ENTERED, asdict(application)
    return entered


class SqlPresence:
    """Implements Presence. beside: batches that its reads go into, of requests that wait for both;
    what locks an account has its own."""

    def __init__(self, database: Database, beside: Batches | None = None) -> None:
        self._database = database
        self._batches = Batches(database)
        self._reads = beside or self._batches

    async def enter(
        self, application: Application, *, version: str = "", now_ms: int
    ) -> Entered | Barred:
        begin = partial(_enter, application, version, now_ms)
        return await self._batches.done(begin, order=application.account)

    async def leave(self, connection: str) -> None:
        await self._batches.changed(_LEFT, {"gone": connection})

    async def find(
        self, account: str, *, client: str | None, store: str | None, now_ms: int
    ) -> Application | None:
        told = {"account": account, "beat": now_ms - GONE_MS}
        if client is not None:
            rows = await self._reads.rows(_OF_CLIENT, told | {"client": client})
            return fits([Application(*row) for row in rows], client=client, store=store)
        if store is None:
            return None
        rows = await self._reads.rows(_CLIENTS_FOR_STORE, told | {"store": store})
        here = [Application(*place) for _, _, *place in rows if place[0] is not None]
        return only_one(here, {row[0]: row[1] for row in rows}, store=store)

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
        async with self._database.writing() as connection:
            await connection.execute(_seen(worker, now_ms))

    async def end(self, worker: str) -> None:
        """The worker stops: nobody waits until its last beat is old."""
        async with self._database.writing() as connection:
            await connection.execute(delete(PRESENCE).where(PRESENCE.c.worker == worker))
            await connection.execute(delete(WORKER).where(WORKER.c.worker == worker))


def _seen(worker: str, now_ms: int) -> Update:
    """The clients of a worker are there, to the minute. One that connects at this moment is left
    out: it is noted by that."""
    now = datetime.fromtimestamp(now_ms / 1000, UTC)
    of_worker = select(PRESENCE.c.client).where(PRESENCE.c.worker == worker)
    old = CLIENT.c.last_seen_at <= now - SEEN_EVERY
    found = select(CLIENT.c.id).where(CLIENT.c.id.in_(of_worker), old)
    mine = CLIENT.c.id.in_(found.with_for_update(skip_locked=True))
    return update(CLIENT).where(mine).values(last_seen_at=now)


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
