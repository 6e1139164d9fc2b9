"""Asks the server, and holds each answer, its journal text and the reports against the model."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import apsw

from pos_app.adapters.sqlite.journal.rows import LINKS, chain_of_rows
from pos_app.domain.receipt import reports
from pos_app.domain.receipt.open_advances import OpenAdvance, OpenAdvances
from pos_app.domain.text.instant import day_of
from pos_app.fiscalization.open_advances import open_advance
from pos_app.local_api.journal_desk import JournalDesk
from pos_app.pfr_emulator.ledger import LedgerEntry
from pos_app.wire.port_calls import call_of
from pos_app.wire.strict_json import dumps, loads
from tests.integration.legal_life import model
from tests.integration.local_api.wronged import RECEIPTS, Wronged
from tests.shop.ledger import turnover

METHODS = {
    "Готовина": "cash",
    "Платна картица": "card",
    "Чек": "check",
    "Пренос на рачун": "wiretransfer",
    "Ваучер": "voucher",
    "Инстант плаћање": "mobilemoney",
    "Друго безготовинско плаћање": "other",
}
_NUMBER = r"[\d.]+(?:,\d+)?"
_FIGURES = re.compile(rf" *({_NUMBER}) +({_NUMBER}) +(-?{_NUMBER})")
_SECTION = re.compile(r"-+(\w+ \w+)-+")


@dataclass(frozen=True)
class Line:
    """An item: its name without the label, and its figures; a refund's total is negative."""

    name: str
    label: str
    price: Decimal
    quantity: Decimal
    total: Decimal


@dataclass(frozen=True)
class Paper:
    """kind: "ПРОМЕТ ПРОДАЈА". payments: amounts by method. reference: number and time, or None."""

    kind: str
    lines: tuple[Line, ...]
    total: Decimal
    payments: dict[str, Decimal]
    time: str
    buyer: str | None
    reference: tuple[str, str] | None


def read_paper(journal: str) -> Paper:
    lines = journal.split("\r\n")
    pairs = {
        name.strip(): value.strip() for name, _, value in (one.partition(":") for one in lines)
    }
    kind = next(found[1] for one in lines if (found := _SECTION.fullmatch(one)))
    total = "Укупна рефундација" if "РЕФУНДАЦИЈА" in kind else "Укупан износ"
    number = pairs.get("Реф. број")
    return Paper(
        kind=kind,
        lines=tuple(_items(lines)),
        total=_figure(pairs[total]),
        payments={METHODS[name]: _figure(pairs[name]) for name in pairs if name in METHODS},
        time=pairs["ПФР време"],
        buyer=pairs.get("ИД купца"),
        reference=None if number is None else (number, pairs["Реф. време"]),
    )


def _items(lines: list[str]) -> list[Line]:
    found, name = [], ""
    start = next(place for place, one in enumerate(lines) if one.startswith("Назив"))
    for one in lines[start + 1 :]:
        figures = _FIGURES.fullmatch(one)
        if name and figures:
            printed, _, label = name.rpartition(" (")
            price, quantity, total = map(_figure, figures.groups())
            found.append(Line(printed, label.rstrip(") "), price, quantity, total))
            name = ""
        elif one.startswith("-" * 40):
            return found
        else:
            name += one
    raise AssertionError("the items have no end")


def _figure(text: str) -> Decimal:
    return Decimal(text.replace(".", "").replace(",", "."))


def check_open_advances(shop: Wronged) -> int:
    """Compare the open advances with the journal; return their number."""
    answer = shop.ask("POST", "/till/receipts/advances", json={}, headers=shop.server.till)
    told = call_of(JournalDesk, "advances").result(loads(answer.content))
    assert told == OpenAdvances(open_in(shop.files[0]), is_whole=True)
    return len(told.advances)


