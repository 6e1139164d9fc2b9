"""Acts on receipts after `pos-app restore --accept-missing` put journal and till back, while nobody
has closed the mark (exactly-once.md, "Restores, replacements, damage")."""

from __future__ import annotations

import json
import shutil
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pos_app import __main__ as command_line
from pos_app.adapters.backup.sets import found_sets
from pos_app.adapters.data_folder import JOURNAL, TILL, catalogue_file
from pos_app.adapters.data_folder.upgrade_mark import ASIDE, BACKUPS
from pos_app.adapters.sqlite.database import open_reader
from pos_app.bootstrap.commands import backup
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod, Payments, cash_owed
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_identity import receipt_id, till_origin
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.fiscalization.service import new_key
from pos_app.selling.receipts.advance_draft import ClosingDraft, FurtherPayment
from pos_app.selling.receipts.confirm import (
    confirm_advance_payment,
    confirm_closing,
    confirm_refund,
)
from pos_app.selling.receipts.refund_draft import RefundDraft
from pos_app.selling.sale.checkout import ReceiptDetails
from pos_app.selling.sale.exchange import confirm_exchange
from pos_app.selling.sale.goods_back import GoodsBack
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.sell import add_items, begin_exchange, start
from pos_app.selling.sale.state import SaleState
from tests.fakes.ready_tables import ready_catalogue
from tests.fakes.till import BREAD, MILK
from tests.integration.local_api.test_receipts import SALE
from tests.integration.local_api.wires import Running, running
from tests.integration.till import test_refunds
from tests.integration.till.test_acts_after_a_restore import (
    ACTS,
    ADVANCE,
    MANAGER,
    act,
    confirmed_of,
    until,
)
from tests.integration.till.test_corrections import begin

CASHIER = "Мира"
DETAILS = ReceiptDetails(delivery=test_refunds.PAPER)


@asynccontextmanager
async def counter(folder: Path) -> AsyncIterator[test_refunds.Counter]:
    """Open the shop with its till where a set has it; as the program does, the till first asks the
    server which journal it has."""
    async with test_refunds.counter(folder, place=TILL.parent.name) as at:
        while at.outbox.view.status is None:
            await at.outbox.step()
        yield at


def backed_up(folder: Path) -> str:
    ready_catalogue(catalogue_file(folder))
    assert command_line.main(["backup", "--data", str(folder)]) == 0
    return found_sets(folder, "")[0].name


def put_back(folder: Path, name: str) -> None:
    """Put the set back; the processor keeps all that it signed, as a real one does."""
    kept = shutil.copytree(folder / "processor", folder.with_name("processor"))
    words = ["restore", name, "--data", str(folder)]
    assert command_line.main(words) == backup.ASKED
    assert command_line.main([*words, "--accept-missing"]) == 0
    shutil.rmtree(folder / "processor")
    kept.rename(folder / "processor")


def refund(at: test_refunds.Counter, shown: ReceiptOverview) -> list[Sale]:
    return [confirmed_of(at, shown, Operation.REFUND)]


def copy(at: test_refunds.Counter, shown: ReceiptOverview) -> list[Sale]:
    return [confirmed_of(at, shown, Operation.COPY)]


def one_back(at: test_refunds.Counter, shown: ReceiptOverview) -> list[Sale]:
    return [
        confirm_refund(
            till=at.till,
            draft=RefundDraft(shown).with_quantity(0, Quantity(1)),
            buyer=test_refunds.BUYER,
            delivery=test_refunds.PAPER,
            cashier=CASHIER,
            in_whole_dinars=True,
        )
    ]


def payment(at: test_refunds.Counter, shown: ReceiptOverview) -> list[Sale]:
    given = FurtherPayment(shown, Payments.of({PaymentMethod.CASH: Money(60)}))
    return [confirm_advance_payment(till=at.till, payment=given, details=DETAILS, cashier=CASHIER)]


def closed(at: test_refunds.Counter, shown: ReceiptOverview) -> list[Sale]:
    draft = ClosingDraft(shown, Payments.of({PaymentMethod.CASH: Money(108)}))
    return [confirm_closing(till=at.till, closing=draft, details=DETAILS, cashier=CASHIER)]


def nothing(at: test_refunds.Counter, shown: ReceiptOverview) -> list[Sale]:
    return []


def correction(at: test_refunds.Counter, shown: ReceiptOverview) -> list[Sale]:
    begun = begin(at, shown)
    return [begun.refund, begun.new]


def exchange(at: test_refunds.Counter, shown: ReceiptOverview) -> list[Sale]:
    goods = GoodsBack(
        shown.receipt_id,
        shown.number,
        {0: Decimal(2)},
        is_whole=True,
        total=shown.total,
        payments=Payments.of({PaymentMethod.CASH: shown.total}),
        buyer_code="10",
        buyer_value="101234567",
    )
    ticket = start(till=at.till, cashier=CASHIER)
    ticket = begin_exchange(till=at.till, ticket=ticket, goods=goods)
    items = [(BREAD, Quantity(2), None), (MILK, Quantity.ONE, None)]
    ticket = add_items(till=at.till, ticket=ticket, items=items)
    owed = cash_owed(ticket.cart.total - shown.total, in_whole_dinars=True)
    done = confirm_exchange(
        till=at.till,
        ticket=ticket,
        goods=goods,
        tendered=Payments.of({PaymentMethod.CASH: owed}),
        receipt_details=ReceiptDetails(delivery=test_refunds.PAPER),
        cashier=CASHIER,
        in_whole_dinars=True,
    )
    assert done.sale.follows is not None
    return [at.database.sales.sale(done.sale.follows), done.sale]


