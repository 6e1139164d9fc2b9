"""The local API as its page shows it: its values, the token of other machines, who was refused, and
what other programs asked last. No widget. Source: till.md (Settings).
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence

from pos_app.cashier.services import TillServices
from pos_app.cashier.settings.curl import curl_of
from pos_app.cashier.settings.values import (
    HOST,
    NETWORK,
    PORT,
    Typed,
    ValuesModel,
    value_of,
)
from pos_app.domain.server_status import KeptSecret, RefusedCaller, ToldRequest
from pos_app.errors import RemoteError
from pos_app.lazy_dataclass import dataclass
from pos_app.settings import Settings

LAN_TOKEN = "lan_token"
_TOKEN_BYTES = 32
_LOOKS_APART = 3
"""Seconds between two looks at who asks, while the page is open."""
FEW = 20
"""Requests, and callers, that are shown before somebody asks for more."""


@dataclass(frozen=True, slots=True)
class CallersAlike:
    """Refused requests that differ in nothing but their time. last: the newest."""

    last: RefusedCaller
    times: int

    @property
    def key(self) -> str:
        return "\n".join(_alike(self.last))


@dataclass(frozen=True, slots=True)
class ApiQuestion:
    """What is asked before it is done: "origin", "name", "token" or "away". at: the key of the row
    that asks; "" for the token's panel. setting, entry: what would be added."""

    what: str
    at: str = ""
    setting: str = ""
    entry: str = ""


def _alike(one: RefusedCaller) -> tuple[str, ...]:
    return (one.reason, one.method, one.path, one.host, one.origin)


