"""Translates rows of `till.db` to and from the values of the core."""

from __future__ import annotations

import json
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import apsw

from pos_app.adapters.sqlite import stored_values
from pos_app.domain.article.barcodes import WhyUnknown
from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.cart import CartArticle, CartLine, ReceiptDiscount
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.request import FrozenArticle
from pos_app.domain.receipt.states import AnswerClass
from pos_app.selling.sale import ticket
from pos_app.selling.sale.goods_back import GoodsBack
from pos_app.selling.sale.missed_codes import Missed, UnknownCode
from pos_app.selling.sale.ports import Paid
from pos_app.selling.sale.sale import MoneyTaken, NewSale, PendingReason, ReceiptFacts, Sale
from pos_app.selling.sale.state import SaleState

Row = tuple[Any, ...]

# --- carts ---------------------------------------------------------------------------------------

SELECT_LINES = """
SELECT line, position, article_id, sku, name, label, unit, gtin, by_weight, article_price, price,
    quantity, discount, discount_amount, stated_total, removed, unknown_code,
    batch, serial
FROM cart_lines WHERE cart_id = ? ORDER BY position
"""
WRITE_LINE = """
INSERT INTO cart_lines (cart_id, line, position, article_id, sku, name, label, unit, gtin,
    by_weight, article_price, price, quantity, discount, discount_amount, stated_total, removed,
    unknown_code, batch, serial)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (cart_id, line) DO UPDATE SET
    position = excluded.position, name = excluded.name, label = excluded.label,
    gtin = excluded.gtin, price = excluded.price, quantity = excluded.quantity,
    discount = excluded.discount, discount_amount = excluded.discount_amount,
    stated_total = excluded.stated_total, removed = excluded.removed
"""


def discount_columns(discount: ReceiptDiscount) -> tuple[int | None, int | None]:
    """Return a discount as percent and amount, of which at most one is set."""
    if isinstance(discount, Percent):
        return stored_values.ten_thousandths(discount), None
    return None, None if discount is None else stored_values.para(discount)


def discount_of(percent: int | None, amount: int | None) -> ReceiptDiscount:
    return stored_values.percent_of(percent) if amount is None else stored_values.money(amount)


def line_row(line: CartLine, position: int) -> Row:
    """Return the values of WRITE_LINE after the cart's id."""
    article, frozen = line.article, line.article.frozen
    return (
        line.id,
        position,
        article.article_id,
        article.sku,
        frozen.name,
        frozen.label.value,
        frozen.unit,
        frozen.gtin,
        int(article.by_weight),
        stored_values.para(article.price),
        stored_values.para(line.price),
        stored_values.thousandths(line.quantity),
        *discount_columns(line.discount),
        None if line.stated_total is None else stored_values.para(line.stated_total),
        int(line.removed),
        article.unknown_code or None,
        article.batch or None,
        article.serial or None,
    )


def line_of(row: Row) -> CartLine:
    line, _, article_id, sku, name, label, unit, gtin, by_weight, *figures = row
    article_price, price, quantity, percent, amount, stated_total, removed, *scanned = figures
    frozen = FrozenArticle(name, TaxLabel(label), unit, gtin)
    return CartLine(
        id=line,
        article=CartArticle(
            article_id,
            sku,
            frozen,
            stored_values.money(article_price),
            bool(by_weight),
            *(text or "" for text in scanned),
        ),
        quantity=stored_values.quantity_of(quantity),
        price=stored_values.money(price),
        discount=discount_of(percent, amount),
        stated_total=stored_values.optional_money(stated_total),
        removed=bool(removed),
    )


# --- sales ---------------------------------------------------------------------------------------

SELECT_SALES = """
SELECT key, sequence, cart_id, kind, state, total, change, rounding, cashier, shift_id, frozen_at,
    attempts, next_try_at, reason_class, reason_code, reason_text, reason_pfr_code, reason_field,
    drop_reason, receipt_id, fiscal_number, signed_at, verification_url, answered_at, delivered,
    shown, epoch, operation, target, follows, is_exchange
FROM sales
"""


