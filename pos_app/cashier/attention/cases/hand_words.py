"""Words for what the hand does with the money of a sale, or an act on a receipt, that ended in
Attention. Where nobody knows whether it was done before, they say so. Source: till.md
("Attention")."""

from __future__ import annotations

from pos_app.cashier.acts.act_in_front import REFUSED_IN_FRONT, TO_CART
from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import NO_BREAK_SPACE, amount_text
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.receipt.operations import Operation
from pos_app.selling.receipts.frozen_pair import FrozenPair
from pos_app.selling.sale.sale import ExchangeMoney, Sale


def methods_in_words(payments: Payments, texts: Texts) -> str:
    """The payment methods: "картица", or "готовина 1.000,00, картица 200,00"."""
    by_method = payments.by_method
    return _method(by_method[0][0], texts) if len(by_method) == 1 else each_method(payments, texts)


def each_method(payments: Payments, texts: Texts) -> str:
    return ", ".join(
        f"{_method(method, texts)}{NO_BREAK_SPACE}{amount_text(amount)}"
        for method, amount in payments.by_method
    )


def moved_money(sale: Sale, pair: FrozenPair | None) -> Payments:
    """What the customer gave, or what a refund has the hand give, in whole dinars where the shop
    rounds. What pays for something else in an exchange, no hand moves. pair: as in `hand_words`."""
    money = sale.money_taken
    if pair is not None and pair.is_exchange:
        is_new = sale.key == pair.new.key
        return _received(ExchangeMoney.of(pair.refund, pair.new)) if is_new else Payments()
    return money.less(money.rounding) if sale.operation is Operation.REFUND else money.tendered


def hand_words(sale: Sale, pair: FrozenPair | None, texts: Texts, *, is_issued: bool) -> str:
    """What the hand gives or takes now, "" for nothing. pair: the one that the sale belongs to."""
    if not sale.kind.takes_money or sale.operation is Operation.COPY:
        return ""
    if is_issued:
        return _of_issued(sale, pair, texts)
    if sale.cancel_reason == TO_CART:
        return texts("att.hand.in_cart")
    if pair is not None:
        # What the customer gave beside the credit goes back; a refund moves nothing here, and no
        # coin moves in a correction.
        return _moved("att.hand.back", moved_money(sale, pair), texts) if pair.is_exchange else ""
    return _of_cancelled(sale, texts)


def _of_cancelled(sale: Sale, texts: Texts) -> str:
    """What goes back; the money of an act may be used for another try already, and stays given for
    its advance where its screen said so."""
    if sale.operation is Operation.REFUND:
        return texts("att.hand.keep")
    if sale.cancel_reason == REFUSED_IN_FRONT and sale.money_taken.tendered.total:
        return texts("att.hand.in_advance")
    given = sale.money_taken.less(sale.change_told)
    if not given.total:
        return ""
    is_sale = sale.operation is Operation.ISSUE
    words = _moved("att.hand.back" if is_sale else "att.hand.back.act", given, texts)
    if not sale.change_told:
        return words
    return f"{words} {texts('att.hand.back.change', change=amount_text(sale.change_told))}"


def _of_issued(sale: Sale, pair: FrozenPair | None, texts: Texts) -> str:
    """The change of a sale was told when it was confirmed; a correction moves no money, and neither
    does a refund whose worth pays for something else."""
    if pair is not None:
        is_end = pair.is_exchange and sale.key == pair.new.key
        return _of_exchange(ExchangeMoney.of(pair.refund, pair.new), texts) if is_end else ""
    if sale.operation is Operation.REFUND:
        return _moved("att.hand.give", moved_money(sale, pair), texts)
    if sale.operation is Operation.ISSUE:
        return ""
    return _taken(sale.money_taken.tendered, sale.money_taken.change, texts)


def _received(money: ExchangeMoney) -> Payments:
    """What the customer gave beside what came back, with the change that follows."""
    cash = max(money.taken, Money.ZERO) + money.change
    return Payments.summed([(PaymentMethod.CASH, cash), *money.paid.by_method])


def _of_exchange(money: ExchangeMoney, texts: Texts) -> str:
    out = max(-money.taken, Money.ZERO)
    given = Payments.summed([(PaymentMethod.CASH, out), *money.back.by_method])
    taken = _taken(_received(money), money.change, texts)
    words = (taken, _moved("att.hand.give", given, texts))
    return " ".join(filter(None, words))


def _taken(payments: Payments, change: Money, texts: Texts) -> str:
    words = _moved("att.hand.take", payments, texts)
    back = texts("att.hand.change", change=amount_text(change)) if change else ""
    return " ".join(filter(None, (words, back)))


def _moved(text_id: str, payments: Payments, texts: Texts) -> str:
    if not payments.total:
        return ""
    by = methods_in_words(payments, texts)
    return texts(text_id, total=amount_text(payments.total), by=by)


def _method(method: PaymentMethod, texts: Texts) -> str:
    return texts(f"pay.line.{method}").lower()
