"""The facts of a payment in words: the options' values, the figure, and the act of Enter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pos_app.cashier.payment.model import FigureKind, Payment, PaymentFigure, PaymentModel
from pos_app.cashier.payment.tender import EnterEffect
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.words import cart_texts
from pos_app.cashier.words.done_words import by_methods
from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import MINUS, amount_text, percent_text
from pos_app.domain.money.payment import PaymentMethod
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.receipt_drafts import FaultPart

ICONS: Mapping[PaymentMethod, str] = {
    PaymentMethod.CASH: "banknote",
    PaymentMethod.CARD: "credit-card",
    PaymentMethod.CHECK: "file-check-2",
    PaymentMethod.MOBILE_MONEY: "smartphone",
    PaymentMethod.WIRE_TRANSFER: "landmark",
    PaymentMethod.VOUCHER: "ticket",
    PaymentMethod.OTHER: "ellipsis",
}


@dataclass(frozen=True, slots=True)
class FigureWords:
    title: str
    amount: str
    words: str
    is_change: bool


def figure_words(figure: PaymentFigure, texts: Texts, *, takes_part: bool = False) -> FigureWords:
    """takes_part: less may be given (advance)."""
    due, given = amount_text(figure.due), amount_text(figure.given)
    asked = "pay.to_pay.advance" if takes_part else "pay.to_pay"
    text_line = texts("pay.given", given=given, due=due) if figure.given else texts(asked, due=due)
    if figure.kind is FigureKind.OFFERED:
        text_line = texts("pay.offered_words")
    if figure.netted is not None and not figure.given:
        back, new = map(amount_text, figure.netted)
        text_line = texts("pay.netted", back=back, new=new)
    if figure.kind is FigureKind.GIVE_BACK and figure.beside.total:
        text_line = texts("exch.back_by", methods=by_methods(figure.beside, texts))
    if figure.kind is FigureKind.EXCESS:
        text_line = texts("pay.excess_words" if figure.due else "pay.excess_given_back")
    elif figure.on_paper is not None:
        text_line = texts("pay.on_paper", given=given, due=due, change=amount_text(figure.on_paper))
    elif figure.rounding:
        rounding = _signed(figure.rounding)
        text_line = texts("pay.rounded", given=given, due=due, rounding=rounding)
    if figure.change_told:
        change = texts("pay.change_told", change=amount_text(figure.change_told))
        text_line = f"{text_line} · {change}"
    return FigureWords(
        texts(f"pay.{figure.kind}"),
        amount_text(figure.amount),
        text_line,
        figure.kind in _HAND_GIVES,
    )


_HAND_GIVES = (FigureKind.CHANGE, FigureKind.GIVE_BACK)


def _signed(amount: Money) -> str:
    text = amount_text(amount)
    return text if text.startswith(MINUS) else f"+{text}"


def brief(value: str, part: FaultPart, texts: Texts) -> str:
    """Return an option's usual value in fewer words; "" for another value."""
    usual = (f"pay.{part}.none", f"pay.{part}.whole", f"pay.{part}.today")
    found = (text_id for text_id in usual if texts.has(text_id) and texts(text_id) == value)
    text_id = f"{next(found, '')}.short"
    return texts(text_id) if texts.has(text_id) else ""


def discount_words(model: Payment, texts: Texts) -> str:
    discount = model.ticket.cart.discount if isinstance(model, PaymentModel) else None
    if discount is None:
        return texts("pay.discount.none")
    if isinstance(discount, Percent):
        return percent_text(-discount.value)
    return amount_text(-discount)


def advance_words(model: Payment, texts: Texts, *, is_wrong: bool) -> str:
    """Return the amount of a new advance; for a further payment, the day on which the money
    arrived."""
    if is_wrong or isinstance(model, PaymentModel):
        return cart_texts.advance_words(model.advance, texts, is_wrong=is_wrong)
    return model.advance.day or texts("pay.advance.today")


def line_errors(model: Payment, texts: Texts, *, fault: str, error: str) -> dict[int, str]:
    """Return what is wrong with the lines, by their ids. fault: what keeps the payment from being
    confirmed. error: what was just refused in the active line."""
    tender, errors = model.tender, dict[int, str]()
    if tender.with_para is not None:
        errors[tender.with_para] = texts.error(Invalid("para_in_cash", field="payments")).happened
    for line_id, excess in tender.too_much.items():
        errors[line_id] = texts("pay.fault.lines.above_total", excess=excess)
    if fault and not tender.excess:
        errors[tender.active] = fault
    if error and error != fault:
        errors[tender.active] = error
    return errors


class NextAct(NamedTuple):
    """The act of the big button, and of Enter. order: what to do before it can act, or ""."""

    word: str
    amount: str
    order: str = ""


def next_act_words(model: Payment, texts: Texts) -> NextAct:
    """Return the act in words: issue, take the exact rest, or what is missing."""
    tender = model.tender
    after, meant = model.next_enter()
    match meant:
        case EnterEffect.COVERED:
            taken = model.issue_amount
            return NextAct(texts(model.issue_word), "" if taken is None else amount_text(taken))
        case EnterEffect.FILLED:
            text_id = "pay.next.rest" if tender.paid else "pay.next.exact"
            text_id = text_id if tender.for_gifts is None else "pay.next.gift"
            return NextAct(texts(text_id), amount_text(after.active_line.entry.amount))
        case EnterEffect.SHORT:
            return NextAct("", amount_text(model.figure().amount), texts("pay.next.short"))
        case EnterEffect.TOO_MUCH:
            return NextAct("", amount_text(tender.excess), texts("pay.next.too_much"))
        case EnterEffect.PARA:
            return NextAct("", "", texts("pay.next.para"))
        case EnterEffect.ADVANCE:
            return NextAct(texts("pay.next.advance"), amount_text(after.due))
