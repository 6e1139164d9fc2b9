"""A web shop that rounds unit prices, and whose totals come from formulas of its own.

    python web_shop.py ADDRESS HABIT EVERY [CLIENT KEY SECRET]

Its customer has paid the amount of the cart, so the receipt must have that amount. With the HABIT
`trusts` it compares the answer. With `tells` each order has its own `totalAmount`; a refused one is
sent again under the same key with the final total of each line, which add up to the paid amount.

EVERY chooses the carts: 1 all, 3 each third. Of each third order it takes a part back, then the
rest. It prints its books as JSON, and ends with 1 where a receipt differs by a para.
"""

import json
import re
import ssl
import sys
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from typing import Any

import httpx

TRUSTED = ssl.create_default_context()
LONGEST = 60.0
PARA, GRAM = Decimal("0.01"), Decimal("0.001")
BUYER = "10:123456788"


def half_up(amount: Decimal, step: Decimal = PARA) -> Decimal:
    return amount.quantize(step, ROUND_HALF_UP)


@dataclass
class Line:
    code: int
    quantity: Decimal
    price: Decimal

    @property
    def exact(self) -> Decimal:
        return self.quantity * self.price


@dataclass
class Order:
    name: str
    lines: list[Line]
    paid: Decimal
    method: str
    discount: Decimal | None = None
    key: str = field(default_factory=lambda: uuid.uuid4().hex)
    line_totals: list[Decimal] | None = None
    number: str = ""
    receipt_total: Decimal = Decimal(0)
    refusals: list[str] = field(default_factory=list)
    given_back: dict[str, Decimal] = field(default_factory=dict)


def carts() -> Iterator[Order]:
    """Each formula with several amounts, each paid in turn in one of three ways."""
    methods = ["card", "wiretransfer", "cash"]
    for turn, total in enumerate(("100", "200", "50", "999.99", "10", "1.01")):
        paid, method = Decimal(total), methods[turn % 3]
        for count in (3, 7):
            unit = half_up(paid / count)
            yield Order(
                f"divided {total} by {count}", [Line(1, Decimal(count), unit)], paid, method
            )
            yield Order(
                f"lines of {total} by {count}",
                [Line(1, Decimal(count), unit)],
                half_up(count * unit),
                method,
            )
    for turn, (price, percent) in enumerate((("58.99", 10), ("9.99", 15), ("129.99", 33))):
        rest, method = Decimal(100 - percent) / 100, methods[turn % 3]
        full, pieces = Decimal(price), Decimal(7)
        unit = half_up(full * rest)
        yield Order(f"off the price {price}", [Line(2, pieces, unit)], pieces * unit, method)
        yield Order(
            f"off the cart {price}", [Line(2, pieces, unit)], half_up(pieces * full * rest), method
        )
        three = [Line(code, Decimal(1), half_up(full * code / 7)) for code in (1, 2, 3)]
        whole = half_up(sum((line.exact for line in three), Decimal(0)) * rest)
        yield Order(f"percent of {price}", three, whole, method, discount=Decimal(percent))
    for turn, (weight, kilo) in enumerate(
        (("0.125", "20.20"), ("0.345", "209.70"), ("1.005", "99.90"), ("2.3335", "149.99"))
    ):
        exact, method = Decimal(weight) * Decimal(kilo), methods[turn % 3]
        cut = exact.quantize(PARA, ROUND_DOWN)
        yield Order(
            f"weighed {weight}", [Line(3, Decimal(weight), Decimal(kilo))], half_up(exact), method
        )
        yield Order(
            f"weighed {weight}, cut", [Line(3, Decimal(weight), Decimal(kilo))], cut, method
        )
    for turn, net in enumerate(("8.33", "41.66", "0.99")):
        gross = half_up(Decimal(net) * Decimal("1.1"))
        lines = [Line(code, Decimal(5), gross) for code in (1, 2)]
        yield Order(
            f"net {net}", lines, half_up(10 * Decimal(net) * Decimal("1.1")), methods[turn % 3]
        )


