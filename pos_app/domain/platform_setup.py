"""How the platform is set up: what the page "Platform and keys" shows, asks for and tries.

Secrets go one way only: a typed one is in a change, never in an answer; that of a new key is
answered once. Source: till.md (Settings), platform-contract.md 1 and 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from datetime import datetime
from typing import Protocol

from pos_app.domain.platform_key import KeyTerms
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformSetup:
    """As it is now. environment: "own", "sandbox" or "production". url: "" for none: the catalogue
    comes from a file. client_id: what other programs name to reach this application.
    given_elsewhere: settings and secrets that the environment or secrets.toml gives, by name.
    """

    environment: str
    url: str
    application_url: str
    key: str
    store_id: str
    public_mode: bool
    has_secret: bool
    client_id: str
    given_elsewhere: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformChange:
    """What a person typed; None: as it was. new_client: another clientId is made. same_account: the
    key is another one of the same account."""

    environment: str | None = field(default=None, metadata={"max_length": 20})
    url: str | None = field(default=None, metadata={"max_length": 500})
    application_url: str | None = field(default=None, metadata={"max_length": 500})
    key: str | None = field(default=None, metadata={"max_length": 200})
    store_id: str | None = field(default=None, metadata={"max_length": 100})
    public_mode: bool | None = None
    secret: str | None = field(default=None, repr=False, metadata={"max_length": 200})
    new_client: bool | None = None
    same_account: bool | None = None


@dataclass(frozen=True, slots=True)
class PlatformStore:
    """A store of the account, to be chosen."""

    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformTrial:
    """What the platform said to what was typed. Nothing changes.

    fault: "" where it answered, else a word: "url", "settings", "given", "away", "web_page",
    "key", "scope", "unreadable", "platform". message: the same in English. elapsed_ms: until it
    answered.
    """

    fault: str = ""
    message: str = ""
    elapsed_ms: int | None = None
    stores: tuple[PlatformStore, ...] = ()


@dataclass(frozen=True, slots=True)
class PlatformTill:
    """An application of the account, as the platform lists it. store_id: None where it names no
    store."""

    id: str
    name: str = ""
    store_id: str | None = None


@dataclass(frozen=True, slots=True)
class PlatformKey:
    """A key of the account, without its secret. scopes: as the platform names them.
    each_order_is_a_sale, one_client: see `KeyTerms`; a platform of others does not tell it."""

    id: str
    name: str
    scopes: tuple[str, ...] = ()
    created_at: datetime | None = None
    last_used_at: datetime | None = None
    each_order_is_a_sale: bool = False
    one_client: bool = False


@dataclass(frozen=True, slots=True)
class NewPlatformKey:
    """A key that was just made; its secret is told this once."""

    id: str
    name: str
    secret: str = field(repr=False)


class PlatformSetupService(Protocol):
    """The platform at the server, as a person sets it up.

    At the server each raises Invalid, NotAllowed or MachineError; at the till, over HTTP, Refused
    (with the server's words; values: `kind`, a word for what is wrong), NotDelivered or
    OutcomeUnknown.
    """

    async def setup(self) -> PlatformSetup:
        """How it is set up."""
        ...

    async def try_out(self, change: PlatformChange) -> PlatformTrial:
        """What the platform says to what was typed; nothing is changed."""
        ...

    async def change(self, change: PlatformChange, *, by: str) -> None:
        """A manager's act. The server then opens the shop anew and is away for some seconds."""
        ...

    async def keys(self) -> Sequence[PlatformKey]:
        """Those of the account."""
        ...

    async def add_key(self, terms: KeyTerms, *, press: str) -> NewPlatformKey:
        """Make one; its secret is told this once. press: an id of what the person wants, the same
        where an answer was lost, so that nothing is made twice; so everywhere below."""
        ...

    async def rotate_key(self, key_id: str, *, press: str) -> NewPlatformKey:
        """Make one of the same terms, at whose first use the old one ends."""
        ...

    async def revoke_key(self, key_id: str) -> None:
        """It is refused from then on."""
        ...

    async def add_store(self, name: str, *, press: str) -> PlatformStore:
        """One more, which a platform may bill."""
        ...
