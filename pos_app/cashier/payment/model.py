"""A payment, mostly that of one cart: the given amounts, the additions to the receipt, and its
progress.

Widgets have all their facts from here. Additions and given amounts are stored with the cart; the
amounts because a card may have been charged on its terminal already. Sources: till.md ("Payment",
Promises 1 and 6), fiscal.md 5, 6.2, 6.8, 6.12, 6.13.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from typing import TypedDict, Unpack

from pos_app.cashier.acts.known_buyers import KnownBuyers
from pos_app.cashier.payment.tender import EnterEffect, Tender
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.texts.lookup import Say, Texts
from pos_app.domain.article.store import USUAL_ROWS, Store, payment_rows
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments, change_on_paper
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.cart import Cart, CartLine, ReceiptDiscount
from pos_app.domain.receipt.request import LONGEST_ADDITIONAL_TEXT
from pos_app.domain.receipt.verification import Verification
from pos_app.errors import PosError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale import receipt_drafts, sell
from pos_app.selling.sale.advance_items import lists_items, with_items, without_items
from pos_app.selling.sale.ports import Till
from pos_app.selling.sale.ticket import DocumentKind, Ticket, TypedDetails
from pos_app.selling.sale.unusual_amounts import Unusual


class FigureKind(StrEnum):
    """The meaning of the panel's largest figure."""

    REMAINING = "remaining"
    CHANGE = "change"
    EXCESS = "excess"
    AFTER_IT = "after_it"
    """The amount of an advance that remains after this payment."""
    GIVE_BACK = "give_back"
    """In an exchange: the cash to give back, because the returned goods were dearer."""
    BACK_BESIDE = "back_beside"
    """In an exchange: the amount that goes back by another method than cash."""
    NOTHING = "nothing"
    """In an exchange: no money moves."""
    OFFERED = "offered"
    """The price of an offer, for which nobody pays."""
    PAID_WITH_IT = "paid_with_it"
    """The amount paid with this payment, if the rest is unknown."""


_PAGES = (
    receipt_drafts.FaultPart.BUYER,
    receipt_drafts.FaultPart.DELIVERY,
    receipt_drafts.FaultPart.DISCOUNT,
    receipt_drafts.FaultPart.TEXT,
)
ONLY_PDF = frozenset({receipt_drafts.DeliveryWay.PDF})
"""The ways of delivery when nothing else is set up."""


class PaymentShop(TypedDict):
    """What of the shop a payment follows: its store, whether it gives change in whole dinars, and
    the ways of delivery that are set up here."""

    store: Store | None
    in_whole_dinars: bool
    built: frozenset[receipt_drafts.DeliveryWay]


def shop_of(services: TillServices) -> PaymentShop:
    return PaymentShop(
        store=services.catalogue.store(),
        in_whole_dinars=services.in_whole_dinars,
        built=services.ways_here,
    )


@dataclass(frozen=True, slots=True)
class PaymentFigure:
    """The largest figure. given: by all methods together. rounding: to whole dinars, up or down.
    on_paper: the change on the receipt's paper, None if it is the same. netted: in an exchange, the
    amounts of the returned and the new goods. beside: what goes back by other methods than cash.
    change_told: what was told before as change and is not in what is given."""

    kind: FigureKind
    amount: Money
    given: Money
    due: Money
    rounding: Money
    on_paper: Money | None = None
    netted: tuple[Money, Money] | None = None
    beside: Payments = Payments()
    change_told: Money = Money.ZERO


@dataclass(frozen=True, slots=True)
class ScannedWhilePaying:
    """A scan changed the cart during payment. name: of the last changed line."""

    name: str
    due: Money


