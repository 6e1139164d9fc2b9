"""Reads and changes a platform's account for the settings: its stores to choose from, its keys.

Each request raises RemoteError (NotDelivered: surely nothing of it was written), or Invalid for an
answer that can't be read.
"""

from __future__ import annotations

from collections.abc import Mapping

from pos_app.adapters.platform_http.client import PlatformAnswer, PlatformClient, refusal
from pos_app.adapters.platform_http.lists import REVISION
from pos_app.adapters.secrets.secret import Secret
from pos_app.domain.article.store import Store
from pos_app.domain.setup.platform_key import KeyTerms
from pos_app.domain.setup.platform_setup import NewPlatformKey, PlatformKey, PlatformStore
from pos_app.errors import Invalid, Refused
from pos_app.settings import PlatformOperation, PlatformSettings
from pos_app.wire.keys_and_clients import key_from_json, terms_to_json
from pos_app.wire.store import changed_members, store_from_json, store_to_json, version_of

STALE = "stale"
"""The kind of a refusal because another program changed the resource meanwhile."""
_CONNECT_SECONDS, _READ_SECONDS = 5.0, 10.0


class PlatformAccount:
    """A platform's account. Each call makes a connection of its own, because calls are rare."""

    def __init__(self, settings: PlatformSettings, secret: Secret) -> None:
        self._settings = settings
        self._secret = secret

    def stores(self) -> tuple[PlatformStore, ...]:
        stores = (store_from_json(one) for one in self._ask("list_stores").listed())
        return tuple(PlatformStore(one.id, one.name) for one in stores)

    def keys(self) -> tuple[PlatformKey, ...]:
        return tuple(key_from_json(one) for one in self._ask("list_keys").listed())

    def add_key(self, terms: KeyTerms, *, press: str) -> NewPlatformKey:
        """Make a key. press: the Idempotency-Key, here and in all methods below."""
        return _new_key(
            self._ask("add_key", body=terms_to_json(terms), press=press).checked_document()
        )

    def rotate_key(self, key_id: str, *, press: str) -> NewPlatformKey:
        return _new_key(self._ask("rotate_key", key_id, press=press).checked_document())

    def revoke_key(self, key_id: str) -> None:
        self._ask("revoke_key", key_id)

    def add_store(self, name: str, *, press: str) -> PlatformStore:
        answer = self._ask("add_store", body={"name": name}, press=press)
        store = store_from_json(answer.checked_document())
        return PlatformStore(store.id, store.name)

    def change_store(self, before: Store, after: Store) -> Store:
        """Change the members that differ, and return the changed store. Raises Refused with the
        kind STALE where another program changed one of them meanwhile."""
        members, was = changed_members(before, after), store_to_json(before)
        answer = self._ask("list_stores")
        version = ""
        for listed in answer.listed():
            theirs = store_to_json(store_from_json(listed))
            if theirs["id"] == before.id:
                if any(theirs.get(name) != was[name] for name in members):
                    raise Refused(STALE)
                if REVISION in answer.headers:
                    version = version_of(listed)
        changed = self._ask("update_store", before.id, body=members, version=version)
        return store_from_json(changed.checked_document())

    def _ask(
        self,
        name: PlatformOperation,
        resource_id: str = "",
        *,
        body: Mapping[str, object] | None = None,
        version: str = "",
        press: str = "",
    ) -> PlatformAnswer:
        """Ask the platform. version: the version that the resource must still have, "" for any."""
        headers = {"If-Match": f'"{version}"'} if version else {}
        headers |= {"Idempotency-Key": press} if press else {}
        with PlatformClient(
            self._settings,
            self._secret,
            connect_seconds=_CONNECT_SECONDS,
            read_seconds=_READ_SECONDS,
        ) as client:
            answer = client.ask(name, resource_id, body=body, headers=headers)
        if version and answer.status in (409, 412):
            raise Refused(STALE)
        if not answer.is_success:
            raise refusal(answer)
        return answer


def _new_key(document: object) -> NewPlatformKey:
    key = key_from_json(document)
    secret = document.get("secret") if isinstance(document, dict) else None
    if not isinstance(secret, str):
        raise Invalid("no_secret", field="secret")
    return NewPlatformKey(key.id, key.name, secret)
