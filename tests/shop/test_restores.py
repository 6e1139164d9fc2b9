"""A shop whose journal, or journal and till, are put back from a copy while people go on.

They act on receipts that the copy does not know, and on those that were acted on since. A manager
answers what is asked by looking at the papers. Nothing is signed or given back twice.
"""

from __future__ import annotations

from collections import defaultdict
from decimal import Decimal

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule, run_state_machine_as_test

from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.pfr_emulator.ledger import read_entries
from pos_app.selling.sale.state import SaleState
from tests.proofs import Proof
from tests.shop import world as shop
from tests.shop.ledger import given_back_once
from tests.shop.test_core_machine import OneShop
from tests.sweep import examples


class RestoredShop(OneShop):
    """Rules beside those of a shop that sells."""

    def __init__(self) -> None:
        super().__init__()
        self.has_copy = False
        self.copied = dict[str, Decimal]()
        self.acted_on = ""
        self.judge.expected = (
            "the journal is another one than before",
            "the journal lacks what a till remembers",
        )

    @rule()
    def copy_is_made(self) -> None:
        self.world.make_copy()
        self.has_copy, self.copied = True, dict(self.came_in)

    @precondition(lambda self: self.has_copy)
    @rule(with_till=st.booleans())
    def copy_is_put_back(self, with_till: bool) -> None:
        async def act() -> None:
            self.judge.killed(self.all_sales())
            await self.world.put_back(with_till=with_till)
            await self.world.open_server()
            self.world.open_till()
            self.world.start_outbox()

        self.run(act())
        known = {one.key for one in self.all_sales()}
        if with_till:
            self.came_in = defaultdict(Decimal, self.copied)
        self.judge.wishes = {key: words for key, words in self.judge.wishes.items() if key in known}

    async def _seen(self, number: int) -> ReceiptOverview | None:
        seen = await super()._seen(number)
        if seen is not None:
            self.acted_on = seen.number
        return seen

    @precondition(lambda self: self.has_copy)
    @rule(method=st.sampled_from((None, "cash")))
    def receipt_acted_on_last_is_refunded(self, method: str | None) -> None:
        """A person has its paper in hand, and does not remember that it was refunded."""
        done = [one.receipt for one in self.all_sales() if one.receipt is not None]
        for number, receipt in enumerate(done):
            if receipt.fiscal_number == self.acted_on:
                self.refunds(number, part=False, method=method)
                return

    # --- at rest ---------------------------------------------------------------------------------

    def judge_all(self) -> None:
        self.run(self._rest())
        given_back_once(self.world.ledger)
        self.rest_of_collected()
        self.judge.judge_told(self.all_sales(), self.world.ledger)


@pytest.mark.hypothesis
@pytest.mark.deadline(240)
def test_histories_with_restores(proof: Proof) -> None:
    RestoredShop.proof = proof
    many = settings(max_examples=examples(60, share=15), stateful_step_count=25)
    run_state_machine_as_test(RestoredShop, settings=many)


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
