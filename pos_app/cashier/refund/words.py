"""A refund in words: its receipt, its lines, the way of the money, and the result."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from pos_app.cashier.acts.act_steps import SHARED_STEPS, SURE, StepFace
from pos_app.cashier.refund.model import Missing, RefundModel, RefundStep
from pos_app.cashier.texts.lookup import NoticeWords, Texts
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.done import DoneContent
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.cashier.words.cart_texts import fault_words
from pos_app.cashier.words.done_words import done_facts, given_by_hand, goes_back_words
from pos_app.cashier.words.moments import moment_text
from pos_app.cashier.words.receipt_words import short_number
from pos_app.cashier.words.refused_words import refused_words
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.number_text import amount_text, quantity_text
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt import receipt_overview
from pos_app.domain.receipt.request import InvoiceType, TransactionType, name_and_unit
from pos_app.domain.receipt.states import RequestState
from pos_app.errors import NoSuchReceipt, Refused, RemoteError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.receipts.refund_by_hand import HandPart
from pos_app.selling.receipts.refund_draft import RefundWay
from pos_app.selling.sale.sale import LEFT_IN_FRONT, Sale

NONE = "–"
_ONCE_ASKED = ("id_card_digits",)
"""Warnings that are shown when the refund is to be issued, and not while a number is typed."""


def quantity(amount: Decimal) -> str:
    return quantity_text(Quantity(amount)) if amount else NONE


def line_words(line: receipt_overview.SoldLine, texts: Texts) -> str:
    price, unit = amount_text(line.unit_price), name_and_unit(line.name)[1]
    each = f"{price} / {unit}" if unit else price
    return texts("refund.line", each=each, label=line.label.value)


def line_text(line: receipt_overview.SoldLine, model: RefundModel, texts: Texts) -> str:
    """The text of a row for a screen reader."""
    name = name_and_unit(line.name)[0]
    if not line.left_quantity:
        return f"{name}. {texts('refund.used_up')}"
    state = "refund.row.ticked" if model.is_ticked(line.index) else "refund.row.left"
    return texts(
        state, name=name, of=quantity(model.taken(line.index)), left=quantity(line.left_quantity)
    )


# --- the receipt ---------------------------------------------------------------------------------


def refunds_of(
    overview: receipt_overview.ReceiptOverview,
) -> tuple[receipt_overview.ChainMember, ...]:
    return tuple(
        one
        for one in overview.chain
        if one.transaction_type is TransactionType.REFUND
        and one.invoice_type is not InvoiceType.COPY
        and one.state is RequestState.SIGNED
        and not one.is_undone
    )


def paid_words(paid: tuple[receipt_overview.PaidBy, ...], texts: Texts) -> str:
    methods = ", ".join(texts(f"pay.line.{one.method}").lower() for one in paid)
    return texts("refund.paid_by", methods=methods)


def given_back_head(model: RefundModel, texts: Texts) -> str:
    before = () if model.draft is None else refunds_of(model.draft.overview)
    if len(before) == 1 and before[0].number and not model.is_over:
        return texts("refund.given_back_by", number=short_number(before[0].number))
    return texts("refund.given_back")


# --- the money -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RefundFigure:
    """The largest figure. given: the ground is tinted, once nothing is lacking for the sum to be
    given."""

    title: str
    beside: str
    amount: str
    words: str
    given: bool


def way_title(way: RefundWay, texts: Texts) -> str:
    if way.method is not None:
        return texts(f"pay.method.{way.method}")
    methods = [texts(f"pay.method.{method}") for method, _ in way.payments.by_method]
    return " + ".join(methods) or NONE


def way_words(way: RefundWay, model: RefundModel, texts: Texts) -> str:
    if way.fault is not None:
        return texts(f"refund.way.{way.fault}")
    if model.closes:
        return ""
    if way.method is None:
        return ", ".join(amount_text(amount) for _, amount in way.payments.by_method)
    paid = {} if model.draft is None else _left_by_method(model.draft.overview)
    if way.method in paid and way.payments.total <= paid[way.method]:
        return texts("refund.way.as_paid", most=amount_text(paid[way.method]))
    later = model.services.settings.till.paid_later
    if way.method not in later and any(method in later for method in paid):
        return texts("refund.way.owed_as_before")
    is_account = way.method is PaymentMethod.WIRE_TRANSFER
    if model.hand_draft is not None and not is_account:
        return ""
    return texts("refund.way.account" if is_account else "refund.way.other")


def _left_by_method(overview: receipt_overview.ReceiptOverview) -> dict[PaymentMethod, Money]:
    return {one.method: one.amount for one in overview.left_by_method if one.amount}


def _is_amount_wrong(model: RefundModel) -> bool:
    """Whether an amount is typed by hand that can't go back."""
    fault = model.hand_fault()
    return fault is not None and fault.part is HandPart.AMOUNTS and fault.kind != "nothing"