def payment_rows(taken: MoneyTaken) -> list[tuple[int, str, int, int]]:
    """Return position, method, on receipt, tendered: a row a method, in the receipt's order."""
    both = (*taken.on_receipt.by_method, *taken.tendered.by_method)
    methods = dict.fromkeys(method for method, _ in both)
    return [
        (
            position,
            method.value,
            stored_values.para(taken.on_receipt.amount(method)),
            stored_values.para(taken.tendered.amount(method)),
        )
        for position, method in enumerate(methods)
    ]


def money_taken_of(rows: Iterable[Row], change: int, rounding: int) -> MoneyTaken:
    """Read the taken money from rows (method, on receipt, tendered) and columns of the sale."""
    known = [
        (PaymentMethod(name), stored_values.money(shown), stored_values.money(given))
        for name, shown, given in rows
    ]
    return MoneyTaken(
        tendered=Payments.of({method: given for method, _, given in known}),
        on_receipt=Payments.of({method: shown for method, shown, _ in known}),
        change=stored_values.money(change),
        rounding=stored_values.money(rounding),
    )


def new_sale_row(sale: NewSale) -> Row:
    """body, total, change, rounding, cashier, shift_id, frozen_at, changed_at, operation,
    target, is_exchange, buyer, buyer_name, buyer_email."""
    frozen_at = stored_values.moment_text(sale.frozen_at)
    return (
        sale.body,
        stored_values.para(sale.total),
        stored_values.para(sale.money_taken.change),
        stored_values.para(sale.money_taken.rounding),
        sale.cashier,
        sale.shift_id,
        frozen_at,
        frozen_at,
        sale.operation.value,
        sale.target,
        int(sale.is_exchange),
        *(
            (None,) * 3
            if (buyer := sale.buyer) is None
            else (str(buyer.id), buyer.name, buyer.email)
        ),
    )


def sale_of(row: Row, payments: Iterable[Row]) -> Sale:
    key, sequence, cart_id, kind, state, total, change, rounding, cashier, shift_id, *later = row
    frozen_at, attempts, next_try_at, *reason, drop_reason, receipt_id = later[:10]
    number, signed_at, url, answered_at, delivered, shown, epoch, *asked = later[10:]
    operation, target, follows, is_exchange = asked
    return Sale(
        key=key,
        sequence=sequence,
        cart_id=cart_id,
        kind=ticket.DocumentKind(kind),
        state=SaleState(state),
        total=stored_values.money(total),
        money_taken=money_taken_of(payments, change, rounding),
        cashier=cashier,
        frozen_at=stored_values.moment_of(frozen_at),
        shift_id=shift_id,
        attempts=attempts,
        next_try_at=stored_values.optional_moment(next_try_at),
        reason=reason_of(*reason),
        receipt_id=receipt_id,
        receipt=None
        if number is None
        else ReceiptFacts(receipt_id, number, stored_values.optional_moment(signed_at), url),
        answered_at=stored_values.optional_moment(answered_at),
        cancel_reason=drop_reason,
        delivered=bool(delivered),
        was_shown=bool(shown),
        epoch=epoch,
        operation=Operation(operation),
        target=target,
        follows=follows,
        is_exchange=bool(is_exchange),
    )


def reason_of(
    answer_class: str | None, code: str, text: str | None, pfr_code: str | None, field: str | None
) -> PendingReason | None:
    if answer_class is None:
        return None
    return PendingReason(AnswerClass(answer_class), code, text or "", pfr_code or "", field or "")


def reason_row(reason: PendingReason | None) -> tuple[str | None, ...]:
    """reason_class, reason_code, reason_text, reason_pfr_code, reason_field."""
    if reason is None:
        return None, None, None, None, None
    return (
        reason.answer_class.value,
        reason.code,
        reason.text,
        reason.pfr_code or None,
        reason.field or None,
    )


