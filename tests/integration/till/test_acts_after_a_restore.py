"""Acts on receipts while the server's journal may lack what was done with them: a refund that was
signed after the copy was made would be signed once more. What the till's file or a replaced journal
knows is refused; else a person is asked, at the till and by the doors of other programs
(exactly-once.md, "Restores, replacements, damage").

Each history does every act, on a receipt of its own."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, closing, contextmanager
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from pos_app import __main__ as command_line
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.adapters.backup.sets import found_sets
from pos_app.adapters.data_folder import JOURNAL, TILL, catalogue_file
from pos_app.adapters.data_folder.upgrade_mark import ASIDE, BACKUPS
from pos_app.adapters.sqlite.database import open_reader
from pos_app.bootstrap.commands import backup
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod, Payments, cash_owed
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_identity import receipt_id, till_origin
from pos_app.domain.receipt.receipt_overview import ReceiptAct, ReceiptOverview, WhyNot
from pos_app.domain.receipt.states import RestoreFound
from pos_app.fiscalization.service import new_key
from pos_app.selling.outbox.answer_effects import after_sending
from pos_app.selling.receipts import confirm as acts
from pos_app.selling.receipts.advance_draft import ClosingDraft, FurtherPayment
from pos_app.selling.receipts.correction import confirm_undoing
from pos_app.selling.receipts.refund_draft import RefundDraft
from pos_app.selling.sale.checkout import ReceiptDetails, confirm
from pos_app.selling.sale.exchange import confirm_exchange
from pos_app.selling.sale.goods_back import GoodsBack
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.sell import add_items, begin_exchange, start
from pos_app.selling.sale.state import SaleState
from pos_app.selling.server.answers import Issued, RefusedByServer, StillOpen, Unclear
from pos_app.selling.server.ports import OutgoingSale
from tests.fakes.inner_connection import connection_of
from tests.fakes.ready_tables import ready_catalogue
from tests.fakes.till import BREAD, MILK
from tests.integration.local_api.test_receipts import SALE
from tests.integration.local_api.wires import Running, running
from tests.integration.till.test_fiscal_http import outgoing
from tests.integration.till.test_receipt_acts import PAPER as ON_PAPER
from tests.integration.till.test_receipt_acts import SELLER, Counter, begin
from tests.integration.till.test_receipt_acts import counter as counter_at

MANAGER, CASHIER = "Власник", "Мира"
DETAILS = ReceiptDetails(delivery=ON_PAPER)
PAPER = {"receiptDelivery": {"pdf": False}}
BUYER = PAPER | {"buyerId": "10:101234567"}
ADVANCE = SALE | {"invoiceType": "advance", "payments": {"cash": 10}}
REFUND = BUYER | {"payments": {"cash": 117.98}}
PAYMENT = PAPER | {"payments": {"cash": 5}}
CLOSING = BUYER | {"payments": {"cash": 107.98}}
BY_NUMBER = BUYER | {
    "invoiceType": "normal",
    "transactionType": "refund",
    "payments": {"cash": 117.98},
    "items": [{"sku": 1, "quantity": 2, "unitPrice": 58.99}],
}
Way = Callable[[Path], AbstractContextManager[None]]
"""How the files of a shop become older: within it is what the copy lacks."""


class Asked(NamedTuple):
    """An act by a door of other programs, and the receipt that it is about."""

    sold: dict[str, Any]
    operation: Operation
    body: dict[str, Any]


ACTS = (
    Asked(SALE, Operation.REFUND, REFUND),
    Asked(SALE, Operation.COPY, PAPER),
    Asked(SALE, Operation.ISSUE, BY_NUMBER),
    Asked(ADVANCE, Operation.ADVANCE, PAYMENT),
    Asked(ADVANCE, Operation.CLOSE, CLOSING),
)


@contextmanager
def journal_alone(folder: Path) -> Iterator[None]:
    shutil.copytree(folder / "journal", folder.with_name("copy"))
    yield
    shutil.rmtree(folder / "journal")
    shutil.copytree(folder.with_name("copy"), folder / "journal")


@contextmanager
def whole_set(folder: Path) -> Iterator[None]:
    """Restore a backup as a person does; the processor keeps all that it signed."""
    ready_catalogue(catalogue_file(folder))
    assert command_line.main(["backup", "--data", str(folder)]) == 0
    yield
    kept = shutil.copytree(folder / "processor", folder.with_name("processor"))
    words = ["restore", found_sets(folder, "")[0].name, "--data", str(folder)]
    assert command_line.main(words) == backup.ASKED
    assert command_line.main([*words, "--accept-missing"]) == 0
    shutil.rmtree(folder / "processor")
    kept.rename(folder / "processor")


def replaced_files(folder: Path) -> Path:
    (aside,) = (folder / BACKUPS).glob(f"{ASIDE}*")
    return aside


async def act(
    server: Running, number: str, asked: Asked, *, key: str | None = None
) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    if asked.operation is Operation.ISSUE:
        return await server.issue(asked.body | {"referentDocumentNumber": number}, headers=headers)
    path = f"/fiscalization/receipts/{number}/{asked.operation}"
    return await server.ask("POST", path, json=asked.body, headers=headers)


async def issued(server: Running, body: dict[str, Any]) -> str:
    answer = await server.issue(body, headers={"Idempotency-Key": new_key()})
    number: str = answer.json()["invoiceNumber"]
    return number


async def vouch(server: Running, receipt: str) -> httpx.Response:
    path = f"/till/doubts/{receipt}/absent"
    return await server.ask("POST", path, json={"by": MANAGER}, headers=server.till)


async def looked(server: Running) -> None:
    by = {"by": MANAGER}
    await server.ask("POST", "/till/restored/close", json=by, headers=server.till)
    status = await server.ask("GET", "/till/status", headers=server.till)
    for alarm in status.json()["alarms"]:
        await server.ask("POST", f"/till/alarms/{alarm['id']}/seen", json=by, headers=server.till)


# --- what a till does ----------------------------------------------------------------------------
@asynccontextmanager
async def counter(folder: Path) -> AsyncIterator[Counter]:
    """Open the shop with its till where a set has it, which first asks which journal there is."""
    async with counter_at(folder, place=TILL.parent.name) as at:
        while at.outbox.view.status is None:
            await at.outbox.step()
        yield at


async def until(at: Counter, sale: Sale, state: SaleState) -> Sale:
    async with asyncio.timeout(20):
        while True:
            await at.outbox.step()
            now = at.database.sales.sale(sale.key)
            if now.state is state:
                return now
            await asyncio.sleep(0.02)


async def fiscal_number(at: Counter, sale: Sale) -> str:
    receipt = (await until(at, sale, SaleState.DONE)).receipt
    return receipt.fiscal_number


def refund(at: Counter, shown: ReceiptOverview) -> list[Sale]:
    return [at.refund(RefundDraft.whole(shown))]


def one_back(at: Counter, shown: ReceiptOverview) -> list[Sale]:
    return [at.refund(RefundDraft(shown).with_quantity(0, Quantity(1)))]


def copy(at: Counter, shown: ReceiptOverview) -> list[Sale]:
    paper = ON_PAPER
    return [acts.confirm_copy(till=at.till, overview=shown, delivery=paper, cashier=CASHIER)]


def payment(at: Counter, shown: ReceiptOverview) -> list[Sale]:
    """Pay 60: no second 60 fits on the advance."""
    paid = FurtherPayment(shown, Payments.of({PaymentMethod.CASH: Money(60)}))
    sale = acts.confirm_advance_payment(
        till=at.till, payment=paid, details=DETAILS, cashier=CASHIER
    )
    return [sale]


def closed(at: Counter, shown: ReceiptOverview) -> list[Sale]:
    draft = ClosingDraft(shown, Payments.of({PaymentMethod.CASH: Money(108)}))
    return [acts.confirm_closing(till=at.till, closing=draft, details=DETAILS, cashier=CASHIER)]


def nothing(at: Counter, shown: ReceiptOverview) -> list[Sale]:
    return []


def correction(at: Counter, shown: ReceiptOverview) -> list[Sale]:
    begun = begin(at, shown)
    return [begun.refund, begun.new]


def exchange(at: Counter, shown: ReceiptOverview) -> list[Sale]:
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
        receipt_details=DETAILS,
        cashier=CASHIER,
        in_whole_dinars=True,
    )
    assert done.sale.follows is not None
    return [at.database.sales.sale(done.sale.follows), done.sale]


Act = Callable[[Counter, ReceiptOverview], Iterable[Sale]]
ON_RECEIPTS: tuple[tuple[Act, dict[str, Any]], ...] = (
    (refund, SALE),
    (correction, SALE),
    (exchange, SALE),
    (payment, ADVANCE),
    (closed, ADVANCE),
)


async def done_since(
    folder: Path, way: Way, *done: tuple[Act, dict[str, Any]]
) -> list[tuple[Act, str, list[str]]]:
    """Do the acts since a copy that is put back; return each with the numbers of its receipts."""
    async with counter(folder) as at:
        numbers = [await issued(at.server, sold) for _, sold in done]
    told = []
    with way(folder):
        async with counter(folder) as at:
            for (do, _), number in zip(done, numbers, strict=True):
                parts = do(at, await at.overview(number))
                told.append((do, number, [await fiscal_number(at, part) for part in parts]))
    return told


async def check_refused(at: Counter, do: Act, number: str, done: str) -> None:
    first, *rest = do(at, await at.overview(number))
    refused = await until(at, first, SaleState.REFUSED)
    assert done in refused.reason.text
    states = [at.database.sales.sale(part.key).state for part in rest]
    assert states == [SaleState.REFUSED] * len(rest)


async def told_before(at: Counter, do: Act, number: str) -> Any:
    """Do it again: a person is asked. Return what they are told of acts before."""
    (again,) = do(at, await at.overview(number))
    await until(at, again, SaleState.DOUBT)
    asked = {one.key: one.done_before for one in await at.decisions.doubts()}
    return asked[again.key]


@pytest.mark.parametrize(
    ("way", "is_closed"),
    [(whole_set, False), (journal_alone, False), (journal_alone, True)],
    ids=["what the restore replaced", "the till's file", "the till's file, mark closed"],
)
async def test_what_was_done_is_refused_by_number(folder: Path, way: Way, is_closed: bool) -> None:
    done = await done_since(folder, way, *ON_RECEIPTS)
    async with counter(folder) as at:
        if is_closed:
            await looked(at.server)
        signed = len(at.server.shop.ledger())
        for do, number, (receipt, *_) in done:
            await check_refused(at, do, number, receipt)
            assert await at.decisions.doubts() == ()
        assert len(at.server.shop.ledger()) == signed


async def test_another_program_is_refused_by_what_the_till_s_file_knows(folder: Path) -> None:
    """While the mark is open its key may be an old one, whose own receipt may exist."""
    asks = (ACTS[0], ACTS[2], ACTS[4], Asked(ADVANCE, Operation.ADVANCE, PAYMENT))
    by_till = [refund, refund, closed, closed]
    acted = [(do, one.sold) for do, one in zip(by_till, asks, strict=True)]
    done = await done_since(folder, journal_alone, *acted)
    async with counter(folder) as at:
        signed = len(at.server.shop.ledger())
        for status in (500, 400):
            for one, (_, number, (receipt, *_)) in zip(asks, done, strict=True):
                told = await act(at.server, number, one, key=new_key())
                assert (told.status_code, receipt in told.json()["message"]) == (status, True), one
            await looked(at.server)
        assert len(at.server.shop.ledger()) == signed


async def test_other_programs_are_told_of_what_the_restore_replaced(folder: Path) -> None:
    """A copy or further payment may be done again: a person is asked."""
    async with running(folder) as server:
        numbers = [await issued(server, one.sold) for one in ACTS]
    told = []
    with whole_set(folder):
        async with running(folder) as server:
            for one, number in zip(ACTS, numbers, strict=True):
                answer = (await act(server, number, one)).json()
                first = answer[0] if isinstance(answer, list) else answer
                told.append((one, number, first["invoiceNumber"]))
    async with running(folder) as server:
        signed = len(server.shop.ledger())
        asked = (Operation.COPY, Operation.ADVANCE)
        proven = [row for row in told if row[0].operation not in asked]
        for place, (one, number, receipt) in enumerate(told):
            again = await act(server, number, one, key=new_key() if place % 2 else None)
            assert again.status_code == 500, again.text  # it may repeat what was signed
            assert (receipt in again.json()["message"]) is (one.operation not in asked)
        await looked(server)
        for one, number, receipt in proven:
            closed = await act(server, number, one, key=new_key())
            assert (closed.status_code, receipt in closed.json()["message"]) == (400, True)
        assert len(server.shop.ledger()) == signed


@pytest.mark.parametrize("way", [journal_alone, whole_set])
async def test_what_may_be_done_again_is_asked_of_a_person(folder: Path, way: Way) -> None:
    """A part was given back since: the rest may be refunded, and more than the rest may not."""
    whats = ((one_back, SALE), (copy, SALE), (nothing, SALE))
    part, copied, untouched = await done_since(folder, way, *whats)
    async with counter(folder) as at:
        signed = len(at.server.shop.ledger())
        await check_refused(at, refund, part[1], part[2][0])
        unknown = None if way is journal_alone else ()
        assert await told_before(at, refund, untouched[1]) == unknown
        for do, number, (made,) in (part, copied):
            (again,) = do(at, await at.overview(number))
            doubt = await until(at, again, SaleState.DOUBT)
            asked = {one.key: one for one in await at.decisions.doubts()}[again.key]
            assert (asked.code, made in (asked.done_before or ())) == ("act_unknown", True)
            assert len(at.server.shop.ledger()) == signed
            assert doubt.receipt_id is not None
            await at.decisions.declare_absent(doubt.receipt_id, by=CASHIER)
            if do is one_back:  # it goes on by the cashier's word alone
                await until(at, again, SaleState.REFUSED)
                assert len(at.server.shop.ledger()) == signed
                at.outbox.try_again(again.key)
            assert (await until(at, again, SaleState.DONE)).receipt is not None
            signed = len(at.server.shop.ledger())


async def test_a_damaged_replaced_journal_hides_no_other(folder: Path) -> None:
    """It may have what the others lack: "nothing was done" is told of no receipt."""
    whats = ((refund, SALE), (exchange, SALE), (one_back, SALE), (nothing, SALE))
    *proven, part, untouched = await done_since(folder, whole_set, *whats)
    aside = replaced_files(folder)
    path = shutil.copytree(aside, aside.with_name(f"{aside.name}-0")) / JOURNAL
    with closing(open_reader(path)) as connection:
        page = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'meta'")
        size = int(str(connection.pragma("page_size")))
        begins = (int(str(page.fetchall()[0][0])) - 1) * size
    content, middle = path.read_bytes(), begins + 2000
    path.write_bytes(content[:middle] + bytes(500) + b"\xff" * 500 + content[middle + 1000 :])
    async with counter(folder) as at:
        for do, number, (receipt, *_) in proven:
            await check_refused(at, do, number, receipt)
        assert part[2][0] in (await told_before(at, one_back, part[1]) or ())
        assert await told_before(at, refund, untouched[1]) is None


async def test_where_nothing_else_knows_it_a_person_is_asked(folder: Path) -> None:
    """The paper of a pair's refund sends no second sale."""
    done = await done_since(folder, whole_set, *ON_RECEIPTS, (copy, SALE))
    shutil.rmtree(replaced_files(folder))
    pairs, asked = [], set()
    async with counter(folder) as at:
        signed = at.server.shop.ledger()
        for do, number, _ in done:
            first, *rest = do(at, await at.overview(number))
            await until(at, first, SaleState.DOUBT)
            asked.add((first.key, "act_unknown"))
            assert {(one.key, one.code) for one in await at.decisions.doubts()} == asked
            states = [at.database.sales.sale(part.key).state for part in rest]
            assert states == [SaleState.REFUSED] * len(rest)
            pairs += [(number, first, new) for new in rest]
        back = [one for one in signed if one.transaction_type == 1]
        for number, first, new in pairs:
            refund_of = [one for one in back if number in one.request]
            copy_of = [one for one in back if refund_of[0].number in one.request]
            for child, paper in enumerate((refund_of[0], copy_of[0])):
                await at.decisions.declare_found(
                    receipt_id(
                        origin=till_origin(at.server.install.till_id), key=first.key, child=child
                    ),
                    verification_url=json.loads(paper.answer)["verificationUrl"],
                    by=MANAGER,
                )
            await until(at, first, SaleState.DONE)
            for _ in range(50):
                await at.outbox.step()
            assert at.database.sales.sale(new.key).state is SaleState.REFUSED
        assert len(at.server.shop.ledger()) == len(signed)


