"""A refund in front of the cashier: lines, the way of the money, the buyer's document, and its
state. Widgets keep no state of their own.

Sources: till.md ("Receipts"), fiscal.md 5, 6.4, 6.7, 6.13.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from enum import StrEnum

from pos_app import errors
from pos_app.cashier.acts.act_in_front import ActInFront, Stage
from pos_app.cashier.gate.about import About
from pos_app.cashier.gate.manager_lock import ManagerLock
from pos_app.cashier.services.till_services import TillServices
from pos_app.characters import has_visible_text
from pos_app.domain.article import barcodes
from pos_app.domain.article.gs1 import Gs1Message
from pos_app.domain.article.scale_labels import PriceCode, WeightCode
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.number_text import typed_quantity_text
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.receipt import receipt_overview
from pos_app.domain.receipt.buyer import BUYER_KINDS, BuyerId
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.codes import ReadCode, found_by
from pos_app.selling.people.rights import Act
from pos_app.selling.receipts import refund_by_hand
from pos_app.selling.receipts.confirm import confirm_refund
from pos_app.selling.receipts.exchanged import ExchangeFault, exchange_fault, goods_back
from pos_app.selling.receipts.refund_draft import RefundDraft, RefundWay, refundable
from pos_app.selling.sale.goods_back import GoodsBack
from pos_app.selling.sale.receipt_drafts import BuyerDraft, FaultPart, PaymentFault
from pos_app.selling.sale.sale import PendingReason, Sale

ID_CARD, PIB = "20", "10"
KINDS = (ID_CARD, PIB, *(code for code in BUYER_KINDS if code not in (ID_CARD, PIB)))
"""Kinds of documents; those that shops use most come first."""
ID_CARD_DIGITS = 9

_Meant = tuple[str | None, int | None, Quantity | None, Money | None]
"""A bar code, an article code, and the quantity and total that a scan states."""


class RefundStep(StrEnum):
    """The next act of the big button, and of Enter."""

    DOCUMENT = "document"
    ISSUE = "issue"
    WAIT = "wait"
    """The refund is under way."""
    ASKING = "asking"
    GOODS = "goods"
    """The advance is closed: go on to the sale of its goods."""
    BACK = "back"
    """Nothing can be refunded: go back to the screen from which the refund was opened."""
    NEXT = "next"
    """The refund is done: go on to the next sale."""
    ATTENTION = "attention"
    """Open Attention: nobody knows whether the refund was issued."""
    AGAIN = "again"
    BY_HAND = "by_hand"
    """The journal does not hold the receipt: a manager refunds it by hand."""


class Missing(StrEnum):
    """A thing that a refund lacks, named by the part of the screen where it is entered."""

    LINES = "lines"
    QUANTITY = "quantity"
    WAY = "way"
    DOCUMENT = "document"
    HAND = "hand"
    """Number, time or amounts of a refund by hand."""
    EARLIER = "earlier"
    """This till refunded the same receipt by hand before. A person confirms once more, or the
    refund is refused."""
    REASON = "reason"
    """The reason, if the shop asks for one; the question comes last and hides ways and document."""


@dataclass(frozen=True, slots=True)
class RefundRefusal:
    """The last try was surely not issued. less_left: another program refunded meanwhile."""

    reason: PendingReason | None
    less_left: bool = False


class RefundModel:
    """One refund at a time; it lives as long as the window."""

    def __init__(self, services: TillServices, *, on_lifted: Callable[[], None]) -> None:
        self.services = services
        self.act = ActInFront(lambda: services.outbox.young_doubts)
        self.lock = ManagerLock(services, act=Act.REFUND, on_lifted=on_lifted)
        self.reference = self.back_to = ""
        self._empty()

    def _empty(self) -> None:
        self.draft: RefundDraft | None = None
        self.hand_draft: refund_by_hand.HandDraft | None = None
        self.current = 0
        self.typed_texts: dict[int, str] = {}
        """Quantities as typed, by the indexes of their lines; kept while they are typed and while
        they are no quantity."""
        self.document = BuyerDraft(code=ID_CARD)
        self._doubted: BuyerDraft | None = None
        self._earlier_refunds: tuple[str, Sequence[Sale]] = ("", ())
        """The number searched for last, and its refunds by hand."""
        self._is_another = ""
        """The number for which somebody said that another part is refunded."""
        self.fewer: frozenset[int] = frozenset()
        """The indexes of lines that have less left than when they were first shown."""
        self.trouble: errors.PosError | None = None
        """The error because of which the receipt can't be shown, or the last act was not done."""
        self.refusal: RefundRefusal | None = None
        self.missing: Missing | None = None
        self.exchanges = False
        """Whether other goods are taken in exchange, once nothing is missing."""
        self.is_asking = False
        self.reason = ""
        """The reason why the goods come back, in the shop's words or the cashier's own."""
        self.own_reason = ""
        self.scanned_meanwhile = False
        """Whether something was scanned while the refund was issued; the scan did nothing else."""
        self.drawer_asked = False

    # --- the receipt -----------------------------------------------------------------------------

    def open(self, reference: str, *, back_to: str) -> None:
        """Begin with a receipt; the same one again finds all that was typed for it."""
        self.back_to = back_to
        if reference != self.reference or self.is_over:
            self.reference = reference
            self.act.sale = None
            self._empty()

    def begin_by_hand(self, draft: refund_by_hand.HandDraft, *, buyer: str = "") -> None:
        """Begin a refund by hand of a receipt that the journal does not hold. What was typed for
        the same receipt stays, but `draft` decides whether its goods are handed over. A form
        without a receipt's number begins anew when a closing follows a refund, or the reverse."""
        self.trouble, self.is_asking = None, False
        is_other = (
            not self.reference
            and self.hand_draft is not None
            and self.hand_draft.closes != draft.closes
        )
        if self.hand_draft is None or (is_other and self.act.sale is None):
            self.hand_draft = draft
            self._take_buyer(buyer)
        elif self.act.sale is None:
            kind = draft.kind if draft.closes else self.hand_draft.kind
            self.hand_draft = replace(self.hand_draft, kind=kind, with_goods=draft.closes)

    @property
    def closes(self) -> bool:
        """Whether an advance of another system is closed, so that nothing goes back."""
        if self.act.sale is not None:
            return self.act.sale.closes_elsewhere
        return self.hand_draft is not None and self.hand_draft.closes

    def type_by_hand(self, draft: refund_by_hand.HandDraft) -> None:
        if self.can_type:
            self.hand_draft, self.missing, self.refusal = draft, None, None

    @property
    def is_locked(self) -> bool:
        """Whether somebody has to lift the refund first. Fewer people may refund by hand."""
        by_hand, is_there = (
            self.hand_draft is not None,
            self.draft is not None and self.why_not is None,
        )
        self.lock.act = Act.REFUND_BY_HAND if by_hand else Act.REFUND
        return self.act.sale is None and not self.lock.is_open and (by_hand or is_there)

    @property
    def about(self) -> About:
        """The receipt whose refund somebody approves."""
        if self.draft is not None:
            return About(of=self.draft.overview.number, amount=self.draft.overview.total)
        return About(of=self.hand_draft.number if self.hand_draft is not None else self.reference)

    def take_overview(self, overview: receipt_overview.ReceiptOverview) -> None:
        """Take the receipt from the server, at first or again. While an act waits, or is done,
        nothing is shown anew: the screen shows what was frozen."""
        self.is_asking = False
        if self.act.sale is not None:
            return
        overview = refundable(overview)
        before, self.trouble = self.draft, None
        if before is None:
            self.draft = RefundDraft.whole(overview)
            self._take_buyer(overview.buyer)
            self.current = next((line.index for line in overview.lines if line.left_quantity), 0)
            return
        left = {line.index: line.left_quantity for line in overview.lines}
        fewer = {
            line.index for line in before.overview.lines if left[line.index] < line.left_quantity
        }
        self.fewer |= fewer
        self.draft = before.on(overview)
        self.typed_texts = {index: text for index, text in self.typed_texts.items() if left[index]}
        if self.refusal is not None:
            self.refusal = replace(self.refusal, less_left=bool(fewer))

    def not_shown(self, error: errors.PosError) -> None:
        """Take an error of the server; what was typed stays."""
        self.is_asking = False
        if self.act.sale is None:
            self.trouble = error

    def _take_buyer(self, buyer: str | None) -> None:
        """Take the receipt's buyer, who gets the money back."""
        code, _, value = (buyer or "").partition(":")
        if code in BUYER_KINDS:
            self.document = BuyerDraft(code=code, value=value)

    @property
    def why_not(self) -> receipt_overview.WhyNot | None:
        if self.draft is None:
            return None
        return self.draft.overview.why_not(receipt_overview.ReceiptAct.REFUND)

    @property
    def can_type(self) -> bool:
        is_there = self.hand_draft is not None or self.draft is not None
        return is_there and self.why_not is None and self.act.sale is None and not self.is_locked

    @property
    def is_over(self) -> bool:
        return self.act.stage is Stage.DONE

    # --- lines -----------------------------------------------------------------------------------

    @property
    def lines(self) -> tuple[receipt_overview.SoldLine, ...]:
        """The lines of the receipt; what goes back is no longer left once it is issued."""
        draft = self.draft
        if draft is None or not self.is_over:
            return () if draft is None else draft.overview.lines
        return tuple(
            replace(
                line,
                left_quantity=line.left_quantity - self.taken(line.index),
                left_total=line.left_total - draft.part(line.index),
            )
            for line in draft.overview.lines
        )

    @property
    def left_total(self) -> Money:
        """Return the amount that is left of the receipt's total."""
        return Money.total(line.left_total for line in self.lines)

    def taken(self, index: int) -> Decimal:
        return Decimal(0) if self.draft is None else self.draft.taken.get(index, Decimal(0))

    def is_ticked(self, index: int) -> bool:
        return bool(self.taken(index)) or index in self.typed_texts

    def typed_in(self, index: int) -> str:
        if index in self.typed_texts:
            return self.typed_texts[index]
        return typed_quantity_text(Quantity(self.taken(index)))

    def choose(self, index: int) -> None:
        self.current = index

    def step(self, by: int) -> None:
        self.current = min(max(self.current + by, 0), max(len(self.lines) - 1, 0))

    def tick(self, index: int) -> None:
        """Take a line with all that is left of it, or leave it out. Raises NotFound for a line of
        which nothing is left."""
        if self.draft is not None and self.can_type:
            on = not self.is_ticked(index)
            self.current = index
            self._set(self.draft.ticked(index, on=on), typed_index=index)

    def tick_all(self, on: bool) -> None:
        if self.draft is not None and self.can_type:
            whole = RefundDraft.whole(self.draft.overview)
            taken: Mapping[int, Decimal] = whole.taken if on else {}
            self._set(replace(self.draft, taken=taken, narrowed=False))
            self.typed_texts = {}

    def type_quantity(self, index: int, text: str) -> None:
        """Take a typed quantity of a line, finished or not."""
        if self.draft is None or not self.can_type:
            return
        self.typed_texts[index] = text
        self.missing = None
        try:
            self.draft = self.draft.with_typed(index, text)
        except errors.Invalid:
            return

    def rest_quantity(self, index: int) -> None:
        """Drop the text of a field that was left, unless it is wrong; show the taken quantity."""
        if self.quantity_fault(index) is None:
            self.typed_texts.pop(index, None)

    def quantity_fault(self, index: int) -> errors.Invalid | None:
        if self.draft is None or index not in self.typed_texts:
            return None
        try:
            self.draft.with_typed(index, self.typed_texts[index])
        except errors.Invalid as error:
            return error
        return None

    @property
    def is_sum_known(self) -> bool:
        """Whether all typed quantities are right; the sums follow from them."""
        return all(self.quantity_fault(index) is None for index in self.typed_texts)

    @property
    def gives_nothing(self) -> bool:
        """Whether a refund can be typed and nothing is chosen yet that goes back."""
        return self.can_type and self.is_sum_known and not self.closes and not self.total

    def scan(self, code: ReadCode) -> None:
        """Tick the line of a scanned article, or take the number of an ID card. Raises NotFound
        where the scan has no effect."""
        meant = code.meaning
        if self.can_type and isinstance(meant, barcodes.IdentityCard):
            if meant.number:  # the card's other lines follow as own scans
                self.set_document(BuyerDraft(code=ID_CARD, value=meant.number))
            return
        if self.can_type and self._is_id_card(code):
            if self.document.value.strip() not in ("", code.text):
                raise _document_is_typed()
            self.set_document(BuyerDraft(code=ID_CARD, value=code.text))
            return
        if self.draft is None or not self.can_type:
            raise errors.NotFound("not_now")
        draft, found = self.draft, _not_here()
        for gtin, sku, quantity, total in self._meant(code):
            try:
                self._set(draft.scanned(gtin=gtin, sku=sku, quantity=quantity, price=total))
            except errors.NotFound as error:
                found = found if found.kind == "used_up" else error
                continue
            ticked = [one for one in self.draft.taken if self.taken(one) != draft.taken.get(one)]
            self.current = ticked[0] if ticked else self.current
            self.typed_texts = {}
            return
        raise found

    def _meant(self, code: ReadCode) -> list[_Meant]:
        """The bar codes and article codes that the scan may mean, with what it stands for, the
        likeliest first."""
        catalogue, meant = self.services.catalogue, code.meaning
        found: list[_Meant] = [
            (one.article.gtin, one.article.sku, one.stated_quantity, one.total)
            for one in found_by(code, catalogue)
        ]
        as_sold: _Meant = (code.text, None, None, None)
        match meant:
            case barcodes.ArticleCode():
                return [*found, (meant.code, meant.sku, None, None)]
            case WeightCode():
                return [as_sold, *found, (None, meant.sku, self._on_label(meant), None)]
            case PriceCode():
                return [as_sold, *found, (None, meant.sku, None, meant.total)]
            case Gs1Message():
                return [*found, (meant.code, None, None, None)]
            case barcodes.EditionCode():
                return [as_sold, *found, (meant.ean, None, None, None)]
            case _:
                return [as_sold, *found]

    def _on_label(self, label: WeightCode) -> Quantity:
        """The quantity on the label of an article that the catalogue lacks; the receipt says
        whether it was counted."""
        counted = any(line.sku == label.sku and not line.by_weight for line in self.lines)
        return Quantity(label.amount_in(Decimal(1))) if counted else label.quantity

    def _is_id_card(self, code: ReadCode) -> bool:
        """Whether the scan is the number of an identity card: nine digits that neither a line nor
        an article of the catalogue has."""
        meant = code.meaning
        if not isinstance(meant, barcodes.ArticleCode) or len(meant.code) != ID_CARD_DIGITS:
            return False
        if not meant.code.isdigit() or found_by(code, self.services.catalogue):
            return False
        return all(line.gtin != meant.code and line.sku != meant.sku for line in self.lines)

    def _set(self, draft: RefundDraft, *, typed_index: int | None = None) -> None:
        self.draft, self.missing = draft, None
        self.refusal = None
        if typed_index is not None:
            self.typed_texts.pop(typed_index, None)

    # --- money and document ----------------------------------------------------------------------

    @property
    def total(self) -> Money:
        if self.act.sale is not None:
            return self.act.sale.total
        if self.hand_draft is not None:
            return self.hand_draft.total
        return Money.ZERO if self.draft is None else self.draft.total

    @property
    def ways(self) -> tuple[RefundWay, ...]:
        """All ways for the money to go back, impossible ones too."""
        if self.hand_draft is not None:
            total = self.hand_draft.total
            methods = PaymentMethod if self.hand_draft.closes else refund_by_hand.GIVEN_BACK_BY
            return tuple(RefundWay(Payments.of({by: total}), by) for by in methods)
        return () if self.draft is None or not self.draft.taken else self.draft.ways

    @property
    def way(self) -> RefundWay:
        if self.act.sale is not None:
            given = self.act.sale.money_taken.tendered
            methods = [method for method, _ in given.by_method]
            return RefundWay(given, methods[0] if len(methods) == 1 else None)
        if self.hand_draft is not None:
            single = self.hand_draft.single
            return RefundWay(Payments() if single is None else self.hand_draft.payments, single)
        return RefundWay(Payments()) if self.draft is None else self.draft.way

    @property
    def takes_money(self) -> bool:
        """Whether money was taken for the receipt; otherwise none is given back."""
        if self.act.sale is not None:
            return self.act.sale.kind.takes_money
        return self.draft is None or self.draft.overview.invoice_type.is_fiscal

    @property
    def copy_follows(self) -> bool:
        """Whether a copy will follow the refund, for the customer to sign."""
        methods = [method for method, _ in self.way.payments.by_method]
        return not self.is_over and self.takes_money and self.services.copy_follows(methods)

    @property
    def hand_gives(self) -> Money:
        """The cash that the hand gives, rounded where the shop rounds to whole dinars."""
        if not self.takes_money:
            return Money.ZERO
        if self.act.sale is not None:
            money = self.act.sale.money_taken
            return money.tendered.cash - money.rounding
        whole = self.services.in_whole_dinars
        if self.hand_draft is not None:
            return self.hand_draft.hand_gives(in_whole_dinars=whole)
        return Money.ZERO if self.draft is None else self.draft.hand_gives(in_whole_dinars=whole)

    def choose_way(self, number: int) -> bool:
        ways = self.ways
        if not self.can_type or number >= len(ways) or ways[number].fault is not None:
            return False
        method = ways[number].method
        if self.hand_draft is not None and method is not None:
            self.type_by_hand(replace(self.hand_draft, method=method, paid={}))
        elif self.draft is not None:
            self._set(replace(self.draft, method=method))
        return True

    def set_document(self, draft: BuyerDraft) -> None:
        if self.can_type:
            self.document, self.missing, self.refusal = draft, None, None

    @property
    def seller_pib(self) -> str:
        status = self.services.server.status
        return status.seller_pib if status is not None else ""

    def take_own_error(self) -> bool:
        """Take the shop's PIB for the buyer's document, because the error is the shop's own.
        Returns False where it is unknown."""
        if not self.can_type or not self.seller_pib:
            return False
        self.set_document(BuyerDraft(code=PIB, value=self.seller_pib, sure=True))
        return True

    def document_fault(self) -> PaymentFault | None:
        """The document's fault, or a doubt about the number until somebody is sure of it."""
        if not self.document.value.strip():
            return PaymentFault(FaultPart.BUYER, "empty")
        return self.document.fault() or self.document.unconfirmed_warning()

    # --- on to the receipt -----------------------------------------------------------------------

    def next_enter(self, *, at_document: bool) -> RefundStep:
        """The next act of Enter. at_document: the caret is in the document."""
        match self.act.stage:
            case Stage.UNDER_WAY:
                return RefundStep.WAIT
            case Stage.DONE:
                return RefundStep.GOODS if self.closes else RefundStep.NEXT
            case Stage.DOUBT:
                return RefundStep.ATTENTION
        if self.draft is None and self.hand_draft is None and self.is_asking:
            return RefundStep.ASKING
        if self.draft is None and self.hand_draft is None:
            return (
                RefundStep.BY_HAND
                if isinstance(self.trouble, errors.NoSuchReceipt)
                else RefundStep.AGAIN
            )
        if self.why_not is not None:
            return RefundStep.BACK
        is_typed = bool(self.document.value.strip())
        is_asked = at_document or is_typed or self.missing is Missing.DOCUMENT
        return RefundStep.ISSUE if is_asked or self._is_own else RefundStep.DOCUMENT

    @property
    def _is_own(self) -> bool:
        """Whether the shop stands for the buyer of an advance that is closed (fiscal.md 6.2)."""
        typed = self.document.value.strip()
        return self.closes and bool(self.seller_pib) and typed in ("", self.seller_pib)

    def find_missing(self) -> Missing | None:
        """Find what the refund still lacks; what is doubted stops it until `agree`."""
        self.missing = self._missing()
        return self.missing

    @property
    def lacks_of_lines(self) -> Missing | None:
        """What the receipt's part of the screen lacks, without which the document is not asked
        for."""
        if self.hand_draft is not None:
            return self._lacks_by_hand()
        return Missing.LINES if self.gives_nothing else self._missing_of_lines()

    def ask_for_lines(self, lacks: Missing) -> None:
        """Show what the lines lack, at the first line that is wrong."""
        self.missing = lacks
        if lacks is Missing.QUANTITY:
            self.current = self._wrong_lines()[0]

    @property
    def lacks(self) -> Missing | None:
        """What the refund lacks, as far as it is known before Enter: it asks nothing, and a doubt
        is no lack. The reason is lacking once it is asked."""
        found = self.lacks_of_lines
        if found is not None or self._is_own:
            return found
        fault = self.document_fault()
        if fault is not None and fault != self.document.unconfirmed_warning():
            return Missing.DOCUMENT
        is_asked = self.asks_reason and not self.reason
        return Missing.REASON if is_asked and not self.typed_reason else None

    def _lacks_by_hand(self) -> Missing | None:
        if self.hand_fault() is not None:
            return Missing.HAND
        return Missing.EARLIER if self.closed_before is not None else None

    @property
    def typed_reason(self) -> str:
        """The cashier's own words; "" where they say nothing."""
        typed = self.own_reason.strip()
        return typed if has_visible_text(typed) else ""

    @property
    def earlier(self) -> Sequence[Sale]:
        """The refunds by hand of the same receipt that this till issued before."""
        if self.hand_draft is None or self.act.sale is not None:
            return ()
        try:
            number = self.hand_draft.referent()
        except errors.Invalid:
            return ()
        if number != self._earlier_refunds[0]:
            self._earlier_refunds = number, self.services.sales.refunds_by_hand(number)
        return self._earlier_refunds[1]

    @property
    def closed_before(self) -> Sale | None:
        """An earlier closing of the same advance. All that was paid went into it, so the advance
        can't be closed again, unless a manager noted that the closing was settled otherwise."""
        earlier = self.earlier if self.closes else ()
        return next((one for one in earlier if one.closes_elsewhere and not one.was_shown), None)

    def _missing_by_hand(self) -> Missing | None:
        if self.hand_fault() is not None:
            return Missing.HAND
        self._earlier_refunds = (
            "",
            (),
        )  # a refund may have been issued, or settled, since the search
        is_asked = bool(self.earlier) and self._is_another != self._earlier_refunds[0]
        return Missing.EARLIER if is_asked or self.closed_before is not None else None

    def hand_fault(self) -> refund_by_hand.HandFault | None:
        return (
            None
            if self.hand_draft is None
            else self.hand_draft.fault(self.services.till.clock.now())
        )

    def _missing_of_lines(self) -> Missing | None:
        if self.draft is None or not self.draft.taken:
            return Missing.LINES
        if self._wrong_lines():
            return Missing.QUANTITY
        return Missing.WAY if self.draft.way.fault is not None else None

    def _wrong_lines(self) -> list[int]:
        return [index for index in self.typed_texts if self.quantity_fault(index) is not None]

    def _missing(self) -> Missing | None:
        is_by_hand = self.hand_draft is not None
        found = self._missing_by_hand() if is_by_hand else self._missing_of_lines()
        if found is Missing.QUANTITY:
            self.current = self._wrong_lines()[0]
        if found is not None or self._is_own:
            return found
        fault = self.document_fault()
        if fault is not None and fault == self.document.unconfirmed_warning():
            self._doubted = self.document
        if fault is not None:
            return Missing.DOCUMENT
        is_asked = bool(self.reasons) and not self.closes  # nothing goes back with a closing
        return Missing.REASON if is_asked and not self.reason else None

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reasons that the shop set; without any, no reason is asked."""
        return self.services.settings.till.refund_reasons

    @property
    def asks_reason(self) -> bool:
        """Whether all else is there, and the reason is asked now."""
        return self.missing is Missing.REASON and self.act.sale is None

    @property
    def asks_exchange(self) -> bool:
        """Whether an exchange was chosen that still lacks something, such as its reason."""
        return self.exchanges and self.can_type

    @property
    def doubt(self) -> Missing | None:
        """What stopped the refund although it may be right, so that a person may agree to it: the
        document's number, or that another part of the same receipt is refunded by hand."""
        if not self.can_type:
            return None
        if self.missing is Missing.EARLIER:
            return None if self.closed_before is not None else Missing.EARLIER
        is_doubted = self.document == self._doubted and not self.document.sure
        return Missing.DOCUMENT if is_doubted and self.missing is Missing.DOCUMENT else None

    def agree(self) -> None:
        """Take what is doubted as right."""
        if self.doubt is Missing.DOCUMENT:
            self.document = replace(self.document, sure=True)
        elif self.doubt is Missing.EARLIER:
            self._is_another = self._earlier_refunds[0]

    @property
    def exchange_fault(self) -> ExchangeFault | None:
        """The reason why other goods can't be taken in exchange, or None where they can."""
        if self.draft is None:
            return ExchangeFault.BY_HAND
        return exchange_fault(self.draft.overview)

    def exchanged(self) -> GoodsBack:
        """The returned goods of an exchange. Raises NotAllowed, Invalid."""
        buyer = self.document.buyer()
        assert self.draft is not None
        assert buyer is not None
        return goods_back(self.draft, buyer, reason=self.reason, lifted_by=self.lock.lifted_by)

    def confirm(self) -> Sale:
        """Freeze the refund. Raises NotAllowed, DiskFull and database errors; then nothing was done
        and all that was typed stays."""
        services, typed = self.services, self.document.buyer()
        buyer = services.own_buyer() if typed is None else typed
        if services.server.signs_nothing:
            raise errors.NotAllowed("refund_waits")
        sale = self._freeze(buyer)
        self.trouble = self.refusal = None
        self.scanned_meanwhile = False
        self.act.sale = sale
        return sale

    def _freeze(self, buyer: BuyerId) -> Sale:
        services = self.services
        delivery = services.usual_delivery.delivery()
        cashier, whole = services.cashier, services.in_whole_dinars
        if self.hand_draft is not None:
            return refund_by_hand.confirm_refund_by_hand(
                till=services.till,
                draft=self.hand_draft,
                buyer=buyer,
                delivery=delivery,
                cashier=cashier,
                in_whole_dinars=whole,
                is_own=self._is_own,
                reason=self.reason,
            )
        assert self.draft is not None
        return confirm_refund(
            till=services.till,
            draft=self.draft,
            buyer=buyer,
            delivery=delivery,
            cashier=cashier,
            in_whole_dinars=whole,
            reason=self.reason,
        )

    def refused(self, reason: PendingReason | None) -> None:
        """Go on after a refusal: the server surely issued nothing, and the receipt is read anew."""
        self.act.sale = None
        self.refusal = RefundRefusal(reason)


def _document_is_typed() -> errors.NotFound:
    """The error that nine scanned digits, which may be any code, don't replace the typed
    document."""
    return errors.NotFound("document_is_typed")


def _not_here() -> errors.NotFound:
    return errors.NotFound("not_on_receipt")
