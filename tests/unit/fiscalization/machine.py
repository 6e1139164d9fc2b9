"""A shop in virtual time to which anything may happen; every promise is checked at every step.

A history is a list of steps, plain tuples of a name and values, so that it can be printed,
replayed and made smaller. `run` gives the first breach, or None.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

from pos_app.adapters.sqlite.journal import SqliteJournal
from pos_app.domain.states import RequestState
from pos_app.errors import Invalid, MachineError, NotAllowed
from pos_app.fiscalization.issue import Caller
from pos_app.fiscalization.lookup import Issued, declare_absent, declare_found, look_up
from pos_app.fiscalization.refusals import KeyBound, NotSigned, OutcomeNotKnown, ReceiptNotFound
from tests.fakes.simulated_processor import Entry, Fate, SimulatedProcessor
from tests.fakes.virtual_time import VirtualClock, VirtualLoop
from tests.unit.fiscalization.machine_promises import ENDED, Broken, Promises
from tests.unit.fiscalization.machine_sales import CASHIER, ORIGIN, Body, body, body_of
from tests.unit.fiscalization.machine_server import LANE, Mishaps, Parts, PowerLost, Server

Step = tuple[Any, ...]
_S = RequestState
REAL = Parts()
CLIENTS_WAIT = 20.0
"""Seconds within which every caller is answered (platform-contract.md 2.9)."""
AWAY_TOO_LONG = 600.0
ROUNDS = 60
LAST_WAIT = 100.0
LAST_KEY = 9
_core_log = logging.getLogger("pos_app.fiscalization")


@dataclass(frozen=True, slots=True)
class Shop:
    """What a history begins with. alone: the element is used here alone."""

    counted: bool = True
    remembers: Literal["all", "last"] = "all"
    alone: bool = False
    promises: type[Promises] = Promises


class History:
    """One shop while its history goes on; each `do_…` is a step."""

    def __init__(self, path: Path, shop: Shop, parts: Parts) -> None:
        self.processor = SimulatedProcessor(counted=shop.counted, remembers=shop.remembers)
        self.promises = shop.promises(self.processor)
        self.clock = VirtualClock()
        self.mishaps = Mishaps(kill=self._killed)
        self._is_late = False
        self._wanted: dict[str, Body] = {}
        self._dead = asyncio.Event()
        self._away_since: float | None = None
        self._start = partial(
            Server.start,
            path,
            parts=parts,
            processor=self.processor,
            clock=self.clock,
            alone=shop.alone,
            mishaps=self.mishaps,
        )
        self._parts, self._shop = parts, shop
        self.server = self._start()
        self.promises.journal = self.server.journal.real

    async def step(self, step: Step) -> None:
        """Do one step and look at everything. Raises Broken."""
        name, *values = step
        done = getattr(self, f"do_{name}")(*values)
        if isinstance(done, Coroutine):
            await done
        await self.do_wait(0.0)
        self.promises.expect(not self.server.watch.done(), "the watch over the lane has ended")
        self.promises.check()

    # --- callers --------------------------------------------------------------------------------

    def do_call(self, key: int, variant: int = 0, stays: bool = True) -> None:
        """A caller asks; with stays=False it is gone before its turn comes."""
        asked = self._wanted[body(key, 0).key] = body(key, variant)
        self.promises.calling[asked.key] += 1
        self.promises.denied.discard(asked.key)
        task = asyncio.create_task(self._call(self.server, asked, stays), name=f"call {key}")
        self.server.callers.add(task)
        task.add_done_callback(self.server.callers.discard)

    async def _call(self, server: Server, asked: Body, stays: bool) -> None:
        began = self.clock.seconds()
        must_refuse = self.promises.must_refuse(asked)
        outcome = ""
        try:
            outcome = await self._outcome(server, asked, stays)
        except (PowerLost, asyncio.CancelledError):
            return
        finally:
            self.promises.calling[asked.key] -= 1
        self.promises.expect(
            not must_refuse or outcome in ("bound", "failed"),
            f"I8: {asked.key} stands for another body, and was answered: {outcome}",
        )
        took = self.clock.seconds() - began
        self.promises.expect(took <= CLIENTS_WAIT or self._is_late, f"answered after {took} s")

    async def _outcome(self, server: Server, asked: Body, stays: bool) -> str:
        promises = self.promises

        async def waits() -> bool:
            return stays

        caller = Caller(origin=ORIGIN, cashier=CASHIER, waits=waits, key=asked.key)
        try:
            issued = await self._parts.issue(
                counter=server.counter, caller=caller, received=asked.received
            )
            promises.issued(asked, issued.receipt)
        except NotSigned:
            promises.refused(asked, others=promises.calling[asked.key] - 1)
            return "refused"
        except KeyBound as error:
            promises.bound(asked, error)
            return "bound"
        except OutcomeNotKnown:
            return "unknown"
        except MachineError:
            return "failed"
        return "issued"

    def do_cancel(self, key: int) -> None:
        asked = body(key, 0)
        self.promises.calling[asked.key] += 0
        try:
            self._parts.cancel(
                counter=self.server.counter, origin=ORIGIN, key=asked.key, cashier=CASHIER
            )
            self.promises.cancelled_now(asked.key)
        except (NotAllowed, MachineError, PowerLost):
            return

    def do_look_up(self, key: int) -> None:
        asked = body(key, 0)
        try:
            found = look_up(
                journal=self.server.counter.journal, origin=ORIGIN, reference=f"key:{asked.key}"
            )
        except ReceiptNotFound:
            self.promises.not_found(asked)
            return
        if isinstance(found, Issued):
            signed = self.promises.request(asked.key)
            assert signed is not None
            self.promises.issued(body_of(signed.document), found.receipt)

    # --- a person -------------------------------------------------------------------------------

    def do_absent(self, key: int) -> None:
        """A manager, who has looked at the processor, says that there is no such receipt."""
        request = self.promises.request(body(key, 0).key)
        if request is None or request.state not in (_S.UNKNOWN, _S.NEEDS_HUMAN):
            return
        rid = request.pfr_request_id
        if self.processor.pending(rid) or self._entry_of(rid):
            return
        self._say(partial(declare_absent, receipt_id=request.command_id))

    def do_found(self, key: int) -> None:
        """A manager brings the processor's own paper of it."""
        request = self.promises.request(body(key, 0).key)
        entry = self._entry_of(request.pfr_request_id) if request else None
        if request is None or entry is None:
            return
        if request.state in (_S.UNKNOWN, _S.NEEDS_HUMAN):
            url = entry.receipt.verification_url
            self._say(partial(declare_found, receipt_id=request.command_id, url=url))

    def do_wrong_paper(self, key: int) -> None:
        """A manager brings the paper of some other receipt: it must be refused."""
        request = self.promises.request(body(key, 0).key)
        if request is None or request.state not in (_S.UNKNOWN, _S.NEEDS_HUMAN):
            return
        for entry in self.processor.ledger:
            if entry.request_id != request.pfr_request_id:
                url = entry.receipt.verification_url
                said = self._say(partial(declare_found, receipt_id=request.command_id, url=url))
                self.promises.expect(not said, "the paper of another receipt was taken")
                return

    def _say(self, act: Callable[..., Any]) -> bool:
        try:
            act(counter=self.server.counter, by="Управник")
        except (Invalid, NotAllowed, MachineError, PowerLost):
            return False
        return True

    def _entry_of(self, request_id: str) -> Entry | None:
        found = [entry for entry in self.processor.ledger if entry.request_id == request_id]
        return found[-1] if found else None

    # --- the processor --------------------------------------------------------------------------

    def do_fate(self, fate: Fate) -> None:
        """What the next POST will suffer."""
        if fate.told in ("other_total", "other_element", "the_one_before"):
            self.promises.excused.add("echo")
        self.processor.fates.append(fate)

    def do_code(self, code: str) -> None:
        """Card out, PIN wanted…, or "" when a person has helped."""
        self.processor.code = code

    def do_away(self, is_away: bool) -> None:
        self.processor.is_away = is_away

    def do_mute(self, is_mute: bool) -> None:
        self.processor.is_mute = is_mute

    def do_restart_processor(self, loses: bool) -> None:
        self.processor.restart(loses=loses)

    def do_foreign(self) -> None:
        """Another program signs on the element, unless the shop has promised that none does."""
        if self._shop.alone and not self._shop.counted:
            return
        self.promises.excused.add("foreign traffic")
        self.processor.sign_for_another()

    def do_recount(self) -> None:
        self.promises.excused.add("recount")
        self.processor.recount()

    def do_replace(self, uid: str) -> None:
        self.promises.excused.add("replaced")
        self.processor.uid = uid

    # --- the server and its machine -------------------------------------------------------------

    def do_kill(self) -> None:
        self._killed()

    def do_kill_at(self, writes: int, after: bool) -> None:
        """The server dies right before or after its n-th commit from now."""
        self.mishaps.kill_in, self.mishaps.kill_after = writes, after

    async def do_stop(self) -> None:
        """The server is stopped as a service is, and started again."""
        await self.server.stop()
        self._dead.set()

    def do_full(self, commits: int) -> None:
        self.mishaps.full_for = commits

    def do_jump(self, seconds: float) -> None:
        """The time of day is set."""
        self.clock.jump(seconds)

    def do_freeze(self, seconds: float) -> None:
        """Everything on this machine stands still for a while, the processor too."""
        self._is_late = True
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        loop.stall(seconds)
        self.processor.freeze(seconds)

    async def do_wait(self, seconds: float) -> None:
        """Time goes by; a server that dies meanwhile is started again."""
        end = self.clock.seconds() + seconds
        while True:
            self._note_absence()
            try:
                async with asyncio.timeout(max(0.0, end - self.clock.seconds())):
                    await self._dead.wait()
            except TimeoutError:
                if not self._dead.is_set():
                    return
            await self.server.gone()
            self._dead.clear()
            self.server = self._start()
            self.promises.journal = self.server.journal.real

    def _killed(self) -> None:
        if not self.server.journal.is_dead:
            self.server.kill()
        self._dead.set()

    def _note_absence(self) -> None:
        """A processor away for ten minutes may ask for a person."""
        now = self.clock.seconds()
        processor = self.processor
        reachable = not (processor.is_away or processor.is_mute or processor.code == "1300")
        if reachable or self._away_since is None:
            self._away_since = None if reachable else now
        elif now - self._away_since > AWAY_TOO_LONG - 60:
            self.promises.excused.add("away")

    # --- the end --------------------------------------------------------------------------------

    async def settle(self) -> None:
        """All faults stop, every owner asks until it knows. Raises Broken."""
        self.processor.heal()
        self.processor.uid = self.server.journal.real.lane(LANE).uid or self.processor.uid
        self.mishaps.kill_in, self.mishaps.full_for = None, 0
        for _ in range(ROUNDS):
            await self.step(("wait", 15.0))
            waiting = [key for key in self._wanted if self.promises.state(key) not in ENDED]
            if not waiting:
                break
            for key in waiting:
                self._ask_again(int(key, 16), self._wanted[key])
        await self.step(("wait", LAST_WAIT))
        self.do_call(LAST_KEY)  # one further receipt brings to light what was missed
        await self.step(("wait", 15.0))
        self.promises.check_end()

    def _ask_again(self, key: int, wanted: Body) -> None:
        match self.promises.state(wanted.key):
            case None | _S.RELEASED | _S.REJECTED:
                self.do_call(key, wanted.variant)
            case _S.NEEDS_HUMAN:
                self.do_found(key)
                self.do_absent(key)