Act = Callable[[test_refunds.Counter, ReceiptOverview], Iterable[Sale]]


async def done_since(
    folder: Path, do: Act, sold: dict[str, Any] = SALE, *, is_kept: bool = True
) -> tuple[str, list[str]]:
    """Sell, back the shop up, do the act, and put the backup back. Return the numbers of the sale
    and of the act's receipts. is_kept: whether the replaced files stay where the restore put them.
    """
    async with counter(folder) as at:
        issued = await at.server.issue(sold, headers={"Idempotency-Key": new_key()})
        number: str = issued.json()["invoiceNumber"]
    name = backed_up(folder)
    numbers = []
    async with counter(folder) as at:
        shown = (await at.receipts.receipt(number)).overview
        if do is nothing:
            await at.sold()
        for part in do(at, shown):
            done = await until(at, part, SaleState.DONE)
            assert done.receipt is not None
            numbers.append(done.receipt.fiscal_number)
    put_back(folder, name)
    if not is_kept:
        (aside,) = (folder / BACKUPS).glob(f"{ASIDE}*")
        shutil.rmtree(aside)
    return number, numbers


ON_RECEIPTS = [
    pytest.param(refund, SALE, id="refund"),
    pytest.param(correction, SALE, id="correction"),
    pytest.param(exchange, SALE, id="exchange"),
    pytest.param(payment, ADVANCE, id="further payment"),
    pytest.param(closed, ADVANCE, id="closing"),
]
"""Of two payments of 60 on this advance no second one fits."""


async def check_refused(at: test_refunds.Counter, do: Act, number: str, done: str) -> None:
    """Check that the act is refused by the number of what was done, and that nothing is signed."""
    signed = len(at.server.shop.ledger())
    first, *rest = do(at, (await at.receipts.receipt(number)).overview)
    refused = await until(at, first, SaleState.REFUSED)
    assert refused.reason is not None
    assert done in refused.reason.text
    assert [at.database.sales.sale(part.key).state for part in rest] == (
        [SaleState.REFUSED] * len(rest)
    )
    assert await at.decisions.doubts() == ()
    assert len(at.server.shop.ledger()) == signed


@pytest.mark.parametrize(("do", "sold"), ON_RECEIPTS)
async def test_what_was_done_since_the_backup_is_refused_by_what_it_replaced(
    folder: Path, do: Act, sold: dict[str, Any]
) -> None:
    number, (done, *_) = await done_since(folder, do, sold)
    async with counter(folder) as at:
        await check_refused(at, do, number, done)


async def test_a_person_is_told_what_the_replaced_journal_has(folder: Path) -> None:
    """A part was given back since, so that the rest may be refunded or was refunded elsewhere."""
    number, (part,) = await done_since(folder, one_back)
    async with counter(folder) as at:
        signed = len(at.server.shop.ledger())
        shown = (await at.receipts.receipt(number)).overview
        (whole,) = refund(at, shown)
        refused = await until(at, whole, SaleState.REFUSED)
        assert refused.reason is not None
        assert part in refused.reason.text
        (rest,) = one_back(at, shown)
        await until(at, rest, SaleState.DOUBT)
        asked, _ = await at.decisions.doubts()
        assert asked.key == rest.key
        assert asked.done_before is not None
        assert part in asked.done_before
        assert len(at.server.shop.ledger()) == signed


async def test_a_person_is_told_that_the_replaced_journal_has_nothing(folder: Path) -> None:
    number, _ = await done_since(folder, nothing)
    async with counter(folder) as at:
        shown = (await at.receipts.receipt(number)).overview
        (again,) = refund(at, shown)
        await until(at, again, SaleState.DOUBT)
        (asked, _) = await at.decisions.doubts()
        assert asked.done_before == ()


def damaged_copy_aside(folder: Path) -> None:
    """Put a second replaced journal beside the one that is there, with a damaged page of `meta`."""
    (aside,) = (folder / BACKUPS).glob(f"{ASIDE}*")
    path = shutil.copytree(aside, aside.with_name(f"{aside.name}-0")) / JOURNAL
    with closing(open_reader(path)) as connection:
        page = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'meta'")
        size = int(str(connection.pragma("page_size")))
        start = (int(str(page.fetchall()[0][0])) - 1) * size
    content = path.read_bytes()
    middle = start + 2000
    path.write_bytes(content[:middle] + bytes(500) + b"\xff" * 500 + content[middle + 1000 :])