async def test_what_undoes_a_refund_is_its_own_sale_and_no_text(folder: Path) -> None:
    """Nor does a receipt that merely names it."""
    async with counter(folder) as at:
        sold, other = [await issued(at.server, SALE) for _ in range(2)]
    with journal_alone(folder):
        async with counter(folder) as at:
            back, kept = [
                await fiscal_number(at, refund(at, await at.overview(one))[0])
                for one in (sold, other)
            ]
            undo = confirm_undoing(
                till=at.till,
                overview=await at.overview(back),
                seller=SELLER,
                delivery=ON_PAPER,
                cashier=CASHIER,
                in_whole_dinars=True,
            )
            await fiscal_number(at, undo)
            ticket = start(till=at.till, cashier=CASHIER)
            ticket = add_items(till=at.till, ticket=ticket, items=[(MILK, Quantity.ONE, None)])
            confirmed = confirm(
                till=at.till,
                ticket=ticket,
                tendered=Payments.of({PaymentMethod.CASH: ticket.cart.total}),
                receipt_details=replace(DETAILS, additional_text=f"Замена за {kept}"),
                cashier=CASHIER,
                in_whole_dinars=False,
            )
            await fiscal_number(at, confirmed.sale)
    async with counter(folder) as at:
        signed = len(at.server.shop.ledger())
        assert back in (await told_before(at, refund, sold) or ())
        await looked(at.server)
        await check_refused(at, refund, other, kept)
        assert len(at.server.shop.ledger()) == signed


