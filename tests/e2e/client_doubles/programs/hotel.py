"""A hotel's program: an order for each room of a group, several at once, and no key.

    python hotel.py ADDRESS AT_ONCE PATIENCE [CLIENT KEY SECRET]

It waits PATIENCE seconds, and sends an order again where the connection broke, was silent or
answered with 5xx. At the end a receipt that two rooms were given is one room's alone, and one that
no room was given is refunded. It prints its ledger as JSON; ends with 1 where that does not
balance.
"""

import json
import ssl
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from decimal import Decimal
from threading import Lock
from typing import Any

import httpx

TRUSTED = ssl.create_default_context()
PAUSE = 0.3
LONGEST = 90.0
OWN_PIB = "10:123456788"

# Ten rooms of one price, five with breakfast for one and for two, five that differ.
ROOM, BREAKFAST = 1, 2
ROOMS: dict[str, list[tuple[int, int, str]]] = {
    **{f"{number}": [(ROOM, 1, "8500.00")] for number in range(101, 111)},
    **{f"{number}": [(ROOM, 1, "8500.00"), (BREAKFAST, 1, "650.50")] for number in range(201, 204)},
    **{f"{number}": [(ROOM, 1, "8500.00"), (BREAKFAST, 2, "650.50")] for number in range(204, 206)},
    **{f"{number}": [(ROOM, number - 299, "9100.10")] for number in range(301, 306)},
}


class Refused(Exception):
    """The service refuses, however often it is asked."""


@dataclass
class Counts:
    sent: int = 0
    silent: int = 0
    lock: Lock = field(default_factory=Lock)

    def add(self, what: str) -> None:
        with self.lock:
            setattr(self, what, getattr(self, what) + 1)


class Service:
    """The fiscal API at an address: the shop's own, or a platform's with client, key and secret."""

    def __init__(self, address: str, patience: float, platform: list[str]) -> None:
        self.receipts = f"{address}/fiscalization/receipts"
        self.patience = patience
        self.client = {"clientId": platform[0]} if platform else {}
        self.auth = (platform[1], platform[2]) if platform else None
        self.counts = Counts()

    def once(self, method: str, path: str, body: dict[str, Any] | None) -> httpx.Response:
        """Send one request over a connection of its own. Raises httpx.TransportError."""
        with httpx.Client(verify=TRUSTED, timeout=self.patience, auth=self.auth) as line:
            if body is None:
                return line.request(method, self.receipts + path, params=self.client)
            return line.request(method, self.receipts + path, json=body | self.client)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """The final answer. Raises Refused."""
        end = time.monotonic() + LONGEST
        while time.monotonic() < end:
            self.counts.add("sent")
            try:
                answer = self.once("POST", path, body)
            except httpx.TransportError:
                self.counts.add("silent")
            else:
                told = json.loads(answer.text, parse_float=Decimal)
                if answer.status_code == httpx.codes.OK:
                    return told
                is_final = answer.status_code < httpx.codes.INTERNAL_SERVER_ERROR
                if is_final and told["class"] != "wait":
                    raise Refused(f"{told['code']} {told['class']}: {told['message']}")
            time.sleep(PAUSE)
        raise Refused(f"no answer within {LONGEST} s")

    def receipt(self, name: str) -> dict[str, Any] | None:
        end = time.monotonic() + LONGEST
        while time.monotonic() < end:
            try:
                answer = self.once("GET", f"/{name}", None)
            except httpx.TransportError:
                continue
            if answer.status_code == httpx.codes.OK:
                told: dict[str, Any] = json.loads(answer.text, parse_float=Decimal)
                return told
            if answer.status_code == httpx.codes.NOT_FOUND:
                return None
            time.sleep(PAUSE)
        raise Refused(f"{name} could not be looked up within {LONGEST} s")


def price_of(room: str) -> Decimal:
    return sum((count * Decimal(price) for _, count, price in ROOMS[room]), Decimal(0))


def order(room: str, invoice_type: str = "normal") -> dict[str, Any]:
    """An order that does not name the room: those of two equal rooms are the same to the byte."""
    return {
        "invoiceType": invoice_type,
        "transactionType": "sale",
        "payments": {"card": float(price_of(room))},
        "items": [
            {"sku": sku, "quantity": count, "unitPrice": float(price)}
            for sku, count, price in ROOMS[room]
        ],
        "receiptDelivery": {"pdf": False},
    }


def shared(ledger: dict[str, str]) -> list[str]:
    """The rooms whose receipt was given to an earlier room too."""
    rooms = list(ledger)
    return [
        room
        for place, room in enumerate(rooms)
        if ledger[room] in [ledger[before] for before in rooms[:place]]
    ]


def numbers_since(first: str, service: Service) -> dict[str, dict[str, Any]]:
    """All receipts of this element after that one, by number; the numbers have no gaps."""
    element, counter = first.rsplit("-", 1)
    found: dict[str, dict[str, Any]] = {}
    while receipt := service.receipt(f"{element}-{int(counter) + len(found) + 1}"):
        found[receipt["invoiceNumber"]] = receipt
    return found


def main(address: str, at_once: str, patience: str, *platform: str) -> int:
    service = Service(address, float(patience), list(platform))
    offer = service.post("", order("101", "proforma"))["invoiceNumber"]

    with ThreadPoolExecutor(int(at_once)) as pool:
        answers = pool.map(lambda room: service.post("", order(room)), ROOMS)
        ledger = dict(zip(ROOMS, (answer["invoiceNumber"] for answer in answers), strict=True))

    ordered_again = []
    while again := shared(ledger):
        for room in again:
            ordered_again.append(room)
            ledger[room] = service.post("", order(room))["invoiceNumber"]

    found = numbers_since(offer, service)
    orphans = [number for number in found if number not in ledger.values()]
    refunded = [refund(number, found[number], service) for number in orphans]

    wrong = [
        f"room {room}: {number} is of {found.get(number, {}).get('totalAmount')}"
        for room, number in ledger.items()
        if found.get(number, {}).get("totalAmount") != price_of(room)
    ]
    taken = sum((Decimal(one["totalAmount"]) for one in found.values()), Decimal(0))
    given_back = sum((Decimal(found[number]["totalAmount"]) for number in orphans), Decimal(0))
    owed = sum((price_of(room) for room in ROOMS), Decimal(0))
    if taken - given_back != owed:
        wrong.append(f"{taken} - {given_back} is not {owed}")
    summary = {
        "offer": offer,
        "ledger": ledger,
        "owed": str(owed),
        "ordered_again": ordered_again,
        "orphans": orphans,
        "refunded": refunded,
        "wrong": wrong,
        "sent": service.counts.sent,
        "silent": service.counts.silent,
    }
    print(json.dumps(summary))
    return 1 if wrong else 0


def refund(number: str, receipt: dict[str, Any], service: Service) -> str:
    """Refund a receipt that no room was given. Returns the refund's number; it is one, as it was
    paid by card."""
    body = {
        "buyerId": OWN_PIB,
        "payments": {"card": float(receipt["totalAmount"])},
        "receiptDelivery": {"pdf": False},
    }
    (refund,) = service.post(f"/{number}/refund", body)
    return str(refund["invoiceNumber"])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
