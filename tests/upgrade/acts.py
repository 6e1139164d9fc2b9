"""What people do in a shop, and the account of it as they would write it down; of the product it
takes only the numbers of receipts, from the processor's ledger."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from pos_app.bootstrap.till.core import TillCore
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments, cash_owed
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.domain.text.instant import day_of
from pos_app.pfr_emulator.ledger import read_entries
from pos_app.selling.receipts.advance_draft import ClosingDraft, FurtherPayment
from pos_app.selling.receipts.confirm import (
    confirm_advance_payment,
    confirm_closing,
    confirm_refund,
)
from pos_app.selling.receipts.correction import CorrectionDraft, confirm_correction, paid_by
from pos_app.selling.receipts.refund_draft import RefundDraft
from pos_app.selling.reports.report import first_categories
from pos_app.selling.sale import sell
from pos_app.selling.sale.checkout import ReceiptDetails, confirm
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.ticket import DocumentKind, Ticket
from pos_app.selling.shift.count import CountField, CountForm, CountKind
from pos_app.selling.shift.report import differences
from pos_app.selling.shift.shift import Shift, Span, close_shift, with_reasons
from pos_app.selling.shift.telling import ask_server, drawer_counted, read_facts, report_of
from tests.shop.world import World

CASHIER, MANAGER = "Мира", "Ана Перић"
CASH, CARD, TRANSFER = PaymentMethod.CASH, PaymentMethod.CARD, PaymentMethod.WIRE_TRANSFER
SHOP, FIRM = BuyerId.parse("10:990000019"), BuyerId.parse("10:101234567")
FIRMS_NAME = "Млекара Липа"
NO_PAPER = ReceiptDetails(ReceiptDelivery())
PAPER = ReceiptDetails(ReceiptDelivery(thermal=True))
SALE, REFUND, COPY = "normal sale", "normal refund", "copy refund"
ADVANCE, ADVANCE_REFUND = "advance sale", "advance refund"
_KINDS = {(0, 0): SALE, (0, 1): REFUND, (2, 1): COPY, (4, 0): ADVANCE, (4, 1): ADVANCE_REFUND}
_PATIENCE = 600


@dataclass(frozen=True, slots=True)
class Paper:
    """A receipt as it is meant. paid: what each method moved, "advance" what was before."""

    kind: str
    total: str
    paid: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Account:
    """receipts: number, kind and total of each receipt. days, methods: sums of the turnover."""

    receipts: list[dict[str, str]] = field(default_factory=list)
    days: dict[str, Decimal] = field(default_factory=dict)
    methods: dict[str, Decimal] = field(default_factory=dict)

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> Account:
        sums = ({key: Decimal(one) for key, one in told[name].items()} for name in _SUMS)
        return cls(list(told["receipts"]), *sums)

    def as_json(self) -> dict[str, Any]:
        sums = {name: {key: str(one) for key, one in getattr(self, name).items()} for name in _SUMS}
        return {"receipts": self.receipts, **sums}

    def note(self, number: str, paper: Paper, day: str) -> None:
        self.receipts.append({"number": number, "kind": paper.kind, "total": paper.total})
        sign = -1 if paper.kind.endswith("refund") else 1
        for method, amount in paper.paid.items():
            for sums, key in ((self.methods, method), (self.days, day)):
                sums[key] = sums.get(key, Decimal(0)) + sign * Decimal(amount)


_SUMS = ("days", "methods")


@dataclass
class People:
    """Those who work at the till of a world, whose outbox runs."""

    world: World
    account: Account = field(default_factory=Account)

    @property
    def core(self) -> TillCore:
        assert self.world.core is not None
        return self.world.core

    @property
    def _by(self) -> dict[str, Any]:
        return {"till": self.core.till, "cashier": CASHIER}

    @property
    def _whole(self) -> dict[str, Any]:
        return self._by | {"delivery": NO_PAPER.delivery, "in_whole_dinars": True}

    async def signed(self, *papers: Paper) -> list[str]:
        """Wait until no sale waits; compare what was signed since with what was meant."""
        self.core.outbox.wake()
        for _ in range(_PATIENCE):
            if not self.core.database.sales.waiting():
                break
            await asyncio.sleep(0.1)
        entries = read_entries(self.world.ledger)[len(self.account.receipts) :]
        found = [
            (_KINDS[one.invoice_type, one.transaction_type], abs(one.total)) for one in entries
        ]
        assert found == [(one.kind, Decimal(one.total)) for one in papers], found
        for entry, paper in zip(entries, papers, strict=True):
            self.account.note(entry.number, paper, day_of(entry.signed_at).isoformat())
        return [one.number for one in entries]

    async def seen(self, number: str) -> ReceiptOverview:
        return (await self.core.receipts.receipt(number)).overview

    def cart(self, *codes: str, kind: DocumentKind = DocumentKind.SALE) -> Ticket:
        ticket = sell.start(**self._by)
        if ticket.kind is not kind:
            ticket = sell.set_kind(ticket=ticket, kind=kind, **self._by)
        for code in codes:
            (row,) = self.core.catalogue.by_code(ArticleCode(code))
            added = sell.add_item(till=self.core.till, ticket=ticket, article=row.article)
            assert isinstance(added, sell.ItemAdded)
            ticket = added.ticket
        return ticket

    def confirm(self, ticket: Ticket, method: PaymentMethod, details: ReceiptDetails) -> Sale:
        due = details.advance or ticket.cart.total
        given = cash_owed(due, in_whole_dinars=True) if method is CASH else due
        paid: dict[str, Any] = {
            "tendered": Payments.of({method: given}),
            "receipt_details": details,
        }
        done = confirm(ticket=ticket, in_whole_dinars=True, **paid, **self._by)
        self.core.outbox.wake()
        return done.sale

    def sell(
        self, *codes: str, method: PaymentMethod = CASH, details: ReceiptDetails = NO_PAPER
    ) -> Sale:
        return self.confirm(self.cart(*codes), method, details)

    def order(self, *codes: str, paid: int) -> Sale:
        ticket = self.cart(*codes, kind=DocumentKind.ADVANCE)
        return self.confirm(ticket, CASH, replace(NO_PAPER, advance=Money(paid)))

    async def refund_a_line(self, number: str) -> None:
        """The first line of which something is left comes back."""
        seen = await self.seen(number)
        place, line = next(
            (place, one) for place, one in enumerate(seen.lines) if one.left_quantity
        )
        draft = RefundDraft(seen, {place: line.left_quantity})
        confirm_refund(draft=draft, buyer=FIRM, **self._whole)

    async def correct(self, number: str, method: PaymentMethod) -> None:
        seen = await self.seen(number)
        right = paid_by(seen, method, in_whole_dinars=True)
        draft = replace(CorrectionDraft.of(seen, in_whole_dinars=True), tendered=right)
        sales = self.core.database.sales
        confirm_correction(sales=sales, draft=draft, seller=SHOP, **self._whole)

    async def pay_further(self, number: str, amount: int) -> None:
        paid = Payments.of({CARD: Money(amount)})
        payment = FurtherPayment(await self.seen(number), paid, in_whole_dinars=True)
        confirm_advance_payment(payment=payment, details=NO_PAPER, **self._by)

    async def close_advance(self, number: str) -> None:
        """The rest is paid by card, and the goods are given out."""
        draft = ClosingDraft.of(await self.seen(number), in_whole_dinars=True)
        closing = replace(draft, tendered=Payments.of({CARD: draft.due}))
        confirm_closing(closing=closing, details=NO_PAPER, **self._by)

    async def close_shift(self, *, cash: int, cards: str, stays: int) -> Shift:
        """Count the drawer, and close the shift, in which nothing may be missing."""
        shifts, now = self.core.database.shifts, self.world.clock.now()
        shift = shifts.open_shift()
        assert shift is not None
        form = CountForm(self.core.settings.shift.terminals)
        stored = shifts.draft(shift, form, by=CASHIER, at=now)
        count = stored.count.with_typed("pieces.coin.1", str(cash))
        slip = CountField(CountKind.SLIP, terminal=form.terminals[0])
        count = count.with_typed(slip.name, cards)
        stored = shifts.confirm_count(replace(stored, count=count), by=CASHIER, at=now)
        facts = read_facts(shifts, self.core.database.carts, Span(shift))
        found = with_reasons(differences(facts.drawer, facts.sales, count), {})
        assert {one.method: one.amount for one in found.rows if one.amount} == {}
        server = await ask_server(
            self.core.receipts,
            facts,
            until=now,
            categories=await first_categories(self.core.catalogue),
        )
        assert server is not None
        left = Money(stays)
        drawer = drawer_counted(facts, found.rows, counted=count.cash, earlier=(), stays=left)
        z = report_of(facts, till="", by=CASHIER, at=now, server=server, drawer=drawer,
                      is_closed=True)  # fmt: skip
        return close_shift(shifts, shift, stored, found, stays=left, z=z, by=CASHIER, at=now)


def sums_of_z(core: TillCore, shift: Shift) -> dict[str, str]:
    z = core.database.shifts.z_of(shift.id)
    sums = {one.name: str(one.amount) for one in z.takings.methods if one.amount}
    return sums | {"drawer": str(z.drawer.expected)}