async def test_a_till_s_file_that_can_t_be_read_hinders_nothing(folder: Path) -> None:
    ((_, number, _),) = await done_since(folder, journal_alone, (refund, SALE))
    async with counter(folder) as at:
        (folder / TILL).with_name("elsewhere").mkdir()
        (first,) = refund(at, await at.overview(number))
        for name in ("till.db", "till.db-wal", "till.db-shm"):
            path = folder / "till" / name
            path.rename(path.parent / "elsewhere" / name)
        (folder / TILL).write_bytes(b"no database" * 1000)
        answered = await act(at.server, number, ACTS[0], key=new_key())
        assert answered.status_code == 500
        assert "a manager has to say" in answered.json()["message"]
        (folder / TILL).unlink()
        for path in (folder / "till" / "elsewhere").iterdir():
            path.rename(folder / "till" / path.name)
        assert at.database.sales.sale(first.key).state is SaleState.FROZEN


# --- what other programs ask, where nobody else knows it -----------------------------------------
@asynccontextmanager
async def put_back(folder: Path, *, marked: bool = True) -> AsyncIterator[Running]:
    """marked: else nothing but the processor's counter tells that the journal is older."""
    async with running(folder) as server:
        if marked:
            now = server.shop.service.clock.now()
            server.shop.journal.restores.mark_restored(RestoreFound.PUT_BACK, now=now)
        yield server


