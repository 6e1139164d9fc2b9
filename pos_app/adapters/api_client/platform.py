"""The server's platform over HTTP: shown, tried, changed; its keys and stores."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from pos_app import wire
from pos_app.adapters.api_client import exchange
from pos_app.domain import platform_setup
from pos_app.domain.platform_key import KeyTerms
from pos_app.domain.store import Store
from pos_app.errors import Invalid

_ASK_SECONDS = 5.0
_REMOTE_SECONDS = 25.0
"""The server asks the platform over a slow connection."""


class PlatformHttp:
    """The port ServerPlatformSetup over HTTP."""

    def __init__(self, api: exchange.LocalApi) -> None:
        self._api = api

    async def setup(self) -> platform_setup.PlatformSetup:
        return exchange.record_of(
            platform_setup.PlatformSetup,
            await self._api.ask("/till/platform", seconds=_ASK_SECONDS),
        )

    async def try_out(self, change: platform_setup.PlatformChange) -> platform_setup.PlatformTrial:
        return exchange.record_of(
            platform_setup.PlatformTrial, await self._tell("/test", _said(change))
        )

    async def change(self, change: platform_setup.PlatformChange, *, by: str) -> None:
        exchange.checked(await self._tell("", _said(change) | {"by": by}, method="PUT"))

    async def keys(self) -> tuple[platform_setup.PlatformKey, ...]:
        reply = await self._api.ask("/till/platform/keys", seconds=_REMOTE_SECONDS)
        return exchange.records_of(platform_setup.PlatformKey, reply)

    async def add_key(self, terms: KeyTerms, *, press: str) -> platform_setup.NewPlatformKey:
        reply = await self._tell("/keys", wire.keys_and_clients.terms_to_json(terms), press=press)
        return exchange.record_of(platform_setup.NewPlatformKey, reply)

    async def rotate_key(self, key_id: str, *, press: str) -> platform_setup.NewPlatformKey:
        path = f"/keys/{quote(key_id, safe='')}/rotate"
        return exchange.record_of(
            platform_setup.NewPlatformKey, await self._tell(path, {}, press=press)
        )

    async def revoke_key(self, key_id: str) -> None:
        exchange.checked(await self._tell(f"/keys/{quote(key_id, safe='')}", {}, method="DELETE"))

    async def add_store(self, name: str, *, press: str) -> platform_setup.PlatformStore:
        return exchange.record_of(
            platform_setup.PlatformStore, await self._tell("/stores", {"name": name}, press=press)
        )

    async def change_store(self, before: Store, after: Store) -> Store:
        path = f"/stores/{quote(before.id, safe='')}"
        changed = wire.store.changed_members(before, after)
        was = {
            name: value
            for name, value in wire.store.store_to_json(before).items()
            if name in changed
        }
        reply = await self._tell(path, {"changed": changed, "was": was}, method="PUT")
        exchange.checked(reply)
        try:
            return wire.store.store_from_json(reply.body)
        except Invalid as error:
            raise exchange.no_sense(error) from error

    async def _tell(
        self, path: str, body: Mapping[str, object], *, method: str = "POST", press: str = ""
    ) -> exchange.Reply:
        whole, headers = f"/till/platform{path}", {"Idempotency-Key": press} if press else {}
        return await self._api.tell(
            whole, body, seconds=_REMOTE_SECONDS, headers=headers, method=method
        )


def _said(change: platform_setup.PlatformChange) -> dict[str, object]:
    """The members of a change; those that are left out stay as they are."""
    members = wire.records.to_json(platform_setup.PlatformChange, change)
    assert isinstance(members, dict)
    return {name: value for name, value in members.items() if value is not None}
