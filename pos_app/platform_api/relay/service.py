"""Hands other programs' requests for receipts to the application that carries them out.

The command and the client that a key of an account stands for are committed before anything is
handed over; from then on the key goes only to that client. A request is answered within 20 seconds,
relay and processor included. Source: platform-contract.md 2.6 to 2.10, 3 and 5; exactly-once.md
(Steps; "Answers have a class").
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import field, replace
from typing import Protocol

from pos_app import log
from pos_app.clock import Clock, now_ms
from pos_app.domain.receipt.receipt_number import kept_reference
from pos_app.errors import DiskFull, MachineError
from pos_app.lazy_dataclass import dataclass
from pos_app.log import REQUEST_ID
from pos_app.platform_api.database.batches import ChannelMessage
from pos_app.platform_api.relay.commands import (
    BINDING,
    LOOK_UP,
    CommandState,
    Next,
    RelayCommand,
    next_of,
    next_of_look_up,
    receipt_id_of,
)
from pos_app.platform_api.relay.hub import LOST, AttemptOutcome, Connected
from pos_app.platform_api.relay.presence import Application, Presence
from pos_app.platform_api.relay.stored_commands import KEYLESS_MS, Commands
from pos_app.wire.relay import LIST, AnswerMessage, CommandMessage
from pos_app.wire.strict_json import dumps, loads

WITHIN_SECONDS = 19.7
"""The limit from the request to its answer; callers are promised 20 s."""
LOOK_AGAIN_SECONDS = 0.05
"""The pause between two looks at the row of a command that another request handed over."""
WAY_SECONDS = 0.5
"""The part of `WITHIN_SECONDS` for the way to the application and back."""
BY_KEY = "key:"
_ID_BYTES = 16
_FOUND, _ABSENT = 200, 404

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class ReceiptRequest:
    """One of the five operations, as it was received. key: the caller's key, or None. body_hash:
    see `commands.body_hash`. skus: the codes to look up in the catalogue. may_repeat: whether the
    request, if it has no key, is taken for the repetition of an identical one whose answer did not
    arrive."""

    account: str
    client: str | None
    store: str | None
    operation: str
    target: str | None
    key: str | None
    body: str
    body_hash: bytes
    wants_link: bool
    began_seconds: float
    skus: frozenset[int] = frozenset()
    may_repeat: bool = True
    hash_at: Callable[[str | None], bytes] | None = None
    """Returns the hash of this request as if it named its receipt so."""

    def differs_in_name(self, known: RelayCommand) -> bool:
        """Tell whether nothing but the name of the receipt differs from a binding command: a
        receipt is named by its id, by its number or by its key."""
        if known.body_hash == self.body_hash or self.hash_at is None or known.target is None:
            return False
        is_bound = known.state in BINDING and self.target is not None
        return is_bound and known.body_hash == self.hash_at(known.target)

    def named_as(self, known: RelayCommand) -> ReceiptRequest:
        """Return this request as it is where it names its receipt as the stored command does."""
        return replace(self, target=known.target, body_hash=known.body_hash)


@dataclass(frozen=True, slots=True)
class RelayReply:
    """The reply to the caller. outcome: the application's answer, where `next` is HAND_OVER;
    stored: the command whose answer is repeated. receipt_id: may be None."""

    next: Next
    receipt_id: str | None = None
    outcome: AttemptOutcome = LOST
    stored: RelayCommand | None = None
    delivered_of: str | None = None
    """The command without a key that is reserved for this caller until `RelayService.let_go`; it is
    marked as delivered once the answer was written."""


NOBODY = RelayReply(Next.NO_CLIENT)
NOT_STORED = RelayReply(Next.NOT_STORED)
STORAGE_AWAY = RelayReply(Next.STORAGE_AWAY)


class Way(Protocol):
    """Reaches an application that is connected to another worker."""

    def question(self, application: Application, command: RelayCommand) -> ChannelMessage:
        """Return the question to the application's worker, sent with the commit of the attempt."""
        ...

    async def ask(
        self,
        application: Application,
        command: RelayCommand,
        *,
        seconds: float,
        line: object | None,
    ) -> AttemptOutcome:
        """Return the outcome of an attempt that is committed together with its question, and not
        begun yet. line: see `Commands.withdraw`."""
        ...


