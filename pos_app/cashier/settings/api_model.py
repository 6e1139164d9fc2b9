"""The local API as its page shows it: its values, the token of other machines, the refused callers,
and the last requests of other programs. Source: till.md (Settings)."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence

from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.settings import values
from pos_app.cashier.settings.curl import curl_of
from pos_app.domain.receipt.server_status import KeptSecret, LoggedRequest, RefusedCaller
from pos_app.errors import RemoteError
from pos_app.lazy_dataclass import dataclass
from pos_app.settings import Settings

LAN_TOKEN = "lan_token"
_TOKEN_BYTES = 32
_LOOKS_APART = 3
"""Seconds between two looks at the callers, while the page is open."""
FEW = 20
"""The most callers that are shown, and the most requests before somebody asks for more."""


@dataclass(frozen=True, slots=True)
class CallersAlike:
    """Refused requests that differ in their time alone. last: the newest."""

    last: RefusedCaller
    times: int

    @property
    def key(self) -> str:
        return "\n".join(_alike(self.last))


@dataclass(frozen=True, slots=True)
class ApiQuestion:
    """A question before an act. what: "origin", "name", "token" or "away". at: the key of the
    callers' row, or "" for the token's panel. entry: would be added to the setting."""

    what: str
    at: str = ""
    setting: str = ""
    entry: str = ""


def _alike(caller: RefusedCaller) -> tuple[str, ...]:
    return (caller.reason, caller.method, caller.path, caller.host, caller.origin)


class ApiModel(values.ValuesModel):
    def __init__(self, services: TillServices, names: Sequence[str]) -> None:
        super().__init__(services, names)
        self.token: KeptSecret | None = None
        """What the server says of the token for other machines; None while that is unknown."""
        self.new_token = ""
        """The token just made; it is shown until it is put away."""
        self.refused_callers: tuple[RefusedCaller, ...] = ()
        self.requests: tuple[LoggedRequest, ...] = ()
        self.opened: LoggedRequest | None = None
        """The request whose headers and body are shown."""
        self.failed_alone = False
        self.shown_count = FEW
        """The most requests that are shown."""
        self.asked: ApiQuestion | None = None
        self.unanswered: RemoteError | None = None
        """Why the server did not answer last time."""
        self.addresses: tuple[str, ...] = ()
        self._until_look = 0
        self._looking = False

    # --- what the server tells -------------------------------------------------------------------

    @property
    def is_due(self) -> bool:
        """Whether to ask the server for its callers; this is read once a second."""
        due, self._until_look = self._until_look <= 0, self._until_look - 1
        if due:
            self._until_look = _LOOKS_APART - 1
        return due and not self._looking and not self.running

    async def look(self) -> None:
        """Ask for the refused callers, the requests, and whether there is a token."""
        self._looking, local_api = True, self.services.local_api
        machine = self.services.machine
        try:
            self.refused_callers = tuple(await local_api.refused_callers())
            self.requests = tuple(await local_api.requests())
            self._take_token(await local_api.secrets())
            self.unanswered = None
        except RemoteError as error:
            self.unanswered = error
        finally:
            self._looking = False
        if machine is not None and not self.addresses:
            self.addresses = await asyncio.to_thread(machine.addresses)
        self.announce()

    def _take_token(self, kept: Sequence[KeptSecret]) -> None:
        self.token = next((one for one in kept if one.name == LAN_TOKEN), None)

    def leave(self) -> None:
        super().leave()
        self.new_token, self.asked, self.opened = "", None, None
        self.failed_alone, self.shown_count, self._until_look = False, FEW, 0

    # --- where it listens ------------------------------------------------------------------------

    @property
    def address(self) -> str:
        """The server's present address for programs on this computer."""
        return f"http://127.0.0.1:{self.services.keeper.port}"

    @property
    def elsewhere(self) -> tuple[str, ...]:
        """The server's present addresses for other machines."""
        port = self.services.keeper.port
        is_open = self.was(values.HOST) == values.NETWORK
        return tuple(f"http://{one}:{port}" for one in self.addresses) if is_open else ()

    @property
    def port_at_start(self) -> int | None:
        """The server's port after the till is opened anew; None if it stays the same, or if the
        settings set none, because a demo has a port of its own."""
        if "port" not in self.services.settings.server.given:
            return None
        port = self.services.settings.server.port
        changed = port != self.services.started_with.server.port
        return port if changed and port != self.services.keeper.port else None

    @property
    def opens_network(self) -> bool:
        """Whether the typed values let other machines in."""
        return self.typed_values.get(values.HOST) == values.NETWORK

    @property
    def lacks_token(self) -> bool:
        """Whether other machines are to be let in without a token; the server then does not open
        the shop."""
        return (
            self.opens_network
            and values.HOST in self.changed
            and self.token is not None
            and not self.token.is_set
        )

    @property
    def can_save(self) -> bool:
        return super().can_save and not self.lacks_token

    def type(self, setting: str, typed_value: values.Typed) -> None:
        if self.typed_values[setting] != typed_value:
            self.fault = ""
        super().type(setting, typed_value)

    def drop(self) -> None:
        self.fault = ""
        super().drop()

    async def save(self) -> None:
        """Save as any values page does, unless the server then could not open the shop again."""
        if not self.can_save or not await self._may_be_so():
            return
        await super().save()

    async def _may_be_so(self) -> bool:
        machine = self.services.machine
        if values.HOST in self.changed and self.opens_network:
            kept = await self.act("load", self.services.local_api.secrets)
            if kept is None:
                return False
            self._take_token(kept)
            if self.lacks_token or self.token is None:
                self.announce()
                return False
        if values.PORT in self.changed and machine is not None:
            port = int(str(self.typed_values[values.PORT]).replace(".", ""))
            is_ours = port == self.services.keeper.port
            if not is_ours and not await asyncio.to_thread(machine.can_listen, port):
                self.fault = "port"
                self.announce()
                return False
        return True

    # --- the token of other machines -------------------------------------------------------------

    async def make_token(self) -> None:
        """Make another token; the former one is no longer valid."""
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        if await self._keep_token(token):
            self.new_token = token
            self.announce()

    async def take_token_away(self) -> None:
        if not self.listens_to_network and await self._keep_token(""):
            self.new_token = ""
            self.announce()

    @property
    def listens_to_network(self) -> bool:
        """Whether other machines are let in now."""
        return self.was(values.HOST) == values.NETWORK

    async def _keep_token(self, token: str) -> bool:
        services = self.services

        async def give() -> bool:
            await services.local_api.keep_secret(LAN_TOKEN, token, by=services.cashier)
            return True

        self.asked, lifted_by = None, self.lifted_by()
        if not await self.act("token", give):
            return False
        self.token = KeptSecret(LAN_TOKEN, is_set=bool(token))
        self.note_act(lifted_by)
        return True

    def put_token_away(self) -> None:
        self.new_token = ""
        self.announce()

    # --- who was refused -------------------------------------------------------------------------

    @property
    def callers(self) -> tuple[CallersAlike, ...]:
        """The refused callers, the newest first."""
        alike: dict[tuple[str, ...], list[RefusedCaller]] = {}
        for one in self.refused_callers:
            alike.setdefault(_alike(one), []).append(one)
        return tuple(CallersAlike(same[0], len(same)) for same in alike.values())

    def is_let_in(self, caller: RefusedCaller) -> bool:
        return bool(caller.entry) and caller.entry in self._entries(caller.setting)

    def _entries(self, setting: str) -> tuple[str, ...]:
        entries = values.value_of(self.services.settings, setting)
        return entries if isinstance(entries, tuple) else ()

    def ask(self, asked: ApiQuestion | None) -> None:
        self.asked = asked
        self.announce()

    def ask_to_allow(self, alike: CallersAlike) -> None:
        caller = alike.last
        what = "origin" if caller.reason == "origin" else "name"
        self.ask(ApiQuestion(what, alike.key, caller.setting, caller.entry))

    async def agree(self) -> None:
        asked, self.asked = self.asked, None
        if asked is None:
            return
        if asked.what == "token":
            await self.make_token()
        elif asked.what == "away":
            await self.take_token_away()
        else:
            await self._allow(asked.setting, asked.entry)
        self.announce()

    async def _allow(self, setting: str, entry: str) -> None:
        """Let a caller in; other typed values stay typed."""
        keeper, entries = self.services.settings_keeper, self._entries(setting)
        if keeper is None or entry in entries:
            return
        typed = {one: self.typed_values[one] for one in self.changed}
        if setting in typed:
            typed[setting] = f"{typed[setting]}\n{entry}".lstrip("\n")
        changes: dict[str, object] = {setting: [*entries, entry]}
        made: list[Settings] = []

        async def change() -> None:
            made.append(await asyncio.to_thread(keeper.change, changes))

        await self.save_change(
            change, note_saved=lambda: self._note_saved(made, frozenset(changes))
        )
        if made:
            self.typed_values.update(typed)
            self.announce()
            await self._have_server_read_it()

    # --- what was asked --------------------------------------------------------------------------

    @property
    def listed(self) -> tuple[LoggedRequest, ...]:
        """The requests to show, the newest first."""
        return tuple(one for one in self.requests if one.failed or not self.failed_alone)

    def show_failed_alone(self, alone: bool) -> None:
        self.failed_alone = alone
        self.announce()

    def show_more(self) -> None:
        self.shown_count += FEW
        self.announce()

    async def open(self, number: int) -> None:
        """Show all of a request, or hide it if it is shown."""
        if self.opened is not None and self.opened.number == number:
            self.opened = None
            self.announce()
            return
        local_api = self.services.local_api
        found = await self.act("load", lambda: local_api.requests(number=number))
        if found is not None:
            self.opened = found[0] if found else None
            self.announce()

    @property
    def curl(self) -> str:
        """The opened request as a command; "" if its body was cut."""
        opened = self.opened
        return "" if opened is None or opened.is_cut else curl_of(opened, self.address)
