"""A shop whose journal, or journal and till, are put back from a copy while people go on.

They act on receipts that the copy does not know, and on those that were acted on since. A manager
answers what is asked by looking at the papers. Nothing is signed or given back twice.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule, run_state_machine_as_test

from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.server_status import ReceiptInDoubt
from pos_app.domain.receipt.states import RequestState
from pos_app.errors import RemoteError
from pos_app.fiscalization.refusals import ACT_UNKNOWN
from pos_app.pfr_emulator.ledger import read_entries
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.proofs import Proof
from tests.shop import world as shop
from tests.shop.ledger import Fault, given_back_once, referent_of, waits_for_a_person
from tests.shop.paper import addresses_of
from tests.shop.test_core_machine import OneShop
from tests.sweep import examples

MANAGER = "Ана"
MOST_LOOKS = 200


class RestoredShop(OneShop):
    """Rules beside those of a shop that sells."""

    def __init__(self) -> None:
        super().__init__()
        self.has_copy = False
        self.judge.expected = "the journal is another one than before"

    @rule()
    def copy_is_made(self) -> None:
        self.world.make_copy()
        self.has_copy = True

    @precondition(lambda self: self.has_copy)
    @rule(with_till=st.booleans())
    def copy_is_put_back(self, with_till: bool) -> None:
        async def act() -> None:
            self.judge.killed(self.all_sales())
            await self.world.put_back(with_till=with_till)
            await self.world.open_server()
            self.world.open_till()
            self.world.start_outbox()

        self._run(act())
        known = {one.key for one in self.all_sales()}
        self.judge.wishes = {key: words for key, words in self.judge.wishes.items() if key in known}

    @rule()
    def manager_answers(self) -> None:
        self._run(self._answer())

    async def _answer(self) -> set[str]:
        """Answer what is asked; returns the keys about which a person goes on being asked."""
        core, asked = self.world.core, set[str]()
        assert core is not None
        with suppress(RemoteError):
            for doubt in await core.doubts.doubts():
                if doubt.state == RequestState.NEEDS_HUMAN and not await self._is_answered(doubt):
                    asked.add(str(doubt.key))
        return asked

    async def _is_answered(self, doubt: ReceiptInDoubt) -> bool:
        """Show the paper of what was done with the receipt before; where there is none, say so. The
        server asks the processor once more before it believes that."""
        core = self.world.core
        assert core is not None
        papers = self._papers_of_acts() if doubt.code == ACT_UNKNOWN else ()
        for address in papers:
            with suppress(RemoteError):
                await core.doubts.declare_found(
                    doubt.receipt_id, verification_url=address, by=MANAGER
                )
                return True
        if not papers:
            with suppress(RemoteError):
                await core.doubts.declare_absent(doubt.receipt_id, by=MANAGER)
                return True
        return False

    def _papers_of_acts(self) -> list[str]:
        """The addresses of receipts that act on others, and that no sale of the till has."""
        known = {one.receipt.fiscal_number for one in self.all_sales() if one.receipt is not None}
        addresses = addresses_of(self.world.ledger)
        return [
            addresses[one.number]
            for one in read_entries(self.world.ledger)
            if one.number not in known and referent_of(json.loads(one.request))
        ]

    # --- at rest ---------------------------------------------------------------------------------

    def judge_all(self) -> None:
        asked = self._run(self._rest_of_doubts())
        given_back_once(self.world.ledger)
        self.judge.judge_told(self.all_sales(), self.world.ledger, asked=asked)

    async def _rest_of_doubts(self) -> set[str]:
        """Let all end; returns the keys about which a person goes on being asked."""
        self.rate = 0.0
        self.world.server.is_open = self.world.processor.is_open = True
        for _ in range(MOST_LOOKS):
            asked = await self._answer()
            for key in self.keys:
                if key not in self.judge.called:
                    await self._call(key)
            open_sales = [one for one in self.all_sales() if not _has_ended(one, asked)]
            if not open_sales and len(self.judge.called) == len(self.keys):
                return asked
            await asyncio.sleep(10.0)
        told = [(one.operation, one.state, one.reason) for one in open_sales]
        raise Fault(f"what was open at a restore never ends: {told}", "stuck")


def _has_ended(sale: Sale, asked: set[str]) -> bool:
    return waits_for_a_person(sale) or sale.key in asked


@pytest.mark.hypothesis
@pytest.mark.deadline(240)
def test_histories_with_restores(proof: Proof) -> None:
    RestoredShop.proof = proof
    many = settings(max_examples=examples(60, share=15), stateful_step_count=25)
    run_state_machine_as_test(RestoredShop, settings=many)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize(
    ("with_till", "state"), [(False, SaleState.REFUSED), (True, SaleState.DOUBT)]
)
def test_a_refund_that_the_copy_lacks_is_not_signed_again(
    with_till: bool, state: SaleState
) -> None:
    """A till that knows of it has it refused; where nobody does, a person is asked."""
    machine = RestoredShop()
    machine.open(seed=1)
    try:
        machine.sells([shop.BREAD], method="cash", advance=False, pause=60.0)
        machine.copy_is_made()
        machine.refunds(0, part=False, method="cash")
        machine.time_passes(60.0)
        signed = len(read_entries(machine.world.ledger))
        machine.copy_is_put_back(with_till)
        machine.time_passes(60.0)
        machine.refunds(0 if with_till else 1, part=False, method="cash")
        machine.time_passes(60.0)
        assert len(read_entries(machine.world.ledger)) == signed
        (refund, *_) = machine.all_sales()
        assert (refund.operation, refund.state) == (Operation.REFUND, state)
    finally:
        machine.teardown()