def figure_content(model: RefundModel, texts: Texts) -> RefundFigure:
    """The sum that the hand gives; where no cash moves, the sum that goes back."""
    way = model.way
    is_known = model.is_sum_known and not _is_amount_wrong(model)
    total = amount_text(model.total) if is_known else NONE
    is_stopped = model.refusal is not None or model.doubt is not None
    given = model.can_type and model.lacks is None and not is_stopped
    if model.closes:
        text = texts("refund.closes", total=total)
        nothing = amount_text(Money.ZERO)
        return RefundFigure(
            texts("refund.figure.closes"), texts("refund.currency"), nothing, text, given
        )
    if not model.takes_money:
        title, why = texts("refund.figure.no_money"), texts("refund.no_money")
        return RefundFigure(title, texts("refund.currency"), total, why, given)
    if model.total and not way.payments.cash:
        title = texts("refund.figure.no_cash", method=way_title(way, texts))
        return RefundFigure(title, texts("refund.currency"), total, "", given)
    gives = model.hand_gives
    words = [texts("refund.drawer_opens")] if model.services.has_drawer else []
    if gives != model.total and is_known:
        words.insert(0, texts("refund.on_receipt", total=total))
    whole = texts("refund.whole_dinars" if model.services.in_whole_dinars else "refund.currency")
    joined = " · ".join(words)
    amount = amount_text(gives) if is_known else NONE
    return RefundFigure(texts("figure.give"), whole, amount, joined, given)


# --- what the big button does, and what is to be told ---------------------------------------------


def enter_face(meant: RefundStep, model: RefundModel) -> StepFace:
    if meant is RefundStep.ISSUE and model.asks_exchange:
        return EXCHANGE_FACE
    closing = _CLOSES.get(meant) if model.closes else None
    return closing or _FACES[meant]


def order_words(meant: RefundStep, model: RefundModel, texts: Texts) -> str:
    """Say what to do before the refund can be issued, or its document be asked for; "" for
    nothing."""
    if meant not in (RefundStep.ISSUE, RefundStep.DOCUMENT):
        return ""
    if (doubt := model.doubt) is not None:
        return texts(_DOUBTS[doubt])
    lacks = model.lacks if meant is RefundStep.ISSUE else model.lacks_of_lines
    if lacks is None:
        return ""
    return _order_by_hand(model, texts) if lacks is Missing.HAND else texts(_ORDERS[lacks])


_DOUBTS = {Missing.DOCUMENT: SURE, Missing.EARLIER: "refund.order.another"}
_ORDERS = {
    Missing.LINES: "refund.enter.nothing",
    Missing.QUANTITY: "refund.order.quantity",
    Missing.WAY: "refund.order.way",
    Missing.DOCUMENT: "refund.order.document",
    Missing.REASON: "refund.order.reason",
    Missing.EARLIER: "refund.order.earlier",
}


def _order_by_hand(model: RefundModel, texts: Texts) -> str:
    fault = model.hand_fault()
    assert fault is not None
    if fault.part is HandPart.METHODS and fault.kind != "empty":
        return texts("refund.order.paid")
    if _is_amount_wrong(model):
        return texts("refund.order.amount_wrong")
    is_day = fault.part is HandPart.TIME and fault.kind != "time"
    return texts("refund.order.day" if is_day else f"refund.order.{fault.part}")


