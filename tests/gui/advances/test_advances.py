"""Advances by F8: pressed in a real window, answered by a real server and processor."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

import httpx
import pytest
from PySide6.QtWidgets import QAbstractButton

from pos_app.cashier.advances.items_view import ItemsView
from pos_app.cashier.advances.room import AdvancesRoom
from pos_app.cashier.advances.view import AdvancesScreen
from pos_app.cashier.payment.model import Payment
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.window.screens import ADVANCES
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_overview import AdvanceOverview
from pos_app.selling.people.rights import Act
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.fakes.no_tls import NO_TLS
from tests.fakes.verification_url import payload, url
from tests.gui.parts import in_front, lines_of, visible_parts
from tests.gui.refund.opened import ID_CARD
from tests.gui.refund.opened import screen_of as refunding
from tests.gui.window.real_till import RealTill
from tests.gui.window.shop import CHEESE, CHEESE_GTIN, give_ean

_CAKE = {"name": "Торта чоколадна", "taxRateLabel": "Ђ", "unit": "ком"}
_PIE = {"name": "Пита са вишњама", "taxRateLabel": "Е", "unit": "ком"}
CAKE: dict[str, Any] = {"quantity": 1, "unitPrice": 6400, "article": _CAKE}
PIE: dict[str, Any] = {"quantity": 2, "unitPrice": 1250, "article": _PIE}
ADVANCE: dict[str, Any] = {
    "invoiceType": "advance",
    "transactionType": "sale",
    "payments": {"cash": 5000},
    "items": [CAKE, PIE],
    "receiptDelivery": {"pdf": False},
}
PAPER = {"receiptDelivery": {"pdf": False}}
SHARES = {"Ђ": 4000, "Е": 1000}
UNKNOWN = ADVANCE | {"unknownAmountAdvance": True, "advanceSpecification": SHARES}
BREAD, MILK = "8609910700134", "8609951100139"
_KEYS = count()


def issue(real: RealTill, body: dict[str, Any]) -> dict[str, Any]:
    """Issue a receipt as another program does."""
    found: dict[str, Any] = asked(real, "/fiscalization/receipts", body)
    return found


def act(real: RealTill, number: str, operation: str, body: dict[str, Any]) -> None:
    """Do an operation on a receipt as another program does."""
    asked(real, f"/fiscalization/receipts/{number}/{operation}", body)


def asked(real: RealTill, path: str, body: dict[str, Any]) -> Any:
    headers = {"Idempotency-Key": f"another-{next(_KEYS):016}"}
    with httpx.Client(trust_env=False, verify=NO_TLS, timeout=20) as client:
        told = client.post(f"{real.shop.url}{path}", json=body, headers=headers)
    assert told.status_code == httpx.codes.OK, told.text
    return told.json()


def screen(real: RealTill) -> AdvancesScreen:
    screen: AdvancesScreen = in_front(real.hands.window.frame, "adv.title")
    return screen


def told(real: RealTill) -> AdvanceOverview:
    opened = screen(real).model.opened
    assert opened is not None
    assert opened.advance is not None
    return opened.advance


def act_words(real: RealTill) -> str:
    """The words by which the screen tells how the payment or the closing goes."""
    return " ".join(lines_of(screen(real).opened.act))


def method(real: RealTill, paid_by: PaymentMethod) -> QAbstractButton:
    return real.hands.button(real.hands.window.texts(f"pay.method.{paid_by}"))


async def opened(real: RealTill, number: str) -> None:
    model = screen(real).model
    await real.until(
        lambda: (
            model.opened is not None
            and number in [one.number for one in model.opened.chain]
            and model.listed is not None
        )
    )


async def at_advance(real: RealTill, receipt: dict[str, Any]) -> None:
    """Press F8 and scan the receipt of an advance."""
    await real.press("F8")
    await real.scan(receipt["verificationUrl"])
    await opened(real, receipt["invoiceNumber"])


async def paying(real: RealTill, receipt: dict[str, Any]) -> Payment:
    """Begin a further payment on it."""
    await at_advance(real, receipt)
    await real.type("+")
    model = screen(real).payment.model
    assert model is not None
    return model


def state_of(real: RealTill, sale: Sale) -> SaleState:
    return real.core.database.sales.sale(sale.key).state


async def until_issued(real: RealTill, check: Callable[[Sale], bool] = lambda _: True) -> Sale:
    sale = await real.ended()
    assert sale.state is SaleState.DONE, sale.reason
    assert check(sale)
    return sale


async def nobody_gave_what_the_opening_of_a_closing_fills_in(real: RealTill) -> None:
    """It is given once somebody changes it, and forgotten once another till closed the advance."""
    first, frame = issue(real, ADVANCE), real.hands.window.frame
    await at_advance(real, first)
    await real.press("Enter")
    payment = screen(real).payment.model
    assert payment.tender.payments.total == Money(3900)
    real.hands.window.windowHandle().close()
    asked = " ".join(lines_of(frame.top))
    assert "Плаћање је почето" in asked
    assert "Примљено је" not in asked
    await real.press("Esc", "F5")
    await real.tap_words("Корпоративна картица")
    assert payment.tender.payments.by_method == ((PaymentMethod.VOUCHER, Money(3900)),)
    assert (payment.given, payment.given_back) == ((), Payments())
    await real.tap_words("Корпоративна картица")
    await real.press("Esc")
    assert (payment.given, payment.tender.payments.cash) == ((), Money(3900))
    await real.tap(method(real, PaymentMethod.CARD))
    assert frame.received == Money(3900)
    assert first["invoiceNumber"] in real.core.database.carts.given_for_advances()
    await real.press("Esc")
    assert not screen(real).is_paying
    act(real, first["invoiceNumber"], "close", {"payments": {"cash": 3900}, **PAPER})
    await real.press("Esc", "F8")
    await real.until(lambda: not frame.received)
    assert all(one.goes_back for one in real.core.database.carts.given_for_advances().values())


async def what_was_given_before_another_till_was_paid_is_held_against_the_rest(
    real: RealTill,
) -> None:
    """A card was charged with more than remains by now, which the payment says."""
    first, frame = issue(real, ADVANCE), real.hands.window.frame
    await paying(real, first)
    await real.tap(method(real, PaymentMethod.CARD))
    await real.type("1500")
    await real.press("Esc", "Esc", "Esc")
    path = f"/fiscalization/receipts/{first['invoiceNumber']}/advance"
    again = await paying(real, asked(real, path, {"payments": {"card": 3000}, **PAPER}))
    assert again.tender.paid == ((PaymentMethod.CARD, Money(1500)),)
    assert frame.received == Money(1500)
    await real.press("Enter")
    assert screen(real).is_paying
    assert "600,00" in lines_of(screen(real).payment)
    await real.press("Del", "Esc", "Esc", "Esc")
    room = frame.room("advances")
    assert isinstance(room, AdvancesRoom)
    room.payment.end()
    assert not frame.received


async def items_of_an_advance_that_went_are_not_named_beside_another(real: RealTill) -> None:
    """They were left open, and another till gave the advance back meanwhile."""
    other, first = issue(real, ADVANCE), issue(real, UNKNOWN)
    await at_advance(real, first)
    await real.press("Enter")
    assert screen(real).items is not None
    await real.press("F7")
    back = {"buyerId": "20:123456789", "payments": {"cash": 5000}}
    act(real, first["invoiceNumber"], "refund", back | {"advanceSpecification": SHARES} | PAPER)
    await real.press("F8")
    await opened(real, other["invoiceNumber"])
    assert not screen(real).is_busy


async def a_closing_takes_four_presses(real: RealTill) -> None:
    """F8, scan, Enter, Enter."""
    await at_advance(real, issue(real, ADVANCE))
    await real.press("Enter", "Enter")
    sale = await until_issued(real)
    assert (sale.operation, sale.total) == (Operation.CLOSE, Money(3900))
    await real.until(lambda: told(real).is_closed)
    await real.until(lambda: screen(real).model.listed.advances == ())
    kinds = [(one.invoice_type, one.total) for one in screen(real).model.opened.chain]
    assert kinds[1:] == [("advance", Money(5000)), ("normal", Money(8900))]
    await real.until(lambda: not screen(real).list.refund.isEnabled())
    await real.press("Esc")
    await what_is_closed_or_given_back_is_gone_when_they_are_opened_again(real)


async def what_is_closed_or_given_back_is_gone_when_they_are_opened_again(real: RealTill) -> None:
    """The next advance is opened, and R refunds it."""
    second = issue(real, ADVANCE | {"items": [PIE], "payments": {"card": 2500}})
    await real.press("F8")
    found = screen(real).model.opened  # a quick answer may have come already
    assert found is None or found.number == second["invoiceNumber"]
    await opened(real, second["invoiceNumber"])
    await real.until(screen(real).list.refund.isEnabled)
    await real.type("r")
    await real.until(lambda: refunding(real).model.draft is not None)
    draft = refunding(real).model.draft
    assert draft is not None
    assert draft.overview.number == second["invoiceNumber"]
    await real.press("Esc", "Esc")
    back = {"buyerId": "20:123456789", "payments": {"card": 2500}} | PAPER
    act(real, second["invoiceNumber"], "refund", back)
    third = issue(real, ADVANCE | {"items": [PIE], "payments": {"card": 1000}})
    await real.press("F8")
    await opened(real, third["invoiceNumber"])


async def the_rest_by_card_and_change_from_cash(real: RealTill) -> None:
    """More than remains is given: only cash gives change."""
    first = issue(real, ADVANCE)
    await real.press("F8")
    await real.until(lambda: screen(real).model.opened is not None)
    await real.type("+")
    assert "Скенирани артикал се овде не додаје" in lines_of(screen(real).payment)
    await real.tap(method(real, PaymentMethod.CARD))
    await real.type("4000")
    await real.press("Enter")
    assert screen(real).is_paying  # a card gives no change
    # An act that begins takes away refusals, and no word of a scan that was not entered.
    await real.scan("8609910700134")
    kept = real.hands.window.texts("scan.kept")
    assert kept in " ".join(lines_of(screen(real)))
    await real.by_hand(real.hands.window.frame.permit, Act.DRAWER, list)
    assert kept in " ".join(lines_of(screen(real)))
    await real.press("Esc")
    # The typed amount is found again, also in another theme; then it is given in cash.
    await real.press("Esc")
    assert not screen(real).is_paying
    await real.type("+")
    await real.by_hand(partial(real.hands.window.change, theme="dark"))
    assert screen(real).payment.model.tender.payments.total == Money(4000)
    await real.press("Del")
    await real.tap(method(real, PaymentMethod.CASH))
    await real.type("4000")
    await real.press("Enter")
    sale = await until_issued(real)
    assert (sale.total, sale.money_taken.change) == (Money(3900), Money(100))
    await real.until(lambda: told(real).remaining == Money.ZERO)
    await real.until(lambda: "100,00" in act_words(real))  # the screen is told a moment later
    # All is paid: nothing can be added, and closing takes no money.
    await real.type("+")
    assert not screen(real).is_paying
    await real.tap(screen(real).opened.close_too)
    await real.press("Enter")
    closed = await until_issued(real)
    assert (closed.operation, closed.total) == (Operation.CLOSE, Money.ZERO)
    await real.until(lambda: told(real).is_closed)
    assert first["invoiceNumber"] in [one.number for one in screen(real).model.opened.chain]
    # What was done leads to the next sale.
    next_sale = screen(real).opened.next
    await real.until(lambda: next_sale.isVisible() and not next_sale.rests)
    await real.press("Enter")
    assert real.hands.window.frame.is_home


async def what_no_receipt_can_have_is_refused(real: RealTill, items: ItemsView) -> None:
    many = len(items.draft.items)
    give_ean(real.services, CHEESE, CHEESE_GTIN)
    await real.scan(f"01{CHEESE_GTIN}3104004123")
    await real.until(lambda: "ознака каже 0,4123 kg" in " ".join(lines_of(real.hands.window)))
    assert len(items.draft.items) == many


async def old_milk_is_asked_about(real: RealTill, items: ItemsView) -> None:
    """It is left out, and then it is added."""
    many = len(items.draft.items)
    old_milk = f"010{MILK}17171231"
    await real.scan(old_milk)
    await real.until(lambda: "31.12.2017." in " ".join(lines_of(real.hands.window)))
    await real.scan(BREAD)  # neither it nor the Enter behind it answers the question
    await real.press("Enter")
    assert items.question is not None
    await real.press("Esc")
    assert items.question is None
    assert len(items.draft.items) == many
    await real.scan(old_milk)
    await real.press("F12")
    await real.press("F12")
    assert items.question is None
    assert len(items.draft.items) == many + 1


async def a_piece_counts_once(real: RealTill, items: ItemsView) -> None:
    """It may be one that stands there, as ordered or as scanned by its EAN."""
    services = real.services
    till = services.settings.till.having(keep_batch=True)
    services.settings_here.saved = services.settings.having(till=till)
    for serial, many in (("S1", 1), ("S1", 1), ("S2", 2)):
        await real.scan(f"010{BREAD}21{serial}")
        assert [one.quantity.amount for one in items.draft.items] == [2, 2, many, 1]


async def pay_in_two_parts(real: RealTill) -> None:
    """A payment of several labels is confirmed once its parts add up."""
    await real.type("+")
    await real.type("100")
    await real.press("Enter")
    assert screen(real).is_paying
    await real.type("60")
    await real.press("Tab")
    await real.type("30")
    await real.press("Enter")
    wrong = "Делови дају 90,00, а аванс је 100,00"

    def labels() -> list[str]:
        return [one.text() for one in visible_parts(screen(real), Label)]

    assert wrong in labels()
    fields = visible_parts(screen(real), Field)
    first, second = [one for one in fields if "Ознака" in one.edit.accessibleName()]
    assert (first.error(), second.error(), first.edit.hasFocus()) == (wrong, wrong, True)
    await real.press("Backspace")
    await real.press("Backspace")
    await real.type("70")
    assert (first.error(), second.error()) == ("", "")
    await real.press("Enter")
    await real.press("Enter")


async def several_items_of_an_unknown_amount_are_named_and_then_paid(real: RealTill) -> None:
    issue(real, UNKNOWN)
    await real.press("F8")
    await real.until(lambda: screen(real).model.opened is not None)
    await pay_in_two_parts(real)
    paid = await until_issued(real)
    assert paid.total == Money(100)
    await real.until(lambda: told(real).paid == Money(5100))
    assert {one.label.value: one.amount for one in told(real).by_label} == {
        "Ђ": Money(4070),
        "Е": Money(1030),
    }
    # The closing asks for the sold items: two cakes, and an article that was not ordered.
    await real.tap(screen(real).opened.close_too)
    items = screen(real).items
    assert items is not None
    await real.type("2")
    await real.press("Backspace")
    await real.scan(BREAD)
    assert len(items.draft.items) == 3
    # What can't be read in a row stays there, whatever comes or goes beside it.
    assert items.quantities[0].text() == ""
    await real.press("Enter")
    assert not screen(real).is_paying
    await real.type("2")
    # What is typed after a scan is the quantity of the article that was scanned, also where it has
    # a line above another one.
    await what_no_receipt_can_have_is_refused(real, items)
    await old_milk_is_asked_about(real, items)
    await a_piece_counts_once(real, items)
    await real.scan(BREAD)
    await real.type("3")
    assert [one.quantity.amount for one in items.draft.items] == [2, 2, 3, 1]
    bread, milk = (one.unit_price.printed for one in items.draft.items[2:])
    due = Money(12800) + Money(2500) + bread.times(Quantity(3)) + milk - Money(5100)
    assert items.draft.due == due
    await real.press("Enter")
    assert screen(real).is_paying
    await real.press("Enter")
    closed = await until_issued(real)
    assert closed.total == due
    await real.until(lambda: told(real).is_closed)
    sold = screen(real).model.opened
    assert [one.quantity for one in sold.lines] == [2, 2, 3, 1]
    assert sold.total == due + Money(5100)


async def a_receipt_of_no_advance_and_a_closed_advance(real: RealTill) -> None:
    sold = issue(real, ADVANCE | {"invoiceType": "normal", "payments": {"cash": 8900}})
    closed = issue(real, ADVANCE | {"payments": {"cash": 8900}})
    act(real, closed["invoiceNumber"], "close", {"payments": {}, **PAPER})
    await real.press("F8")
    await real.until(lambda: screen(real).model.listed is not None)
    assert screen(real).model.listed.advances == ()
    await real.scan(sold["verificationUrl"])
    words = real.hands.window.texts("adv.no_advance")
    await real.until(lambda: words in lines_of(screen(real)))
    screen(real).end_refusal()
    await real.scan(url(payload()))
    await real.until(lambda: words in lines_of(screen(real)))
    assert screen(real).model.error is None
    await real.scan(closed["verificationUrl"])
    await opened(real, closed["invoiceNumber"])
    assert told(real).is_closed
    await real.press("Enter")
    await real.type("+")
    assert not screen(real).is_paying


async def a_part_of_an_advance_then_the_rest_goes_back_by_amounts_of_each_label(
    real: RealTill,
) -> None:
    first = issue(real, ADVANCE)
    await real.press("F8")
    await opened(real, first["invoiceNumber"])
    paid = {one.label.value: one.amount for one in told(real).by_label}
    await real.type("r")
    refund = refunding(real)
    await real.until(lambda: refund.model.draft is not None)
    assert refund.model.total == Money(5000)
    # An amount has no thousandths, and "1.234" is one to one program and another to the next.
    for typed in ("0,001", "1000,005", "1.234"):
        await real.press(*["Backspace"] * 10)
        await real.type(typed)
        assert not refund.left_side.lines.quantity.error(), typed
        await real.press("F12", "Enter")
        assert refund.left_side.lines.quantity.error(), typed
        assert real.last().operation is not Operation.REFUND
        assert refund.left_side.lines.is_typing
    await real.press(*["Backspace"] * 10)
    await real.type("1000,50")
    await real.press("Down", "Space", "F12")
    assert refund.model.total == Money("1000.50")
    await real.type(ID_CARD)
    await real.press("Enter")
    sale = await until_issued(real)
    assert (sale.operation, sale.total) == (Operation.REFUND, Money("1000.50"))
    await real.press("Esc")
    await real.until(lambda: real.hands.window.frame.top_name == ADVANCES)
    await real.until(lambda: screen(real).model.opened is not None)
    await real.until(lambda: told(real).paid == Money("3999.50"))
    left = {one.label.value: one.amount for one in told(real).by_label}
    assert left == paid | {"Ђ": paid["Ђ"] - Money("1000.50")}
    await real.type("r")
    refund = refunding(real)
    await real.until(lambda: refund.model.draft is not None)
    assert refund.model.total == Money("3999.50")
    await real.press("Enter")
    await real.type(ID_CARD)
    await real.press("Enter")
    assert (await until_issued(real)).total == Money("3999.50")
    await real.press("Esc")
    await real.until(lambda: real.hands.window.frame.top_name == ADVANCES)
    await real.until(lambda: screen(real).model.listed.advances == ())


@pytest.mark.deadline(120)
async def test_advances_that_are_paid_closed_and_given_back_at_one_till(real: RealTill) -> None:
    await real.walk(
        the_rest_by_card_and_change_from_cash,
        several_items_of_an_unknown_amount_are_named_and_then_paid,
        a_part_of_an_advance_then_the_rest_goes_back_by_amounts_of_each_label,
        a_receipt_of_no_advance_and_a_closed_advance,
        a_closing_takes_four_presses,
    )


@pytest.mark.deadline(120)
async def test_advances_that_another_till_pays_or_closes_after_they_were_opened(
    real: RealTill,
) -> None:
    await real.walk(
        nobody_gave_what_the_opening_of_a_closing_fills_in,
        what_was_given_before_another_till_was_paid_is_held_against_the_rest,
        items_of_an_advance_that_went_are_not_named_beside_another,
    )
