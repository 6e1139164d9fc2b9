"""A server whose platform can be set up: the port ServerPlatformSetup without a server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from pos_app.domain.article.store import Store
from pos_app.domain.setup import platform_setup
from pos_app.domain.setup.platform_key import KeyTerms
from pos_app.errors import PosError

NONE = platform_setup.PlatformSetup(
    environment="own",
    url="",
    application_url="",
    key="",
    store_id="",
    public_mode=False,
    has_secret=False,
    client_id="0d6c1f0e-0f1c-4c8e-9d57-0d1f2a3b4c5d",
)
OURS = replace(
    NONE,
    url="https://platforma.lipa.rs/v2",
    application_url="https://platforma.lipa.rs/docs",
    key="pk_7Hq2mXnB4tYwEoRaLzKdVg",
    store_id="6f9f4a3e-7b1d-4e55-8a53-3f0c5d5e8a11",
    has_secret=True,
)
STORES = (
    platform_setup.PlatformStore(OURS.store_id, "Липа 2, Нови Сад"),
    platform_setup.PlatformStore("b5b9c6de-29f4-4d8f-9d0b-6f3a6ad1a622", "Липа 1, Београд"),
)
KEYS = (
    platform_setup.PlatformKey(
        OURS.key,
        "Каса 2",
        ("catalogue", "fiscalization", "application"),
        datetime(2026, 9, 1, tzinfo=UTC),
        datetime(2026, 11, 21, 9, tzinfo=UTC),
    ),
    platform_setup.PlatformKey(
        "pk_web", "Веб продавница", ("fiscalization",), datetime(2026, 9, 2, tzinfo=UTC)
    ),
)


class PlatformInMemory:
    """trial, refuses: the answers. changes: the changes that were asked for."""

    def __init__(self, setup: platform_setup.PlatformSetup = NONE) -> None:
        self.told = setup
        self.trial = platform_setup.PlatformTrial(elapsed_ms=41, stores=STORES)
        self.refuses: PosError | None = None
        self.listed = list(KEYS)
        self.tried: list[platform_setup.PlatformChange] = []
        self.changes: list[platform_setup.PlatformChange] = []
        self.added_stores: list[str] = []
        self.presses: list[str] = []
        self.sent: list[tuple[Store, Store]] = []

    async def setup(self) -> platform_setup.PlatformSetup:
        return self.told

    async def try_out(self, change: platform_setup.PlatformChange) -> platform_setup.PlatformTrial:
        self.tried.append(change)
        return self.trial

    async def change(self, change: platform_setup.PlatformChange, *, by: str) -> None:
        self._refuse()
        self.changes.append(change)
        if change.key:
            self.told = replace(self.told, key=change.key)

    async def keys(self) -> Sequence[platform_setup.PlatformKey]:
        self._refuse()
        return tuple(self.listed)

    async def add_key(self, terms: KeyTerms, *, press: str) -> platform_setup.NewPlatformKey:
        self.presses.append(press)
        self._refuse()
        scopes = tuple(sorted(terms.scopes))
        made = platform_setup.PlatformKey(
            "pk_new",
            terms.name,
            scopes,
            each_order_is_a_sale=terms.each_order_is_a_sale,
            one_client=terms.one_client,
        )
        self.listed.append(made)
        return platform_setup.NewPlatformKey(made.id, made.name, "tajna-tajna-tajna")

    async def rotate_key(self, key_id: str, *, press: str) -> platform_setup.NewPlatformKey:
        self.presses.append(press)
        self._refuse()
        (old,) = (one for one in self.listed if one.id == key_id)
        made = replace(old, id=f"{old.id}_2", created_at=None, last_used_at=None)
        self.listed.append(made)
        return platform_setup.NewPlatformKey(made.id, made.name, "nova-tajna")

    async def revoke_key(self, key_id: str) -> None:
        self._refuse()
        self.listed = [one for one in self.listed if one.id != key_id]

    async def add_store(self, name: str, *, press: str) -> platform_setup.PlatformStore:
        self.presses.append(press)
        self._refuse()
        self.added_stores.append(name)
        return platform_setup.PlatformStore("new-store", name)

    async def change_store(self, before: Store, after: Store) -> Store:
        self._refuse()
        self.sent.append((before, after))
        return after

    def _refuse(self) -> None:
        if self.refuses is not None:
            raise self.refuses
