"""The typed additions to a receipt, and their faults: buyer, delivery, advance, discount, text.

The payment and the keys of exact payment read the same drafts, so neither can forget a detail
entered for the other. Faults are shown at their field; the screens find the words. No data of a
buyer is logged; it stays with its cart (`selling.sale.ticket`). Paper is the rule; delivery without
paper needs the buyer's consent, and the screen says so (fiscal.md 6.12).
Sources: till.md ("Payment", Promises 1 and 2), platform-contract.md 2.14, fiscal.md 5, 6.2 (known
and unknown amount, split per label), 6.8 (ESIR time), 6.12.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from datetime import datetime, time
from enum import StrEnum

from pos_app.domain.article.store import ALL_METHODS, PrintMethod, Store
from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text, parse_amount
from pos_app.domain.money.payment import PaymentMethod, Payments, excess_of
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.buyer import (
    BUYER_KINDS,
    CORPORATE_CARD,
    PERIOD,
    BuyerId,
    CostCentre,
    asks_e_invoice,
)
from pos_app.domain.receipt.cart import ReceiptDiscount
from pos_app.domain.receipt.request import LONGEST_ADDITIONAL_TEXT, ReceiptDelivery, free_text_fault
from pos_app.domain.text import instant
from pos_app.domain.text.email_address import checked_address
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.buyers.buyer_book import KnownBuyer
from pos_app.selling.sale import advance_items
from pos_app.selling.sale.checkout import ReceiptDetails, amount_due
from pos_app.selling.sale.goods_back import GoodsBack
from pos_app.selling.sale.ticket import DocumentKind, Referent, Ticket, TypedAdvance, TypedDetails


class FaultPart(StrEnum):
    LINES = "lines"
    BUYER = "buyer"
    COST_CENTRE = "cost_centre"
    DELIVERY = "delivery"
    ADVANCE = "advance"
    WIRE_TIME = "wire_time"
    TEXT = "text"
    DISCOUNT = "discount"


@dataclass(frozen=True, slots=True)
class PaymentFault:
    """One fault. kind: a stable name that is translated with `values`."""

    part: FaultPart
    kind: str
    values: Mapping[str, object] = field(default_factory=dict)
    what: str = ""
    """English text for a kind without a translation; it never holds a person's number."""

    @classmethod
    def of(cls, part: FaultPart, error: Invalid) -> PaymentFault:
        kind = error.kind
        return cls(part, kind, dict(error.values), error.what)


USUAL_KIND = "10"
"""PIB, because the buyers that are asked for by number are firms."""
REFUND_ONLY = frozenset({PERIOD})
"""Kinds of cost centre that no sale has."""