class Payment(ABC):
    """The given amounts and the additions to the receipt, which the widgets of a payment show and
    change. Subclasses say what is paid for."""

    def __init__(
        self,
        due: Money,
        drafts: receipt_drafts.Drafts,
        *,
        usual: receipt_drafts.Drafts,
        store: Store | None,
        in_whole_dinars: bool,
    ) -> None:
        """due: the amount due while nothing is given. drafts: the additions so far. usual: those of
        a receipt to which the cashier adds nothing."""
        self._usual = usual
        self.rows = payment_rows(store) if store else USUAL_ROWS
        self.in_whole_dinars = in_whole_dinars
        self._take_drafts(drafts)
        self._before_card: Tender | None = None
        """What was given before the corporate card that pays now."""
        self.tender = Tender.begin(due, first=self.first, in_whole_dinars=in_whole_dinars)

    # --- what each kind says itself --------------------------------------------------------------

    @property
    @abstractmethod
    def kind(self) -> DocumentKind:
        """The kind of the receipt that the buyer gets."""

    @property
    @abstractmethod
    def pages(self) -> tuple[receipt_drafts.FaultPart, ...]:
        """The pages of the possible additions, in their order on the screen."""

    @property
    @abstractmethod
    def due(self) -> Money:
        """The amount to pay now."""

    @property
    @abstractmethod
    def labels(self) -> dict[TaxLabel, Money]:
        """The amounts by tax label, in the order of first appearance; an advance may be split by
        them."""

    @property
    def is_offer(self) -> bool:
        """Whether the document only names the method by which the customer would pay: no amount is
        typed, and none received."""
        return self.kind.is_offer

    @property
    def title(self) -> str:
        """The id of the payment's title."""
        return "pay.title.offer" if self.is_offer else "pay.title"

    @property
    def takes_part(self) -> bool:
        """Whether a given part may become the amount of the advance, because no amount was
        typed."""
        return False

    @property
    def issue_word(self) -> str:
        """The id of the word on the button that confirms the payment."""
        return f"pay.issue.{self.kind}"

    scan_hint = "pay.scan_hint"
    """The id of the words that say what becomes of a scanned article."""

    @property
    def issue_amount(self) -> Money | None:
        """The amount that is taken by that button. None where the goods that came back pay for the
        new ones: nothing is taken."""
        return self.due

    @property
    def credit(self) -> Payments:
        """The amounts paid by goods that come back."""
        return Payments()

    @abstractmethod
    def faults(self, now: datetime) -> tuple[receipt_drafts.PaymentFault, ...]:
        """Return the faults that prevent the confirmation, the first to be shown first."""

    def save(self, *, till: Till) -> Ticket | None:
        """Store the additions and the given amounts; return None if there is nothing to store.
        Raises NotAllowed for an outdated cart, DiskFull."""
        return None

    # --- facts -----------------------------------------------------------------------------------

    @property
    def methods(self) -> tuple[PaymentMethod, ...]:
        """All methods in the shop's order: Alt+1 is the first."""
        return tuple(method for row in self.rows for method in row)

    @property
    def first(self) -> PaymentMethod:
        """The method that Enter takes."""
        return PaymentMethod.VOUCHER if self.buyer.by_corporate_card else self.methods[0]

    @property
    def is_advance(self) -> bool:
        return self.kind is DocumentKind.ADVANCE

    @property
    def drafts(self) -> receipt_drafts.Drafts:
        return receipt_drafts.Drafts(
            self.buyer, self.delivery, self.advance, self.text, self.referent
        )

    def advance_fault(self) -> receipt_drafts.PaymentFault | None:
        """Return the fault of the advance's amount or split, or None."""
        return self.advance.fault(self.labels)

    def figure(self) -> PaymentFigure:
        return self.figure_of(self.tender)

    def figure_of(self, tender: Tender) -> PaymentFigure:
        given = tender.payments.total
        if excess := tender.excess:
            due = tender.due if tender.for_gifts is None else Money.ZERO
            return PaymentFigure(FigureKind.EXCESS, excess, given, due, Money.ZERO)
        settled = tender.settlement()
        due, rounding = tender.due, settled.rounding
        if settled.on_receipt is None:
            return PaymentFigure(FigureKind.REMAINING, settled.remaining, given, due, rounding)
        # An advance is signed with the amount that the shop keeps, so its paper shows no change.
        amount = (
            None if self.is_advance else change_on_paper(due, settled.on_receipt, settled.change)
        )
        return PaymentFigure(FigureKind.CHANGE, settled.change, given, due, rounding, amount)

    def allows(self, method: PaymentMethod) -> bool:
        """Tell whether a method may pay, by `Drafts.allows`."""
        return self.drafts.allows(method)

    # --- changes ---------------------------------------------------------------------------------

    def _take_drafts(self, drafts: receipt_drafts.Drafts) -> None:
        self.buyer, self.delivery = drafts.buyer, drafts.delivery
        self.advance, self.text, self.referent = drafts.advance, drafts.text, drafts.referent

    def _begun(self) -> Tender:
        """Return the payment as it is while nothing is given."""
        return Tender.begin(self.due, first=self.first, in_whole_dinars=self.in_whole_dinars)

    def take_shop(self, **shop: Unpack[PaymentShop]) -> None:
        """Take what is set up in the shop, which may have changed since the payment was left. What
        was typed and given stays."""
        added, store = self.drafts.typed_details(self._usual), shop["store"]
        self._usual = receipt_drafts.Drafts.usual(store, built=shop["built"])
        self.delivery = self._usual.delivery.with_added(added)
        self.rows = payment_rows(store) if store else USUAL_ROWS
        self.in_whole_dinars = whole = shop["in_whole_dinars"]
        if self.tender.payments.total:
            self.tender = replace(self.tender, first=self.first, in_whole_dinars=whole)
        else:
            self.tender = self._begun()
        self.owe()

    def owe(self) -> None:
        """Take the amount due now into the payment."""
        self.tender = self.tender.owing(self.due)

    def receipt_scanned(self, receipt: Verification) -> bool:
        """Fill the buyer from an earlier receipt; return False if the receipt names no buyer."""
        filled = self.buyer.from_receipt(receipt.buyer_id)
        if filled is None:
            return False
        self.buyer = filled
        return True

    def give(self, tender: Tender) -> None:
        self.tender = tender

    def keep_given(self) -> None:
        """Mark the amounts as given before, because they are left for a page, or the payment is
        opened anew."""
        self.tender = self.tender.left_and_opened()

    def next_enter(self) -> tuple[Tender, EnterEffect]:
        return self.tender.enter()

    def enter(self) -> EnterEffect:
        """Carry out Enter as `next_enter` returns it."""
        self.tender, effect = self.next_enter()
        return effect

    def tick_delivery(self, way: receipt_drafts.DeliveryWay, on: bool) -> None:
        self.delivery = self.delivery.tick(way, on)

    def set_email(self, address: str) -> None:
        self.delivery = replace(self.delivery, email=address)

    def choose(self, method: PaymentMethod) -> None:
        """Take a pressed method, if it is allowed."""
        if self.allows(method):
            self.tender = self.tender.choose(method)

    def pay_by_corporate_card(self, on: bool) -> None:
        """Pay the whole amount by voucher with cost centre 50, or return to the usual payment.

        What was received by other methods goes back to the customer. Off again, that counts as
        received, and the voucher that the card filled in goes.
        """
        self.buyer = self.buyer.corporate_card(on)
        if on:
            self._before_card = self.tender
            self.tender = self.tender.only(PaymentMethod.VOUCHER)
        else:
            self.tender, self._before_card = self._without_card, None
        self.owe()

    @property
    def _without_card(self) -> Tender:
        """What counts as given once no corporate card pays: what was given before it, and what was
        typed since."""
        before, whole = self._before_card, self.in_whole_dinars
        kept = self._begun() if before is None or not before.paid else before
        kept = replace(kept, first=self.first, in_whole_dinars=whole)
        return kept.beside(self.tender.by_hand)

    @property
    def given_back(self) -> Payments:
        """What was received before a corporate card pays, and goes back to the customer."""
        before = self._before_card
        taken = before.paid if before is not None and self.kind.takes_money else ()
        return Payments.summed(one for one in taken if one[0] is not PaymentMethod.VOUCHER)

    def change_advance(self, draft: receipt_drafts.AdvanceDraft) -> None:
        self.advance = draft
        self.owe()


