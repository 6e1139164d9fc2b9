"""Acts on receipts after the server's journal alone was put back from a copy: the till's own file
still has them, and is asked before a person is (exactly-once.md, "Restores, replacements,
damage")."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.data_folder import TILL
from pos_app.adapters.sqlite.till import acts_view
from pos_app.adapters.sqlite.till.till import open_till
from pos_app.domain.money.money import Quantity
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.fiscalization.service import new_key
from pos_app.selling.receipts.correction import confirm_undoing
from pos_app.selling.sale.checkout import ReceiptDetails, confirm
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.sell import add_items, start
from pos_app.selling.sale.state import SaleState
from tests.fakes.inner_connection import connection_of
from tests.fakes.till import MILK
from tests.integration.local_api.test_receipts import SALE
from tests.integration.till import test_refunds
from tests.integration.till.test_acts_after_a_restore import (
    ADVANCE,
    BY_NUMBER,
    CLOSING,
    PAYMENT,
    REFUND,
    act,
    until,
)
from tests.integration.till.test_acts_after_put_back import (
    CASHIER,
    ON_RECEIPTS,
    Act,
    check_refused,
    closed,
    copy,
    counter,
    looked,
    one_back,
    refund,
)
from tests.integration.till.test_corrections import SELLER


async def journal_put_back(
    folder: Path, do: Act, sold: dict[str, Any] = SALE
) -> tuple[str, list[str]]:
    """Issue a receipt, copy the journal, do the act, and put the journal's copy back. Return the
    numbers of the receipt and of the act's receipts."""
    async with counter(folder) as at:
        issued = await at.server.issue(sold, headers={"Idempotency-Key": new_key()})
        number: str = issued.json()["invoiceNumber"]
    shutil.copytree(folder / "journal", folder.with_name("copy"))
    numbers = []
    async with counter(folder) as at:
        for part in do(at, (await at.receipts.receipt(number)).overview):
            done = await until(at, part, SaleState.DONE)
            assert done.receipt is not None
            numbers.append(done.receipt.fiscal_number)
    shutil.rmtree(folder / "journal")
    shutil.copytree(folder.with_name("copy"), folder / "journal")
    return number, numbers


@pytest.mark.parametrize("is_closed", [False, True], ids=["mark open", "mark closed"])
@pytest.mark.parametrize(("do", "sold"), ON_RECEIPTS)
async def test_what_the_till_s_file_knows_is_refused_by_its_number(
    folder: Path, do: Act, sold: dict[str, Any], *, is_closed: bool
) -> None:
    number, (done, *_) = await journal_put_back(folder, do, sold)
    async with counter(folder) as at:
        if is_closed:
            await looked(at.server)
        await check_refused(at, do, number, done)


BY_OTHERS = [
    pytest.param(refund, SALE, Operation.REFUND, REFUND, id="refund"),
    pytest.param(refund, SALE, Operation.ISSUE, BY_NUMBER, id="refund by number"),
    pytest.param(closed, ADVANCE, Operation.CLOSE, CLOSING, id="closing"),
    pytest.param(closed, ADVANCE, Operation.ADVANCE, PAYMENT, id="payment on a closed advance"),
]


@pytest.mark.parametrize(("do", "sold", "operation", "body"), BY_OTHERS)
async def test_another_program_is_refused_by_what_the_till_s_file_knows(
    folder: Path, do: Act, sold: dict[str, Any], operation: Operation, body: dict[str, Any]
) -> None:
    """While the mark is open its key may be an old one, whose own receipt may exist."""
    number, (done, *_) = await journal_put_back(folder, do, sold)
    async with counter(folder) as at:
        signed = len(at.server.shop.ledger())
        asked = await act(at.server, number, operation, body, new_key())
        assert (asked.status_code, done in asked.json()["message"]) == (500, True), asked.text
        await looked(at.server)
        again = await act(at.server, number, operation, body, new_key())
        assert (again.status_code, done in again.json()["message"]) == (400, True), again.text
        assert len(at.server.shop.ledger()) == signed


@pytest.mark.parametrize("do", [one_back, copy])
async def test_what_may_be_done_again_is_asked_of_a_person_who_is_told_the_number(
    folder: Path, do: Act
) -> None:
    number, (part,) = await journal_put_back(folder, do)
    async with counter(folder) as at:
        signed = len(at.server.shop.ledger())
        shown = (await at.receipts.receipt(number)).overview
        (again,) = do(at, shown)
        doubt = await until(at, again, SaleState.DOUBT)
        asked, *_ = await at.decisions.doubts()
        assert part in (asked.done_before or ())
        assert len(at.server.shop.ledger()) == signed
        assert doubt.receipt_id is not None
        await at.decisions.declare_absent(doubt.receipt_id, by=CASHIER)
        if do is one_back:  # it goes on by the cashier's word alone
            await until(at, again, SaleState.REFUSED)
            at.outbox.try_again(again.key)
        assert (await until(at, again, SaleState.DONE)).receipt is not None