@pytest.mark.parametrize("marked", [True, False])
async def test_an_act_since_the_copy_is_asked_of_a_person(folder: Path, marked: bool) -> None:
    async with running(folder) as server:
        numbers = [await issued(server, one.sold) for one in ACTS]
    with journal_alone(folder):
        async with running(folder) as server:
            for one, number in zip(ACTS, numbers, strict=True):
                assert (await act(server, number, one, key=new_key())).status_code == 200
    async with put_back(folder, marked=marked) as server:
        for place, (one, number) in enumerate(zip(ACTS, numbers, strict=True)):
            signed = len(server.shop.ledger())
            key = new_key() if bool(place % 2) is marked else None
            asked, again = [await act(server, number, one, key=key) for _ in range(2)]
            assert (asked.status_code, again.status_code) == (500, 500), asked.text
            assert "a manager has to say" in asked.json()["message"]
            receipt = asked.json()["receiptId"]
            found = await server.ask("GET", f"/fiscalization/receipts/{receipt}")
            assert (found.status_code, found.json()["state"]) == (202, "needs_human")
            assert (await vouch(server, receipt)).status_code == 200
            assert len(server.shop.ledger()) == signed, "a word alone sends nothing"
            done = await act(server, number, one, key=key)
            assert done.status_code == 200, done.text
            assert len(server.shop.ledger()) > signed