@pytest.mark.parametrize("do", [refund, exchange])
async def test_a_damaged_replaced_journal_hides_no_other(folder: Path, do: Act) -> None:
    number, (done, *_) = await done_since(folder, do)
    damaged_copy_aside(folder)
    async with counter(folder) as at:
        first, *_ = do(at, (await at.receipts.receipt(number)).overview)
        refused = await until(at, first, SaleState.REFUSED)
        assert refused.reason is not None
        assert done in refused.reason.text


async def test_what_another_replaced_journal_proves_is_told_beside_a_damaged_one(
    folder: Path,
) -> None:
    number, (part,) = await done_since(folder, one_back)
    damaged_copy_aside(folder)
    async with counter(folder) as at:
        (rest,) = one_back(at, (await at.receipts.receipt(number)).overview)
        await until(at, rest, SaleState.DOUBT)
        asked, _ = await at.decisions.doubts()
        assert part in (asked.done_before or ())


async def test_beside_a_damaged_replaced_journal_nothing_is_not_told(folder: Path) -> None:
    """The damaged one may have what the others lack, so it is unknown what was done since."""
    number, _ = await done_since(folder, nothing)
    damaged_copy_aside(folder)
    async with counter(folder) as at:
        (again,) = refund(at, (await at.receipts.receipt(number)).overview)
        await until(at, again, SaleState.DOUBT)
        (asked, _) = await at.decisions.doubts()
        assert asked.done_before is None


async def looked(server: Running) -> None:
    """Say as a manager that the mark and the alarms were seen."""
    by = {"by": MANAGER}
    await server.ask("POST", "/till/restored/close", json=by, headers=server.till)
    status = await server.ask("GET", "/till/status", headers=server.till)
    for alarm in status.json()["alarms"]:
        await server.ask("POST", f"/till/alarms/{alarm['id']}/seen", json=by, headers=server.till)


@pytest.mark.parametrize("keyed", [True, False])
@pytest.mark.parametrize(("sold", "operation", "body"), ACTS)
async def test_other_programs_are_told_so_too(
    folder: Path, sold: dict[str, Any], operation: Operation, body: dict[str, Any], *, keyed: bool
) -> None:
    """A copy may be issued any number of times, and a further payment too: a person is asked. Once
    a manager closed the mark, a request that a replaced journal refuses is still refused."""
    async with running(folder) as server:
        number = (await server.issue(sold)).json()["invoiceNumber"]
    name = backed_up(folder)
    async with running(folder) as server:
        first = await act(server, number, operation, body)
        assert first.status_code == 200, first.text
        answer = first.json()
        done = (answer if isinstance(answer, list) else [answer])[0]["invoiceNumber"]
    put_back(folder, name)
    async with running(folder) as server:
        signed = len(server.shop.ledger())
        again = await act(server, number, operation, body, new_key() if keyed else None)
        is_proven = operation not in (Operation.COPY, Operation.ADVANCE)
        assert again.status_code == 500, again.text  # it may repeat what was signed
        assert (done in again.json()["message"]) is is_proven
        if is_proven:
            await looked(server)
            closed = await act(server, number, operation, body, new_key())
            assert (closed.status_code, done in closed.json()["message"]) == (400, True)
        assert len(server.shop.ledger()) == signed


@pytest.mark.parametrize(("do", "sold"), [*ON_RECEIPTS, pytest.param(copy, SALE, id="copy")])
async def test_where_nothing_else_knows_it_a_person_is_asked(
    folder: Path, do: Act, sold: dict[str, Any]
) -> None:
    number, _ = await done_since(folder, do, sold, is_kept=False)
    async with counter(folder) as at:
        signed = len(at.server.shop.ledger())
        first, *rest = do(at, (await at.receipts.receipt(number)).overview)
        await until(at, first, SaleState.DOUBT)
        listed = await at.decisions.doubts()
        assert {(asked.key, asked.code) for asked in listed} == {(first.key, "act_unknown")}
        assert [at.database.sales.sale(part.key).state for part in rest] == (
            [SaleState.REFUSED] * len(rest)
        )
        assert len(at.server.shop.ledger()) == signed


@pytest.mark.parametrize("do", [correction, exchange])
async def test_the_paper_of_the_refund_sends_no_second_sale(folder: Path, do: Act) -> None:
    """The whole pair was issued since, so the sale behind the refund exists too."""
    number, _ = await done_since(folder, do, is_kept=False)
    async with counter(folder) as at:
        signed = at.server.shop.ledger()
        first, new = do(at, (await at.receipts.receipt(number)).overview)
        await until(at, first, SaleState.DOUBT)
        back = [json.loads(one.answer) for one in signed if one.transaction_type == 1]
        origin = till_origin(at.server.install.till_id)
        for child, paper in enumerate(back):  # the refund and its copy
            await at.decisions.declare_found(
                receipt_id(origin=origin, key=first.key, child=child),
                verification_url=paper["verificationUrl"],
                by=MANAGER,
            )
        await until(at, first, SaleState.DONE)
        for _ in range(50):
            await at.outbox.step()
        assert at.database.sales.sale(new.key).state is SaleState.REFUSED
        assert len(at.server.shop.ledger()) == len(signed)