class ApiModel(ValuesModel):
    def __init__(self, services: TillServices, names: Sequence[str]) -> None:
        super().__init__(services, names)
        self.token: KeptSecret | None = None
        """Whether there is one for other machines; None: not known."""
        self.new_token = ""
        """Made just now, and shown until it is put away."""
        self.rejected: tuple[RefusedCaller, ...] = ()
        self.requests: tuple[ToldRequest, ...] = ()
        self.opened: ToldRequest | None = None
        """The request whose headers and body are shown."""
        self.failed_alone = False
        self.shown = FEW
        """How many requests are shown at most."""
        self.asked: ApiQuestion | None = None
        self.unanswered: RemoteError | None = None
        """Why the server told nothing when it was asked last."""
        self.addresses: tuple[str, ...] = ()
        self._until_look = 0
        self._looking = False

    # --- what the server tells -------------------------------------------------------------------

    @property
    def is_due(self) -> bool:
        """Asked once a second: whether the server is to be asked who came."""
        due, self._until_look = self._until_look <= 0, self._until_look - 1
        if due:
            self._until_look = _LOOKS_APART - 1
        return due and not self._looking and not self.running

    async def look(self) -> None:
        """Ask who was refused, what was asked, and whether there is a token."""
        self._looking, decisions = True, self.services.server_decisions
        machine = self.services.machine
        try:
            self.rejected = tuple(await decisions.listed(RefusedCaller))
            self.requests = tuple(await decisions.listed(ToldRequest))
            self._take_token(await decisions.listed(KeptSecret))
            self.unanswered = None
        except RemoteError as error:
            self.unanswered = error
        finally:
            self._looking = False
        if machine is not None and not self.addresses:
            self.addresses = await asyncio.to_thread(machine.addresses)
        self.tell()

    def _take_token(self, kept: Sequence[KeptSecret]) -> None:
        self.token = next((one for one in kept if one.name == LAN_TOKEN), None)

    def leave(self) -> None:
        super().leave()
        self.new_token, self.asked, self.opened = "", None, None
        self.failed_alone, self.shown, self._until_look = False, FEW, 0

    # --- where it listens ------------------------------------------------------------------------

    @property
    def address(self) -> str:
        """By which programs on this computer reach it now."""
        return f"http://127.0.0.1:{self.services.keeper.port}"

    @property
    def elsewhere(self) -> tuple[str, ...]:
        """By which other machines reach it now."""
        port = self.services.keeper.port
        is_open = self.was(HOST) == NETWORK
        return tuple(f"http://{one}:{port}" for one in self.addresses) if is_open else ()

    @property
    def port_at_start(self) -> int | None:
        """Where it will answer once the till is opened anew; None where that is no other place, and
        where no port is set: a demo has one of its own."""
        if "port" not in self.services.settings.server.said:
            return None
        said = self.services.settings.server.port
        changed = said != self.services.started_with.server.port
        return said if changed and said != self.services.keeper.port else None

    @property
    def opens_network(self) -> bool:
        """Whether what is typed lets other machines in."""
        return self.typed.get(HOST) == NETWORK

    @property
    def lacks_token(self) -> bool:
        """Whether other machines are to be let in and there is no token, without which the server
        does not open the shop."""
        return (
            self.opens_network
            and HOST in self.changed
            and self.token is not None
            and not self.token.is_set
        )

    @property
    def can_save(self) -> bool:
        return super().can_save and not self.lacks_token

    def type(self, setting: str, typed: Typed) -> None:
        if self.typed[setting] != typed:
            self.fault = ""
        super().type(setting, typed)

    def drop(self) -> None:
        self.fault = ""
        super().drop()

    async def save(self) -> None:
        """As any values; but never so that the server could not open the shop again."""
        if not self.can_save or not await self._may_be_so():
            return
        await super().save()

    async def _may_be_so(self) -> bool:
        decisions, machine = self.services.server_decisions, self.services.machine
        if HOST in self.changed and self.opens_network:
            kept = await self.act("load", lambda: decisions.listed(KeptSecret))
            if kept is None:
                return False
            self._take_token(kept)
            if self.lacks_token or self.token is None:
                self.tell()
                return False
        if PORT in self.changed and machine is not None:
            port = int(str(self.typed[PORT]).replace(".", ""))
            is_ours = port == self.services.keeper.port
            if not is_ours and not await asyncio.to_thread(machine.can_listen, port):
                self.fault = "port"
                self.tell()
                return False
        return True

    # --- the token of other machines -------------------------------------------------------------

    async def make_token(self) -> None:
        """Another one; the one before holds no more."""
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        if await self._keep_token(token):
            self.new_token = token
            self.tell()

    async def take_token_away(self) -> None:
        if not self.listens_to_network and await self._keep_token(""):
            self.new_token = ""
            self.tell()

    @property
    def listens_to_network(self) -> bool:
        """Whether other machines are let in now."""
        return self.was(HOST) == NETWORK

    async def _keep_token(self, token: str) -> bool:
        services = self.services

        async def give() -> bool:
            await services.server_decisions.keep_secret(LAN_TOKEN, token, by=services.cashier)
            return True

        self.asked, lifted_by = None, self.lifted_by()
        if not await self.act("token", give):
            return False
        self.token = KeptSecret(LAN_TOKEN, is_set=bool(token))
        self.note_act(lifted_by)
        return True

    def put_token_away(self) -> None:
        """It is copied, and shown no more."""
        self.new_token = ""
        self.tell()

    # --- who was refused -------------------------------------------------------------------------

    @property
    def callers(self) -> tuple[CallersAlike, ...]:
        """The newest first."""
        alike: dict[tuple[str, ...], list[RefusedCaller]] = {}
        for one in self.rejected:
            alike.setdefault(_alike(one), []).append(one)
        return tuple(CallersAlike(same[0], len(same)) for same in alike.values())

    def is_let_in(self, caller: RefusedCaller) -> bool:
        """Whether it was allowed since."""
        return bool(caller.entry) and caller.entry in self._entries(caller.setting)

    def _entries(self, setting: str) -> tuple[str, ...]:
        entries = value_of(self.services.settings, setting)
        return entries if isinstance(entries, tuple) else ()

    def ask(self, asked: ApiQuestion | None) -> None:
        self.asked = asked
        self.tell()

    def ask_to_allow(self, alike: CallersAlike) -> None:
        caller = alike.last
        what = "origin" if caller.reason == "origin" else "name"
        self.ask(ApiQuestion(what, alike.key, caller.setting, caller.entry))

    async def agree(self) -> None:
        """Do what is asked."""
        asked, self.asked = self.asked, None
        if asked is None:
            return
        if asked.what == "token":
            await self.make_token()
        elif asked.what == "away":
            await self.take_token_away()
        else:
            await self._allow(asked.setting, asked.entry)
        self.tell()

    async def _allow(self, setting: str, entry: str) -> None:
        """Let a caller in; what else is typed stays typed."""
        keeper, entries = self.services.settings_keeper, self._entries(setting)
        if keeper is None or entry in entries:
            return
        typed = {one: self.typed[one] for one in self.changed}
        if setting in typed:
            typed[setting] = f"{typed[setting]}\n{entry}".lstrip("\n")
        changes: dict[str, object] = {setting: [*entries, entry]}
        made: list[Settings] = []

        async def change() -> None:
            made.append(await asyncio.to_thread(keeper.change, changes))

        await self.keep(change, note_saved=lambda: self._note_saved(made, frozenset(changes)))
        if made:
            self.typed.update(typed)
            self.tell()
            await self._have_server_read_it()

    # --- what was asked --------------------------------------------------------------------------

    @property
    def listed(self) -> tuple[ToldRequest, ...]:
        """The requests that are to be seen, the newest first."""
        return tuple(one for one in self.requests if one.failed or not self.failed_alone)

    def show_failed_alone(self, alone: bool) -> None:
        self.failed_alone = alone
        self.tell()

    def show_more(self) -> None:
        self.shown += FEW
        self.tell()

    async def open(self, number: int) -> None:
        """Show all of a request; the same again puts it away."""
        if self.opened is not None and self.opened.number == number:
            self.opened = None
            self.tell()
            return
        decisions = self.services.server_decisions
        found = await self.act("load", lambda: decisions.listed(ToldRequest, number=number))
        if found is not None:
            self.opened = found[0] if found else None
            self.tell()

    @property
    def curl(self) -> str:
        """The opened request as a command; "" where its body is not whole."""
        opened = self.opened
        return "" if opened is None or opened.is_cut else curl_of(opened, self.address)