async def test_a_word_is_for_one_act_and_kept_with_who_and_when(folder: Path) -> None:
    """Of a receipt from after the restore nobody is asked, nor after a manager closed the mark."""
    refunds, copies = ACTS[:2]
    async with running(folder) as server:
        number = await issued(server, SALE)
    with journal_alone(folder):
        pass
    async with put_back(folder) as server:
        key = new_key()
        asked = await act(server, number, copies, key=key)
        await vouch(server, asked.json()["receiptId"])
        notes = connection_of(server.shop.journal).execute(
            "SELECT at, request_id, words FROM notes WHERE what = 'vouched'"
        )
        ((at, *told),) = notes.fetchall()
        assert isinstance(at, int)
        assert (told, at > 0) == ([asked.json()["receiptId"], MANAGER], True)
        assert (await act(server, number, copies, key=key)).status_code == 200
        signed = len(server.shop.ledger())
        other = await act(server, number, copies, key=new_key())
        assert (other.status_code, len(server.shop.ledger())) == (500, signed)
        restored = server.shop.journal.restores.restored()
        newer = server.till | {"X-Journal-Epoch": restored.epoch}
        sold = await server.issue(SALE, headers=newer | {"Idempotency-Key": new_key()})
        path = f"/fiscalization/receipts/{sold.json()['invoiceNumber']}/refund"
        headers = newer | {"Idempotency-Key": new_key()}
        refunded = await server.ask("POST", path, json=REFUND, headers=headers)
        assert refunded.status_code == 200, refunded.text
        await looked(server)
        done = await act(server, number, refunds, key=new_key())
        assert done.status_code == 200, done.text