_FACES = {
    **SHARED_STEPS,
    RefundStep.DOCUMENT: StepFace("refund.enter.document", "undo-2"),
    RefundStep.ISSUE: StepFace("refund.enter.issue", "undo-2"),
    RefundStep.ASKING: StepFace("refund.enter.asking", "loader-circle", ButtonKind.PLAIN),
    RefundStep.GOODS: StepFace("refund.enter.goods", "hand-coins"),
    RefundStep.BY_HAND: StepFace("refund.enter.by_hand", "pencil"),
}
EXCHANGE_FACE = StepFace("refund.exchange", "refresh-cw")
_CLOSES = {
    RefundStep.DOCUMENT: StepFace("refund.enter.document", "hand-coins"),
    RefundStep.ISSUE: StepFace("refund.enter.close", "hand-coins"),
}


@dataclass(frozen=True, slots=True)
class RefundNotice:
    kind: NoticeKind
    words: NoticeWords


def notice_content(model: RefundModel, texts: Texts) -> RefundNotice | None:
    """The notice, in three parts, about what prevents the refund, or None while all is well."""
    if model.trouble is not None:
        return _of_trouble(model, texts)
    why = model.why_not
    if why is not None:
        assert model.draft is not None
        acts = model.draft.overview.acts
        numbers = next((one.numbers for one in acts if one.why_not is why), ())
        named = ", ".join(map(short_number, numbers))
        words = NoticeWords(texts(f"receipts.why_not.{why}"), texts("refund.safe"), named)
        return RefundNotice(NoticeKind.WARN, words)
    if model.refusal is not None:
        return _of_refusal(model, texts)
    if model.missing is Missing.WAY:
        words = NoticeWords(texts("refund.missing.way"), texts("refund.safe"), "")
        return RefundNotice(NoticeKind.WARN, words)
    return None


def _of_trouble(model: RefundModel, texts: Texts) -> RefundNotice:
    error = model.trouble
    assert error is not None
    if isinstance(error, NoSuchReceipt):
        text = texts("refund.not_here")
        return RefundNotice(NoticeKind.WARN, NoticeWords(text, texts("refund.safe"), ""))
    if isinstance(error, RemoteError) and not isinstance(error, Refused):
        press = texts("refund.away.do")
        words = NoticeWords(texts("refund.away"), texts("refund.safe"), press)
        return RefundNotice(NoticeKind.INFO, words)
    words = texts.error(error)
    return RefundNotice(NoticeKind.DANGER, replace(words, safe=words.safe or texts("refund.safe")))


def _of_refusal(model: RefundModel, texts: Texts) -> RefundNotice:
    refusal = model.refusal
    assert refusal is not None
    safe = texts("refund.refused.safe")
    if refusal.less_left:
        press = texts("refund.less_left.do")
        words = NoticeWords(texts("refund.less_left"), safe, press)
        return RefundNotice(NoticeKind.WARN, words)
    reason = refusal.reason
    if reason is not None and reason.code == LEFT_IN_FRONT:
        words = NoticeWords(texts("refund.not_sent"), safe, texts("refund.not_sent.do"))
        return RefundNotice(NoticeKind.WARN, words)
    press = f"{refused_words(reason, texts)} {texts('refund.refused.do')}".strip()
    words = NoticeWords(texts("refund.refused"), safe, press)
    return RefundNotice(NoticeKind.DANGER, words)


def document_words(model: RefundModel, texts: Texts) -> str:
    """Words for the document's fault, once something is typed or the document is missing."""
    fault = model.document_fault()
    is_asked = model.missing is Missing.DOCUMENT
    if fault is None or not (is_asked or model.document.value):
        return ""
    if fault == model.document.unconfirmed_warning() and not is_asked:
        return ""
    return fault_words(fault, texts)


