"""Keys of accounts: made, listed, revoked, and found when a caller sends one.

A secret is 256 random bits, so its plain SHA-256 keeps it as well as a slow hash would, and costs a
request microseconds. Source: platform-contract.md 5.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

from sqlalchemy import Row, and_, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from pos_app.domain.platform_key import KeyScope, KeyTerms
from pos_app.errors import NotFound
from pos_app.platform_api.database.tables import ACCOUNT, API_KEY
from pos_app.wire.keys_and_clients import read_key

_PREFIX = "pk_"
_KEY_ID = re.compile(r"pk_[0-9A-Za-z_-]{22}")
_ID_BYTES, _SECRET_BYTES = 16, 32
_NO_HASH = hashlib.sha256(b"").hexdigest()
USED_EVERY = timedelta(minutes=1)
"""How exactly the last use of a key is kept."""


ALL_SCOPES = tuple(KeyScope)


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was just made; its secret is known here and never again."""

    id: str
    secret: str


@dataclass(frozen=True, slots=True)
class KnownKey:
    """A key without its secret. last_used_at: to the minute; None before the first use."""

    id: str
    terms: KeyTerms
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sent a request: the account and key of its credentials."""

    account_id: str
    key_id: str
    scopes: frozenset[KeyScope]
    each_order_is_a_sale: bool = False


async def _check_account(connection: AsyncConnection, account_id: str) -> None:
    """Raises NotFound for an unknown account."""
    found = await connection.execute(select(ACCOUNT.c.id).where(ACCOUNT.c.id == account_id))
    if found.first() is None:
        raise NotFound(f'There is no account "{account_id}"')


async def make_key(
    connection: AsyncConnection,
    account_id: str,
    terms: KeyTerms,
    *,
    now: datetime,
) -> NewKey:
    """Raises NotFound for an unknown account."""
    await _check_account(connection, account_id)
    key = NewKey(_PREFIX + secrets.token_urlsafe(_ID_BYTES), secrets.token_urlsafe(_SECRET_BYTES))
    await connection.execute(
        insert(API_KEY).values(
            id=key.id,
            account_id=account_id,
            name=terms.name,
            secret_hash=hash_of(key.secret),
            scopes=" ".join(scope for scope in KeyScope if scope in terms.scopes),
            each_order_is_a_sale=int(terms.each_order_is_a_sale),
            created_at=now,
        )
    )
    return key


def key_terms(name: str, scopes: Iterable[str]) -> KeyTerms:
    """What is typed of a key, read as the body of POST /keys is. Raises Invalid."""
    return read_key({"name": name, "scopes": list(scopes)})


async def keys_of(connection: AsyncConnection, account_id: str) -> list[KnownKey]:
    """All keys of an account, the oldest first. Raises NotFound for an unknown account."""
    await _check_account(connection, account_id)
    mine = select(API_KEY).where(API_KEY.c.account_id == account_id)
    found = await connection.execute(mine.order_by(API_KEY.c.created_at, API_KEY.c.id))
    return [
        KnownKey(row.id, _terms_of(row), row.created_at, row.last_used_at, row.revoked_at)
        for row in found
    ]


async def revoke_key(
    connection: AsyncConnection, key_id: str, *, account_id: str | None = None, now: datetime
) -> datetime | None:
    """The key is refused from now on, or since the instant that is given back, when it was revoked
    before.

    account_id: whose key it has to be; None for any account's. Raises NotFound.
    """
    is_it = API_KEY.c.id == key_id
    if account_id is not None:
        is_it = and_(is_it, API_KEY.c.account_id == account_id)
    found = None
    if is_key_id(key_id):
        query = select(API_KEY.c.revoked_at).where(is_it).with_for_update()
        found = (await connection.execute(query)).first()
    if found is None:
        raise NotFound("Key not found")
    if found.revoked_at is None:
        await connection.execute(update(API_KEY).where(is_it).values(revoked_at=now))
    return cast(datetime | None, found.revoked_at)


async def revoked_since(connection: AsyncConnection, instant: datetime) -> frozenset[str]:
    """The ids of the keys that were revoked then or later."""
    query = select(API_KEY.c.id).where(API_KEY.c.revoked_at >= instant)
    return frozenset((await connection.execute(query)).scalars())


async def verified(
    connection: AsyncConnection, key_id: str, secret: str
) -> tuple[Caller, datetime | None] | None:
    """The caller and the key's last use; None where key or secret is wrong.

    An unknown key and a wrong secret take the same way.
    """
    query = select(API_KEY).where(and_(API_KEY.c.id == key_id, API_KEY.c.revoked_at.is_(None)))
    row = (await connection.execute(query)).first()
    kept = _NO_HASH if row is None else row.secret_hash
    is_right = hmac.compare_digest(kept, hash_of(secret))
    if row is None or not is_right:
        return None
    told = Caller(row.account_id, row.id, scopes_of(row), bool(row.each_order_is_a_sale))
    return told, row.last_used_at


async def note_use(connection: AsyncConnection, key_id: str, now: datetime) -> None:
    await connection.execute(update(API_KEY).where(API_KEY.c.id == key_id).values(last_used_at=now))


def is_key_id(text: str) -> bool:
    """Whether it could be the id of a key."""
    return bool(_KEY_ID.fullmatch(text))


def _terms_of(row: Row[tuple[object, ...]]) -> KeyTerms:
    return KeyTerms(row.name, scopes_of(row), bool(row.each_order_is_a_sale))


def scopes_of(row: Row[tuple[object, ...]]) -> frozenset[KeyScope]:
    return frozenset(map(KeyScope, row.scopes.split()))


def hash_of(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