@dataclass(frozen=True, slots=True)
class BuyerDraft:
    """The fields as typed. centre_code: "" for no cost centre. Values never appear in logs.

    sure: the cashier confirmed this very number though it looks mistyped. name: for the buyers'
    book, never of a natural person.
    """

    code: str = USUAL_KIND
    value: str = field(default="", repr=False)
    centre_code: str = ""
    centre_value: str = field(default="", repr=False)
    sure: bool = False
    name: str = field(default="", repr=False)

    @classmethod
    def of(cls, added: TypedDetails) -> BuyerDraft:
        code = added.buyer_code if added.buyer_code in BUYER_KINDS else USUAL_KIND
        centre = (added.centre_code, added.centre_value)
        sure, name = added.buyer_sure, added.buyer_name
        return cls(code, added.buyer_value, *centre, sure=sure, name=name)

    def added(self) -> TypedDetails:
        code = "" if self.code == USUAL_KIND else self.code
        centre = (self.centre_code, self.centre_value)
        sure, name = self.sure, self.name
        return TypedDetails(code, self.value, *centre, buyer_sure=sure, buyer_name=name)

    def with_typed(self, *, code: str | None = None, value: str | None = None) -> BuyerDraft:
        """The draft with another kind or number, which nobody has confirmed yet."""
        code = self.code if code is None else code
        value = self.value if value is None else value
        name = "" if BUYER_KINDS[code].personal else self.name
        return replace(self, code=code, value=value, sure=False, name=name)

    @property
    def is_empty(self) -> bool:
        return not self.value and not self.centre_code

    @property
    def by_corporate_card(self) -> bool:
        return self.centre_code == CORPORATE_CARD

    @property
    def asks_e_invoice(self) -> bool:
        return asks_e_invoice(f"{self.code}:", f"{self.centre_code}:")

    def buyer(self) -> BuyerId | None:
        """The buyer, or None. Raises Invalid (see BuyerId)."""
        typed = _tidy(self.value)
        return BuyerId(self.code, typed) if typed else None

    def cost_centre(self) -> CostCentre | None:
        """The cost centre, or None. Raises Invalid (see CostCentre)."""
        if not self.centre_code:
            return None
        return CostCentre(self.centre_code, self.centre_value.strip())

    @property
    def is_name(self) -> bool:
        """Whether letters are typed where a firm's number has none, which only finds a firm."""
        kind = BUYER_KINDS[self.code]
        has_digits_alone = bool(kind.value_parts) and not kind.personal
        return has_digits_alone and any(sign.isalpha() for sign in self.value)

    def fault(self) -> PaymentFault | None:
        if self.is_name:
            return PaymentFault(FaultPart.BUYER, "only_name")
        try:
            buyer = self.buyer()
        except Invalid as error:
            return PaymentFault.of(FaultPart.BUYER, error)
        if buyer is None and self.centre_code:
            return PaymentFault(FaultPart.BUYER, "without_buyer")
        return None

    def centre_fault(self) -> PaymentFault | None:
        try:
            self.cost_centre()
        except Invalid as error:
            fault = PaymentFault.of(FaultPart.COST_CENTRE, error)
            lacks_mark = self.by_corporate_card and fault.kind == "empty"
            return replace(fault, kind="no_mark") if lacks_mark else fault
        return None

    def warnings(self) -> tuple[str, ...]:
        """Warnings about a number that looks mistyped; none for a surely wrong one."""
        try:
            buyer = self.buyer()
        except Invalid:
            return ()
        return tuple(buyer.warnings()) if buyer else ()

    def unconfirmed_warning(self) -> PaymentFault | None:
        """The warning that nobody has confirmed; it prevents the receipt."""
        warnings = () if self.sure else self.warnings()
        return PaymentFault(FaultPart.BUYER, warnings[0]) if warnings else None

    def corporate_card(self, on: bool) -> BuyerDraft:
        return replace(self, centre_code=CORPORATE_CARD if on else "", centre_value="")

    def of_known(self, buyer: KnownBuyer) -> BuyerDraft:
        """This draft with a firm of the buyers' book. A number that was on a receipt is certain."""
        draft = self.with_typed(code=buyer.id.code, value=buyer.id.value)
        return replace(draft, sure=bool(buyer.receipts), name="")

    def from_receipt(self, buyer_id: str) -> BuyerDraft | None:
        """The buyer of an earlier receipt, or None when that receipt has no readable one."""
        try:
            buyer = BuyerId.parse(buyer_id)
        except Invalid:
            return None
        return self.with_typed(code=buyer.code, value=buyer.value)


def _tidy(typed_text: str) -> str:
    """A number without the blanks typed into it; another text without the blanks around it."""
    bare = "".join(typed_text.split())
    return bare if bare.replace(":", "").isdigit() else typed_text.strip()


class DeliveryWay(StrEnum):
    THERMAL = "thermal"
    A4 = "a4"
    EMAIL = "email"
    PDF = "pdf"


PAPER = (DeliveryWay.THERMAL, DeliveryWay.A4)


def ways_of(methods: PrintMethod, *, built: Iterable[DeliveryWay]) -> tuple[DeliveryWay, ...]:
    """The ways that are offered here, in the order shown; a PDF needs nothing from the store."""
    allowed = {
        DeliveryWay.THERMAL: methods.thermal,
        DeliveryWay.A4: methods.a4,
        DeliveryWay.EMAIL: methods.email,
    }
    return tuple(way for way in DeliveryWay if way in set(built) and allowed.get(way, True))


