"""Stores commands in the platform's database. Each method is one transaction, committed when it
returns.

The statement that changes a row also checks its state, so that two workers, or an answer and a
retry, can't both succeed. Source: `commands`.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import fields
from functools import partial
from operator import attrgetter
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Row,
    Text,
    and_,
    bindparam,
    case,
    delete,
    func,
    not_,
    null,
    or_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from pos_app.lazy_dataclass import dataclass
from pos_app.platform_api.database import batches
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.database.relay_tables import COMMAND
from pos_app.platform_api.relay import commands

KEYLESS_MS = 10 * 60_000
"""For this time after the last repetition of a request without a key whose answer was not
delivered, an identical body counts as another repetition."""
_NAMES = tuple(field.name for field in fields(commands.RelayCommand))
_IS_NO_LOOK_UP = and_(COMMAND.c.operation != commands.LOOK_UP)
_OK, _REFUSALS, _UNKNOWN = 200, 400, 500


_VALUES = attrgetter(*_NAMES)
_COLUMNS = (*_NAMES, "receipt_id")


@dataclass(frozen=True, slots=True)
class AnswerOf:
    """The origin of an answer: an account's application, and the attempt."""

    account: str
    client: str
    command_id: str
    attempt: int


def _is_undelivered(now_ms: int) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for a command without a key that may still be repeated."""
    return (
        COMMAND.c.keyless.is_(True),
        COMMAND.c.delivered_ms.is_(None),
        COMMAND.c.state.in_(commands.BINDING),
        COMMAND.c.repeated_ms > now_ms - KEYLESS_MS,
    )


class Commands:
    """Finds commands by id, by key or by the receipt's id, and changes them. news is sent to
    another worker, where there is one, in the transaction of the change."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.batches = batches.Batches(database)
        self._passing = batches.Batches(database, is_durable=False)

    @property
    def line(self) -> object | None:
        return self.batches.line

    async def add(
        self, command: commands.RelayCommand, *, news: batches.ChannelMessage | None = None
    ) -> bool:
        """Add a command; return False where its account and key are known."""
        return await self.batches.changed(_ADD, _values(command), order=command.id, news=news)

    async def by_id(self, command_id: str) -> commands.RelayCommand | None:
        return _first(await self.batches.rows(_FOUND, {"command": command_id}, order=command_id))

    async def by_key(self, account: str, key: str) -> commands.RelayCommand | None:
        return await self._command_where(
            and_(COMMAND.c.account == account, COMMAND.c.key == key, _IS_NO_LOOK_UP)
        )

    async def by_receipt(self, account: str, receipt_id: str) -> commands.RelayCommand | None:
        condition = and_(
            COMMAND.c.account == account, COMMAND.c.receipt_id == receipt_id, _IS_NO_LOOK_UP
        )
        return await self._command_where(condition)

    async def has_answered(self, account: str, client: str) -> bool:
        """Tell whether that application gave a receipt to this account."""
        answered = COMMAND.c.state == commands.CommandState.ANSWERED
        condition = and_(COMMAND.c.account == account, COMMAND.c.client == client, answered)
        return await self._command_where(condition) is not None

    async def _command_where(self, condition: ColumnElement[bool]) -> commands.RelayCommand | None:
        async with self._database.reading() as connection:
            row = (await connection.execute(select(COMMAND).where(condition))).first()
        return None if row is None else _command(row)

    async def keyless_twin(
        self, account: str, body_hash: bytes, *, now_ms: int, but: Container[str] = ()
    ) -> commands.RelayCommand | None:
        """Return an identical command that is binding and whose answer was not delivered; its
        KEYLESS_MS begin anew. but: the ids of commands that are known to be delivered, even if
        their rows do not say so yet."""
        query = (
            select(COMMAND)
            .where(
                COMMAND.c.account == account,
                COMMAND.c.body_hash == body_hash,
                *_is_undelivered(now_ms),
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

    async def keyless_at_others(
        self, account: str, operation: str, *, target: str, now_ms: int
    ) -> list[commands.RelayCommand]:
        """Return the binding commands of an operation without a key whose answer was not delivered
        and that name a receipt otherwise, the oldest first."""
        query = (
            select(COMMAND)
            .where(
                COMMAND.c.account == account,
                COMMAND.c.operation == operation,
                COMMAND.c.target != target,
                *_is_undelivered(now_ms),
            )
            .order_by(COMMAND.c.made_ms)
        )
        async with self._database.reading() as connection:
            return [_command(row) for row in (await connection.execute(query)).all()]

    async def reserve(self, command: commands.RelayCommand, *, asker: str, until_ms: int) -> bool:
        """Reserve the receipt for a caller of the worker `asker` until that time, or until the
        outcome is noted. Return False where another request was faster."""
        as_read = {"was_asker": command.asker, "was_until": command.until_ms}
        values = {"command": command.id, "to_asker": asker, "to_until": until_ms} | as_read
        return await self.batches.changed(_KEPT, values, order=command.id)

    async def again(
        self,
        command: commands.RelayCommand,
        changed: commands.RelayCommand,
        *,
        news: batches.ChannelMessage | None = None,
        line: object | None = None,
    ) -> bool:
        """Replace a command by `changed`, if it is still as it was read; else return False. line:
        the connection of the previous attempt, which is withdrawn with this; also return False
        where the connection is another one now."""
        as_read = {
            "was_state": command.state.value,
            "was_attempt": command.attempt,
            "was_begun": command.begun,
        }
        values = _values(changed) | as_read
        return await self.batches.changed(_AGAIN, values, order=command.id, news=news, line=line)

    async def begin(self, command_id: str, attempt: int) -> commands.RelayCommand | None:
        """Take the attempt for its application's worker, or return None where it was withdrawn or
        taken. The change is visible at once, and may be lost where the database ends: see
        `withdraw`."""
        values = {"command": command_id, "of_attempt": attempt}
        return _first(await self._passing.rows(_BEGUN, values, order=command_id))

    async def withdraw(self, command_id: str, attempt: int, *, line: object | None) -> bool:
        """Withdraw the attempt, so that it is never begun; return False where it was begun. line:
        the connection before the attempt was committed. Return False also where the connection is
        another one now, because a beginning may have been lost then."""
        if line is None:
            return False
        values = {"command": command_id, "of_attempt": attempt}
        return await self.batches.changed(_WITHDRAWN, values, order=command_id, line=line)

    async def answered(
        self, of: AnswerOf, *, status: int, body: str, news: batches.ChannelMessage | None = None
    ) -> bool:
        """Store an answer. Return False where it fits no open attempt, because it is late, repeated
        or of another application."""
        if status == _OK:
            statement = _ANSWERED
        else:
            statement = _REFUSED if _REFUSALS <= status < _UNKNOWN else _FAILED
        values = _columns_of(of) | {"to_status": status, "to_answer": body}
        return await self.batches.changed(statement, values, order=of.command_id, news=news)

    async def declined(self, of: AnswerOf, *, news: batches.ChannelMessage | None = None) -> bool:
        """Note that the application surely did not begin that attempt. Return False as `answered`
        does."""
        return await self.batches.changed(
            _DECLINED, _columns_of(of), order=of.command_id, news=news
        )

    async def announce(self, news: batches.ChannelMessage) -> None:
        values = {"channel": news.channel, "message": news.message}
        await self._passing.changed(_NOTIFY, values)

    async def delivered(self, command_id: str, *, now_ms: int) -> None:
        """Note that the answer was wholly written to its caller."""
        values = {"command": command_id, "now": now_ms}
        await self.batches.changed(_DELIVERED, values, order=command_id)

    async def undelivered(self, command_id: str, *, now_ms: int) -> None:
        """Note that the caller left before it had the whole answer."""
        values = {"command": command_id, "now": now_ms}
        await self.batches.changed(_UNDELIVERED, values, order=command_id)

    async def forget(self, command_id: str) -> None:
        await self.batches.changed(_FORGOTTEN, {"command": command_id}, order=command_id)

    async def shed(self, *, before_ms: int, most: int) -> int:
        """Drop body and answer of commands without recent requests; return their number. The row
        keeps the client of the key for good, because that client's journal has the receipt, and
        another client would sign it again. A command without a result is dropped as a whole."""
        return await self.batches.done(partial(_shed, before_ms, most))


def _columns_of(of: AnswerOf) -> dict[str, Any]:
    return {
        "command": of.command_id,
        "of_account": of.account,
        "of_client": of.client,
        "of_attempt": of.attempt,
    }


# --- statements that are made once -------------------------------------------------------------

_ATTEMPT = bindparam("of_attempt", type_=BigInteger)
_IS_OPEN = and_(
    COMMAND.c.id == bindparam("command"),
    (COMMAND.c.account == bindparam("of_account")).is_(True),
    (COMMAND.c.client == bindparam("of_client")).is_(True),
    COMMAND.c.state == commands.CommandState.HANDED_OVER.value,
    COMMAND.c.attempt >= _ATTEMPT,
)
"""The row is the open command of an answer, and was handed over to the application that answers.

IS TRUE makes the database find the row by its id. Without it a plan that PostgreSQL had made while
the table was empty took the index that begins with the account, and read all commands of the
account (measured: 4.6 ms an answer).
"""
_IS_LAST = and_(_IS_OPEN, COMMAND.c.attempt == _ATTEMPT, COMMAND.c.answered < _ATTEMPT)
_ANSWER_COLUMNS: dict[str, Any] = {
    "status": bindparam("to_status"),
    "answer": bindparam("to_answer"),
    "answered": _ATTEMPT,
}


def _change(condition: ColumnElement[bool], values: Mapping[str, Any]) -> batches.Statement:
    return batches.Statement(
        update(COMMAND).where(condition).values(**values).returning(COMMAND.c.id)
    )


_ADD = batches.Statement(
    sqlite.insert(COMMAND).on_conflict_do_nothing().returning(COMMAND.c.id),
    postgresql.insert(COMMAND).on_conflict_do_nothing().returning(COMMAND.c.id),
)
_FAILED = _change(_IS_LAST, _ANSWER_COLUMNS)
_REFUSED = _change(
    _IS_LAST, _ANSWER_COLUMNS | {"state": commands.CommandState.REFUSED.value, "unsure": 0}
)
_ANSWERED = _change(_IS_OPEN, _ANSWER_COLUMNS | {"state": commands.CommandState.ANSWERED.value})
"""A signed receipt counts, whichever attempt made it."""
_DECLINED = _change(
    and_(_IS_OPEN, COMMAND.c.begun >= _ATTEMPT, COMMAND.c.answered < _ATTEMPT),
    {
        "state": case(
            (COMMAND.c.unsure <= 1, commands.CommandState.NEW.value), else_=COMMAND.c.state
        ),
        "unsure": COMMAND.c.unsure - 1,
        "answered": _ATTEMPT,
        "status": None,
    },
)


_ID = COMMAND.c.id == bindparam("command")
_NOW = bindparam("now", type_=BigInteger)
_UNBEGUN = and_(
    _ID,
    COMMAND.c.state == commands.CommandState.HANDED_OVER.value,
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
_BEGUN = batches.Statement(
    update(COMMAND)
    .where(_UNBEGUN)
    .values(begun=_ATTEMPT)
    .returning(*(COMMAND.c[name] for name in _NAMES))
)
_WITHDRAWN = _change(
    _UNBEGUN,
    {
        "state": case(
            (COMMAND.c.unsure <= 1, commands.CommandState.NEW.value), else_=COMMAND.c.state
        ),
        "unsure": COMMAND.c.unsure - 1,
        "attempt": _ATTEMPT + 1,
        "until_ms": 0,
    },
)
_NOTIFY = batches.Statement(
    select(func.pg_notify(bindparam("channel", type_=Text), bindparam("message", type_=Text)))
)
_KEPT = _change(
    and_(
        _ID,
        COMMAND.c.delivered_ms.is_(None),
        COMMAND.c.asker == bindparam("was_asker"),
        COMMAND.c.until_ms == bindparam("was_until", type_=BigInteger),
    ),
    {"asker": bindparam("to_asker"), "until_ms": bindparam("to_until", type_=BigInteger)},
)
_DELIVERED = _change(_ID, {"delivered_ms": _NOW})
_UNDELIVERED = _change(_ID, {"delivered_ms": null(), "until_ms": 0, "repeated_ms": _NOW})
_REPEATED = _change(_ID, {"repeated_ms": _NOW})
_FORGOTTEN = batches.Statement(
    delete(COMMAND).where(_ID, COMMAND.c.operation == commands.LOOK_UP).returning(COMMAND.c.id)
)


_OLD = (
    select(COMMAND.c.id)
    .where(COMMAND.c.body != "", COMMAND.c.repeated_ms < bindparam("before", type_=BigInteger))
    .order_by(COMMAND.c.repeated_ms)
    .limit(bindparam("most", type_=BigInteger))
)
_BINDS = or_(*(COMMAND.c.state == state.value for state in sorted(commands.BINDING)))
_NEXT_OLD = batches.Statement(_OLD, _OLD.with_for_update(skip_locked=True))
_NEEDED = case(
    (COMMAND.c.state == commands.CommandState.ANSWERED.value, ""), else_=COMMAND.c.articles
)
_SHED = _change(and_(_ID, _BINDS), {"body": "", "answer": null(), "articles": _NEEDED})
_DROPPED = batches.Statement(delete(COMMAND).where(_ID, not_(_BINDS)).returning(COMMAND.c.id))


def _shed(before_ms: int, most: int) -> batches.Write[int]:
    rows = yield _NEXT_OLD, {"before": before_ms, "most": most}
    for (command_id,) in rows:
        yield _SHED, {"command": command_id}
        yield _DROPPED, {"command": command_id}
    return len(rows)


_FOUND = batches.Statement(select(*(COMMAND.c[name] for name in _NAMES)).where(_ID))


def _first(rows: batches.Rows) -> commands.RelayCommand | None:
    return _command_of(dict(zip(_NAMES, rows[0], strict=True))) if rows else None


def _values(command: commands.RelayCommand) -> dict[str, Any]:
    return dict(zip(_COLUMNS, (*_VALUES(command), command.receipt_id), strict=True))


def _command(row: Row[Any]) -> commands.RelayCommand:
    return _command_of({name: getattr(row, name) for name in _NAMES})


def _command_of(members: Mapping[str, Any]) -> commands.RelayCommand:
    converted = {
        "state": commands.CommandState(members["state"]),
        "keyless": bool(members["keyless"]),
    }
    return commands.RelayCommand(**{**members, **converted})
