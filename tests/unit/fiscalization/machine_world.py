"""A shop in virtual time, and the events of its processor, its server and its machine."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from tests.fakes.simulated_processor import Fate, SimulatedProcessor
from tests.fakes.virtual_time import VirtualClock, VirtualLoop
from tests.unit.fiscalization.machine_promises import Promises
from tests.unit.fiscalization.machine_sales import Body
from tests.unit.fiscalization.machine_server import Mishaps, Parts, Server

AWAY_TOO_LONG = 600.0


@dataclass(frozen=True, slots=True)
class Shop:
    """The beginning of a history. alone: whether the element is used by this shop only."""

    counted: bool = True
    remembers: Literal["all", "last"] = "all"
    alone: bool = False
    promises: type[Promises] = Promises


class World:
    """All steps but those of people: each `do_…` is a step of a history."""

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

    # --- the processor --------------------------------------------------------------------------

    def do_fate(self, fate: Fate) -> None:
        """Set the fate of the next POST."""
        if fate.told in ("other_total", "other_element", "the_one_before"):
            self.promises.excused.add("echo")
        self.processor.fates.append(fate)

    def do_code(self, code: str) -> None:
        """Take the card out, ask for a PIN…; "" when a person has helped."""
        self.processor.code = code

    def do_bare(self, code: str) -> None:
        """Answer with a code for the status, "" ends it; the processor signs all the same."""
        self.processor.bare = code

    def do_uncounted(self, lacks: bool) -> None:
        """The status lacks the counter for a while; a lane that never knew one can't compare it."""
        journal = self.promises.journal
        if lacks and (journal is None or not journal.lane(journal.element()).is_counted):
            self.promises.excused.add("never counted")
        self.processor.tells_counter = not lacks

    def do_away(self, is_away: bool) -> None:
        self.processor.is_away = is_away

    def do_mute(self, is_mute: bool) -> None:
        self.processor.is_mute = is_mute

    def do_restart_processor(self, loses: bool) -> None:
        self.processor.restart(loses=loses)

    def do_foreign(self) -> None:
        """Let another program sign on the element, unless the shop has promised that none does."""
        if self._shop.alone and not self._shop.counted:
            return
        self.promises.excused.add("foreign traffic")
        self.processor.sign_for_another()

    def do_recount(self) -> None:
        self.promises.excused.add("recount")
        self.processor.recount()

    def do_replace(self, uid: str) -> None:
        self.promises.excused.add("replaced")
        self.processor.replace(uid)

    # --- the server and its machine -------------------------------------------------------------

    def do_kill(self) -> None:
        self._killed()

    def do_kill_at(self, writes: int, after: bool) -> None:
        """Let the server die right before or after its n-th commit from now."""
        self.mishaps.kill_in, self.mishaps.kill_after = writes, after

    async def do_stop(self) -> None:
        """Stop the server as a service is stopped, and start it again."""
        await self.server.stop()
        self._dead.set()

    def do_full(self, commits: int) -> None:
        self.mishaps.full_for = commits

    def do_jump(self, seconds: float) -> None:
        self.clock.jump(seconds)

    def do_freeze(self, seconds: float) -> None:
        """Let everything on this machine stand still for a while, the processor too."""
        self._is_late = True
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        loop.stall(seconds)
        self.processor.freeze(seconds)

    async def do_wait(self, seconds: float) -> None:
        """Let time pass; a server that dies meanwhile is started again."""
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
        """Note that a processor away for ten minutes may ask for a person."""
        now = self.clock.seconds()
        processor = self.processor
        dumb = processor.code == "1300" or processor.bare or not processor.tells_counter
        reachable = not (processor.is_away or processor.is_mute or dumb)
        if reachable or self._away_since is None:
            self._away_since = None if reachable else now
        elif now - self._away_since > AWAY_TOO_LONG - 60:
            self.promises.excused.add("away")
