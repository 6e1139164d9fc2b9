"""The keys of accounts: they are made, listed, revoked, and found for a caller.

A secret is 256 random bits, so its plain SHA-256 protects it as well as a slow hash would, and
takes microseconds. Source: platform-contract.md 5.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import ColumnElement, Row, and_, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from pos_app.domain.setup.audit import AuditAct, AuditKind
from pos_app.domain.setup.platform_key import KeyScope, KeyTerms
from pos_app.errors import NotFound
from pos_app.lazy_dataclass import dataclass
from pos_app.platform_api.audit import Audited, check_account, record
from pos_app.platform_api.database.tables import API_KEY
from pos_app.platform_api.errors import ScopeMissing
from pos_app.wire.audit import replaced_by, scopes_given
from pos_app.wire.keys_and_clients import read_key

_PREFIX = "pk_"
_KEY_ID = re.compile(r"pk_[0-9A-Za-z_-]{22}")
_ID_BYTES, _SECRET_BYTES = 16, 32
_NO_HASH = hashlib.sha256(b"").hexdigest()
USED_EVERY = timedelta(minutes=1)
"""The precision of a key's last use."""


ALL_SCOPES = tuple(KeyScope)


@dataclass(frozen=True, slots=True)
class NewKey:
    """A new key; its secret is known here and never again."""

    id: str
    secret: str


@dataclass(frozen=True, slots=True)
class KnownKey:
    """A key without its secret. last_used_at: to the minute, or None before the first use."""

    id: str
    terms: KeyTerms
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class KeyHolder:
    """The sender of a request: the account and key of its credentials."""

    account_id: str
    key_id: str
    scopes: frozenset[KeyScope]
    each_order_is_a_sale: bool = False
    one_client: bool = False


async def make_key(
    connection: AsyncConnection,
    account_id: str,
    terms: KeyTerms,
    *,
    now: datetime,
    by: KeyHolder | None = None,
    replaces: Row[Any] | None = None,
) -> NewKey:
    """Make a key. by: the maker, or None for the operator. replaces: the key that is revoked at the
    new key's first use; the new key takes over its one application. Raises NotFound for an unknown
    account."""
    await check_account(connection, account_id, lock=True)
    key = NewKey(_PREFIX + secrets.token_urlsafe(_ID_BYTES), secrets.token_urlsafe(_SECRET_BYTES))
    await connection.execute(
        insert(API_KEY).values(
            id=key.id,
            account_id=account_id,
            name=terms.name,
            secret_hash=hash_of(key.secret),
            scopes=" ".join(scope for scope in KeyScope if scope in terms.scopes),
            each_order_is_a_sale=int(terms.each_order_is_a_sale),
            one_client=int(terms.one_client),
            replaces=None if replaces is None else replaces.id,
            client=None if replaces is None else replaces.client,
            created_at=now,
        )
    )
    changes = scopes_given(terms.scopes)
    done = Audited(AuditKind.KEY, AuditAct.MADE, key.id, terms.name, _id_of(by), changes)
    await record(connection, account_id, done, now=now)
    return key


async def rotate_key(
    connection: AsyncConnection, key_id: str, *, by: KeyHolder | None = None, now: datetime
) -> tuple[NewKey, KeyTerms]:
    """Make a key of the same terms. At its first use it replaces the key in use, so that a lost
    answer locks nobody out. A successor that was made before and never used is revoked. by: see
    `revoke_key`. Raises NotFound, ScopeMissing."""
    if is_key_id(key_id):  # a first use also locks the newer key before the older one
        await _rows(connection, API_KEY.c.replaces == key_id)
    found = await _own_row(connection, key_id, by)
    if found.revoked_at is not None:
        raise NotFound("revoked_key")
    in_use, unused = await _chain(connection, found, by)
    terms, account = _terms_of(found), found.account_id
    for one in unused:
        await _revoke(connection, one, by, now=now)
    made = await make_key(connection, account, terms, now=now, by=by, replaces=in_use)
    changes = replaced_by(made.id)
    done = Audited(AuditKind.KEY, AuditAct.ROTATED, key_id, terms.name, _id_of(by), changes)
    await record(connection, account, done, now=now)
    return made, terms


async def _chain(
    connection: AsyncConnection, asked: Row[Any], by: KeyHolder | None
) -> tuple[Row[Any], list[Row[Any]]]:
    """Return the key in use, and its unused successors."""
    in_use, unused = asked, dict[str, Row[Any]]()
    while in_use.last_used_at is None and in_use.id != _id_of(by):
        before = await _rows(connection, API_KEY.c.id == in_use.replaces)
        if not before:
            break
        unused[in_use.id] = in_use
        in_use = before[0]
    for one in await _rows(connection, API_KEY.c.replaces == in_use.id):
        if one.last_used_at is None and one.id != _id_of(by):
            unused[one.id] = one
    return in_use, list(unused.values())


async def _rows(connection: AsyncConnection, are: ColumnElement[bool]) -> Sequence[Row[Any]]:
    valid = and_(are, API_KEY.c.revoked_at.is_(None))
    return (await connection.execute(select(API_KEY).where(valid).with_for_update())).all()


def key_terms(name: str, scopes: Iterable[str]) -> KeyTerms:
    """Read typed terms of a key as the body of POST /keys. Raises Invalid."""
    return read_key({"name": name, "scopes": list(scopes)})


async def keys_of(connection: AsyncConnection, account_id: str) -> list[KnownKey]:
    """Return all keys of an account, the oldest first. Raises NotFound for an unknown account."""
    await check_account(connection, account_id)
    mine = select(API_KEY).where(API_KEY.c.account_id == account_id)
    found = await connection.execute(mine.order_by(API_KEY.c.created_at, API_KEY.c.id))
    return [
        KnownKey(row.id, _terms_of(row), row.created_at, row.last_used_at, row.revoked_at)
        for row in found
    ]