StoreKnown = Callable[[str, str], Awaitable[bool]]
"""Tells whether an account has a store of that id."""
Sold = Callable[[str, Collection[int]], Awaitable[str]]
"""Returns the articles of an account's catalogue with these codes, in the form of a hand-over.
Raises MachineError."""


class Applications(Protocol):
    """The applications that this worker reaches itself."""

    def by_connection(self, connection: str) -> Connected | None: ...

    def find(
        self, account: str, *, client: str | None = None, store: str | None = None
    ) -> Connected | None: ...

    async def ask(
        self, connected: Connected, command: CommandMessage, *, seconds: float, keeps: bool
    ) -> AttemptOutcome: ...


@dataclass(frozen=True, slots=True)
class RelayService:
    """Serves requests. worker: the id of this worker. elsewhere is None if there is only one
    worker."""

    hub: Applications
    presence: Presence
    commands: Commands
    clock: Clock
    worker: str
    elsewhere: Way | None = None
    store_known: StoreKnown | None = None
    sold: Sold | None = None
    delivering: dict[str, asyncio.Event] = field(default_factory=dict)
    """Commands without a key, each reserved for a caller of this worker until the event is set."""
    delivered: dict[str, int] = field(default_factory=dict)
    """Commands whose answers were wholly written to callers of this worker, with the time, oldest
    first."""
    taking_back: set[asyncio.Task[None]] = field(default_factory=set)
    """Deliveries that are being revoked, because their callers threw the answers away."""
    open: dict[tuple[str, int], object | None] = field(default_factory=dict)
    """Commands and attempts that requests of this worker wait for, each with its connection: see
    `Commands.withdraw`."""

    def now_ms(self) -> int:
        return now_ms(self.clock)

    # --- the five operations -----------------------------------------------------------------

    async def operate(self, asked: ReceiptRequest) -> RelayReply:
        """Carry out an operation. Raises MachineError where the database fails: before the
        hand-over surely nothing happened, after it the outcome is unknown."""
        there = await self._present(asked.account, client=asked.client, store=asked.store)
        if asked.key is None:
            return await self._operate_keyless(asked, there)
        why_not, line = None, self.commands.line
        if there is not None:
            why_not, new = await self._added(asked, there, key=asked.key, keyless=False)
            if new is not None:
                return await self._hand_over(new, there, asked, line)
        known = await self.commands.by_key(asked.account, asked.key)
        if known is None:
            return why_not or NOBODY
        if asked.differs_in_name(known):
            return await self._named_otherwise(known, asked)
        return await self._again(known, asked)

    async def _added(
        self, asked: ReceiptRequest, there: Application, *, key: str, keyless: bool
    ) -> tuple[RelayReply | None, RelayCommand | None]:
        """Store a command. Return the reply if the database refused it, and the command if its key
        is new. A refused command is not handed over. But a commit that informs another worker may
        be valid although its answer was lost; then the outcome is unknown."""
        new = None
        try:
            new = await self._new(asked, there, key=key, keyless=keyless)
            is_new = await self.commands.add(new, news=self._question(there, new))
            return None, new if is_new else None
        except MachineError as error:
            _log.error("a command can't be stored before its hand-over: %s", error.what)
            if isinstance(error, DiskFull):
                return NOT_STORED, None
            if new is not None and not self._is_here(there):
                return RelayReply(Next.LOST, new.receipt_id), None
            return STORAGE_AWAY, None

    def _question(self, there: Application, command: RelayCommand) -> ChannelMessage | None:
        """Return the question to another worker, or None for an application of this worker."""
        if self.elsewhere is None or self._is_here(there):
            return None
        return self.elsewhere.question(there, command)

    async def _operate_keyless(
        self, asked: ReceiptRequest, there: Application | None
    ) -> RelayReply:
        named = await self._as_named_before(asked) if asked.may_repeat else asked
        if isinstance(named, RelayReply):
            return named
        asked = named
        twin = await self._twin(asked) if asked.may_repeat else None
        if isinstance(twin, RelayReply):
            return twin
        if twin is not None:
            return await self._reply_of_reserved(twin.id, self._again(twin, asked))
        if there is None:
            return NOBODY
        key = _new_id()
        self.delivering[key] = asyncio.Event()
        return await self._reply_of_reserved(key, self._as_new(asked, there, key))

    async def _as_named_before(self, asked: ReceiptRequest) -> ReceiptRequest | RelayReply:
        """Return the request with the receipt's name of an identical one whose answer was not
        delivered, or the reply where nobody can tell whether both names are of one receipt."""
        if asked.target is None or asked.hash_at is None:
            return asked
        undelivered = await self.commands.keyless_at_others(
            asked.account, asked.operation, target=asked.target, now_ms=self.now_ms()
        )
        for known in undelivered:
            if not asked.differs_in_name(known):
                continue
            is_same = await self._is_same_receipt(known, asked)
            if is_same is None:
                return RelayReply(Next.LOST, known.receipt_id)
            if is_same:
                return asked.named_as(known)
        return asked

    async def _as_new(self, asked: ReceiptRequest, there: Application, key: str) -> RelayReply:
        line = self.commands.line
        why_not, new = await self._added(asked, there, key=key, keyless=True)
        if new is None:
            return why_not or STORAGE_AWAY
        return await self._hand_over(new, there, asked, line)

    async def _reply_of_reserved(self, command_id: str, made: Awaitable[RelayReply]) -> RelayReply:
        """Return the reply of a reserved command. The command stays reserved until the caller has
        the reply."""
        is_kept = False
        try:
            reply = await made
            is_kept = reply.delivered_of is None  # else a new command replaced this one
        finally:
            if not is_kept:
                self.let_go(command_id)
        return replace(reply, delivered_of=command_id) if is_kept else reply

    def let_go(self, command_id: str) -> None:
        """Release a command for other callers."""
        ended = self.delivering.pop(command_id, None)
        if ended is not None:
            ended.set()

    async def _twin(self, asked: ReceiptRequest) -> RelayCommand | RelayReply | None:
        """Return an identical command, which is now reserved for this caller, or the reply while
        the command is open. While it is reserved for another caller, its release is awaited."""
        while True:
            if self.taking_back:
                await asyncio.wait(set(self.taking_back))
            twin = await self.commands.keyless_twin(
                asked.account, asked.body_hash, now_ms=self.now_ms(), but=self.delivered
            )
            if twin is None:
                return None
            if twin.id in self.delivered:
                continue
            ended, left = self.delivering.get(twin.id), self._seconds_left(asked)
            is_being_answered = ended is not None or self._is_on_its_way_elsewhere(twin)
            if twin.is_in_flight(now_ms=self.now_ms()) or (is_being_answered and not left):
                return RelayReply(Next.TWIN_OPEN, twin.receipt_id)
            if ended is not None:
                with suppress(TimeoutError):
                    async with asyncio.timeout(left):
                        await ended.wait()
            elif is_being_answered:
                await asyncio.sleep(LOOK_AGAIN_SECONDS)
            elif await self._keeps(twin, asked):
                return twin

    async def _keeps(self, twin: RelayCommand, asked: ReceiptRequest) -> bool:
        """Reserve a command for this caller, also against callers of other workers; return whether
        that succeeded. A command that is handed over again is reserved by the commit of that
        hand-over."""
        self.delivering[twin.id] = asyncio.Event()
        is_kept = twin.state is not CommandState.ANSWERED
        try:
            if not is_kept:
                until_ms = self.now_ms() + int(1000 * self._seconds_left(asked))
                is_kept = await self.commands.reserve(twin, asker=self.worker, until_ms=until_ms)
        finally:
            if not is_kept:
                self.let_go(twin.id)
        return is_kept

    def _is_on_its_way_elsewhere(self, twin: RelayCommand) -> bool:
        """Tell whether another worker may be writing the answer to its caller, and will note the
        end."""
        is_answered = twin.state is CommandState.ANSWERED
        return is_answered and twin.asker != self.worker and self.now_ms() < twin.until_ms

    def note_delivered(self, command_id: str) -> None:
        """Note that the answer was wholly written: from now on an identical body is another sale,
        also where the row doesn't say so yet."""
        now = self.now_ms()
        while self.delivered and next(iter(self.delivered.values())) < now - KEYLESS_MS:
            del self.delivered[next(iter(self.delivered))]
        self.delivered[command_id] = now

    async def _new(
        self, asked: ReceiptRequest, there: Application, *, key: str, keyless: bool
    ) -> RelayCommand:
        now = self.now_ms()
        return RelayCommand(
            id=key if keyless else _new_id(),
            account=asked.account,
            client=there.client,
            key=key,
            keyless=keyless,
            operation=asked.operation,
            target=asked.target,
            body=asked.body,
            body_hash=asked.body_hash,
            made_ms=now,
            until_ms=now + int(1000 * self._seconds_left(asked)),
            asker=self.worker,
            begun=int(self._is_here(there)),
            repeated_ms=now,
            articles=await self._articles(asked),
            request=REQUEST_ID.get(),
        )

    async def _articles(self, asked: ReceiptRequest) -> str:
        if self.sold is None or not asked.skus:
            return ""
        return await self.sold(asked.account, asked.skus)

    async def _again(self, known: RelayCommand, asked: ReceiptRequest) -> RelayReply:
        while True:
            there = await self._present(known.account, client=known.client, store=None)
            is_free = known.state is CommandState.NEW
            if is_free and asked.client not in (None, known.client):
                there = await self._present(asked.account, client=asked.client, store=asked.store)
            following = next_of(
                known,
                asked_hash=asked.body_hash,
                asked_client=asked.client,
                is_connected=there is not None,
                wants_link=asked.wants_link,
            )
            if following is Next.STORED:
                return RelayReply(following, known.receipt_id, stored=known)
            if following is Next.NO_CLIENT:
                return await self._ended(known, asked)
            if following is not Next.HAND_OVER or there is None:
                is_lost = following is Next.LOST
                return RelayReply(following, known.receipt_id if is_lost else None)
            if known.state is CommandState.ANSWERED:
                return await self._links_anew(known, there, asked)
            line, before = self.commands.line, self.open.get((known.id, known.attempt))
            if known.begun >= known.attempt or before is not line:
                before = None
            changed = await self._next_attempt(known, there, asked, is_withdrawn=before is not None)
            news = self._question(there, changed)
            if await self.commands.again(known, changed, news=news, line=before):
                now = self.now_ms()
                is_elsewhere = known.asker != self.worker and known.is_in_flight(now_ms=now)
                beside = known.until_ms if is_elsewhere else 0
                return await self._hand_over(changed, there, asked, line, beside_ms=beside)
            found = await self.commands.by_id(known.id)
            if found is None or found.keyless:
                return await self._overtaken(found, asked)
            known = found

    async def _named_otherwise(self, known: RelayCommand, asked: ReceiptRequest) -> RelayReply:
        """Reply to a request that names its receipt in another way than the stored command of its
        key does."""
        is_same = await self._is_same_receipt(known, asked)
        if is_same is None:
            return RelayReply(Next.LOST, known.receipt_id)
        if not is_same:
            return RelayReply(Next.CONFLICT)
        return await self._again(known, asked.named_as(known))

    async def _is_same_receipt(self, known: RelayCommand, asked: ReceiptRequest) -> bool | None:
        """Tell whether a stored command and a request, which name their receipts otherwise, are of
        one. The application, which knows the receipts, is asked; None where it can't tell now."""
        there = await self._present(known.account, client=known.client, store=None)
        ids = list[str | None]()
        for name in filter(None, (known.target, asked.target)):
            answer = None
            if there is not None:
                began = asked.began_seconds
                reply = await self._ask_look_up(name, there, asked.account, began_seconds=began)
                answer = reply.outcome.answer
            if answer is None or answer.status not in (_FOUND, _ABSENT):
                return None
            ids.append(_named_id(name, answer))
        return None not in ids and len(set(ids)) == 1

    async def _overtaken(self, command: RelayCommand | None, asked: ReceiptRequest) -> RelayReply:
        """Reply to a request that another one overtook. command is None if it was dropped,
        because surely nothing came of it; otherwise another caller without a key gets its
        receipt."""
        if command is None:
            return await self.operate(asked)
        return RelayReply(Next.TWIN_OPEN, command.receipt_id)

    async def _next_attempt(
        self, known: RelayCommand, there: Application, asked: ReceiptRequest, *, is_withdrawn: bool
    ) -> RelayCommand:
        """Return the next attempt of a command. is_withdrawn: the previous one was not begun, and
        can't be any more."""
        attempt = known.attempt + 1
        is_free = known.state is not CommandState.HANDED_OVER
        now = self.now_ms()
        return replace(
            known,
            client=there.client,
            operation=asked.operation,
            target=asked.target,
            body=asked.body,
            body_hash=asked.body_hash,
            attempt=attempt,
            state=CommandState.HANDED_OVER,
            begun=attempt if self._is_here(there) else known.begun,
            unsure=known.unsure + int(not is_withdrawn),
            until_ms=now + int(1000 * self._seconds_left(asked)),
            asker=self.worker,
            repeated_ms=now,
            articles=await self._articles(asked) if is_free else known.articles,
            request=REQUEST_ID.get(),
        )

    async def _links_anew(
        self, known: RelayCommand, there: Application, asked: ReceiptRequest
    ) -> RelayReply:
        """Have the application make the PDFs of an existing receipt anew, by a look-up."""
        reply = await self._ask_look_up(
            known.receipt_id, there, asked.account, began_seconds=asked.began_seconds
        )
        answer = reply.outcome.answer
        if answer is not None and answer.status == 200:
            return reply
        following = Next.LOST if known.is_shed else Next.STORED
        return RelayReply(following, known.receipt_id, stored=known)

    async def _hand_over(
        self,
        command: RelayCommand,
        there: Application,
        asked: ReceiptRequest,
        line: object | None,
        *,
        beside_ms: int = 0,
    ) -> RelayReply:
        """Hand a command over. line: the connection before its commit. beside_ms: until then an
        earlier attempt of another worker's caller may be answered."""
        attempt = command.id, command.attempt
        self.open[attempt] = line
        try:
            outcome = await self._ask(command, there, line, seconds=self._seconds_left(asked))
        finally:
            del self.open[attempt]
        answer = outcome.answer
        if answer is not None and not 400 <= answer.status < 500:
            return RelayReply(Next.HAND_OVER, command.receipt_id, outcome)
        return await self._ended(command, asked, outcome, beside_ms=beside_ms)

    async def _ended(
        self,
        own: RelayCommand,
        asked: ReceiptRequest,
        outcome: AttemptOutcome = LOST,
        *,
        beside_ms: int = 0,
    ) -> RelayReply:
        """Reply when the attempt brought no receipt. The present row decides, because the same key
        may have come again meanwhile. The reply says that nothing was handed over only if the row
        says so and no attempt can be begun any more."""
        while True:
            row = await self.commands.by_id(own.id)
            if row is None:
                return RelayReply(Next.LOST, own.receipt_id)
            if row.state is CommandState.ANSWERED:
                return await self._again(row, asked)
            if self._seconds_left(asked) > 0 and self._is_beside(row, beside_ms):
                await asyncio.sleep(LOOK_AGAIN_SECONDS)
                continue
            if outcome.answer is not None and row.attempt == own.attempt:
                return RelayReply(Next.HAND_OVER, own.receipt_id, outcome)
            if row.state is CommandState.REFUSED and asked.body_hash == row.body_hash:
                return RelayReply(Next.STORED, row.receipt_id, stored=row)
            if row.state is CommandState.HANDED_OVER or row.unsure:
                return RelayReply(Next.LOST, row.receipt_id)
            return RelayReply(Next.DECLINED, None, outcome) if outcome.reason else NOBODY

    def _is_beside(self, row: RelayCommand, beside_ms: int) -> bool:
        """Tell whether another request's attempt of the command may still be answered."""
        if any(command_id == row.id for command_id, _ in self.open):
            return True
        now = self.now_ms()
        if row.asker != self.worker and row.is_in_flight(now_ms=now):
            return True
        return row.is_handed_over and row.unsure > 0 and now < beside_ms

    async def _ask(
        self, command: RelayCommand, there: Application, line: object | None, *, seconds: float
    ) -> AttemptOutcome:
        if self.elsewhere is not None and not self._is_here(there):
            return await self.elsewhere.ask(there, command, seconds=seconds, line=line)
        here = self.hub.by_connection(there.connection)
        if here is None:
            return LOST  # its connection ended between commit and hand-over
        message = message_of(command, seconds=seconds - WAY_SECONDS)
        keeps = command.operation != LOOK_UP
        return await self.hub.ask(here, message, seconds=seconds, keeps=keeps)

    # --- the look-up ----------------------------------------------------------------------

    async def known(self, account: str, reference: str) -> RelayCommand | None:
        """Return the account's command that a look-up names by "key:" and a key, or by the
        receipt's id in upper or lower case. A receipt's number gives None, because the platform
        does not know it."""
        if reference.startswith(BY_KEY):
            return await self.commands.by_key(account, reference.removeprefix(BY_KEY))
        return await self.commands.by_receipt(account, reference.lower())

    async def look_up(
        self,
        reference: str,
        *,
        account: str,
        client: str | None,
        store: str | None,
        began_seconds: float,
    ) -> RelayReply:
        """Look a receipt up. reference: the receipt's id or number, or "key:" and a key."""
        known = await self.known(account, reference)
        if known is None:
            there = await self._present(account, client=client, store=store)
        else:
            there = await self._present(account, client=known.client, store=None)
        following = next_of_look_up(known, is_connected=there is not None)
        if following is Next.HAND_OVER and there is not None:
            reply = await self._ask_look_up(reference, there, account, began_seconds=began_seconds)
            if reply.outcome.answer is not None or known is None:
                return reply
            following = next_of_look_up(known, is_connected=False)
        receipt = None if known is None else known.receipt_id
        return RelayReply(following, receipt, stored=known)

    async def page(
        self,
        query: Mapping[str, str],
        *,
        account: str,
        client: str | None,
        store: str | None,
        began_seconds: float,
    ) -> RelayReply:
        """Ask for a page of the application's list of receipts. query: its members."""
        there = await self._present(account, client=client, store=store)
        if there is None:
            return RelayReply(Next.NO_CLIENT)
        return await self._ask_look_up(
            LIST, there, account, began_seconds=began_seconds, body=dumps(query).decode()
        )

    async def _ask_look_up(
        self,
        reference: str,
        there: Application,
        account: str,
        *,
        began_seconds: float,
        body: str = "",
    ) -> RelayReply:
        left = WITHIN_SECONDS - (self.clock.seconds() - began_seconds)
        is_here, now, key = self._is_here(there), self.now_ms(), _new_id()
        command = RelayCommand(
            id=key,
            account=account,
            client=there.client,
            key=key,
            keyless=False,
            operation=LOOK_UP,
            target=reference,
            body=body,
            body_hash=b"",
            made_ms=now,
            until_ms=now + int(1000 * left),
            asker=self.worker,
            begun=int(is_here),
            request=REQUEST_ID.get(),
        )
        if is_here:
            outcome = await self._ask(command, there, None, seconds=left)
        else:
            await self.commands.add(command, news=self._question(there, command))
            try:
                outcome = await self._ask(command, there, None, seconds=left)
            finally:
                await self.commands.forget(command.id)
        if outcome.answer is None:
            return RelayReply(Next.LOST, _looked_up_id(reference, account, there.client))
        return RelayReply(Next.HAND_OVER, None, outcome)

    # --- who is there --------------------------------------------------------------------

    async def _present(
        self, account: str, *, client: str | None, store: str | None
    ) -> Application | None:
        """Return the connected application. An application without a store serves each store of the
        account."""
        found = await self._connected(account, client=client, store=store)
        if found is None or store is None or found.store is not None or self.store_known is None:
            return found
        return found if await self.store_known(account, store) else None

    async def _connected(
        self, account: str, *, client: str | None, store: str | None
    ) -> Application | None:
        here = self.hub.find(account, client=client, store=store)
        if here is not None:
            return here.application
        if self.elsewhere is None and client is not None:
            return None
        found = await self.presence.find(account, client=client, store=store, now_ms=self.now_ms())
        if found is None or found.worker != self.worker:
            return found
        mine = self.hub.by_connection(found.connection)
        return None if mine is None else mine.application

    def _is_here(self, there: Application) -> bool:
        """Tell whether the application is connected to this worker, so that a command for it is
        committed as begun: no other worker has to take it first."""
        return there.worker == self.worker

    def _seconds_left(self, asked: ReceiptRequest) -> float:
        return max(0.0, WITHIN_SECONDS - (self.clock.seconds() - asked.began_seconds))