class Shop:
    def __init__(self, address: str, habit: str, every: int, platform: list[str]) -> None:
        auth = (platform[1], platform[2]) if platform else None
        self.service = httpx.Client(base_url=address, auth=auth, verify=TRUSTED, timeout=25.0)
        self.client = {"clientId": platform[0]} if platform else {}
        self.tells = habit == "tells"
        self.orders = list(carts())[::every]
        self.back_refusals: list[str] = []

    def body(self, order: Order) -> dict[str, Any]:
        items: list[dict[str, Any]] = []
        for place, line in enumerate(order.lines):
            quantity, price = line.quantity, line.price
            items.append({"sku": line.code, "quantity": float(quantity), "unitPrice": float(price)})
            if order.line_totals:
                items[-1]["totalAmount"] = float(order.line_totals[place])
        body: dict[str, Any] = {
            "invoiceType": "normal",
            "transactionType": "sale",
            "payments": {order.method: float(order.paid)},
            "items": items,
            "receiptDelivery": {"pdf": False},
            **self.client,
        }
        if order.discount is not None and order.line_totals is None:
            body["discount"] = float(order.discount)
        if self.tells:
            body["totalAmount"] = float(order.paid)
        return body

    def post(self, path: str, key: str, body: dict[str, Any]) -> tuple[bool, Any]:
        """Tell whether it was done, with the answer; it waits where the answer asks for it."""
        end = time.monotonic() + LONGEST
        while time.monotonic() < end:
            answer = self.service.post(
                f"/fiscalization/receipts{path}", json=body, headers={"Idempotency-Key": key}
            )
            told = json.loads(answer.text, parse_float=Decimal)
            if answer.status_code == httpx.codes.OK:
                return True, told
            if told["class"] == "fix":
                return False, told
            time.sleep(0.3)
        raise SystemExit(f"no answer: {body}")

    def sell(self, order: Order) -> None:
        """Send the order; after a refusal, mend each named fault once."""
        for _ in range(3):
            is_done, told = self.post("", order.key, self.body(order))
            if is_done:
                order.number, order.receipt_total = (
                    told["invoiceNumber"],
                    Decimal(told["totalAmount"]),
                )
                return
            order.refusals.append(told["message"])
            (named,) = told["validation"]["body"]["keys"]
            if named in ("payments", "totalAmount") and order.line_totals is None:
                order.line_totals = list(shares(order))
            elif named.endswith(".quantity"):
                for line in order.lines:
                    line.quantity = half_up(line.quantity, GRAM)
            else:
                break
        raise SystemExit(f"not understood: {order}")

    def take_back(self, order: Order) -> None:
        line = order.lines[0]
        first = half_up(self.line_total(order) / line.quantity)
        rest = order.receipt_total - first
        part = {"items": [{"sku": line.code, "quantity": 1}]}
        for amount, what in ((first, part), (rest, {})):
            body = {
                "buyerId": BUYER,
                "payments": {"wiretransfer": float(amount)},
                "receiptDelivery": {"pdf": False},
                **what,
                **self.client,
            }
            is_done, told = self.post(f"/{order.number}/refund", uuid.uuid4().hex, body)
            if not is_done:
                self.back_refusals.append(f"{order.name}, {amount}: {told['message']}")
                continue
            (refund,) = told
            order.given_back[refund["invoiceNumber"]] = Decimal(refund["totalAmount"])

    @staticmethod
    def line_total(order: Order) -> Decimal:
        """The price of the first line, calculated from what was sent."""
        if order.line_totals:
            return order.line_totals[0]
        rest = (100 - (order.discount or 0)) / Decimal(100)
        return half_up(order.lines[0].exact * rest)

    def wrong(self) -> list[str]:
        faults = []
        for order in self.orders:
            for number, amount in {order.number: order.receipt_total, **order.given_back}.items():
                answer = self.service.get(f"/fiscalization/receipts/{number}", params=self.client)
                told = json.loads(answer.text, parse_float=Decimal)
                if told.get("totalAmount") != amount:
                    faults.append(f"{order.name}: {number} of {amount} is {answer.text}")
                printed = f"{amount:,.2f}".translate(str.maketrans(",.", ".,"))
                if not re.search(
                    rf"^Укуп.*: +{printed}\r?$", told.get("journal", ""), re.MULTILINE
                ):
                    faults.append(f"{order.name}: {printed} is not on {told.get('journal')}")
        return faults


def shares(order: Order) -> Iterator[Decimal]:
    exact = [line.exact for line in order.lines]
    left = order.paid
    for amount in exact[:-1]:
        share = half_up(order.paid * amount / sum(exact))
        left -= share
        yield share
    yield left


def main(address: str, habit: str, every: str, *platform: str) -> int:
    shop = Shop(address, habit, int(every), list(platform))
    for order in shop.orders:
        shop.sell(order)
    for order in shop.orders[::3]:
        if order.lines[0].quantity > 1:
            shop.take_back(order)
    faults = shop.wrong()
    differences = {
        order.name: str(order.receipt_total - order.paid)
        for order in shop.orders
        if order.receipt_total != order.paid
    }
    paid = sum((order.paid for order in shop.orders), Decimal(0))
    signed = sum((order.receipt_total for order in shop.orders), Decimal(0))
    if signed - paid != sum((Decimal(one) for one in differences.values()), Decimal(0)):
        faults.append(f"{signed} was signed, {paid} paid, {differences} noted")
    back = [amount for order in shop.orders for amount in order.given_back.values()]
    print(
        json.dumps(
            {
                "receipts": {order.number: str(order.receipt_total) for order in shop.orders},
                "refunds": {
                    number: str(amount)
                    for order in shop.orders
                    for number, amount in order.given_back.items()
                },
                "paid": str(paid),
                "signed": str(signed),
                "given_back": str(sum(back, Decimal(0))),
                "differences": differences,
                "refusals": {o.name: o.refusals for o in shop.orders if o.refusals},
                "back_refusals": shop.back_refusals,
                "wrong": faults,
            },
            ensure_ascii=False,
        )
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