def open_in(journal: apsw.Connection) -> tuple[OpenAdvance, ...]:
    """Read every chain and return those that are open advances, the last touched first."""
    found = list[OpenAdvance]()
    for row in journal.execute("SELECT DISTINCT coalesce(chain, id) FROM requests").fetchall():
        chain = str(row[0])
        told = open_advance(chain_of_rows(chain, journal.execute(LINKS, (chain, chain))))
        found += [] if told is None else [told]
    found.sort(key=lambda one: (one.touched, one.number), reverse=True)
    return tuple(found)


REPORT = call_of(JournalDesk, "report")
NORMAL, ADVANCE = 0, 4


def check_reports(shop: Wronged) -> None:
    entries = shop.entries()
    signed = [entry for entry in entries if entry.invoice_type in (NORMAL, ADVANCE)]
    net = sum((_sign(entry) * entry.total for entry in signed), Decimal(0))
    tax = sum((_sign(entry) * _tax(entry) for entry in signed), Decimal(0))
    by_hand = turnover(shop.server.shop.folder / "processor")
    for grouping in set(reports.Grouping) - {reports.Grouping.RECEIVABLES}:
        told = report(shop, grouping, entries)
        assert told.state.is_whole
        assert (told.total.receipts, told.total.net, told.total.tax) == (len(signed), net, tax)
        if grouping is reports.Grouping.BOOKS:
            by_label = Counter[str]()
            for row in told.books:
                sign = -1 if row.kind.transaction_type == "refund" else 1
                by_label[row.label] += sign * int(row.amount * 100)
            found = {label: Decimal(sums) / 100 for label, sums in by_label.items() if sums}
            assert found == by_hand[reports.Grouping.LABEL]
        elif grouping in by_hand:
            found = {row.key: row.net for row in told.rows if row.net}
            assert found == by_hand[grouping], grouping
        else:
            assert sum((row.net for row in told.rows), Decimal(0)) == net, grouping


def report(
    shop: Wronged, grouping: reports.Grouping, entries: Sequence[LedgerEntry]
) -> reports.ReportSums:
    days = [day_of(entry.signed_at) for entry in entries]
    body = REPORT.asked(reports.ReportAsked(grouping, min(days), max(days)))
    headers = {**shop.server.till, "Content-Type": "application/json"}
    answer = shop.ask("POST", "/till/receipts/report", content=body, headers=headers)
    assert answer.is_success, answer.text
    sums: reports.ReportSums = REPORT.result(loads(answer.content))
    return sums


def _sign(entry: LedgerEntry) -> int:
    return 1 - 2 * entry.transaction_type


def _tax(entry: LedgerEntry) -> Decimal:
    """The tax on the paper, which rounds that of each label."""
    items: list[Any] = json.loads(entry.answer, parse_float=Decimal)["taxItems"]
    return sum(
        (Decimal(one["amount"]).quantize(model.PARA, ROUND_HALF_UP) for one in items), Decimal(0)
    )


BUYER = "10:123456788"
LOOKED_AFTER = 5
"""After so many answers the open advances are checked, in the middle of chains too."""
Receipt = dict[str, Any]
Lines = Iterable[tuple[model.Good, Decimal, Decimal]]
"""Goods, each with quantity and total as the receipt has them."""


