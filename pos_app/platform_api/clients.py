"""Clients: the applications that connect for public mode, each with an id that it made itself.

A client belongs to the account and the installation that registered it.
Source: platform-contract.md 2.7.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, bindparam, null, select, update
from sqlalchemy.dialects import postgresql, sqlite

from pos_app.platform_api.database.batches import Statement, Write
from pos_app.platform_api.database.tables import CLIENT
from pos_app.wire.relay import RefusalCode

_KNOWN = Statement(
    select(CLIENT.c.account_id, CLIENT.c.install_id)
    .where(CLIENT.c.id == bindparam("client"))
    .with_for_update()
)
_ADDED = Statement(
    sqlite.insert(CLIENT).on_conflict_do_nothing().returning(CLIENT.c.id),
    postgresql.insert(CLIENT).on_conflict_do_nothing().returning(CLIENT.c.id),
)
_SEEN = Statement(
    update(CLIENT)
    .where(CLIENT.c.id == bindparam("client"))
    .values(
        store_id=bindparam("of_store"),
        version=bindparam("of_version"),
        last_seen_at=bindparam("now", type_=BigInteger),
        deleted_at=null(),
    )
    .returning(CLIENT.c.id)
)


def registering(
    account_id: str,
    *,
    client_id: str,
    install_id: str,
    store_id: str | None,
    name: str,
    version: str,
    now_ms: int,
) -> Write[RefusalCode | None]:
    """Note that this application connected; a new one is added, a deleted one comes back. The name
    of a known application stays as it is stored. It returns the reason of a refusal, or None. It
    refuses an id that belongs to another account or installation, whose row stays unchanged."""
    new = {
        "id": client_id,
        "account_id": account_id,
        "name": name,
        "store_id": store_id,
        "install_id": install_id,
        "version": version,
        "created_at": now_ms,
        "updated_at": now_ms,
        "last_seen_at": now_ms,
        "deleted_at": None,
    }
    if (yield _ADDED, new):
        return None
    ((of_account, of_install),) = yield _KNOWN, {"client": client_id}
    if of_account != account_id:
        return RefusalCode.FOREIGN_CLIENT
    if of_install != install_id:
        return RefusalCode.OTHER_INSTALLATION
    seen = {"client": client_id, "of_store": store_id, "of_version": version, "now": now_ms}
    yield _SEEN, seen
    return None
