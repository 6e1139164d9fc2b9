"""The connected applications, and the platform's worker of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from datetime import UTC, datetime, timedelta
from functools import partial

from sqlalchemy import (
    BigInteger,
    Text,
    Update,
    and_,
    bindparam,
    delete,
    insert,
    or_,
    select,
    union,
    union_all,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from pos_app.lazy_dataclass import dataclass
from pos_app.platform_api.clients import registering
from pos_app.platform_api.database.batches import Batches, Statement, Write
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.database.relay_tables import COMMAND, PRESENCE, WORKER
from pos_app.platform_api.database.tables import ACCOUNT, CLIENT
from pos_app.platform_api.errors import QuotaReached
from pos_app.platform_api.keys import bind, lets_in
from pos_app.platform_api.quotas import QuotaKeeper
from pos_app.platform_api.relay.commands import LOOK_UP
from pos_app.wire.relay import RefusalCode

SEEN_EVERY = timedelta(minutes=1)
GONE_MS = 15_000
"""A worker without a beat for this time is gone, with its connections."""


@dataclass(frozen=True, slots=True)
class Application:
    """A connected application. worker, connection: the worker and the connection that it uses.
    since_ms: the time when it connected."""

    account: str
    client: str
    install: str
    store: str | None
    name: str
    worker: str
    connection: str
    since_ms: int


@dataclass(frozen=True, slots=True)
class Entered:
    """The application is admitted. replaced: connections of the same installation that are to be
    closed."""

    replaced: tuple[Application, ...] = ()


@dataclass(frozen=True, slots=True)
class Barred:
    """The application is not admitted. by: the application that is connected for the same client or
    store."""

    code: RefusalCode
    by: Application | None = None


def fits(
    applications: Sequence[Application], *, client: str | None, store: str | None
) -> Application | None:
    """Return the connected application of one account with this client, or with this store."""
    if client is None:
        named = (one for one in applications if store is not None and one.store == store)
        return next(named, None)
    of_client = (one for one in applications if one.client == client)
    return next((one for one in of_client if store is None or one.store in (None, store)), None)


def only_one(
    applications: Sequence[Application], stores: Mapping[str, str | None], *, store: str
) -> Application | None:
    """Return an account's application for a request that names only a store: the application that
    named the store, else the only one without a store. If there are several, also counting those
    that are away now, none is guessed, because each signs with an element of its own.

    stores: the stores of the account's registered clients that named this store or none.
    """
    if store in stores.values():
        return fits(applications, client=None, store=store)
    return applications[0] if len(stores) == 1 and applications else None


def entry(application: Application, others: Sequence[Application]) -> Entered | Barred:
    """Decide whether an application is admitted beside the connected ones of its account."""
    same = [
        one
        for one in others
        if one.client == application.client
        or (application.store is not None and one.store == application.store)
    ]
    foreign = next((one for one in same if one.install != application.install), None)
    if foreign is not None:
        return Barred(RefusalCode.TAKEN, foreign)
    return Entered(tuple(same))


_PLACES = tuple(field.name for field in fields(Application))
_OF_ACCOUNT = PRESENCE.c.account == bindparam("account")
_IS_CLIENT = and_(_OF_ACCOUNT, PRESENCE.c.client == bindparam("client"))
_IS_STORE = and_(_OF_ACCOUNT, PRESENCE.c.store == bindparam("store", type_=Text))
_IS_ALIVE = WORKER.c.beat_ms > bindparam("beat", type_=BigInteger)
_LOCKED = Statement(
    select(ACCOUNT.c.id).where(ACCOUNT.c.id == bindparam("account")).with_for_update(key_share=True)
)
"""SQLite has no such lock, and needs none."""
_HERE = select(*(PRESENCE.c[name] for name in _PLACES))
_OF_CLIENT = Statement(
    _HERE.join(WORKER, WORKER.c.worker == PRESENCE.c.worker).where(_IS_CLIENT, _IS_ALIVE)
)
_NOTED = _HERE.add_columns(
    select(WORKER.c.worker)
    .where(WORKER.c.worker == PRESENCE.c.worker, _IS_ALIVE)
    .exists()
    .label("is_alive")
)
_OTHERS = Statement(union(_NOTED.where(_IS_CLIENT), _NOTED.where(_IS_STORE)).order_by("since_ms"))
"""A union: a plan for an OR, made while the table was empty, reads the whole account."""
_ITS_PLACE = and_(
    PRESENCE.c.account == CLIENT.c.account_id,
    PRESENCE.c.client == CLIENT.c.id,
    PRESENCE.c.worker.in_(select(WORKER.c.worker).where(_IS_ALIVE)),
)
_REGISTERED = (
    select(CLIENT.c.id, CLIENT.c.store_id, *(PRESENCE.c[name] for name in _PLACES))
    .select_from(CLIENT.outerjoin(PRESENCE, _ITS_PLACE))
    .where(
        CLIENT.c.account_id == bindparam("account"),
        or_(CLIENT.c.deleted_at.is_(None), PRESENCE.c.client.is_not(None)),
    )
)
_NAMELESS = _REGISTERED.where(CLIENT.c.store_id.is_(None)).limit(2).subquery()
_CLIENTS_FOR_STORE = Statement(
    union_all(
        _REGISTERED.where(CLIENT.c.store_id == bindparam("store", type_=Text)), select(_NAMELESS)
    )
)
"""The registered clients, each with its connection or nothing. Two of those without a store are
enough: `only_one` asks whether there is exactly one."""
_ENTERED = Statement(insert(PRESENCE).returning(PRESENCE.c.connection))
_LEFT = Statement(
    delete(PRESENCE)
    .where(PRESENCE.c.connection == bindparam("gone"))
    .returning(PRESENCE.c.connection)
)


def _enter(application: Application, version: str, now_ms: int) -> Write[Entered | Barred]:
    """Enter the applications of one account one after the other: the account's row is locked."""
    yield _LOCKED, {"account": application.account}
    same = {name: getattr(application, name) for name in ("account", "client", "store")}
    rows = yield _OTHERS, same | {"beat": now_ms - GONE_MS}
    entered = entry(application, [Application(*values) for *values, is_alive in rows if is_alive])
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
    for row in rows:
        yield _LEFT, {"gone": Application(*row[:-1]).connection}
    yield _ENTERED, asdict(application)
    return entered