# --- what a till sent before, on receipts that the copy lacks -------------------------------------
async def acted(folder: Path) -> tuple[list[OutgoingSale], list[tuple[str, ...]]]:
    """Copy, pay on an advance and close it; then put back a journal without these receipts."""
    async with counter_at(folder) as at:
        await at.sold()
    with journal_alone(folder):
        asked: list[OutgoingSale] = []
        told: list[tuple[str, ...]] = []
        async with counter_at(folder) as at:
            till = FiscalHttp(at.api)

            async def done(operation: Operation, target: str | None, body: Any) -> Issued:
                sale = outgoing(len(asked) + 1, operation, target, body)
                answer = await till.issue(sale)
                assert isinstance(answer, Issued), answer
                numbers = (answer.receipt, *(receipt for _, receipt in answer.further))
                asked.append(sale)
                told.append(tuple(one.invoice_number for one in numbers))
                return answer

            sold = await done(Operation.ISSUE, None, SALE)
            advance = await done(Operation.ISSUE, None, ADVANCE)
            await done(Operation.COPY, sold.receipt_id, PAPER)
            await done(Operation.ADVANCE, advance.receipt_id, PAYMENT)
            total = sold.receipt.total_amount
            rest = BUYER | {"payments": {"cash": float(total.amount) - 15}}
            await done(Operation.CLOSE, advance.receipt_id, rest)
    return [replace(one, is_from_before_restore=True) for one in asked[2:]], told[2:]


async def test_all_operations_are_found_without_what_they_act_on(folder: Path) -> None:
    reports, told = await acted(folder)
    async with counter_at(folder) as at:
        till = FiscalHttp(at.api)
        for report, numbers in zip(reports, told, strict=True):
            answer = await till.issue(report)
            assert isinstance(answer, Issued), answer
            found = (answer.receipt, *(receipt for _, receipt in answer.further))
            assert tuple(one.invoice_number for one in found) == numbers
            ended = after_sending(answer, report.operation).receipt
            assert ended.fiscal_number == numbers[-1]