def message_of(command: RelayCommand, *, seconds: float) -> CommandMessage:
    """Make the hand-over of the command's attempt. seconds: the application's limit. `has_new_key`
    is true only for the first attempt of a command without a caller's key, because only then no
    receipt of the key can be older than the journal."""
    return CommandMessage.model_validate(
        {
            "command_id": command.id,
            "attempt": command.attempt,
            "operation": command.operation,
            "key": command.key,
            "has_new_key": command.keyless and command.attempt == 1,
            "may_be_begun": command.unsure > 1,
            "target": command.target,
            "body": command.body,
            "articles": loads(command.articles) if command.articles else {},
            "remaining_ms": max(0, int(seconds * 1000)),
            "request_id": command.request,
        }
    )


def _looked_up_id(reference: str, account: str, client: str) -> str:
    if reference.startswith(BY_KEY):
        return receipt_id_of(account, client, reference.removeprefix(BY_KEY))
    return reference


def _named_id(name: str, answer: AnswerMessage) -> str | None:
    """Return the id of the receipt that a look-up by this name found, or None."""
    found = loads(answer.body) if answer.status == _FOUND else None
    receipts = [one for one in (found if isinstance(found, list) else [found]) if one]
    kept = kept_reference(name)
    for receipt in (one for one in receipts if isinstance(one, dict)):
        names = {kept_reference(str(receipt.get(one))) for one in ("id", "invoiceNumber")}
        if kept in names or (name.startswith(BY_KEY) and len(receipts) == 1):
            return str(receipt.get("id"))
    return None


def _new_id() -> str:
    return secrets.token_hex(_ID_BYTES)
