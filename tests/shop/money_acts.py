"""Acts on money at a till without a window, and the drawer as hands know it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from decimal import ROUND_HALF_DOWN, Decimal

from hypothesis import strategies as st
from hypothesis.stateful import rule

from pos_app.domain.article.article import Article
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.domain.receipt.request import InvoiceType, ReceiptDelivery, TransactionType
from pos_app.domain.receipt.states import JobState
from pos_app.errors import Invalid, NoSuchReceipt, RemoteError
from pos_app.selling.receipts.advance_draft import ClosingDraft, FurtherPayment
from pos_app.selling.receipts.confirm import (
    confirm_advance_payment,
    confirm_closing,
    confirm_copy,
    confirm_refund,
)
from pos_app.selling.receipts.refund_draft import RefundDraft, refundable
from pos_app.selling.sale import checkout, sell
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind
from pos_app.selling.shift.cash import MoveKind
from pos_app.selling.shift.count import CountForm
from pos_app.selling.shift.report import differences
from pos_app.selling.shift.shift import FloatIs, Span, cash_move, close_shift, with_reasons
from pos_app.selling.shift.telling import drawer_counted, drawer_now, read_facts, report_of
from tests.shop import world as shop
from tests.shop.ledger import MOST_SALES, Fault
from tests.shop.paper import addresses_of
from tests.shop.world import CASHIER, NO_PAPER, Acts, plays

FIRM, OTHER_FIRM, PERSON = "10:101234567", "10:100000049", "11:0101990710006"
NEVER = datetime.min.replace(tzinfo=UTC)
PAPER = checkout.ReceiptDetails(ReceiptDelivery(thermal=True))
CODES = st.lists(st.sampled_from((shop.BREAD, shop.MILK)), min_size=1, max_size=3)
BYTES = st.sampled_from((0, 3000, 8000, 30_000, 90_000))
AMOUNTS = st.sampled_from((1, 50, 1000))
IN_HAND = ("cash", "notes")
METHODS = {
    "card": PaymentMethod.CARD,
    "transfer": PaymentMethod.WIRE_TRANSFER,
    "cheque": PaymentMethod.CHECK,
}
_TAKEN = (SaleState.FROZEN, SaleState.SENDING, SaleState.DOUBT, SaleState.DONE)


def in_hand(amount: Decimal) -> Decimal:
    """The whole dinars that hands give for an amount; 50 para are rounded down."""
    return amount.quantize(Decimal(1), rounding=ROUND_HALF_DOWN)


@dataclass
class Drawer:
    """The cash that lies in the drawer. base: what lay there when it was counted last, or was put
    in; moved: what was put in and taken out since. hands: what a sale brought, by its key. then:
    the sales that had changed hands at `base`."""

    base: Decimal = Decimal(0)
    moved: Decimal = Decimal(0)
    hands: dict[str, Decimal] = field(default_factory=dict)
    then: set[str] = field(default_factory=set)

    def cash(self, sales: list[Sale]) -> Decimal:
        now = self._changed_hands(sales)
        brought = sum((self.hands.get(one, Decimal(0)) for one in now), Decimal(0))
        before = sum((self.hands.get(one, Decimal(0)) for one in self.then), Decimal(0))
        return self.base + self.moved + brought - before

    def begin(self, amount: Decimal, sales: list[Sale]) -> None:
        self.base, self.moved, self.then = amount, Decimal(0), self._changed_hands(sales)

    def _changed_hands(self, sales: list[Sale]) -> set[str]:
        """A buyer's money is taken at once; a refund is paid out once it is signed."""
        return {
            one.key
            for one in sales
            if (self.hands.get(one.key, 0) > 0 and one.state in _TAKEN)
            or one.state is SaleState.DONE
        }


@dataclass
class Firm:
    """What is known of a firm: receipts and last, how many receipts it was on, and when it was on
    the last one, both since it was deleted last."""

    name: str = ""
    email: str = ""
    receipts: int = 0
    last: datetime = NEVER