async def test_all_operations_are_asked_about_and_none_is_sent(folder: Path) -> None:
    """This journal does not know what the sale of a closing would be."""
    reports, told = await acted(folder)
    async with counter_at(folder) as at:
        at.server.shop.processor.change(remember="last")
        await at.sold()
        signed = at.server.shop.ledger()
        till, decisions = FiscalHttp(at.api), at.decisions
        answers = [await till.issue(report) for report in reports]
        for report, answer in zip(reports, answers, strict=True):
            assert isinstance(answer, Unclear), answer
            assert await till.issue(report) == answer
            found = await till.look_up(report.key)
            assert found == StillOpen(str(answer.receipt_id), "needs_human")
        asked = [doubt.key for doubt in await decisions.doubts()]
        assert set(asked) == {report.key for report in reports}
        closing = await till.look_up(reports[-1].key)
        assert isinstance(closing, StillOpen)
        (refund,) = (one for one in signed if one.number == told[-1][0])
        url = json.loads(refund.answer)["verificationUrl"]
        await decisions.declare_found(closing.receipt_id, verification_url=url, by=MANAGER)
        await decisions.declare_absent(closing.receipt_id, by=MANAGER)
        async with asyncio.timeout(20):
            while (now := await till.look_up(reports[-1].key)) != closing:
                assert isinstance(now, StillOpen)
                await asyncio.sleep(0.05)
        assert len(at.server.shop.ledger()) == len(signed)


async def test_two_payments_on_a_known_advance_are_asked_about_in_turn(folder: Path) -> None:
    async with counter_at(folder) as at:
        advance = await FiscalHttp(at.api).issue(outgoing(1, Operation.ISSUE, None, ADVANCE))
        assert isinstance(advance, Issued)
    with journal_alone(folder):
        paid = [outgoing(n, Operation.ADVANCE, advance.receipt_id, PAYMENT) for n in (2, 3)]
        async with counter_at(folder) as at:
            for one in paid:
                assert isinstance(await FiscalHttp(at.api).issue(one), Issued)
            await at.sold()
    reports = [replace(one, is_from_before_restore=True) for one in paid]
    async with counter_at(folder) as at:
        at.server.shop.processor.change(remember="last")
        till, ledger = FiscalHttp(at.api), at.server.shop.ledger()
        for report, payment in zip(reports, ledger[1:3], strict=True):
            for other in reports:
                kept = await till.issue(other)
                assert isinstance(kept, Unclear | RefusedByServer | Issued), kept
            doubt = await till.issue(report)
            assert isinstance(doubt, Unclear)
            assert doubt.receipt_id is not None
            url = json.loads(payment.answer)["verificationUrl"]
            await at.decisions.declare_found(doubt.receipt_id, verification_url=url, by=MANAGER)
        told = await at.overview(advance.receipt.invoice_number)
        assert told.advance.paid == Money(20)
        assert told.why_not(ReceiptAct.CLOSE) is None
        assert len(at.server.shop.ledger()) == len(ledger)


async def test_an_advance_with_a_lost_refund_is_not_listed_as_paid(folder: Path) -> None:
    """The refund also covers a payment from after the copy."""
    async with counter_at(folder) as at:
        advance = await FiscalHttp(at.api).issue(outgoing(1, Operation.ISSUE, None, ADVANCE))
        assert isinstance(advance, Issued)
        assert [one.paid for one in (await at.receipts.advances()).advances] == [Money(10)]
    with journal_alone(folder):
        refund = outgoing(
            3, Operation.REFUND, advance.receipt_id, BUYER | {"payments": {"cash": 15}}
        )
        async with counter_at(folder) as at:
            paid = outgoing(2, Operation.ADVANCE, advance.receipt_id, PAYMENT)
            for one in (paid, refund):
                assert isinstance(await FiscalHttp(at.api).issue(one), Issued)
            await at.sold()
    async with counter_at(folder) as at:
        report = replace(refund, is_from_before_restore=True)
        assert isinstance(await FiscalHttp(at.api).issue(report), Issued)
        told = await at.overview(advance.receipt.invoice_number)
        assert told.why_not(ReceiptAct.CLOSE) is WhyNot.LOST
        listed = await at.receipts.advances()
        assert (listed.advances, listed.is_whole) == ((), False)