@dataclass
class Desk:
    """signed: what the ledger must hold in the end; done: how often each operation was done."""

    shop: Wronged
    drawn: random.Random
    signed: list[tuple[str | None, str]] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)

    def ask(self, what: str, body: Mapping[str, Any], on: str = "") -> tuple[int, Any]:
        """Return status and document. on: the id or number of the receipt that it acts on."""
        path = f"{RECEIPTS}/{on}/{what}" if on else RECEIPTS
        sent = dumps({"receiptDelivery": {"pdf": False}, **body})
        headers = {"Content-Type": "application/json"}
        answer = self.shop.ask("POST", path, content=sent, headers=headers)
        return answer.status_code, json.loads(answer.content, parse_float=Decimal)

    def get(self, what: str, body: Mapping[str, Any], on: str = "") -> Any:
        """Return the document of a request that must succeed."""
        status, told = self.ask(what, body, on)
        assert status == 200, (what, told, body)
        self.done[what] += 1
        if self.done.total() % LOOKED_AFTER == 0:
            check_open_advances(self.shop)
        return told

    def refused(self, what: str, body: Mapping[str, Any], on: str = "") -> None:
        """It must be refused for good; the ledger shows whether anything was signed."""
        status, told = self.ask(what, body, on)
        assert (status, told.get("class")) == (400, "fix"), (what, told, body)
        self.done[f"{what} refused"] += 1

    def name_of(self, receipt: Receipt) -> str:
        return str(self.drawn.choice([receipt["invoiceNumber"], receipt["id"]]))

    def check(
        self,
        receipt: Receipt,
        kind: str,
        total: Decimal,
        payments: model.Amounts,
        *,
        refers_to: Receipt | tuple[str, str] | None = None,
        lines: Lines = (),
        by_label: model.Amounts | None = None,
    ) -> Paper:
        paper = read_paper(receipt["journal"])
        self.signed.append((receipt["invoiceNumber"], kind))
        assert paper.kind == kind
        assert receipt["totalAmount"] == paper.total == total
        given = {method: amount for method, amount in payments.items() if amount}
        assert paper.payments == (given or {"cash": model.ZERO})
        assert paper.reference == _reference(refers_to)
        expected = _advance_lines(by_label) if by_label is not None else list(_lines(lines))
        printed = [(one.name, one.label, one.quantity, abs(one.total)) for one in paper.lines]
        assert printed == expected
        is_refund = kind.endswith("РЕФУНДАЦИЈА")
        assert all(one.total <= 0 if is_refund else one.total >= 0 for one in paper.lines)
        _check_tax(receipt, paper.lines)
        return paper

    def copy(self, receipt: Receipt) -> Receipt:
        """Copy a receipt: the copy says the same, and is neither copied nor refunded."""
        paper = read_paper(receipt["journal"])
        copied: Receipt = self.get("copy", {}, self.name_of(receipt))
        again = read_paper(copied["journal"])
        assert again.kind == f"КОПИЈА {paper.kind.split()[1]}"
        assert (again.lines, again.total) == (paper.lines, paper.total)
        assert (again.payments, again.buyer) == (paper.payments, paper.buyer)
        assert again.reference == _reference(receipt)
        self.signed.append((copied["invoiceNumber"], again.kind))
        self.refused("copy", {}, copied["invoiceNumber"])
        self.refused("refund", {"buyerId": BUYER, "payments": {"card": 1}}, self.name_of(copied))
        return copied


def _reference(receipt: Receipt | tuple[str, str] | None) -> tuple[str, str] | None:
    """Return number and time, as the journal of a receipt that refers to it prints them."""
    if receipt is None or isinstance(receipt, tuple):
        return receipt
    return receipt["invoiceNumber"], read_paper(receipt["journal"]).time


def _lines(lines: Lines) -> Iterable[tuple[str, str, Decimal, Decimal]]:
    for good, quantity, total in lines:
        yield f"{good.name}/kg", good.label, quantity, total


def _advance_lines(by_label: model.Amounts) -> list[tuple[str, str, Decimal, Decimal]]:
    shares = [(label, amount) for label, amount in by_label.items() if amount]
    return [(model.ADVANCE_NAMES[label], label, Decimal(1), amount) for label, amount in shares]


def _check_tax(receipt: Receipt, lines: Sequence[Line]) -> None:
    """The tax is the one inside the gross amount, by label, to 4 decimals."""
    gross: dict[str, Decimal] = {}
    for line in lines:
        gross[line.label] = gross.get(line.label, model.ZERO) + abs(line.total)
    unit = Decimal("0.0001")
    told = {item["label"]: item["amount"] for item in receipt["taxItems"]}
    assert told == {
        label: model.half_up(amount * model.RATES[label] / (100 + model.RATES[label]), unit)
        for label, amount in gross.items()
    }