@dataclass(frozen=True, slots=True)
class DeliveryDraft:
    """offered: the ways shown. chosen: the ticked ones. email: the address as typed."""

    offered: tuple[DeliveryWay, ...]
    chosen: frozenset[DeliveryWay]
    email: str = ""

    @classmethod
    def usual(cls, offered: tuple[DeliveryWay, ...]) -> DeliveryDraft:
        """Paper if it is offered, else the last way."""
        paper = [way for way in PAPER if way in offered]
        first = paper[:1] or list(offered[-1:])
        return cls(offered, frozenset(first))

    def with_added(self, added: TypedDetails) -> DeliveryDraft:
        """This usual draft, or the ways that a cart keeps, without those no longer offered."""
        if added.ways is None:
            return replace(self, email=added.email)
        chosen = frozenset(way for way in self.offered if way.value in added.ways)
        if added.ways and not chosen:
            chosen = self.chosen
        return replace(self, chosen=chosen, email=added.email)

    def added(self, usual: DeliveryDraft) -> tuple[str, ...] | None:
        """The ways as a cart keeps them, or None where they are the usual ones."""
        if self.chosen == usual.chosen:
            return None
        return tuple(way.value for way in self.offered if way in self.chosen)

    @property
    def is_without_paper(self) -> bool:
        """Whether nothing is printed, so that the buyer must agree."""
        return not self.chosen & set(PAPER)

    def tick(self, way: DeliveryWay, on: bool) -> DeliveryDraft:
        return replace(self, chosen=self.chosen | {way} if on else self.chosen - {way})

    def fault(self) -> PaymentFault | None:
        if DeliveryWay.EMAIL not in self.chosen:
            return None
        try:
            checked_address(self.email.strip())
        except Invalid as error:
            return PaymentFault.of(FaultPart.DELIVERY, error)
        return None

    def delivery(self) -> ReceiptDelivery:
        return ReceiptDelivery(
            thermal=DeliveryWay.THERMAL in self.chosen,
            a4=DeliveryWay.A4 in self.chosen,
            email=self.email.strip() if DeliveryWay.EMAIL in self.chosen else None,
            pdf=DeliveryWay.PDF in self.chosen,
        )


NOON = time(12)


@dataclass(frozen=True, slots=True)
class AdvanceDraft:
    """The fields as typed.

    amount: "" for the whole cart. unknown: the final amount is unknown. texts_by_label: by label,
    all empty for the split in proportion. day, time: the day and time when a wire transfer arrived,
    in Belgrade.
    """

    amount: str = ""
    unknown: bool = False
    texts_by_label: Mapping[TaxLabel, str] = field(default_factory=dict)
    day: str = ""
    time: str = ""

    def with_added(self, added: TypedAdvance) -> AdvanceDraft:
        return AdvanceDraft(
            amount=added.amount,
            unknown=self.unknown if added.unknown is None else added.unknown,
            texts_by_label={
                TaxLabel(label): typed for label, typed in added.texts_by_label.items()
            },
            day=added.day,
            time=added.time,
        )

    def added(self, usual: AdvanceDraft) -> TypedAdvance:
        return TypedAdvance(
            amount=self.amount,
            unknown=None if self.unknown == usual.unknown else self.unknown,
            texts_by_label={
                label.value: typed for label, typed in self.texts_by_label.items() if typed
            },
            day=self.day,
            time=self.time,
        )

    def asked(self) -> Money | None:
        return self._amount()

    def split(self, labels: Mapping[TaxLabel, Money]) -> Mapping[TaxLabel, Money]:
        """The typed parts of the labels in the cart; empty for a split in proportion.

        Raises Invalid for a part that is no amount.
        """
        typed = {label: self.texts_by_label.get(label, "").strip() for label in labels}
        if not any(typed.values()):
            return {}
        return {label: parse_amount(text) for label, text in typed.items() if text}

    def fault(self, labels: Mapping[TaxLabel, Money]) -> PaymentFault | None:
        """The fault of amount or split, for a cart with these totals by label."""
        total = Money.total(labels.values())
        try:
            asked = parse_amount(self.amount) if self.amount.strip() else total
            split = self.split(labels)
        except Invalid as error:
            return PaymentFault.of(FaultPart.ADVANCE, error)
        if not asked:
            return PaymentFault(FaultPart.ADVANCE, "nothing")
        if not self.unknown and asked > total:
            return PaymentFault(FaultPart.ADVANCE, "above_total", {"total": total})
        return self._split_fault(split, labels, asked)

    def _split_fault(
        self, split: Mapping[TaxLabel, Money], labels: Mapping[TaxLabel, Money], asked: Money
    ) -> PaymentFault | None:
        if not split:
            needed = self.unknown and len(labels) > 1
            return PaymentFault(FaultPart.ADVANCE, "split_needed") if needed else None
        given = Money.total(split.values())
        if given != asked:
            return PaymentFault(FaultPart.ADVANCE, "split_sum", {"given": given, "asked": asked})
        if not self.unknown:
            for label, part in split.items():
                if part > labels[label]:
                    most = labels[label]
                    return PaymentFault(
                        FaultPart.ADVANCE, "split_above", {"label": label, "most": most}
                    )
        return None

    def arrived(self, now: datetime) -> datetime | None:
        """The arrival of the wire transfer, UTC, or None for today: the receipt has its own time,
        and only an earlier day is told (fiscal.md 6.8). Raises Invalid (kind: date, time, future,
        too_early).
        """
        if not self.day.strip():
            return None
        moment = moment_of(self.day.strip(), self.time.strip(), now)
        if moment > now:
            raise Invalid("future.transfer")
        if moment < instant.E_FISCALIZATION_BEGAN:
            raise Invalid("too_early")
        return moment if instant.day_of(moment) < instant.day_of(now) else None

    def wire_fault(self, given: Payments, now: datetime) -> PaymentFault | None:
        """The fault of that time, which only a wire transfer may have (fiscal.md 6.8)."""
        try:
            arrived = self.arrived(now)
        except Invalid as error:
            return PaymentFault.of(FaultPart.WIRE_TIME, error)
        if arrived is not None and not given.amount(PaymentMethod.WIRE_TRANSFER):
            return PaymentFault(FaultPart.WIRE_TIME, "no_transfer")
        return None

    def _amount(self) -> Money | None:
        try:
            return parse_amount(self.amount) or None if self.amount.strip() else None
        except Invalid:
            return None