def document_advice(model: RefundModel, texts: Texts) -> str:
    """Words for a possible typing error, until the refund was to be issued, or the document is
    confirmed."""
    doubt = model.document.unconfirmed_warning()
    if doubt is None or doubt.kind in _ONCE_ASKED or model.missing is Missing.DOCUMENT:
        return ""
    return fault_words(doubt, texts)


def digits_words(model: RefundModel, texts: Texts) -> str:
    value = "".join(model.document.value.split())
    if not value.isdigit() or model.document_fault() is not None:
        return ""
    return texts.count("refund.digits", len(value))


def hand_fault_words(model: RefundModel, texts: Texts) -> str:
    """Words for the fault of a refund by hand, or "" until the refund was to be issued."""
    fault = model.hand_fault()
    if fault is None or model.missing is not Missing.HAND:
        return ""
    if fault.kind == "sum":
        assert model.hand_draft is not None
        paid = Money.total(model.hand_draft.by_method.values())
        total = amount_text(model.hand_draft.total)
        return texts("refund.hand.fault.methods.sum", paid=amount_text(paid), total=total)
    return texts(f"refund.hand.fault.{fault.part}.{fault.kind}")


def earlier_words(model: RefundModel, texts: Texts) -> str:
    sale = model.closed_before
    if sale is None and not model.earlier:
        return ""
    last = sale or model.earlier[-1]
    text_id = "refund.hand.closed_before" if sale is not None else "refund.hand.earlier"
    if sale is None and model.missing is Missing.EARLIER:
        text_id = "refund.hand.earlier_again"
    number = short_number(last.receipt.fiscal_number) if last.receipt is not None else NONE
    moment = moment_text(last.frozen_at)
    return texts(text_id, number=number, when=moment, amount=amount_text(last.total))


def quantity_fault_words(model: RefundModel, index: int, texts: Texts) -> str:
    error = model.quantity_fault(index)
    if error is None:
        return ""
    kind = error.kind
    if kind == "more_than_left":
        return texts("refund.quantity.more", left=error.values["left"])
    if model.draft is not None and model.draft.is_of_advance:
        return texts.error(error).happened
    return texts("refund.quantity.wrong")


def summary(model: RefundModel, texts: Texts) -> tuple[tuple[str, str], ...]:
    """The texts below the lines: their number with the tax, and what stays on the receipt."""
    draft = model.draft
    assert draft is not None
    services = model.services
    status = services.server.status
    rates = status.rates if status is not None else ()
    tax = draft.tax(rates, draft.overview.time)  # the law takes the rates of its own time
    many = texts.count("refund.lines", len(draft.taken))
    counted = texts("refund.lines_with_tax", lines=many) if tax is not None else many
    number = short_number(draft.overview.number)
    if not model.is_sum_known:
        return (many, NONE), (texts("refund.stays", number=number), NONE)
    return (
        (counted, "" if tax is None else amount_text(tax)),
        (texts("refund.stays", number=number), amount_text(draft.stays)),
    )


def done_content(model: RefundModel, texts: Texts) -> DoneContent:
    """What the issued refund has the hand give, and what the customer signs."""
    sale = model.act.sale
    assert sale is not None
    number = sale.receipt.fiscal_number if sale.receipt is not None else NONE
    figure, amount = given_by_hand(model.hand_gives, texts)
    title, numbers = texts("refund.done"), (texts("done.receipt", number=number),)
    return DoneContent(title, numbers, figure, amount, _done_words(model, sale, texts))


def _done_words(model: RefundModel, sale: Sale, texts: Texts) -> str:
    if model.closes:
        return texts("refund.done.goods")
    if not model.takes_money:
        return texts("refund.no_money")
    total = amount_text(model.total)
    beside = goes_back_words(sale.money_taken.tendered, texts)
    if not sale.money_taken.tendered.cash:
        return beside
    facts = [texts("refund.on_receipt", total=total)] if model.hand_gives != model.total else []
    if model.drawer_asked:
        facts.append(texts("refund.drawer_opened"))
    return "\n".join(filter(None, (beside, texts("refund.done.give"), done_facts(facts))))
