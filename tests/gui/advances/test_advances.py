"""Advances by F8: pressed in a real window, answered by a real server and processor."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import httpx

from pos_app.cashier.advances.view import AdvancesScreen
from pos_app.cashier.ui.labels import ElidedLabel
from pos_app.domain.money import Money
from pos_app.domain.operations import Operation
from pos_app.domain.payment import PaymentMethod
from pos_app.domain.receipt_overview import AdvanceOverview
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.fakes.no_tls import NO_TLS
from tests.gui.parts import shown
from tests.gui.window.real_till import RealTill

CAKE: dict[str, Any] = {
    "quantity": 1,
    "unitPrice": 6400,
    "article": {"name": "Торта чоколадна", "taxRateLabel": "Ђ", "unit": "ком"},
}
PIE: dict[str, Any] = {
    "quantity": 2,
    "unitPrice": 1250,
    "article": {"name": "Пита са вишњама", "taxRateLabel": "Е", "unit": "ком"},
}
ADVANCE: dict[str, Any] = {
    "invoiceType": "advance",
    "transactionType": "sale",
    "payments": {"cash": 5000},
    "items": [CAKE, PIE],
    "receiptDelivery": {"pdf": False},
}
_KEYS = count()


def issue(real: RealTill, body: dict[str, Any]) -> dict[str, Any]:
    """A receipt that another program asks for."""
    with httpx.Client(trust_env=False, verify=NO_TLS, timeout=20) as client:
        told = client.post(
            f"{real.shop.url}/fiscalization/receipts",
            json=body,
            headers={"Idempotency-Key": f"another-{next(_KEYS):016}"},
        )
    assert told.status_code == httpx.codes.OK, told.text
    found: dict[str, Any] = told.json()
    return found


class Presses:
    """The hands, with each press and each scan counted."""

    def __init__(self, real: RealTill) -> None:
        self.count = 0
        self._real = real

    async def press(self, name: str) -> None:
        self.count += 1
        await self._real.press(name)

    async def scan(self, code: str) -> None:
        self.count += 1
        await self._real.scan(code)

    async def type(self, text: str) -> None:
        """An amount counts as one press, and so does a sign."""
        self.count += 1
        await self._real.type(text)


def screen(real: RealTill) -> AdvancesScreen:
    top = real.hands.window.frame.top
    assert isinstance(top, AdvancesScreen), top
    return top


def told(real: RealTill) -> AdvanceOverview:
    opened = screen(real).model.opened
    assert opened is not None
    assert opened.advance is not None
    return opened.advance


async def opened(real: RealTill, number: str) -> None:
    model = screen(real).model
    await real.until(
        lambda: (
            model.opened is not None
            and number in [one.number for one in model.opened.chain]
            and model.listed is not None
        )
    )


def paid_words(real: RealTill) -> list[str]:
    """How it was paid, as often as it stands on the screen."""
    said = (one.text() for one in shown(screen(real).opened, ElidedLabel))
    return [words for words in said if words.startswith("Уплаћено")]


async def until_issued(real: RealTill, check: Callable[[Sale], bool] = lambda _: True) -> Sale:
    sale = await real.ended()
    assert sale.state is SaleState.DONE, sale.reason
    assert check(sale)
    return sale


async def test_a_further_payment_takes_five_presses(real: RealTill) -> None:
    async with real.at_work():
        first, hand = issue(real, ADVANCE), Presses(real)
        await hand.press("F8")
        await hand.scan(first["verificationUrl"])
        await opened(real, first["invoiceNumber"])
        await hand.type("+")
        await hand.type("1500")
        await hand.press("Enter")
        assert hand.count <= 5
        sale = await until_issued(real)
        assert (sale.operation, sale.total) == (Operation.ADVANCE, Money(1500))
        assert sale.money_taken.on_receipt.by_method == ((PaymentMethod.CASH, Money(1500)),)
        await real.until(lambda: told(real).paid == Money(6500))
        assert told(real).remaining == Money(2400)
        await real.until(lambda: screen(real).model.row.paid == Money(6500))
        await real.until(lambda: "готовина\u00a06.500,00" in paid_words(real)[-1])
        assert len(paid_words(real)) == 1  # what stood there before is out of sight


async def test_a_closing_takes_four_presses(real: RealTill) -> None:
    async with real.at_work():
        first, hand = issue(real, ADVANCE), Presses(real)
        await hand.press("F8")
        await hand.scan(first["verificationUrl"])
        await opened(real, first["invoiceNumber"])
        await hand.press("Enter")
        await hand.press("Enter")
        assert hand.count <= 5
        sale = await until_issued(real)
        assert (sale.operation, sale.total) == (Operation.CLOSE, Money(3900))
        await real.until(lambda: told(real).is_closed)
        await real.until(lambda: screen(real).model.listed.advances == ())
        kinds = [(one.invoice_type, one.total) for one in screen(real).model.opened.chain]
        assert kinds[1:] == [("advance", Money(5000)), ("normal", Money(8900))]