async def test_more_than_the_till_s_file_leaves_is_refused(folder: Path) -> None:
    number, (part,) = await journal_put_back(folder, one_back)
    async with counter(folder) as at:
        (whole,) = refund(at, (await at.receipts.receipt(number)).overview)
        refused = await until(at, whole, SaleState.REFUSED)
        assert refused.reason is not None
        assert part in refused.reason.text


async def test_a_refund_that_was_undone_since_proves_nothing(folder: Path) -> None:
    async with counter(folder) as at:
        number = await at.sold()
    shutil.copytree(folder / "journal", folder.with_name("copy"))
    async with counter(folder) as at:
        (back,) = refund(at, (await at.receipts.receipt(number)).overview)
        done = await until(at, back, SaleState.DONE)
        assert done.receipt is not None
        given = (await at.receipts.receipt(done.receipt.fiscal_number)).overview
        undo = confirm_undoing(
            till=at.till,
            overview=given,
            seller=SELLER,
            delivery=test_refunds.PAPER,
            cashier=CASHIER,
            in_whole_dinars=True,
        )
        await until(at, undo, SaleState.DONE)
    shutil.rmtree(folder / "journal")
    shutil.copytree(folder.with_name("copy"), folder / "journal")
    async with counter(folder) as at:
        (again,) = refund(at, (await at.receipts.receipt(number)).overview)
        await until(at, again, SaleState.DOUBT)
        asked, *_ = await at.decisions.doubts()
        assert done.receipt.fiscal_number in (asked.done_before or ())


async def test_a_sale_whose_text_names_a_refund_does_not_undo_it(folder: Path) -> None:
    """An exchange may say so on its paper, and a buyer may want a receipt that refers to it."""

    def refund_and_sale(at: test_refunds.Counter, shown: ReceiptOverview) -> Iterator[Sale]:
        (back,) = refund(at, shown)
        yield back
        done = at.database.sales.sale(back.key).receipt
        assert done is not None
        ticket = start(till=at.till, cashier=CASHIER)
        ticket = add_items(till=at.till, ticket=ticket, items=[(MILK, Quantity.ONE, None)])
        confirmed = confirm(
            till=at.till,
            ticket=ticket,
            tendered=Payments.of({PaymentMethod.CASH: ticket.cart.total}),
            receipt_details=ReceiptDetails(
                delivery=test_refunds.PAPER, additional_text=f"Замена за {done.fiscal_number}"
            ),
            cashier=CASHIER,
            in_whole_dinars=False,
        )
        yield confirmed.sale

    number, (done, _) = await journal_put_back(folder, refund_and_sale)
    async with counter(folder) as at:
        await looked(at.server)
        signed = len(at.server.shop.ledger())
        (again,) = refund(at, (await at.receipts.receipt(number)).overview)
        refused = await until(at, again, SaleState.REFUSED)
        assert refused.reason is not None
        assert done in refused.reason.text
        assert len(at.server.shop.ledger()) == signed


def test_the_till_s_file_is_asked_by_its_indexes(folder: Path) -> None:
    with closing(open_till(folder / "till", till_id="t" * 26)) as database:
        for asked, values in ((acts_view.ACTS, ("[]",)), (acts_view.UNDONE, ("A-A-1", 1))):
            plan = connection_of(database).execute(f"EXPLAIN QUERY PLAN {asked}", values)
            steps = [str(row[3]) for row in plan]
            assert not [one for one in steps if "AUTOMATIC" in one or one == "SCAN sales"], steps
            assert any("_on_receipts" in one for one in steps), steps


async def test_a_till_s_file_that_can_t_be_read_hinders_nothing(folder: Path) -> None:
    """The act is asked of a person, as where nothing else knows of it."""
    number, _ = await journal_put_back(folder, refund)
    async with counter(folder) as at:
        (folder / TILL).with_name("elsewhere").mkdir()
        (first,) = refund(at, (await at.receipts.receipt(number)).overview)
        for name in ("till.db", "till.db-wal", "till.db-shm"):
            path = folder / "till" / name
            path.rename(path.parent / "elsewhere" / name)
        (folder / TILL).write_bytes(b"no database" * 1000)
        answered = await act(at.server, number, Operation.REFUND, REFUND, new_key())
        assert answered.status_code == 500
        assert "a manager has to say" in answered.json()["message"]
        (folder / TILL).unlink()
        for path in (folder / "till" / "elsewhere").iterdir():
            path.rename(folder / "till" / path.name)
        assert at.database.sales.sale(first.key).state is SaleState.FROZEN