class Presence:
    """The applications connected to any worker. Each method is one transaction. beside: the
    commands' batches, which its reads join, because a request waits for both. Writes that lock an
    account have batches of their own."""

    def __init__(self, database: Database, beside: Batches | None = None) -> None:
        self._database = database
        self._batches = Batches(database)
        self._reads = beside or self._batches

    async def enter(
        self, application: Application, *, version: str = "", now_ms: int
    ) -> Entered | Barred:
        """Enter one application for a client and a store; its clientId belongs to one account for
        good. version: the version of its program.
        """
        begin = partial(_enter, application, version, now_ms)
        return await self._batches.done(begin, order=application.account)

    async def lets_in(self, key: str, client: str) -> bool:
        """Tell whether a key for one application is free, or bound to this application."""
        async with self._database.reading() as connection:
            return await lets_in(connection, key, client)

    async def bind(self, key: str, client: str) -> bool:
        """Bind the key to this admitted application; return False where another one was faster."""
        async with self._database.writing() as connection:
            return await bind(connection, key, client)

    async def has_room(self, quotas: QuotaKeeper, account: str, client: str) -> bool:
        """Tell whether a client may register, or is known already."""
        try:
            async with self._database.reading() as connection:
                await quotas.check_client(connection, account, client)
        except QuotaReached:
            return False
        return True

    async def leave(self, connection: str) -> None:
        await self._batches.changed(_LEFT, {"gone": connection})

    async def find(
        self, account: str, *, client: str | None, store: str | None, now_ms: int
    ) -> Application | None:
        """Find the application by client and store, or by either: see `fits`, `only_one`."""
        bindings = {"account": account, "beat": now_ms - GONE_MS}
        if client is not None:
            rows = await self._reads.rows(_OF_CLIENT, bindings | {"client": client})
            return fits([Application(*row) for row in rows], client=client, store=store)
        if store is None:
            return None
        rows = await self._reads.rows(_CLIENTS_FOR_STORE, bindings | {"store": store})
        here = [Application(*values) for _, _, *values in rows if values[0] is not None]
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

    async def connections_of(self, worker: str) -> set[str]:
        query = select(PRESENCE.c.connection).where(PRESENCE.c.worker == worker)
        async with self._database.reading() as connection:
            return set((await connection.execute(query)).scalars())

    async def end(self, worker: str) -> None:
        """Remove the worker at its stop, so that nobody waits until its last beat is old."""
        async with self._database.writing() as connection:
            await connection.execute(delete(PRESENCE).where(PRESENCE.c.worker == worker))
            await connection.execute(delete(WORKER).where(WORKER.c.worker == worker))


def _seen(worker: str, now_ms: int) -> Update:
    """Update the last sight of a worker's clients, to the minute. A client that connects at this
    moment is left out, because its connection notes it."""
    now = datetime.fromtimestamp(now_ms / 1000, UTC)
    of_worker = select(PRESENCE.c.client).where(PRESENCE.c.worker == worker)
    old = CLIENT.c.last_seen_at <= now - SEEN_EVERY
    found = select(CLIENT.c.id).where(CLIENT.c.id.in_(of_worker), old)
    mine = CLIENT.c.id.in_(found.with_for_update(skip_locked=True))
    return update(CLIENT).where(mine).values(last_seen_at=now)
