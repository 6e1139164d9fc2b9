"""A shop in virtual time with random events; every promise is checked at every step.

A history is a list of steps, plain tuples of a name and values, so that it can be printed, replayed
and made smaller.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from pos_app.domain.receipt.states import IN_DOUBT, RequestState
from pos_app.errors import Invalid, MachineError, NotAllowed
from pos_app.fiscalization import refusals
from pos_app.fiscalization.issuing.manual_decision import declare_found, release_by_word
from pos_app.fiscalization.issuing.results import IssuedReceipts, look_up
from pos_app.fiscalization.service import Caller
from tests.fakes.simulated_processor import Entry
from tests.unit.fiscalization import machine_sales
from tests.unit.fiscalization.machine_promises import ENDED
from tests.unit.fiscalization.machine_sales import CASHIER, ORIGIN, Body
from tests.unit.fiscalization.machine_server import PowerLost, Server
from tests.unit.fiscalization.machine_world import World

Step = tuple[Any, ...]
_S = RequestState
CLIENTS_WAIT = 20.0
"""Seconds within which every caller is answered (platform-contract.md 2.9)."""
ROUNDS = 60
LAST_WAIT = 100.0
LAST_KEY = 9


class History(World):
    """One shop while its history goes on: the acts of callers and persons."""

    async def step(self, step: Step) -> None:
        """Do one step and check every promise. Raises Broken."""
        name, *values = step
        done = getattr(self, f"do_{name}")(*values)
        if isinstance(done, Coroutine):
            await done
        await self.do_wait(0.0)
        self.promises.expect(not self.server.watch.done(), "the watch over the lane has ended")
        self.promises.check()

    # --- callers --------------------------------------------------------------------------------

    def do_call(self, key: int, variant: int = 0, stays: bool = True) -> None:
        """Let a caller ask; with stays=False the caller is gone before its turn comes."""
        asked = self._wanted[machine_sales.body(key, 0).key] = machine_sales.body(key, variant)
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
            issued = await self._parts.issue(server=server, caller=caller, incoming=asked.incoming)
            promises.issued(asked, issued.receipt)
        except refusals.NotSigned:
            promises.refused(asked, others=promises.calling[asked.key] - 1)
            return "refused"
        except refusals.KeyBound as error:
            promises.bound(asked, error)
            return "bound"
        except refusals.OutcomeNotKnown:
            return "unknown"
        except MachineError:
            return "failed"
        return "issued"

    def do_cancel(self, key: int) -> None:
        asked = machine_sales.body(key, 0)
        self.promises.calling[asked.key] += 0
        try:
            self._parts.cancel(
                service=self.server.service, origin=ORIGIN, key=asked.key, cashier=CASHIER
            )
            self.promises.cancelled_now(asked.key)
        except (NotAllowed, refusals.NotSigned, MachineError, PowerLost):
            return

    def do_look_up(self, key: int) -> None:
        asked = machine_sales.body(key, 0)
        try:
            found = look_up(
                journal=self.server.service.journal, origin=ORIGIN, reference=f"key:{asked.key}"
            )
        except refusals.ReceiptNotFound:
            self.promises.not_found(asked)
            return
        if isinstance(found, IssuedReceipts):
            signed = self.promises.request(asked.key)
            assert signed is not None
            self.promises.issued(machine_sales.body_of(signed.document), found.receipt)

    # --- a person -------------------------------------------------------------------------------

    def do_absent(self, key: int) -> None:
        """Let a manager, who has looked at the processor, say that there is no such receipt."""
        request = self.promises.request(machine_sales.body(key, 0).key)
        if request is None or request.state not in IN_DOUBT:
            return
        rid = request.pfr_request_id
        if self.processor.pending(rid) or self._entry_of(rid):
            return
        self._say(partial(release_by_word, receipt_id=request.command_id))

    def do_wrong_word(self, key: int) -> None:
        """Let a manager say so of a receipt that exists or is on its way."""
        request = self.promises.request(machine_sales.body(key, 0).key)
        if request is not None and request.state in IN_DOUBT:
            self._say(partial(release_by_word, receipt_id=request.command_id))

    def do_found(self, key: int) -> None:
        """Let a manager bring the processor's own paper of the receipt."""
        request = self.promises.request(machine_sales.body(key, 0).key)
        entry = self._entry_of(request.pfr_request_id) if request else None
        if request is None or entry is None:
            return
        if request.state in IN_DOUBT:
            url = entry.receipt.verification_url or ""
            self._say(partial(declare_found, receipt_id=request.command_id, url=url))

    def do_wrong_paper(self, key: int) -> None:
        """Let a manager bring the paper of some other receipt: it must be refused."""
        request = self.promises.request(machine_sales.body(key, 0).key)
        if request is None or request.state not in IN_DOUBT:
            return
        for entry in self.processor.ledger:
            if entry.request_id != request.pfr_request_id:
                url = entry.receipt.verification_url or ""
                said = self._say(partial(declare_found, receipt_id=request.command_id, url=url))
                self.promises.expect(not said, "the paper of another receipt was taken")
                return

    def _say(self, act: Callable[..., Any]) -> bool:
        try:
            act(service=self.server.service, by="Управник")
        except (Invalid, NotAllowed, MachineError, PowerLost):
            return False
        return True

    def _entry_of(self, request_id: str) -> Entry | None:
        found = [entry for entry in self.processor.ledger if entry.request_id == request_id]
        return found[-1] if found else None

    # --- the end --------------------------------------------------------------------------------

    async def settle(self) -> None:
        """Stop all faults, and let every owner ask until it has an answer. Raises Broken."""
        self.processor.heal()
        self.processor.uid = self.server.journal.real.element() or self.processor.uid
        self.mishaps.kill_in, self.mishaps.full_for = None, 0
        for _ in range(ROUNDS):
            await self.step(("wait", 15.0))
            waiting = [key for key in self._wanted if self.promises.state(key) not in ENDED]
            if not waiting:
                break
            for key in waiting:
                self._ask_again(int(key, 16), self._wanted[key])
        await self.step(("wait", LAST_WAIT))
        self.do_call(LAST_KEY)  # one further receipt brings missed ones to light
        await self.step(("wait", 15.0))
        last = self._wanted[machine_sales.body(LAST_KEY, 0).key]
        if self.promises.state(last.key) is _S.NEEDS_HUMAN:  # the processor forgot an old receipt
            for _ in ("a person says that there is none", "it is sent"):
                self._ask_again(LAST_KEY, last)
                await self.step(("wait", 15.0))
        self.promises.check_end()

    def _ask_again(self, key: int, wanted: Body) -> None:
        match self.promises.state(wanted.key):
            case None | _S.RELEASED | _S.REJECTED:
                self.do_call(key, wanted.variant)
            case _S.NEEDS_HUMAN:
                self.do_found(key)
                self.do_absent(key)