def moment_of(day: str, clock: str, now: datetime) -> datetime:
    """A typed day and time of Belgrade as UTC. Without a year it is the last such day; a day alone
    is noon, and today before noon it is now. Raises Invalid (kinds: date, time)."""
    typed = instant.clock_typed(clock) if clock else NOON
    today = instant.day_of(now)
    when = instant.day_typed(day, today=today)
    if when is None:
        raise Invalid("date.typed")
    try:
        moment = instant.as_utc(datetime.combine(when, typed or NOON, instant.BELGRADE))
    except (ValueError, Invalid) as error:
        raise Invalid("date.typed") from error
    if typed is None:
        raise Invalid("time.typed")
    return min(moment, now) if when == today and not clock else moment


@dataclass(frozen=True, slots=True)
class DiscountDraft:
    text: str = ""
    in_percent: bool = True

    @classmethod
    def of(cls, discount: ReceiptDiscount) -> DiscountDraft:
        if discount is None:
            return cls()
        if isinstance(discount, Percent):
            return cls(f"{discount.value.normalize():f}".replace(".", ","))
        return cls(amount_text(discount), in_percent=False)

    def discount(self) -> ReceiptDiscount:
        """The discount for the cart, or None. Raises Invalid."""
        if not self.text.strip():
            return None
        typed = parse_amount(self.text)
        if not typed:
            raise Invalid("range.least")
        return Percent(typed.amount) if self.in_percent else typed


def text_fault(text: str) -> PaymentFault | None:
    """The reason why the text can't stand on a receipt, or None."""
    kind = free_text_fault(text)
    values = {"longest": LONGEST_ADDITIONAL_TEXT} if kind == "length" else {}
    return PaymentFault(FaultPart.TEXT, kind, values) if kind else None


