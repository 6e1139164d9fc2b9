"""Authenticates the sender of a request: HTTP Basic with key and secret.

Wrong credentials are counted by their key and by their address; after too many failures a caller
has to wait. Right credentials are never refused, so that nobody can lock an account out. Source:
platform-api.md (Authentication), platform-contract.md 5.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hmac
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

from starlette.requests import HTTPConnection

from pos_app import log
from pos_app.domain.setup.platform_key import KeyScope
from pos_app.errors import MachineError
from pos_app.lazy_dataclass import dataclass
from pos_app.platform_api import keys
from pos_app.platform_api.context import PlatformContext
from pos_app.platform_api.database.batches import Batches
from pos_app.platform_api.errors import ScopeMissing, TooManyFailures, Unauthorized
from pos_app.platform_api.failures import FailureCounts

FAILURES_OF_A_KEY = 10
FAILURES_OF_AN_ADDRESS = 50
"""The most failures in a minute from one address. It is higher than for a key, because a shop's
programs may share an address."""
REMEMBERED_SECONDS = 1.0
"""The time for which right credentials are remembered. A key that another worker revoked is refused
after this time at the latest."""
_log = log.get(__name__)

_MOST_REMEMBERED = 10_000
_LONGEST = 1024


@dataclass(frozen=True, slots=True)
class _Right:
    secret_hash: str
    caller: keys.KeyHolder
    until_seconds: float


class Authentication:
    def __init__(self, context: PlatformContext) -> None:
        self._context = context
        database, clock = context.database, context.clock
        shared = Batches(database) if database.is_shared else None
        self.quotas = context.quotas
        self._of_key = FailureCounts("key", FAILURES_OF_A_KEY, clock, shared)
        self._of_address = FailureCounts("address", FAILURES_OF_AN_ADDRESS, clock, shared)
        self._right: dict[str, _Right] = {}
        self._looking: dict[tuple[str, str], asyncio.Task[keys.KeyHolder | None]] = {}
        self._noting: dict[str, asyncio.Task[None]] = {}
        database.closes_first(self._settle)

    async def caller(self, request: HTTPConnection, *scopes: KeyScope) -> keys.KeyHolder:
        """Return the caller, whose key has one of these scopes. Raises Unauthorized,
        TooManyFailures, ScopeMissing."""
        key_id, secret = credentials(request.headers.getlist("authorization")) or ("", "")
        caller = None
        if keys.is_key_id(key_id):
            caller = self._seen(key_id, secret) or await self._caller_of(key_id, secret)
        if caller is None:
            raise await self._failure(key_id, request.client.host if request.client else "")
        if caller.scopes.isdisjoint(scopes):
            wanted = " or ".join(f'"{scope}"' for scope in scopes)
            raise ScopeMissing("missing", wanted=wanted)
        return caller

    @asynccontextmanager
    async def request_of(self, caller: keys.KeyHolder) -> AsyncIterator[None]:
        """Count a request of this caller while inside. Raises QuotaReached."""
        async with self.quotas.request(caller):
            with self._context.slow_work.serving(caller.account_id):
                yield

    async def check_reserve(self) -> None:
        """Check that there is room for more than receipts. Raises DiskFull."""
        await self._context.database.check_reserve()

    def forget(self, key_id: str) -> None:
        """Forget a revoked key, so that its next request asks the database."""
        self._right.pop(key_id, None)

    def _seen(self, key_id: str, secret: str) -> keys.KeyHolder | None:
        right = self._right.get(key_id)
        if right is None or self._context.clock.seconds() >= right.until_seconds:
            return None
        return (
            right.caller if hmac.compare_digest(right.secret_hash, keys.hash_of(secret)) else None
        )

    async def _caller_of(self, key_id: str, secret: str) -> keys.KeyHolder | None:
        """Find the caller. While the database is away, credentials that were right recently are
        admitted: nothing can be read or written then, but the answer can name the id of a receipt
        that may exist."""
        try:
            return await self._looked_up(key_id, secret)
        except MachineError:
            right = self._right.get(key_id)
            if right is None or not hmac.compare_digest(right.secret_hash, keys.hash_of(secret)):
                raise
            return right.caller

    async def _looked_up(self, key_id: str, secret: str) -> keys.KeyHolder | None:
        """Look the key up, once for simultaneous requests with the same credentials."""
        asked = key_id, keys.hash_of(secret)
        looking = self._looking.get(asked)
        if looking is None:
            looking = asyncio.create_task(self._verified(key_id, secret), name="look-up of a key")
            self._looking[asked] = looking
            looking.add_done_callback(lambda _: self._looking.pop(asked))
        return await asyncio.shield(looking)

    async def _verified(self, key_id: str, secret: str) -> keys.KeyHolder | None:
        database, now = self._context.database, self._context.clock.now()
        async with database.reading() as connection:
            found = await keys.verified(connection, key_id, secret)
        if found is None:
            return None
        caller, last_used = found
        if last_used is None or now - last_used >= keys.USED_EVERY:
            self._note_later(caller.key_id, now)
        until = self._context.clock.seconds() + REMEMBERED_SECONDS
        self._right[key_id] = _Right(keys.hash_of(secret), caller, until)
        if len(self._right) > _MOST_REMEMBERED:
            self._right.pop(next(iter(self._right)))
        return caller

    def _note_later(self, key_id: str, now: datetime) -> None:
        """Note the use of a key in a task: a request that reads must not wait for a write, which a
        full disk refuses."""
        if key_id not in self._noting:
            task = asyncio.create_task(self._note_use(key_id, now), name="use of a key")
            self._noting[key_id] = task
            task.add_done_callback(lambda _: self._noting.pop(key_id))

    async def _note_use(self, key_id: str, now: datetime) -> None:
        try:
            async with self._context.database.writing() as connection:
                replaced = await keys.note_use(connection, key_id, now)
        except MachineError as error:
            _log.warning("the use of a key can't be noted: %s", error.what)
            return
        if replaced is not None:
            self.forget(replaced)

    async def _settle(self) -> None:
        await asyncio.gather(*self._noting.values(), return_exceptions=True)

    async def _failure(self, key_id: str, address: str) -> Unauthorized | TooManyFailures:
        of_key = await self._of_key.failed(key_id) if key_id else 0.0
        wait = max(of_key, await self._of_address.failed(address))
        return TooManyFailures(seconds=int(wait) + 1) if wait else Unauthorized()


def credentials(headers: list[str]) -> tuple[str, str] | None:
    """Return key and secret of the header Authorization, or None where the header is not a valid
    one of Basic. The secret may hold a colon, the key can't (RFC 7617)."""
    if len(headers) != 1 or len(headers[0]) > _LONGEST:
        return None
    scheme, _, encoded = headers[0].partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        text = base64.b64decode(encoded.strip(), validate=True).decode()
    except (binascii.Error, ValueError):
        return None
    key, colon, secret = text.partition(":")
    return (key, secret) if colon else None
