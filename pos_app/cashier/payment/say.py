"""The facts of a payment in words: faults at their place, values of the options, the figure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pos_app.cashier.payment.advance import AdvanceDraft
from pos_app.cashier.payment.buyer import BuyerDraft
from pos_app.cashier.payment.delivery import PAPER, DeliveryDraft
from pos_app.cashier.payment.faults import Fault, Place
from pos_app.cashier.payment.model import Figure, FigureKind, PaymentModel
from pos_app.cashier.payment.tender import Entered
from pos_app.cashier.texts import Words
from pos_app.domain.buyer import BUYER_KINDS
from pos_app.domain.discount import Percent
from pos_app.domain.money import Money
from pos_app.domain.numerals import MINUS, NO_BREAK_SPACE, amount_text, percent_text
from pos_app.domain.payment import PaymentMethod

ICONS: Mapping[PaymentMethod, str] = {
    PaymentMethod.CASH: "banknote",
    PaymentMethod.CARD: "credit-card",
    PaymentMethod.CHECK: "file-check-2",
    PaymentMethod.MOBILE_MONEY: "smartphone",
    PaymentMethod.WIRE_TRANSFER: "landmark",
    PaymentMethod.VOUCHER: "ticket",
    PaymentMethod.OTHER: "ellipsis",
}
_PARTS = {"PIB": "ПИБ", "JMBG": "ЈМБГ", "JBKJS": "ЈБКЈС"}
_SHORT = 24
"""Characters of a text that are shown on its option."""


@dataclass(frozen=True, slots=True)
class FigureWords:
    """The largest figure, ready to be shown."""

    title: str
    amount: str
    words: str
    is_change: bool


def figure_words(figure: Figure, words: Words) -> FigureWords:
    """Title, amount and the quiet line of the figure."""
    due, given = amount_text(figure.due), amount_text(figure.given)
    line = (
        words("pay.given", given=given, due=due) if figure.given else words("pay.to_pay", due=due)
    )
    if figure.kind is FigureKind.EXCESS:
        line = words("pay.excess_words")
    elif figure.on_paper is not None:
        line = words("pay.on_paper", given=given, due=due, change=amount_text(figure.on_paper))
    elif figure.rounding:
        rounding = _signed(figure.rounding)
        line = words("pay.rounded", given=given, due=due, rounding=rounding)
    return FigureWords(
        words(f"pay.{figure.kind}"),
        amount_text(figure.amount),
        line,
        figure.kind is FigureKind.CHANGE,
    )


def _signed(amount: Money) -> str:
    text = amount_text(amount)
    return text if text.startswith(MINUS) else f"+{text}"


def fault_words(fault: Fault | None, words: Words) -> str:
    """What is wrong, in plain words; "" for nothing."""
    if fault is None:
        return ""
    kind = fault.kind
    if fault.place is Place.BUYER and kind == "length" and "longest" in fault.values:
        kind = "too_long"
    key = f"pay.fault.{fault.place}.{kind}"
    if not words.has(key):
        return fault.what
    return words(key, **{name: _shown(value, words) for name, value in fault.values.items()})


def _shown(value: object, words: Words) -> object:
    if isinstance(value, Money):
        return amount_text(value)
    if isinstance(value, str) and value in _PARTS and words.language == "sr-Cyrl":
        return _PARTS[value]
    return value


def buyer_words(draft: BuyerDraft, words: Words) -> str:
    """What the option "buyer" shows; the number of a natural person stays in its field."""
    if draft.fault() or draft.centre_fault():
        return words("pay.unfinished")
    buyer = draft.buyer()
    if buyer is None:
        return words("pay.buyer.none")
    kind = words(f"pay.kind.{BUYER_KINDS[draft.code].key}")
    if draft.by_corporate_card:
        kind = words("pay.corporate")
    named = kind if buyer.is_personal else f"{kind}{NO_BREAK_SPACE}{buyer.value}"
    return words("pay.buyer.doubted", buyer=named) if draft.doubt() else named


def delivery_words(draft: DeliveryDraft, words: Words, *, short: bool = False) -> str:
    """What the option "delivery" shows; consent is named where paper could be had instead.

    short: in as few words as there are.
    """
    if draft.fault():
        return words("pay.unfinished")
    keys = [f"pay.way.{way}" for way in draft.offered if way in draft.chosen]
    brief = [f"{key}.short" if short and words.has(f"{key}.short") else key for key in keys]
    chosen = [words(key) for key in brief]
    ways = ", ".join(chosen) or words("pay.way.none")
    must_agree = draft.is_without_paper and bool(set(PAPER) & set(draft.offered))
    agrees = "pay.without_paper.short" if short else "pay.without_paper"
    return words(agrees, ways=ways) if must_agree else ways


def brief(value: str, place: Place, words: Words) -> str:
    """The value of an option in fewer words where it is the usual one; "" for any other."""
    usual = (f"pay.{place}.none", f"pay.{place}.whole")
    found = (key for key in usual if words.has(key) and words(key) == value)
    key = f"{next(found, '')}.short"
    return words(key) if words.has(key) else ""


def discount_words(model: PaymentModel, words: Words) -> str:
    """What the option "discount" shows."""
    discount = model.basket.cart.discount
    if discount is None:
        return words("pay.discount.none")
    if isinstance(discount, Percent):
        return percent_text(-discount.value)
    return amount_text(-discount)


def text_words(text: str, words: Words) -> str:
    """What the option "text" shows: its beginning."""
    text = " ".join(text.split())
    if not text:
        return words("pay.text.none")
    return text if len(text) <= _SHORT else f"{text[:_SHORT]}…"


def advance_words(draft: AdvanceDraft, words: Words, *, is_wrong: bool) -> str:
    """What the option "advance" shows."""
    if is_wrong:
        return words("pay.unfinished")
    asked = draft.asked()
    return amount_text(asked) if asked is not None else words("pay.advance.whole")


@dataclass(frozen=True, slots=True)
class NextAct:
    """What the big button, and Enter, will do."""

    word: str
    amount: str


def next_act_words(model: PaymentModel, words: Words) -> NextAct:
    """Issue, take over what is due, or say what is missing: what it then really does."""
    tender = model.tender
    after, meant = tender.enter()
    match meant:
        case Entered.COVERED:
            return NextAct(words(f"pay.issue.{model.basket.kind}"), amount_text(model.due))
        case Entered.FILLED:
            key = "pay.next.rest" if tender.paid else "pay.next.exact"
            return NextAct(words(key), amount_text(after.active_line.entry.amount))
        case Entered.SHORT:
            return NextAct(words("pay.next.short"), amount_text(model.figure().amount))
        case Entered.TOO_MUCH:
            return NextAct(words("pay.next.too_much"), amount_text(tender.excess))