@dataclass(frozen=True, slots=True)
class Drafts:
    """Buyer, delivery, advance and text, finished or not. referent: the receipt from which the cart
    comes. goods_back: the goods returned in exchange."""

    buyer: BuyerDraft
    delivery: DeliveryDraft
    advance: AdvanceDraft
    text: str = ""
    referent: Referent | None = None
    goods_back: GoodsBack | None = None

    @classmethod
    def usual(cls, store: Store | None, *, built: Iterable[DeliveryWay]) -> Drafts:
        """The usual drafts of the store, before the cashier enters anything."""
        methods = store.handed_over_by if store else ALL_METHODS
        unknown = store is not None and store.default_unknown_amount_advance
        delivery = DeliveryDraft.usual(ways_of(methods, built=built))
        return cls(BuyerDraft(), delivery, AdvanceDraft(unknown=unknown))

    def with_added(self, added: TypedDetails) -> Drafts:
        return Drafts(
            buyer=BuyerDraft.of(added),
            delivery=self.delivery.with_added(added),
            advance=self.advance.with_added(added.advance),
            text=added.text,
            referent=added.referent,
            goods_back=added.goods_back,
        )

    def typed_details(self, usual: Drafts) -> TypedDetails:
        """The drafts as a cart keeps them, without usual values, which may change meanwhile."""
        buyer = self.buyer.added()
        return replace(
            buyer,
            text=self.text,
            ways=self.delivery.added(usual.delivery),
            email=self.delivery.email,
            advance=self.advance.added(usual.advance),
            referent=self.referent,
            goods_back=self.goods_back,
        )

    def due(self, ticket: Ticket) -> Money:
        """The amount to be paid now; an advance without a typed amount asks for the whole."""
        return amount_due(ticket, advance=self.advance.asked() or None)

    def allows(self, method: PaymentMethod) -> bool:
        """Whether a method may pay: a corporate card is paid by voucher alone (fiscal.md 6.7)."""
        return not self.buyer.by_corporate_card or method is PaymentMethod.VOUCHER

    def faults(self, ticket: Ticket, given: Payments, now: datetime) -> tuple[PaymentFault, ...]:
        """The faults that prevent the request, in the order in which they are shown."""
        buyer = self.buyer
        found = [
            buyer.fault(),
            buyer.centre_fault(),
            buyer.unconfirmed_warning(),
            self.delivery.fault(),
        ]
        if _is_advance(ticket):
            found.append(self.advance.fault(labels_of(ticket)))
            found.append(self.advance.wire_fault(given, now))
        lacking = ticket.paid_before - ticket.cart.total
        if ticket.cart.active and lacking > Money.ZERO:
            values = {"paid": ticket.paid_before, "lacking": lacking}
            found.append(PaymentFault(FaultPart.LINES, "below_advance", values))
        found.append(text_fault(self._text_of(ticket)))
        credit = ticket.exchanged.credit.by_method if ticket.exchanged is not None else ()
        if any(not self.allows(method) for method, _ in (*given.by_method, *credit)):
            found.append(PaymentFault(FaultPart.LINES, "corporate_card"))
        if excess := excess_of(self.due(ticket), given):
            found.append(PaymentFault(FaultPart.LINES, "above_total", {"excess": excess}))
        return tuple(fault for fault in found if fault is not None)

    def receipt_details(self, ticket: Ticket, now: datetime) -> ReceiptDetails:
        """The additions to the receipt. Raises Invalid while there is a fault."""
        usual = ReceiptDetails(
            delivery=self.delivery.delivery(),
            buyer=self.buyer.buyer(),
            cost_centre=self.buyer.cost_centre(),
            additional_text=self._text_of(ticket),
            buyer_name=self.buyer.name,
        )
        if ticket.kind is DocumentKind.SALE and (referent := self.referent) is not None:
            return replace(usual, referent_number=referent.number, referent_time=referent.time)
        if not _is_advance(ticket):
            return usual
        return replace(
            usual,
            pos_time=self.advance.arrived(now),
            advance=self.advance.asked(),
            unknown_amount_advance=self.advance.unknown,
            advance_specification=self.advance.split(labels_of(ticket)),
        )

    def _text_of(self, ticket: Ticket) -> str:
        """The text with the present items of the cart where an advance lists items, and with its
        proforma; other documents list neither."""
        if not _is_advance(ticket):
            return advance_items.without_items(self.text)
        own = advance_items.with_proforma(self.text, ticket)
        return (
            advance_items.with_items(own, ticket, longest=LONGEST_ADDITIONAL_TEXT)
            if advance_items.lists_items(own)
            else own
        )


def labels_of(ticket: Ticket) -> dict[TaxLabel, Money]:
    """The cart's totals by tax label, in the order of first appearance."""
    totals: dict[TaxLabel, Money] = {}
    cart = ticket.cart
    for line, total in zip(cart.active, cart.totals, strict=True):
        label = line.article.frozen.label
        totals[label] = totals.get(label, Money.ZERO) + total
    return totals


def due_of(ticket: Ticket) -> Money:
    """The amount to be paid now, from the data that the cart keeps; as `Drafts.due`."""
    typed = AdvanceDraft(amount=ticket.typed_details.advance.amount)
    return amount_due(ticket, advance=typed.asked() or None)


def _is_advance(ticket: Ticket) -> bool:
    return ticket.kind is DocumentKind.ADVANCE
