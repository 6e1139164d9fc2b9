"""The setup of the platform, as the page "Platform and keys" shows, changes and tries it.

Secrets go one way only: a typed one is in a change, never in an answer; a new key's is answered
once. Source: till.md (Settings), platform-contract.md 1 and 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from datetime import datetime
from typing import Annotated, Protocol

from pos_app.domain.setup.platform_key import KeyTerms
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformSetup:
    """The present setup. environment: "own", "sandbox" or "production". url: "" for none; then the
    catalogue comes from a file. clear_text_allowed: the address to which a manager lets the key go
    without encryption, or "". client_id: the name by which other programs reach this application.
    given_elsewhere: names of settings and secrets that the environment or secrets.toml gives.
    proxy: the address of the HTTP proxy on the way, without its user, or ""."""

    environment: str
    url: str
    application_url: str
    key: str
    store_id: str
    public_mode: bool
    has_secret: bool
    client_id: str
    clear_text_allowed: str = ""
    given_elsewhere: tuple[str, ...] = ()
    proxy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformChange:
    """The typed changes; a setting whose member is None stays as it was. new_client: make another
    clientId. same_account: the key is another one of the same account."""

    environment: str | None = field(default=None, metadata={"max_length": 20})
    url: str | None = field(default=None, metadata={"max_length": 500})
    clear_text_allowed: str | None = field(default=None, metadata={"max_length": 500})
    application_url: str | None = field(default=None, metadata={"max_length": 500})
    key: str | None = field(default=None, metadata={"max_length": 200})
    store_id: str | None = field(default=None, metadata={"max_length": 100})
    public_mode: bool | None = None
    secret: str | None = field(default=None, repr=False, metadata={"max_length": 200})
    new_client: bool | None = None
    same_account: bool | None = None


@dataclass(frozen=True, slots=True)
class PlatformStore:
    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformTrial:
    """fault: "" where the platform answered, else a word: "url", "settings", "given", "away",
    "web_page", "elsewhere" (it redirects), a `TlsFault`, a `ClearTextFault.code`, "key", "scope",
    "unreadable", "platform".
    message: the same in English. elapsed_ms: how long the platform took to answer."""

    fault: str = ""
    message: str = ""
    elapsed_ms: int | None = None
    stores: tuple[PlatformStore, ...] = ()


@dataclass(frozen=True, slots=True)
class PlatformTill:
    """An application of the account, as the platform lists it. store_id is None where it names no
    store."""

    id: str
    name: str = ""
    store_id: str | None = None


@dataclass(frozen=True, slots=True)
class PlatformKey:
    """A key of the account, without its secret. scopes: as the platform names them.
    each_order_is_a_sale, one_client: see `KeyTerms`; other makers' platforms do not report them."""

    id: str
    name: str
    scopes: tuple[str, ...] = ()
    created_at: datetime | None = None
    last_used_at: datetime | None = None
    each_order_is_a_sale: bool = False
    one_client: bool = False


@dataclass(frozen=True, slots=True)
class NewPlatformKey:
    id: str
    name: str
    secret: str = field(repr=False)


class PlatformSetupService(Protocol):
    """The platform at the server, as a person sets it up.

    At the server each method raises Invalid, NotAllowed or MachineError; at the till, over HTTP,
    Refused (with the server's text; `kind` is a word for the fault), NotDelivered or
    OutcomeUnknown.
    """

    async def setup(self) -> PlatformSetup:
        """The present setup."""
        ...

    async def try_out(self, change: PlatformChange) -> PlatformTrial:
        """The platform's answer to the typed setup; nothing is changed."""
        ...

    async def change(self, change: PlatformChange, *, by: str) -> None:
        """Keep a manager's changes. The server then opens the shop anew and is away for some
        seconds."""
        ...

    async def keys(self) -> Sequence[PlatformKey]:
        """The keys of the account."""
        ...

    async def add_key(self, terms: KeyTerms, *, press: str) -> NewPlatformKey:
        """Make a key; its secret is shown only this once. press, here and below: an id of the
        person's act. If an answer was lost the act has the same id again, so that nothing is made
        twice."""
        ...

    async def rotate_key(self, key_id: str, *, press: str) -> NewPlatformKey:
        """Make a key of the same terms; its first use ends the old one."""
        ...

    async def revoke_key(self, key_id: str) -> None:
        """Revoke a key, which is refused from then on."""
        ...

    async def add_store(
        self, name: Annotated[str, {"min_length": 1, "max_length": 200}], *, press: str
    ) -> PlatformStore:
        """Add a store, for which a platform may charge."""
        ...