class MoneyActs(Acts):
    def __init__(self) -> None:
        super().__init__()
        self.drawer = Drawer()
        self.printed = set[str]()
        self.firms: dict[str, Firm] = {}
        """What the buyers' book is to have, by the number, once `learn_firms` was asked."""
        self.unlearned: dict[str, tuple[str, str, datetime]] = {}
        """Number, name and time of the sales to firms that had no receipt yet, by their keys."""

    def is_asked(self, article: Article) -> None:
        """Judge the price that the till asks for an article."""

    def all_sales(self) -> list[Sale]:
        return list(self.core.database.sales.last(MOST_SALES))

    def learn_firms(self) -> None:
        """The book learns of a firm with its receipt."""
        done = {one.key for one in self.all_sales() if one.state is SaleState.DONE}
        for key in done & self.unlearned.keys():
            number, name, at = self.unlearned.pop(key)
            firm = self.firms.setdefault(number, Firm())
            firm.name, firm.receipts = firm.name or name, firm.receipts + 1
            firm.last = max(firm.last, at)

    def _meant(self, sale: Sale, words: str, hands: Decimal) -> None:
        self.judge.wishes[sale.key] = words
        self.drawer.hands[sale.key] = hands
        self.core.outbox.wake()

    # --- sales and advances ----------------------------------------------------------------------

    @rule(
        codes=CODES,
        method=st.sampled_from(("cash", "notes", "card", "transfer", "cheque")),
        advance=st.booleans(),
        buyer=st.sampled_from(
            (("", ""), (FIRM, ""), (FIRM, "Прва"), (OTHER_FIRM, "Друга"), (PERSON, "Ана"))
        ),
        pause=st.sampled_from((0.0, 5.0)),
        paper=st.sampled_from(("", "printed", "breaks")),
        customers=st.integers(1, 4),
    )
    def sells(
        self,
        codes: list[str],
        method: str,
        advance: bool,
        pause: float,
        paper: str = "",
        customers: int = 1,
        buyer: tuple[str, str] = ("", ""),
    ) -> None:
        """advance: a third of it is paid, and the goods wait. pause: after each, so that there is a
        receipt which others act on. paper: it is printed, and the printer's connection breaks when
        the first has come out. customers: how many buy this, one after the other."""
        if paper == "breaks":
            self.world.papers.breaks_at_end = True
        for _ in range(customers):
            work = self._sell(
                codes, method, is_advance=advance, is_printed=bool(paper), buyer=buyer
            )
            key = self.run(work)
            if paper:
                self.printed.add(key)
            self.run(asyncio.sleep(pause))

    async def _sell(
        self,
        codes: list[str],
        method: str,
        *,
        is_advance: bool = False,
        is_printed: bool = False,
        buyer: tuple[str, str] = ("", ""),
    ) -> str:
        ticket = sell.start(till=self.core.till, cashier=CASHIER)
        if is_advance:
            ticket = sell.set_kind(
                till=self.core.till, ticket=ticket, kind=DocumentKind.ADVANCE, cashier=CASHIER
            )
        ticket = shop.with_articles(self.core, ticket, codes, self.is_asked)
        part = Money(max(in_hand(ticket.cart.total.amount / 3), Decimal(1))) if is_advance else None
        due = checkout.amount_due(ticket, advance=part).amount
        details = replace(
            PAPER if is_printed else NO_PAPER,
            advance=part,
            buyer=BuyerId.parse(buyer[0]) if buyer[0] else None,
            buyer_name=buyer[1],
        )
        sale = shop.confirmed(self.core, ticket, _paid(method, due), details)
        if buyer[0] in (FIRM, OTHER_FIRM):
            self.unlearned[sale.key] = (*buyer, self.now)
        hands = in_hand(due) if method in IN_HAND else Decimal(0)
        self._meant(sale, "an advance" if is_advance else "a sale", hands)
        return sale.key

    @rule(number=st.integers(0, 9), method=st.sampled_from(("cash", "card", "transfer")),
          whole=st.booleans())  # fmt: skip
    @plays
    async def advance_is_paid(self, number: int, method: str, whole: bool) -> None:
        """whole: the goods are given out, and the advance is closed."""
        try:
            listed = (await self.core.receipts.advances()).advances
            if not listed:
                return
            one = listed[number % len(listed)]
            overview = (await self.core.receipts.receipt(one.number)).overview
        except RemoteError:
            return
        try:
            if whole:
                draft = ClosingDraft.of(overview, in_whole_dinars=True)
                due = draft.due.amount
                closing = replace(draft, tendered=_paid(method, due) if due else Payments())
                sale = confirm_closing(
                    till=self.core.till, closing=closing, details=NO_PAPER, cashier=CASHIER
                )
            else:
                due = Decimal(10)
                payment = FurtherPayment(overview, _paid(method, due))
                due = payment.amount.amount
                sale = confirm_advance_payment(
                    till=self.core.till, payment=payment, details=NO_PAPER, cashier=CASHIER
                )
        except Invalid:
            return
        hands = in_hand(due) if method in IN_HAND else Decimal(0)
        self._meant(sale, "a closing" if whole else "a further payment", hands)

    # --- paper -----------------------------------------------------------------------------------

    @rule(is_open=st.booleans())
    def printer_goes_away_or_comes_back(self, is_open: bool) -> None:
        self.world.papers.is_open = is_open

    @rule(
        trouble=st.sampled_from(("paper", "cover", "cut", "end", "blink", "shut", "restart")),
        amount=BYTES,
    )
    def printer_hiccups(self, trouble: str, amount: int) -> None:
        """amount: the bytes after which it happens; for the roll, a command for each thousand."""
        device = self.world.papers.device
        match trouble:
            case "paper":
                device.paper = amount // 1000 % 40
            case "cover":
                device.cover_open = True
            case "cut":
                device.cut_after = len(device.taken) + amount
            case "blink":
                device.blink_after = len(device.taken) + amount
            case "end":
                self.world.papers.breaks_at_end = True
            case _:
                self.world.papers.mend(is_restarted=trouble == "restart")

    @rule(is_there=st.booleans())
    @plays
    async def person_looks_at_the_printer(self, is_there: bool) -> None:
        """Say of each paper that did not surely come out that it is there, or print it again."""
        papers = self.world.papers
        addresses = addresses_of(self.world.ledger)
        try:
            for job in await self.core.server_jobs.not_done():
                assert job.number is not None
                if job.state not in (JobState.FAILED, JobState.UNPROVEN):
                    continue
                if is_there and papers.whole()[addresses[job.number]]:
                    await self.core.server_jobs.seen(job.id, by=CASHIER)
                else:
                    papers.asked[job.number] += 1
                    await self.core.server_jobs.again(job.id, by=CASHIER)
        except RemoteError:
            return

    @rule(unproven=st.booleans(), prints=st.booleans(), presses=st.integers(1, 2),
          is_late=st.booleans())  # fmt: skip
    @plays
    async def person_decides_about_all_papers(
        self, unproven: bool, prints: bool, presses: int, is_late: bool
    ) -> None:
        """All that were counted are printed, or are there or not wanted any more. is_late: another
        one is left after they were counted."""
        papers = self.world.papers
        jobs = self.core.server_jobs
        with suppress(RemoteError):
            told = await jobs.papers()
            numbers = {one.id: one.number for one in await jobs.not_done()}
            counted = told.unproven if unproven else told.not_printed
            meant = {numbers[one.id] for one in counted.papers if numbers.get(one.id)}
            if prints and unproven:
                papers.asked.update(filter(None, meant))
            elif not prints:
                papers.ended |= set(filter(None, meant))
            if is_late:
                papers.breaks_at_end = True
                self.printed.add(await self._sell([shop.BREAD], "card", is_printed=True))
                await asyncio.sleep(5.0)
            decide = jobs.print_all if prints else jobs.end_all
            for _ in range(presses):
                await decide(counted.papers, unproven=unproven, by=CASHIER)

    async def rest_of_papers(self) -> None:
        """Mend the printer, wait for what still waits, and judge what came out."""
        papers, end = self.world.papers, 100
        papers.mend()
        while True:
            jobs = await self.core.server_jobs.not_done()
            if all(one.state in (JobState.FAILED, JobState.UNPROVEN) for one in jobs):
                break
            if not (end := end - 1):
                raise Fault(f"a paper never ends: {jobs}")
            await asyncio.sleep(5.0)
        wanted = {
            one.receipt.fiscal_number
            for one in self.all_sales()
            if one.receipt is not None and one.key in self.printed
        }
        papers.judge(wanted, list(jobs), self.world.ledger)

    # --- acts on a receipt -----------------------------------------------------------------------

    @rule(number=st.integers(0, 9), part=st.booleans(), method=st.sampled_from((None, "cash")))
    @plays
    async def refunds(self, number: int, part: bool, method: str | None) -> None:
        """part: one piece of the first line goes back."""
        seen = await self._seen(number)
        if seen is None or seen.transaction_type is TransactionType.REFUND:
            return
        draft = RefundDraft.whole(refundable(seen))
        if part and draft.taken and seen.invoice_type is InvoiceType.NORMAL:
            (place, left), *_ = draft.taken.items()
            draft = replace(draft, taken={place: min(left, Decimal(1))})
        if method == "cash":
            draft = replace(draft, method=PaymentMethod.CASH)
        try:
            cash = draft.possible_way().payments.cash.amount
            sale = confirm_refund(
                till=self.core.till,
                draft=draft,
                buyer=BuyerId.parse(FIRM),
                delivery=NO_PAPER.delivery,
                cashier=CASHIER,
                in_whole_dinars=True,
            )
        except Invalid:
            return
        self._meant(sale, "a refund", -in_hand(cash))

    @rule(number=st.integers(0, 9))
    @plays
    async def copies(self, number: int) -> None:
        seen = await self._seen(number)
        if seen is not None:
            sale = confirm_copy(
                till=self.core.till, overview=seen, delivery=NO_PAPER.delivery, cashier=CASHIER
            )
            self._meant(sale, "a copy", Decimal(0))

    async def _seen(self, number: int) -> ReceiptOverview | None:
        done = [one.receipt for one in self.all_sales() if one.receipt is not None]
        if not done:
            return None
        try:
            shown = await self.core.receipts.receipt(done[number % len(done)].fiscal_number)
        except (RemoteError, NoSuchReceipt):
            return None
        return shown.overview

    # --- the shift -------------------------------------------------------------------------------

    @rule(amount=AMOUNTS)
    def shift_begins(self, amount: int) -> None:
        shifts = self.core.database.shifts
        if shifts.open_shift() is None:
            shifts.begin(Money(amount), FloatIs.TYPED, by=CASHIER, at=self.now)
            self.drawer.begin(Decimal(amount), self.all_sales())

    @rule(kind=st.sampled_from(MoveKind), amount=AMOUNTS)
    def cash_moves(self, kind: MoveKind, amount: int) -> None:
        shifts = self.core.database.shifts
        moved = cash_move(shifts, kind, Money(amount), reason="Разлог", by=CASHIER, at=self.now)
        self.drawer.moved += moved.moved.amount

    @rule(stays=st.sampled_from((0, 100)))
    def shift_ends(self, stays: int) -> None:
        if self.core.database.shifts.open_shift() is not None:
            self._close_shift(stays)

    def _close_shift(self, stays: int) -> None:
        """Count the drawer by hand, and close the shift: no cash differs."""
        shifts, now = self.core.database.shifts, self.now
        content = self.drawer.cash(self.all_sales())
        shift = shifts.open_shift()
        if shift is None or content < 0:
            return
        stored = shifts.draft(shift, CountForm(), by=CASHIER, at=now)
        count = stored.count.with_typed("pieces.coin.1", str(int(content % 5000)))
        count = count.with_typed("pieces.note.5000", str(int(content // 5000)))
        stored = shifts.confirm_count(replace(stored, count=count), by=CASHIER, at=now)
        facts = read_facts(shifts, self.core.database.carts, Span(shift))
        found = differences(facts.drawer, facts.sales, count)
        (cash,) = [one for one in found.rows if one.method == "cash"]
        if cash.amount:
            raise Fault(f"the drawer has {content}, and the till expects {cash.expected}")
        left = Money(min(Decimal(stays), content))
        found = with_reasons(found, dict.fromkeys(("card", "check", "voucher"), "без терминала"))
        drawer = drawer_counted(facts, found.rows, counted=count.cash, earlier=(), stays=left)
        z = report_of(facts, till="", by=CASHIER, at=now, server=None, drawer=drawer,
                      is_closed=True)  # fmt: skip
        close_shift(shifts, shift, stored, found, stays=left, z=z, by=CASHIER, at=now)
        self.drawer.begin(left.amount, self.all_sales())

    # --- at rest ---------------------------------------------------------------------------------

    def rest_of_drawer(self) -> None:
        shift = self.core.database.shifts.open_shift()
        if shift is None:
            return
        told = drawer_now(
            read_facts(self.core.database.shifts, self.core.database.carts, Span(shift))
        )
        content = self.drawer.cash(self.all_sales())
        if told.expected.amount != content:
            raise Fault(f"the drawer has {content}, and the X expects {told.expected}")


def _paid(method: str, due: Decimal) -> Payments:
    """What a buyer gives: exact cash in whole dinars, more in notes, or nothing in hand."""
    if method not in IN_HAND:
        return Payments.of({METHODS[method]: Money(due)})
    given = in_hand(due) if method == "cash" else (due // 500 + 1) * 500
    return Payments.of({PaymentMethod.CASH: Money(given or due)})