class PaymentModel(Payment):
    """The payment of a cart. It is the same payment as long as the cart's key is the same."""

    def __init__(
        self,
        ticket: Ticket,
        *,
        store: Store | None,
        in_whole_dinars: bool,
        built: frozenset[receipt_drafts.DeliveryWay] = ONLY_PDF,
    ) -> None:
        self.ticket = ticket
        self._discount_typed: receipt_drafts.DiscountDraft | None = None
        self._part_taken = ""
        """The text of the advance's amount, if the given part became that amount."""
        usual = receipt_drafts.Drafts.usual(store, built=built)
        kept, whole = usual.with_added(ticket.typed_details), in_whole_dinars
        super().__init__(kept.due(ticket), kept, usual=usual, store=store, in_whole_dinars=whole)
        self._begin_tender()

    def take_shop(self, **shop: Unpack[PaymentShop]) -> None:
        added = self.advance.added(self._usual.advance)
        super().take_shop(**shop)
        self.advance = self._usual.advance.with_added(added)

    def _begin_tender(self) -> None:
        """Begin with what was given for the cart before."""
        begun, details = self._begun(), self.ticket.typed_details
        given = () if self.is_offer else details.given
        if not self.buyer.by_corporate_card:
            self._before_card, self.tender = None, begun.holding(given)
        else:
            now = Counter(given)
            without = Counter(given if details.without_card is None else details.without_card)
            self._before_card = begun.holding((without - now).elements())
            begun = begun.only(PaymentMethod.VOUCHER)
            self.tender = begun.holding(given, filled=(now - without).elements())
        self.owe()

    # --- facts -----------------------------------------------------------------------------------

    @property
    def kind(self) -> DocumentKind:
        return self.ticket.kind

    @property
    def pages(self) -> tuple[receipt_drafts.FaultPart, ...]:
        return (receipt_drafts.FaultPart.ADVANCE, *_PAGES) if self.is_advance else _PAGES

    @property
    def takes_part(self) -> bool:
        return self.is_advance and not self.advance.amount.strip()

    @property
    def drafts(self) -> receipt_drafts.Drafts:
        return replace(super().drafts, goods_back=self.ticket.typed_details.goods_back)

    @property
    def due(self) -> Money:
        netting = self.ticket.netting
        if netting is None:
            return self.drafts.due(self.ticket)
        return netting.owed(in_whole_dinars=self.in_whole_dinars)

    def owe(self) -> None:
        super().owe()
        if self.is_offer:
            self._name(self.tender.active_line.method)
            return
        netting, whole = self.ticket.netting, self.in_whole_dinars
        is_paid = netting is not None and netting.receives_nothing(in_whole_dinars=whole)
        for_gifts = netting.given_away if netting is not None and is_paid else None
        self.tender = replace(self.tender, for_gifts=for_gifts)

    def figure_with(self, cart: Cart) -> PaymentFigure:
        """The figure as it would be with that cart; that of an exchange stays."""
        if self.ticket.netting is not None:
            return self.figure()
        due = self.drafts.due(replace(self.ticket, cart=cart))
        return self.figure_of(self.tender.owing(due))

    @property
    def issue_word(self) -> str:
        return super().issue_word if self.ticket.netting is None else "pay.issue.exchange"

    @property
    def issue_amount(self) -> Money | None:
        return self.due if self.ticket.netting is None else self.due or None

    @property
    def credit(self) -> Payments:
        goods = self.ticket.exchanged
        return Payments() if goods is None else goods.credit

    def figure_of(self, tender: Tender) -> PaymentFigure:
        if self.is_offer:
            due, nothing = tender.due, Money.ZERO
            return PaymentFigure(FigureKind.OFFERED, due, nothing, due, nothing)
        figure, netting = super().figure_of(tender), self.ticket.netting
        if netting is None:
            return replace(figure, change_told=self.ticket.typed_details.change_told)
        figure = replace(figure, netted=(self.credit.total, self.ticket.cart.total))
        if figure.kind is not FigureKind.CHANGE or tender.for_gifts is None:
            return figure
        beside, cash = netting.back_beside, netting.cash_back(in_whole_dinars=self.in_whole_dinars)
        if cash:
            return replace(figure, kind=FigureKind.GIVE_BACK, amount=cash, beside=beside)
        kind = FigureKind.BACK_BESIDE if beside.total else FigureKind.NOTHING
        return replace(figure, kind=kind, amount=beside.total, beside=beside)

    @property
    def labels(self) -> dict[TaxLabel, Money]:
        return receipt_drafts.labels_of(self.ticket)

    def take_ticket(self, ticket: Ticket) -> ScannedWhilePaying | None:
        """Take the changed cart, with what was added to it elsewhere, as the buyer of a scanned
        receipt. The given amounts stay, unless they went back to the customer, or the cart is a
        proforma now, or none any more. Return the last changed line, if there is one."""
        before, was_offer = self.ticket, self.is_offer
        was_by_card = self.buyer.by_corporate_card
        self.ticket = ticket
        if _added(ticket) != _added(before):
            self._take_drafts(self._usual.with_added(ticket.typed_details))
        is_same = ticket.typed_details.paid == before.typed_details.paid
        is_same = is_same and was_by_card is self.buyer.by_corporate_card
        if is_same and was_offer is self.is_offer:
            self.owe()
        else:
            self._begin_tender()
        lines_before = {line.id: line for line in before.cart.active}
        lines = ticket.cart.active
        changed = [line for line in lines if not _is_sold_as(lines_before.get(line.id), line)]
        return ScannedWhilePaying(changed[-1].article.frozen.name, self.due) if changed else None

    # --- acts ------------------------------------------------------------------------------------

    def save(self, *, till: Till) -> Ticket | None:
        """Store the additions and the given amounts with the cart; return None if the cart has them
        already.

        Raises NotAllowed for an outdated cart, DiskFull.
        """
        before = self.ticket.typed_details
        paid = before.given if self.is_offer else self.tender.paid
        added = self.drafts.typed_details(self._usual).paying(paid, before.change_told)
        if self.buyer.by_corporate_card and not self.is_offer:
            added = replace(added, without_card=self._without_card.paid)
        if added == before:
            return None
        self.ticket = sell.add_to_receipt(till=till, ticket=self.ticket, typed_details=added)
        return self.ticket

    @property
    def received(self) -> Money:
        """What the customer gave for the cart so far; nothing for an offer and in training."""
        taken = self.tender.paid if self.kind.takes_money else ()
        return Money.total(amount for _, amount in taken)

    def choose(self, method: PaymentMethod) -> None:
        if not self.is_offer:
            super().choose(method)
        elif self.allows(method):
            self._name(method)

    def _name(self, method: PaymentMethod) -> None:
        gifts = min(self.ticket.cart.given_away, self.due)
        exact = replace(self.tender, in_whole_dinars=False)
        self.tender = exact.naming(method, gifts=gifts)

    def give(self, tender: Tender) -> None:
        """Take what is given. If its total changes, an amount of the advance that came from a given
        part is forgotten."""
        is_other = tender.payments.total != self.tender.payments.total
        self.tender = tender
        if is_other and self._part_taken and self.advance.amount == self._part_taken:
            self._part_taken = ""
            self.change_advance(replace(self.advance, amount=""))

    def next_enter(self) -> tuple[Tender, EnterEffect]:
        """Return what Enter will do. If no amount was typed for an advance, Enter makes the given
        part its amount, and fills no rest in."""
        tender = self.tender
        after, effect = tender.enter()
        given = tender.payments.total
        is_part = effect in (EnterEffect.SHORT, EnterEffect.FILLED) and bool(given)
        if self.takes_part and is_part:
            return tender.owing(given), EnterEffect.ADVANCE
        return after, effect

    def enter(self) -> EnterEffect:
        after, effect = self.next_enter()
        if effect is EnterEffect.ADVANCE:
            self._part_taken = str(after.due).replace(".", ",")
            self.change_advance(replace(self.advance, amount=self._part_taken))
        else:
            self.tender = after
        return effect

    @property
    def lists_items(self) -> bool:
        """Whether the paper of the advance says what it is for."""
        return lists_items(self.text)

    def tell_items(self, on: bool) -> None:
        """Put into the text below the receipt what the advance is for, or remove that."""
        if on is not self.lists_items:
            own = without_items(self.text)
            self.text = with_items(own, self.ticket, longest=LONGEST_ADDITIONAL_TEXT) if on else own

    @property
    def discount_draft(self) -> receipt_drafts.DiscountDraft:
        """The discount as it was typed, else the cart's discount."""
        return self._discount_typed or receipt_drafts.DiscountDraft.of(self.ticket.cart.discount)

    def type_discount(self, draft: receipt_drafts.DiscountDraft) -> None:
        """Keep a typed discount that the cart has not taken yet."""
        self._discount_typed = draft

    def discount_receipt(self, discount: ReceiptDiscount, *, till: Till) -> Ticket | None:
        """Store a discount on the whole receipt; return None if the cart has that discount already.
        Raises Invalid for an amount above the total, NotAllowed for an outdated cart, DiskFull."""
        stored = None
        if discount != self.ticket.cart.discount:
            stored = sell.discount_receipt(till=till, ticket=self.ticket, discount=discount)
            self.take_ticket(stored)
        self._discount_typed = None
        return stored

    def faults(self, now: datetime) -> tuple[receipt_drafts.PaymentFault, ...]:
        return self.drafts.faults(self.ticket, self.tender.payments, now)