# --- what is added to a cart beside its lines: one row where there is anything, else none ------


_SELECT = """
SELECT buyer_code, buyer_value, buyer_sure, centre_code, centre_value, text, ways, email,
    advance_amount, advance_unknown, advance_parts, advance_day, advance_time, paid,
    referent_number, referent_time, goods_back, buyer_name, (
        SELECT s.total FROM sales s WHERE s.fiscal_number = referent_number
        AND s.operation = 'refund' AND s.target IS NULL
        AND NOT EXISTS (SELECT 1 FROM sale_payments p WHERE p.key = s.key AND p.tendered <> 0))
FROM cart_additions WHERE cart_id = ?
"""
# The amount paid before is not stored twice: it is the total of the refund that gave back nothing.
_WRITE = """
INSERT INTO cart_additions (cart_id, buyer_code, buyer_value, buyer_sure, centre_code, centre_value,
    text, ways, email, advance_amount, advance_unknown, advance_parts, advance_day, advance_time,
    paid, referent_number, referent_time, goods_back, buyer_name)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (cart_id) DO UPDATE SET buyer_code = excluded.buyer_code,
    buyer_value = excluded.buyer_value, buyer_sure = excluded.buyer_sure,
    centre_code = excluded.centre_code, centre_value = excluded.centre_value,
    text = excluded.text, ways = excluded.ways, email = excluded.email,
    advance_amount = excluded.advance_amount, advance_unknown = excluded.advance_unknown,
    advance_parts = excluded.advance_parts, advance_day = excluded.advance_day,
    advance_time = excluded.advance_time, paid = excluded.paid,
    referent_number = excluded.referent_number, referent_time = excluded.referent_time,
    goods_back = excluded.goods_back, buyer_name = excluded.buyer_name
"""


_Lines = tuple[tuple[PaymentMethod, Money], ...]


def paid_text(paid: Paid) -> str:
    return json.dumps(_paid_rows(paid))


def paid_of(text: str) -> _Lines:
    return _paid(json.loads(text))


def _paid_rows(paid: Paid) -> list[tuple[str, str]]:
    return [(method.value, str(money.amount)) for method, money in paid]


def _paid(rows: Iterable[tuple[str, str]]) -> _Lines:
    return tuple((PaymentMethod(method), Money(money)) for method, money in rows)


def _payments_text(added: ticket.TypedDetails) -> str:
    """The payments; with a corporate card also those that count without it."""
    if added.without_card is None:
        return paid_text(added.paid)
    kept = {"paid": _paid_rows(added.paid), "without_card": _paid_rows(added.without_card)}
    return json.dumps(kept)


def _payments_of(text: str) -> tuple[_Lines, _Lines | None]:
    kept = json.loads(text)
    if isinstance(kept, list):
        return _paid(kept), None
    return _paid(kept["paid"]), _paid(kept["without_card"])


def read_additions(connection: apsw.Connection, cart_id: int) -> ticket.TypedDetails:
    row = connection.execute(_SELECT, (cart_id,)).fetchone()
    if row is None:
        return ticket.NOTHING_ADDED
    code, value, sure, centre_code, centre_value, text, ways, email, *advance = row
    amount, unknown, parts, day, time, paid, number, referent_time, goods, buyer_name, before = (
        advance
    )
    payments, without_card = _payments_of(paid)
    return ticket.TypedDetails(
        buyer_code=code,
        buyer_value=value,
        buyer_sure=bool(sure),
        buyer_name=buyer_name,
        centre_code=centre_code,
        centre_value=centre_value,
        text=text,
        ways=None if ways is None else tuple(ways.split()),
        email=email,
        advance=ticket.TypedAdvance(
            amount, None if unknown is None else bool(unknown), json.loads(parts), day, time
        ),
        paid=payments,
        without_card=without_card,
        referent=_referent_of(number, referent_time, before),
        goods_back=None if goods is None else _goods_of(json.loads(goods)),
    )


