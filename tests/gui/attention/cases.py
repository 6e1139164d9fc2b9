"""Sales brought into each state that Attention shows, in a real till.db."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt import server_status, states
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.request import InvoiceType, ReceiptDelivery, TransactionType
from pos_app.domain.receipt.server_jobs import CountedPaper, OpenPapers, PaperCount
from pos_app.errors import DatabaseTooNew
from pos_app.fiscalization.plans.chain import Chain, ChainReceipt
from pos_app.fiscalization.receipt_overview import overview_of
from pos_app.selling.receipts.correction import CorrectionDraft, confirm_correction, paid_by
from pos_app.selling.receipts.frozen_pair import FrozenPair
from pos_app.selling.receipts.refund_by_hand import HandDraft, confirm_refund_by_hand
from pos_app.selling.sale import sell
from pos_app.selling.sale.checkout import ReceiptDetails, confirm
from pos_app.selling.sale.exchange import confirm_exchange
from pos_app.selling.sale.goods_back import GoodsBack
from pos_app.selling.sale.ports import Till
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import Ticket
from tests.fakes.fiscal_server import Fault
from tests.gui.acts import acted
from tests.gui.payment.shop import CASHIER, Shop, named
from tests.unit.fiscalization.plans.book import SELLER, Book, line
from tests.unit.fiscalization.plans.book import sale as planned_sale

PAPERS = ReceiptDetails(ReceiptDelivery(pdf=True))


def sold(shop: Shop, price: str = "58.99", *, cash: str = "") -> Sale:
    """A confirmed sale that is not sent yet."""
    return _confirmed(shop, shop.small_basket(price), cash or price)


def _confirmed(shop: Shop, ticket: Ticket, cash: str) -> Sale:
    done = confirm(
        till=shop.till,
        ticket=ticket,
        tendered=Payments.of({PaymentMethod.CASH: Money(cash)}),
        receipt_details=PAPERS,
        cashier=CASHIER,
        in_whole_dinars=False,
    )
    return done.sale


def sold_unknown(shop: Shop, code: str, price: str = "120.00") -> Sale:
    """An open price sold for a code that the catalogue lacks."""
    basket = sell.start(till=shop.till, cashier=CASHIER)
    open_price = named("Разна роба", price, TaxLabel.E)
    added = sell.add_item(till=shop.till, ticket=basket, article=open_price, unknown_code=code)
    assert isinstance(added, sell.ItemAdded)
    return _confirmed(shop, added.ticket, price)


async def settle(shop: Shop, steps: int = 12) -> None:
    """Let the outbox work for a while of its own time."""
    for _ in range(steps):
        shop.clock.go_on(await shop.outbox.step())


async def doubtful(
    shop: Shop, price: str = "842.50", *, cash: str = "1000.00", human: bool = True
) -> Sale:
    """A sale whose answer was lost. human: whether the server has given up finding out."""
    sale = sold(shop, price, cash=cash)
    shop.server.faults.append(Fault.IN_DOUBT)
    await settle(shop, 6)
    kept = shop.server.kept[sale.key]
    if human:
        kept.state = states.RequestState.NEEDS_HUMAN
    shop.doubts.totals[sale.key] = Money(price)
    await settle(shop, 12)
    return shop.store.sales.sale(sale.key)


async def unreadable(shop: Shop, *, dropped: bool = False) -> Sale:
    """A signed sale of which the server can return only the number."""
    sale = await doubtful(shop, "310.00", cash="310.00", human=False)
    if dropped:
        shop.store.sales.request_cancel(sale.key, reason="одустао", at=shop.clock.now())
    shop.server.damaged = True
    shop.server.find_out(signed=True)
    shop.clock.go_on(10_000)
    await settle(shop, 12)
    return shop.store.sales.sale(sale.key)


async def refused(shop: Shop, price: str = "310.00") -> Sale:
    """A sale that the server refused."""
    sale = sold(shop, price)
    shop.server.faults.append(Fault.FIX)
    await settle(shop, 6)
    return shop.store.sales.sale(sale.key)


async def to_be_cured(shop: Shop, code: str) -> Sale:
    """A sale that the processor refused with a code that a person can cure."""
    sale = sold(shop)
    shop.server.cure_code = code
    shop.server.faults.extend([Fault.CURE] * 50)
    await settle(shop, 6)
    return sale


async def waiting(shop: Shop, *prices: str) -> list[Sale]:
    """Sales that wait for the processor, behind a receipt in doubt."""
    shop.server.processor = server_status.ProcessorState.DOUBT
    shop.server.faults.extend([Fault.WAIT] * 50)
    sales = []
    for price in prices:
        shop.clock.go_on(60_000)
        sales.append(sold(shop, price))
    await settle(shop, 8)
    return sales


async def solved(shop: Shop) -> Sale:
    """A sale that was in doubt and was found."""
    sale = await doubtful(shop, "120.00", cash="120.00", human=False)
    shop.server.find_out(signed=True)
    shop.clock.go_on(10_000)
    await settle(shop, 12)
    return shop.store.sales.sale(sale.key)


async def act_refused(shop: Shop, fault: Fault, operation: Operation = Operation.REFUND) -> Sale:
    act = acted(shop.till, operation)
    shop.server.faults.append(fault)
    await settle(shop, 6)
    return shop.store.sales.sale(act.key)


def correcting(shop: Shop) -> FrozenPair:
    told = overview_of(*sold_for_cash(), jobs=(), origin="till")
    told = replace(told, receipt_id=f"receipt {len(shop.store.sales.last(99))}")
    draft = CorrectionDraft.of(told, in_whole_dinars=True)
    paid = paid_by(told, PaymentMethod.CARD, in_whole_dinars=True)
    return confirm_correction(
        till=shop.till,
        sales=shop.store.sales,
        draft=replace(draft, tendered=paid),
        seller=SELLER,
        delivery=PAPERS.delivery,
        cashier=CASHIER,
        in_whole_dinars=True,
    )


def sold_for_cash() -> tuple[ChainReceipt, Chain]:
    book = Book()
    book.add(planned_sale(line("Хлеб/ком", "Е", "2", "421.25", sku=1), cash="842.50"))
    return book.links[0], book.chain


RETURNED = GoodsBack(
    "receipt-1",
    "AAAA1111-AAAA1111-7",
    {0: Decimal(1)},
    is_whole=True,
    total=Money("842.50"),
    payments=Payments.of({PaymentMethod.CASH: Money("842.50")}),
    buyer_code="20",
    buyer_value="008412357",
)
BY_CARD = replace(RETURNED, payments=Payments.of({PaymentMethod.CARD: Money("842.50")}))


def exchanging(
    shop: Shop, goods: GoodsBack = RETURNED, *, new: str = "1000.00", cash: int = 158
) -> FrozenPair:
    till = shop.till
    begun = sell.begin_exchange(
        till=till, ticket=sell.start(till=till, cashier=CASHIER), goods=goods
    )
    bread = named("Хлеб ражани", new, TaxLabel.E)
    ticket = sell.add_items(till=till, ticket=begun, items=[(bread, Quantity.ONE, None)])
    given = Payments.of({PaymentMethod.CASH: Money(cash)})
    done = confirm_exchange(
        till=till,
        ticket=ticket,
        goods=goods,
        tendered=given,
        receipt_details=PAPERS,
        cashier=CASHIER,
        in_whole_dinars=True,
    )
    return FrozenPair(shop.store.sales.sale(done.sale.follows or ""), done.sale)


async def exchange_not_begun(shop: Shop) -> FrozenPair:
    """An exchange whose refund was refused for now."""
    begun = exchanging(shop)
    shop.server.faults.append(Fault.WAIT)
    await settle(shop, 6)
    return begun


async def exchange_half_done(shop: Shop, fault: Fault = Fault.WAIT) -> FrozenPair:
    """An exchange whose refund is issued, and whose sale was refused."""
    return await _half_done(shop, exchanging(shop), fault)


async def _half_done(shop: Shop, begun: FrozenPair, fault: Fault) -> FrozenPair:
    while shop.store.sales.sale(begun.refund.key).state is not SaleState.DONE:
        shop.clock.go_on(await shop.outbox.step())
    shop.server.faults.append(fault)
    await settle(shop, 6)
    return begun


async def correction_not_begun(shop: Shop) -> FrozenPair:
    """A correction whose refund was refused for now."""
    begun = correcting(shop)
    shop.server.faults.append(Fault.WAIT)
    await settle(shop, 6)
    return begun


def confirmed_closing(till: Till) -> Sale:
    """The refund that closes an advance of another system, without the sale of its goods."""
    draft = HandDraft(
        number="XYZW1234-XYZW1234-8652",
        day="20.11.2025.",
        time="11:42",
        goods="-",
        kind=InvoiceType.ADVANCE,
        amounts={TaxLabel.DJ: "6.000,00"},
        method=PaymentMethod.CARD,
        with_goods=True,
    )
    return confirm_refund_by_hand(
        till=till,
        draft=draft,
        buyer=BuyerId.parse("10:106543219"),
        delivery=ReceiptDelivery(),
        cashier="Мира",
        in_whole_dinars=True,
    )


async def closed_by_hand(shop: Shop) -> Sale:
    sale = confirmed_closing(shop.till)
    await settle(shop, 6)
    return shop.store.sales.sale(sale.key)


async def correction_half_done(shop: Shop, fault: Fault = Fault.WAIT) -> FrozenPair:
    """A correction whose refund is issued, and whose new receipt was refused."""
    return await _half_done(shop, correcting(shop), fault)


async def half_done_here(
    shop: Shop,
    operation: Operation = Operation.REFUND,
    *,
    was_refused: bool = True,
    act: Sale | None = None,
) -> Sale:
    """One receipt is signed; the other was refused, or is in doubt if `was_refused` is false. act:
    what was confirmed, a refund of its own if it is None."""
    act = act or acted(shop.till, operation)
    shop.server.faults.append(Fault.IN_DOUBT)
    await settle(shop, 6)
    kept = shop.server.kept[act.key]
    kept.state = states.RequestState.NEEDS_HUMAN
    told = half_done(shop, operation)
    name = kept.receipt_id
    shop.server.open = (replace(told, receipt_id=name, key=act.key, half_done=was_refused),)
    pair = shop.doubts.foreign.pop().pair
    assert pair is not None
    ways = pair.ways if was_refused else ()
    shop.doubts.pairs[act.key] = replace(pair, ways=ways)
    await settle(shop)
    return shop.store.sales.sale(act.key)


def foreign(shop: Shop) -> server_status.OpenReceipt:
    """A doubt about a receipt that another program asked for."""
    since = shop.clock.now() - timedelta(minutes=7)
    total = Money("77.00")
    return server_status.OpenReceipt(
        "9f0c2d54-foreign", None, states.RequestState.NEEDS_HUMAN, since, total
    )


def half_done(
    shop: Shop, operation: Operation = Operation.CLOSE, *, is_reversal: bool = False
) -> server_status.OpenReceipt:
    """A pair of another program whose second receipt was refused, and its case."""
    closes, since = operation is Operation.CLOSE, shop.clock.now() - timedelta(minutes=4)
    kind = InvoiceType.ADVANCE if closes else InvoiceType.NORMAL
    total, refund = Money("9000.00" if closes else "842.50"), TransactionType.REFUND
    signed = server_status.SignedPart(
        "r-8660", "ABCD1234-ABCD1234-8660", since, total, kind, refund
    )
    waits, sale = server_status.WaitingPart, TransactionType.SALE
    if is_reversal:
        follows = waits(kind, sale, total, is_reversal=True)
    elif closes:
        follows = waits(InvoiceType.NORMAL, sale, Money("12000.00"))
    else:
        follows = waits(InvoiceType.COPY, refund, total)
    said = "2806 The value has a wrong format (buyerId)."
    waiting = replace(follows, code="2806", message=said)
    ways = ("again", "correct", "reverse")
    pair = server_status.HalfDonePair(operation, (signed,), waiting, ways)
    name, state = f"949d27ba-{operation}", states.RequestState.NEEDS_HUMAN
    shop.doubts.foreign.append(
        server_status.ReceiptInDoubt(
            name, None, state, since, waiting.total, reason=said, pair=pair
        )
    )
    return server_status.OpenReceipt(name, None, state, since, waiting.total, half_done=True)


def half_done_unread(shop: Shop) -> server_status.OpenReceipt:
    """A half-done pair that the server can read only from its own row."""
    receipt = replace(half_done(shop), key=None, total=None)
    bare = server_status.ReceiptInDoubt(
        receipt.receipt_id, None, receipt.state, receipt.since, None
    )
    shop.doubts.foreign[-1] = bare
    return receipt


def _alarm(
    shop: Shop, alarm_id: int, kind: states.AlarmKind, minutes: int, **members: Any
) -> server_status.Alarm:
    """An alarm of so many minutes ago."""
    at = shop.clock.now() - timedelta(minutes=minutes)
    return server_status.Alarm(alarm_id, kind, at, at, **members)


def late_receipt(shop: Shop) -> server_status.Alarm:
    number, total = "ABCD1234-ABCD1234-8651", Money("842.50")
    signed = shop.clock.now() - timedelta(minutes=9)
    told: dict[str, Any] = {"number": number, "total": total, "signed_at": signed}
    return _alarm(shop, 4, states.AlarmKind.LATE_RECEIPT, 5, receipt_id="r-4", **told)


def foreign_traffic(shop: Shop) -> server_status.Alarm:
    """Three receipts on the same element that another program issued."""
    told = {"receipts": 3, "counter_before": 8652, "counter_now": 8656}
    return _alarm(shop, 7, states.AlarmKind.FOREIGN_TRAFFIC, 2, **told)


def catalogue_damaged(shop: Shop) -> server_status.Alarm:
    return _alarm(shop, 0, states.AlarmKind.CATALOGUE_DAMAGED, 1)


def refused_callers(shop: Shop) -> list[server_status.RefusedCaller]:
    """A web page twice, a foreign name once, and a caller of yesterday."""
    now = shop.clock.now()
    page = server_status.RefusedCaller(
        now, "origin", "x", "GET", "/", "127.0.0.1:9999", "https://erp.example.rs"
    )
    name = server_status.RefusedCaller(
        now - timedelta(minutes=3), "host", "x", "GET", "/", "kasa.lan:9999"
    )
    old = server_status.RefusedCaller(
        now - timedelta(days=1), "token", "Unauthorized", "GET", "/", "127.0.0.1:9999"
    )
    return [page, replace(page, at=now - timedelta(minutes=1)), name, old]


def not_printed(shop: Shop) -> tuple[server_status.DeliveryJob, ...]:
    """A receipt that was perhaps printed, a mail that was refused."""
    at = shop.clock.now() - timedelta(minutes=3)

    def job(
        number: int, method: states.JobMethod, state: states.JobState, total: str, trouble: str
    ) -> server_status.DeliveryJob:
        fiscal = f"ABCD1234-ABCD1234-{8650 + number}"
        target = "kupac@primer.rs" if method is states.JobMethod.EMAIL else ""
        return server_status.DeliveryJob(
            number, method, state, at, at, f"r-{number}", fiscal,
            target=target, total=Money(total), trouble=trouble,
        )  # fmt: skip

    print_, mail = states.JobMethod.THERMAL, states.JobMethod.EMAIL
    return (
        job(3, print_, states.JobState.UNPROVEN, "2110.00", "cut_off"),
        job(2, mail, states.JobState.FAILED, "310.00", "recipient"),
        job(4, print_, states.JobState.WAITING, "12896.50", "paper_out"),
    )


async def many_papers(shop: Shop, state: states.JobState) -> None:
    """Let the server report 37 receipts whose papers are in that state, and list seven of them."""
    like, _, _ = not_printed(shop)
    made = [
        replace(like, id=number, state=state, receipt_id=f"r-{number}", trouble="away",
                number=f"ABCD1234-ABCD1234-{8650 + number}", total=Money(f"{number * 117}.00"))
        for number in range(37, 30, -1)
    ]  # fmt: skip
    is_unproven, given_up = state is states.JobState.UNPROVEN, state is states.JobState.FAILED
    counted, none = PaperCount(37, [CountedPaper(one, 1) for one in range(37, 0, -1)]), PaperCount()
    shop.doubts.open_papers = OpenPapers(
        none if is_unproven else counted, 37 if given_up else 0, counted if is_unproven else none
    )
    shop.server.jobs_left_off = 30
    await undelivered(shop, *made)


async def undelivered(shop: Shop, *jobs: server_status.DeliveryJob) -> None:
    shop.server.jobs = jobs
    await settle(shop)


async def half_pair(shop: Shop, operation: Operation = Operation.CLOSE, **more: bool) -> None:
    shop.server.open = (half_done(shop, operation, **more),)
    await settle(shop)


async def alarmed(shop: Shop, *alarms: server_status.Alarm) -> None:
    shop.server.alarms = alarms
    await settle(shop)


async def put_back(shop: Shop, why: str = "till_witness") -> None:
    """Let till and journal come from a copy, and the processor have another element."""
    begun = shop.small_basket("58.99")
    back = GoodsBack(
        "receipt-1",
        "AAAA1111-AAAA1111-7",
        {1: Decimal(1)},
        is_whole=True,
        total=Money(500),
        payments=Payments.of({PaymentMethod.CASH: Money(500)}),
    )
    typed = replace(begun.typed_details, goods_back=back)
    sell.add_to_receipt(till=shop.till, ticket=begun, typed_details=typed)
    shop.server.find_restored(why)
    shop.server.offered = server_status.OfferedElement("NEWC4RD1", "ABCD1234")
    await settle(shop)


async def certified(shop: Shop, *, days: int) -> None:
    shop.server.certificate_ends = shop.clock.now() + timedelta(days=days)
    await settle(shop)


async def unread(shop: Shop, *members: str) -> None:
    shop.server.unread = members
    await settle(shop)


async def cloned(shop: Shop) -> None:
    """Let the platform refuse this till because its data were copied to another computer."""
    since = shop.clock.now()
    shop.server.public_mode = server_status.PublicMode(
        server_status.PublicModeState.REFUSED, since, code="cloned", cloned_since=since
    )
    await settle(shop)


async def public_mode(shop: Shop, state: server_status.PublicModeState, **members: Any) -> None:
    """Let the server report this connection to the platform."""
    made = server_status.PublicMode(state, shop.clock.now(), **members)
    shop.server.public_mode = made
    await settle(shop)


async def newcomer_refused(shop: Shop, name: str = "Каса 3") -> None:
    """Let the server report that another till wanted this till's name."""
    notice = server_status.PublicNotice(
        shop.clock.now(), "taken", name, "Another application was refused."
    )
    await public_mode(shop, server_status.PublicModeState.CONNECTED, newcomer=notice)


async def tell_open(shop: Shop, *receipts: server_status.OpenReceipt) -> None:
    shop.server.processor, shop.server.open = server_status.ProcessorState.DOUBT, receipts
    await settle(shop)


def newer_journal() -> DatabaseTooNew:
    return DatabaseTooNew(
        what="The database was written by a newer version.",
        safe="It was left as it is.",
        do="Install that version or a newer one.",
        path="/home/kasa/.local/share/pos-app/journal/journal.db",
    )