# --- running ----------------------------------------------------------------------------------


def run(folder: Path, shop: Shop, steps: Sequence[Step], *, parts: Parts = REAL) -> str | None:
    """The first breach of a promise in this history, None when all were kept."""
    path = folder / "journal.db"
    for old in folder.glob("journal.db*"):
        old.unlink()
    shutil.copyfile(_empty(folder), path)

    async def live() -> None:
        history = History(path, shop, parts)
        try:
            for step in steps:
                await history.step(step)
            await history.settle()
        finally:
            history.server.kill()
            await history.server.gone()

    with _bugs_seen() as bugs, asyncio.Runner(loop_factory=VirtualLoop) as runner:
        try:
            runner.run(live())
        except Broken as error:
            return str(error)
    return bugs[0] if bugs else None


def _empty(folder: Path) -> Path:
    """A new journal, made once a folder: making its tables takes longer than a history."""
    template = folder / "empty.db"
    if not template.exists():
        SqliteJournal(template).close()
    return template


@contextmanager
def _bugs_seen() -> Iterator[list[str]]:
    """What a lane logs as a bug; a killed server is none, and a full disk is told as an error."""
    bugs: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            error = record.exc_info[1] if record.exc_info else None
            if error is not None and not isinstance(error, PowerLost):
                bugs.append(f"{record.getMessage()}: {error!r}")

    listener = Listener(logging.ERROR)
    before = _core_log.propagate
    _core_log.propagate = False
    _core_log.addHandler(listener)
    try:
        yield bugs
    finally:
        _core_log.removeHandler(listener)
        _core_log.propagate = before


def smallest(fails: Callable[[Sequence[Step]], bool], steps: Sequence[Step]) -> list[Step]:
    """A part of a failing history that still fails, from which no step can be left out."""
    kept = list(steps)
    size = max(1, len(kept) // 2)
    while size:
        at = 0
        while at < len(kept):
            without = kept[:at] + kept[at + size :]
            if fails(without):
                kept = without
            else:
                at += size
        size //= 2
    return kept