# --- how far it has come -------------------------------------------------------------------------


def _added(ticket: Ticket) -> TypedDetails:
    """Return what is added to the receipt, without the given amounts."""
    return ticket.typed_details.unpaid


def _is_sold_as(before: CartLine | None, line: CartLine) -> bool:
    """Tell whether a line is the same, apart from the facts about its article."""
    return before is not None and replace(before, article=line.article) == line


@dataclass(frozen=True, slots=True)
class PaymentNews:
    """The last event. Without words the head shows its quiet hint."""

    words: str = ""
    is_trouble: bool = False


QUIET = PaymentNews()


def no_words(_: Texts) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class KeysShown:
    """F1 was pressed. over: the page that the keys cover, None for the payment itself."""

    over: receipt_drafts.FaultPart | Unusual | None = None


PaymentPage = receipt_drafts.FaultPart | Unusual | PosError | KeysShown | None
"""The page over the payment: a form, a question about an amount, why the payment can't be
confirmed, or the keys. It is None for the payment itself."""


class OpenPayment:
    """The open payment, the page that covers it, and the last news. It outlives the widgets that
    show it, which change it by its methods."""

    def __init__(self) -> None:
        self.model: Payment | None = None
        self.on_begun: Callable[[int], None] = lambda _: None
        """Called with the id of a cart when its payment opens."""
        self.is_open = False
        """Whether the payment is shown instead of the sale."""
        self.page: PaymentPage = None
        self.straight_to: receipt_drafts.FaultPart | None = None
        """The page that was opened from the sale; a step back leads to the sale."""
        self._news: tuple[Say, bool] = (no_words, False)
        self.error: Say = no_words
        """What is wrong with the active line."""
        self.shows_numbers = False
        """Whether the folded pad is open."""
        self._listeners: list[Callable[[], None]] = []

    @property
    def title(self) -> str:
        """The id of the payment's title."""
        return "pay.title" if self.model is None else self.model.title

    def listen(self, listener: Callable[[], None]) -> None:
        """Call back after each change that is to be shown."""
        self._listeners.append(listener)

    def tell_changed(self) -> None:
        for listener in self._listeners:
            listener()

    def set_open(self, is_open: bool) -> None:
        self.is_open = is_open
        self.tell_changed()

    def begin(self, model: Payment, *, straight_to: receipt_drafts.FaultPart | None) -> None:
        """Begin a payment without a page or news. straight_to: the wanted page."""
        self.model = model
        if isinstance(model, PaymentModel) and not model.is_offer:
            self.on_begun(model.ticket.id)
        self.page, self.straight_to = None, straight_to
        self.shows_numbers = False
        self.quiet()

    def end(self) -> None:
        self.model = None

    def show_keys(self) -> bool:
        """Cover payment or page with their keys; return False if the keys are shown already, or an
        error is."""
        if isinstance(self.page, KeysShown | PosError):
            return False
        self.page = KeysShown(self.page)
        return True

    def close_page(self) -> None:
        """Close a page: from the keys back to their page, else to the payment."""
        if isinstance(self.page, KeysShown) and self.page.over is not None:
            self.page = self.page.over
        else:
            self.page = self.straight_to = None

    @property
    def is_asking(self) -> bool:
        page = self.page.over if isinstance(self.page, KeysShown) else self.page
        return isinstance(page, Unusual)

    def announce(self, say: Say = no_words, *, is_trouble: bool = False) -> None:
        self._news = say, is_trouble

    def news(self, texts: Texts) -> PaymentNews:
        say, is_trouble = self._news
        return PaymentNews(say(texts), is_trouble)

    def quiet(self) -> None:
        self.announce()
        self.error = no_words


@contextmanager
def address_of(model: Payment, known: KnownBuyers) -> Iterator[None]:
    """Let another buyer have another address: one that came from the book goes with the firm that
    it belongs to."""
    before = known.email(model.buyer)
    yield
    after = known.email(model.buyer)
    if before and before == model.delivery.email and after != before:
        model.set_email(after)