async def revoke_key(
    connection: AsyncConnection, key_id: str, *, by: KeyHolder | None = None, now: datetime
) -> datetime | None:
    """Revoke a key; return the instant of an earlier revocation, or None. by: the caller, for keys
    of his own account with no more scopes than his, or None for the operator. Raises NotFound,
    ScopeMissing."""
    found = await _own_row(connection, key_id, by)
    if found.revoked_at is None:
        await _revoke(connection, found, by, now=now)
    return cast(datetime | None, found.revoked_at)


async def _revoke(
    connection: AsyncConnection, key: Row[Any], by: KeyHolder | None, *, now: datetime
) -> None:
    is_it = API_KEY.c.id == key.id
    await connection.execute(update(API_KEY).where(is_it).values(revoked_at=now))
    await check_account(connection, key.account_id, lock=True)
    done = Audited(AuditKind.KEY, AuditAct.REVOKED, key.id, key.name, _id_of(by))
    await record(connection, key.account_id, done, now=now)


async def _own_row(connection: AsyncConnection, key_id: str, by: KeyHolder | None) -> Row[Any]:
    is_it = API_KEY.c.id == key_id
    if by is not None:
        is_it = and_(is_it, API_KEY.c.account_id == by.account_id)
    found = None
    if is_key_id(key_id):
        query = select(API_KEY).where(is_it).with_for_update()
        found = (await connection.execute(query)).first()
    if found is None:
        raise NotFound("key")
    if by is not None and (beyond := sorted(scopes_of(found) - by.scopes)):
        raise ScopeMissing("to_touch", scope=beyond[0])
    return found


async def lets_in(connection: AsyncConnection, key_id: str, client: str) -> bool:
    """Tell whether an application may connect with a key for one application: the key is free, or
    bound to this application."""
    query = select(API_KEY.c.id).where(_is_for(key_id, client))
    return (await connection.execute(query)).first() is not None


async def bind(connection: AsyncConnection, key_id: str, client: str) -> bool:
    """Bind the key to this application; return False where another application was faster."""
    bound = update(API_KEY).where(_is_for(key_id, client)).values(client=client)
    return (await connection.execute(bound.returning(API_KEY.c.id))).first() is not None


def _is_for(key_id: str, client: str) -> ColumnElement[bool]:
    of_client = or_(API_KEY.c.client.is_(None), API_KEY.c.client == client)
    return and_(API_KEY.c.id == key_id, of_client)


async def revoked_since(connection: AsyncConnection, instant: datetime) -> frozenset[str]:
    query = select(API_KEY.c.id).where(API_KEY.c.revoked_at >= instant)
    return frozenset((await connection.execute(query)).scalars())


async def verified(
    connection: AsyncConnection, key_id: str, secret: str
) -> tuple[KeyHolder, datetime | None] | None:
    """Return the caller and the key's last use, or None where key or secret is wrong. An unknown
    key and a wrong secret take the same steps."""
    query = select(API_KEY).where(and_(API_KEY.c.id == key_id, API_KEY.c.revoked_at.is_(None)))
    row = (await connection.execute(query)).first()
    kept = _NO_HASH if row is None else row.secret_hash
    is_right = hmac.compare_digest(kept, hash_of(secret))
    if row is None or not is_right:
        return None
    each, one = bool(row.each_order_is_a_sale), bool(row.one_client)
    return KeyHolder(row.account_id, row.id, scopes_of(row), each, one), row.last_used_at


async def note_use(connection: AsyncConnection, key_id: str, now: datetime) -> str | None:
    """Note the use of a key. If it is the first use, revoke the key that this one replaces, and
    return that key's id. A use that is noted after the key itself was revoked replaces nothing. The
    rows of keys are locked before the row of their account, as everywhere."""
    is_it = and_(API_KEY.c.id == key_id, API_KEY.c.revoked_at.is_(None))
    columns = API_KEY.c.id, API_KEY.c.account_id, API_KEY.c.name
    new = update(API_KEY).where(and_(is_it, API_KEY.c.last_used_at.is_(None)))
    first = (await connection.execute(new.values(last_used_at=now).returning(*columns))).first()
    if first is None:
        await connection.execute(update(API_KEY).where(is_it).values(last_used_at=now))
    before = select(API_KEY.c.replaces).where(is_it).scalar_subquery()
    old = and_(API_KEY.c.id == before, API_KEY.c.revoked_at.is_(None))
    revoked = update(API_KEY).where(old).values(revoked_at=now).returning(*columns)
    gone = (await connection.execute(revoked)).first()
    for row, act in ((first, AuditAct.FIRST_USED), (gone, AuditAct.REVOKED)):
        if row is not None:
            await check_account(connection, row.account_id, lock=True)
            done = Audited(AuditKind.KEY, act, row.id, row.name, key_id)
            await record(connection, row.account_id, done, now=now)
    return None if gone is None else cast(str, gone.id)


def _id_of(by: KeyHolder | None) -> str | None:
    return None if by is None else by.key_id


def is_key_id(text: str) -> bool:
    return bool(_KEY_ID.fullmatch(text))


def _terms_of(row: Row[Any]) -> KeyTerms:
    each, one = bool(row.each_order_is_a_sale), bool(row.one_client)
    return KeyTerms(row.name, scopes_of(row), each, one)


def scopes_of(row: Row[Any]) -> frozenset[KeyScope]:
    return frozenset(map(KeyScope, row.scopes.split()))


def hash_of(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
