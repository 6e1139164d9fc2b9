"""Counts wrong credentials of the last minute, of all workers together.

Each worker counts in its memory, and, if several workers share a database, also there. A success
asks the database nothing. Once a worker knows that a name has too many failures it counts further
ones only by itself, so that further guesses cost the database nothing.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict

from sqlalchemy import BigInteger, bindparam, case, delete, select
from sqlalchemy.dialects import postgresql

from pos_app import log
from pos_app.clock import Clock, now_ms
from pos_app.errors import MachineError
from pos_app.platform_api.database.batches import Batches, Statement
from pos_app.platform_api.database.tables import FAILURE

WINDOW_SECONDS = 60.0
MOST_COUNTED = 10_000
_MOST_FORGOTTEN = 1_000

_log = log.get(__name__)

_NOW = bindparam("now", type_=BigInteger)
_OLD = bindparam("old", type_=BigInteger)
_ADDED = postgresql.insert(FAILURE).values(name=bindparam("of_name"), since_ms=_NOW, count=1)
_IS_OLD = FAILURE.c.since_ms <= _OLD
_COUNTED = Statement(
    _ADDED.on_conflict_do_update(
        index_elements=["name"],
        set_={
            "count": case((_IS_OLD, 1), else_=FAILURE.c.count + 1),
            "since_ms": case((_IS_OLD, _NOW), else_=FAILURE.c.since_ms),
        },
    ).returning(FAILURE.c.since_ms, FAILURE.c.count)
)
_FORGOTTEN = Statement(
    delete(FAILURE)
    .where(
        FAILURE.c.name.in_(
            select(FAILURE.c.name)
            .where(_IS_OLD)
            .limit(_MOST_FORGOTTEN)
            .with_for_update(skip_locked=True)
        )
    )
    .returning(FAILURE.c.name)
)


class FailureCounts:
    """Counts failures of one kind of names. batches: the batches of a database that several workers
    share, else None."""

    def __init__(self, kind: str, most: int, clock: Clock, batches: Batches | None) -> None:
        self._kind = kind
        self._most = most
        self._clock = clock
        self._batches = batches
        self._failed: OrderedDict[str, tuple[float, int]] = OrderedDict()
        self._forgot_seconds = clock.seconds()

    async def failed(self, name: str) -> float:
        """Count a failure; return the seconds to wait after too many, else 0."""
        now = self._clock.seconds()
        since, count = self._failed.pop(name, (now, 0))
        if now - since >= WINDOW_SECONDS:
            since, count = now, 0
        self._note(name, since, count + 1)
        if count < self._most and self._batches is not None:
            since, count = await self._shared(self._batches, name, since, count)
        return since + WINDOW_SECONDS - now if count >= self._most else 0.0

    def _note(self, name: str, since: float, count: int) -> None:
        self._failed[name] = (since, count)
        if len(self._failed) > MOST_COUNTED:
            self._failed.popitem(last=False)

    async def _shared(
        self, batches: Batches, name: str, since: float, count: int
    ) -> tuple[float, int]:
        now, at_ms = self._clock.seconds(), now_ms(self._clock)
        old = {"old": at_ms - int(WINDOW_SECONDS * 1000)}
        known = hashlib.sha256(f"{self._kind} {name}".encode()).hexdigest()
        values = {"of_name": known, "now": at_ms}
        try:
            if now - self._forgot_seconds >= WINDOW_SECONDS:
                self._forgot_seconds = now
                await batches.rows(_FORGOTTEN, old)
            ((since_ms, of_all),) = await batches.rows(_COUNTED, values | old, order=known)
        except MachineError as error:
            _log.warning("a failure is counted by this worker alone: %s", error.what)
            return since, count
        if of_all <= self._most:
            return since, count
        since = now - (at_ms - since_ms) / 1000
        self._note(name, since, of_all)
        return since, of_all - 1
