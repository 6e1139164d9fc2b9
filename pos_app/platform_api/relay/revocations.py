"""Closes the connections that were opened with a revoked key.

A revocation, at any worker or by command line, is written to the database. Each worker reads once a
second which keys were revoked lately. This is one query for all of its connections, by an index
that has only revoked keys. An application with a revoked key gets no more commands. Earlier
commands may be signed; their receipts are returned for the same idempotency key once the
application is connected again. Source: platform-contract.md 2.7.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import datetime, timedelta

from pos_app import log
from pos_app.clock import Clock
from pos_app.errors import MachineError
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.keys import revoked_since
from pos_app.platform_api.relay.connection import notify_here, refused
from pos_app.platform_api.relay.hub import Connected, Hub
from pos_app.platform_api.relay.presence import Presence
from pos_app.wire.relay import RefusalCode

LOOK_SECONDS = 1.0
_LATELY = timedelta(days=1)
"""Each look goes back so far, because the clocks of the machine that revokes and of the machine
that looks may differ by this."""

_log = log.get(__name__)


async def keep_closing(database: Database, hub: Hub, presence: Presence, clock: Clock) -> None:
    looked, is_logged = clock.now(), False
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        now = clock.now()
        try:
            if len(hub):
                await _close(await _revoked(database, hub, looked - _LATELY), hub, presence)
        except MachineError as error:
            if not is_logged:
                _log.error("whether keys were revoked can't be read now: %s", error.what)
            is_logged = True
        else:
            looked, is_logged = now, False


async def _revoked(database: Database, hub: Hub, since: datetime) -> list[Connected]:
    async with database.reading() as connection:
        return hub.of_keys(await revoked_since(connection, since))


async def _close(connections: Iterable[Connected], hub: Hub, presence: Presence) -> None:
    for connected in connections:
        application = connected.application
        fields = {"client": application.client, "account": application.account}
        _log.warning("the key of an application was revoked", extra={"fields": fields})
        notify_here(hub, connected, refused(RefusalCode.REVOKED))
        await presence.leave(application.connection)  # even if the application does not close