def _referent_of(number: str | None, time: str | None, paid: int | None) -> ticket.Referent | None:
    if number is None or time is None:
        return None
    return ticket.Referent(number, stored_values.moment_of(time), stored_values.money(paid or 0))


def _goods_row(goods: GoodsBack) -> dict[str, Any]:
    return {
        "receipt": goods.receipt_id,
        "number": goods.number,
        "taken": {str(index): str(quantity) for index, quantity in goods.taken.items()},
        "whole": goods.is_whole,
        "total": str(goods.total.amount),
        "payments": [(method.value, str(of.amount)) for method, of in goods.payments.by_method],
        "given_away": str(goods.given_away.amount),
        "buyer": [goods.buyer_code, goods.buyer_value],
        "reason": goods.reason,
        "lifted_by": goods.lifted_by,
        "refund": goods.refund,
        "rounding": str(goods.rounding.amount),
    }


def _goods_of(row: dict[str, Any]) -> GoodsBack:
    return GoodsBack(
        row["receipt"],
        row["number"],
        {int(index): Decimal(quantity) for index, quantity in row["taken"].items()},
        row["whole"],
        Money(row["total"]),
        Payments(tuple((PaymentMethod(method), Money(of)) for method, of in row["payments"])),
        Money(row["given_away"]),
        buyer_code=row["buyer"][0],
        buyer_value=row["buyer"][1],
        reason=row["reason"],
        lifted_by=row["lifted_by"],
        refund=row["refund"],
        rounding=Money(row["rounding"]),
    )


def write_additions(connection: apsw.Connection, cart_id: int, added: ticket.TypedDetails) -> None:
    """Keep the additions to an open cart, within the transaction under way."""
    if added == ticket.NOTHING_ADDED:
        forget_additions(connection, cart_id)
        return
    advance = added.advance
    connection.execute(
        _WRITE,
        (
            cart_id,
            added.buyer_code,
            added.buyer_value,
            int(added.buyer_sure),
            added.centre_code,
            added.centre_value,
            added.text,
            None if added.ways is None else " ".join(added.ways),
            added.email,
            advance.amount,
            None if advance.unknown is None else int(advance.unknown),
            json.dumps(dict(advance.texts_by_label), ensure_ascii=False),
            advance.day,
            advance.time,
            _payments_text(added),
            None if added.referent is None else added.referent.number,
            None if added.referent is None else stored_values.moment_text(added.referent.time),
            None if added.goods_back is None else json.dumps(_goods_row(added.goods_back)),
            added.buyer_name,
        ),
    )


def forget_additions(connection: apsw.Connection, cart_id: int) -> None:
    """Forget the additions. After a cart that ended without a sale, no buyer's number is kept."""
    connection.execute("DELETE FROM cart_additions WHERE cart_id = ?", (cart_id,))


# --- codes of a cart that came to nothing: a row each, usually none, until the cart ends -------


def read_missed(connection: apsw.Connection, cart_id: int) -> Missed:
    rows: list[Row] = connection.execute(
        "SELECT code, why FROM missed_codes WHERE cart_id = ? ORDER BY position", (cart_id,)
    ).fetchall()
    return tuple(UnknownCode(code, WhyUnknown(why) if why else None) for code, why in rows)


def write_missed(connection: apsw.Connection, cart_id: int, missed: Missed) -> None:
    """Keep the codes of an open cart, within the transaction under way."""
    forget_missed(connection, cart_id)
    connection.executemany(
        "INSERT INTO missed_codes (cart_id, position, code, why) VALUES (?, ?, ?, ?)",
        [
            (cart_id, position, one.code, one.why and one.why.value)
            for position, one in enumerate(missed)
        ],
    )


def forget_missed(connection: apsw.Connection, cart_id: int) -> None:
    """Forget the codes: the cart ended, or all of them are entered."""
    connection.execute("DELETE FROM missed_codes WHERE cart_id = ?", (cart_id,))
