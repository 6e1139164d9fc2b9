"""The receipts of the pictures: one day of a shop, in its server's answers."""

from __future__ import annotations

import uuid
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import cache

from pos_app.adapters.sqlite.receipt_index.signed_rows import SignedRow
from pos_app.documents.blocks import Document
from pos_app.documents.receipt import layout
from pos_app.documents.shown_receipt import ShownReceipt
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.receipt import operations
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.fiscalization.device_ports import DeviceTrouble
from pos_app.fiscalization.jobs import QueuedJob
from pos_app.fiscalization.plans.chain import ChainReceipt
from pos_app.fiscalization.plans.copying import plan_copy
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.fiscalization.plans.refund import plan_refund
from pos_app.fiscalization.receipt_overview import overview_of
from pos_app.pfr_emulator.invoice import Invoice, Item, Payment, PaymentType
from pos_app.pfr_emulator.invoice import InvoiceType as PfrType
from pos_app.pfr_emulator.invoice import TransactionType as PfrDirection
from pos_app.pfr_emulator.journal import Signed, write_journal
from pos_app.pfr_emulator.options import Taxpayer
from pos_app.pfr_emulator.rates import PRODUCTION_RATES, in_force
from pos_app.pfr_emulator.tax import tax_items
from tests.fakes.server_receipts import ReceiptsInMemory
from tests.fakes.verification_url import payload, url
from tests.gui.refund.screens import LINES
from tests.unit.documents.papers import SHOP
from tests.unit.fiscalization.plans.book import BASIS, BUYER, PDF, Book, line, payments, sale

CASHIER = "Милош Илић"
TILL, WEB = "till:1", "веб-продаја"
FIRST, LAST = 8493, 8640
SALES = Decimal("298367.26")
"""The turnover of the whole day; the last of its usual sales makes up the difference."""


def number_of(counter: int) -> str:
    return f"ABCD1234-ABCD1234-{counter}"


@dataclass
class Told:
    """A receipt of the day. program: the program that asked for it."""

    link: ChainReceipt
    book: Book
    program: str
    jobs: tuple[QueuedJob, ...]
    paper: Document | None


@dataclass
class Day:
    """The receipts of a server; `tell` gives them to the fake that answers the till."""

    receipts: dict[int, Told] = field(default_factory=dict)

    def sign(
        self,
        counter: int,
        clock: datetime,
        *planned: PlannedReceipt,
        book: Book | None = None,
        program: str = TILL,
        jobs: tuple[QueuedJob, ...] | None = None,
        operation: operations.Operation = operations.Operation.ISSUE,
    ) -> Book:
        """Add receipts. jobs: their delivery jobs; without any, each was printed at once."""
        book = Book() if book is None else book
        first = len(book.links)
        book.add(*planned, operation=operation)
        for child, asked in enumerate(planned):
            number, link = counter + child, book.links[first + child]
            if asked.follows is not None:  # it names the number of its original here
                link = replace(
                    link, planned=asked.after(book.links[first + asked.follows].reference)
                )
            link = book.links[first + child] = _signed(link, number, clock)
            done = (job(number, clock),) if jobs is None else jobs
            self.receipts[number] = Told(link, book, program, done, _paper(link))
        return book

    def tell(self, server: ReceiptsInMemory) -> None:
        """Let the server have these receipts from now on."""
        order = sorted(self.receipts)
        server.signed = [_row(self.receipts[number], row) for row, number in enumerate(order)]
        for one in self.receipts.values():
            shown = ShownReceipt(
                overview_of(one.link, one.book.chain, jobs=one.jobs, origin=one.program), one.paper
            )
            server.jobs[one.link.id] = one.jobs
            server.details[one.link.id] = shown
            server.details[shown.overview.number] = shown


def job(
    number: int,
    at: datetime,
    state: JobState = JobState.DONE,
    method: JobMethod = JobMethod.THERMAL,
    *,
    trouble: str = "",
) -> QueuedJob:
    return QueuedJob(
        number,
        method,
        state,
        at,
        at,
        str(uuid.UUID(int=number)),
        number_of(number),
        trouble=DeviceTrouble(trouble) if trouble else None,
        asked_at=at,
        next_at=at,
        target="kupac@primer.rs" if method is JobMethod.EMAIL else "",
    )


def at(clock: str) -> datetime:
    """An instant from a time of the day in the shop."""
    hours, minutes = map(int, clock.split(":"))
    return datetime(2026, 11, 20, hours - 1, minutes, 9, tzinfo=UTC)


def usual_day() -> Day:
    """The day of the picture: 148 documents, among them the receipt of which bread and yoghurt went
    back."""
    return deepcopy(_usual_day())


@cache
def _usual_day() -> Day:
    day = Day()
    spent = _pictured(day)
    for number in (8513, 8560):
        book = day.sign(number, _time_of(number), _sold("2500.00", way="card"))
        give_back(day, number + 1, _time_of(number + 1), book, card="2500.00")
    rest = [number for number in range(FIRST, LAST + 1) if number not in day.receipts]
    left = SALES - spent - 5000
    for place, number in enumerate(rest):
        amount = left if place == len(rest) - 1 else Decimal(397 + 1789 * place % 3301)
        left -= amount
        way = "card" if place % 3 else "cash"
        day.sign(number, _time_of(number), _sold(f"{amount:.2f}", way=way))
    return day


def _time_of(number: int) -> datetime:
    """The time of a receipt before or after the rows of the picture."""
    late = number - 8602
    if late < 0:
        return at("7:30") + timedelta(seconds=141 * (number - FIRST))
    return at("11:58") + timedelta(seconds=235 * late)


def _pictured(day: Day) -> Decimal:
    """Add the rows of the picture, and return their turnover."""
    late = job(8600, at("11:51"), JobState.FAILED, trouble="paper_out")
    mail = job(8596, at("11:39"), JobState.WAITING, JobMethod.EMAIL, trouble="away")
    day.sign(8592, at("11:26"), _sold("682.00", way="card"))
    day.sign(8593, at("11:29"), _sold("412.97"))
    day.sign(8594, at("11:33"), _sold("1079.00", way="mobilemoney"))
    day.sign(8595, at("11:37"), _sold("6000.00", way="card", kind=InvoiceType.ADVANCE))
    proforma = _sold("24500.00", kind=InvoiceType.PROFORMA, buyer="10:104982316")
    day.sign(8596, at("11:39"), proforma, jobs=(mail,))
    bread, milk = (
        operations.RefundedItem(Quantity(2), line=0),
        operations.RefundedItem(Quantity(1), line=1),
    )
    sent = job(8597, at("11:43"), method=JobMethod.EMAIL)
    total = str(Money.total(one.total for one in LINES))
    book = day.sign(
        8597, at("11:42"), _by(sale(*LINES, cash=total)), jobs=(job(8597, at("11:42")), sent)
    )
    give_back(day, 8631, at("13:58"), book, bread, milk, cash="260.97")
    day.sign(8598, at("11:45"), _sold("5460.00", way="card"), program=WEB)
    web = day.sign(8540, at("09:11"), _sold("349.99", way="card"))
    give_back(day, 8599, at("11:47"), web, card="349.99")
    day.sign(8600, at("11:51"), _sold("2110.00"), jobs=(late,))
    copied = day.sign(8588, at("11:21"), _sold("640.00"))
    copy(day, 8601, at("11:55"), copied)
    sold = [one.link.planned.document for one in day.receipts.values()]
    turnover = [
        one.total
        for one in sold
        if one.invoice_type.is_fiscal and one.transaction_type is TransactionType.SALE
    ]
    return Money.total(turnover).amount


def give_back(
    day: Day, number: int, when: datetime, book: Book, *items: operations.RefundedItem, **back: str
) -> None:
    """Refund items, with the copy that the buyer signs where cash goes back."""
    asked = operations.Refunding(payments=payments(**back), delivery=PDF, buyer=BUYER, items=items)
    planned = plan_refund(receipt=book.links[0], chain=book.chain, request=asked, basis=BASIS)
    day.sign(number, when, *planned, book=book, operation=operations.Operation.REFUND)


def copy(day: Day, number: int, when: datetime, book: Book) -> None:
    asked = operations.Copying(delivery=PDF)
    planned = plan_copy(receipt=book.links[0], chain=book.chain, request=asked, basis=BASIS)
    day.sign(number, when, *planned, book=book, operation=operations.Operation.COPY)


def _sold(amount: str, *, way: str = "cash", **fields: object) -> PlannedReceipt:
    """A sale of one article at that price."""
    article = line("Кафа млевена Златна 200 g/ком", "Ђ", "1", amount)
    return _by(sale(article, **fields, **{way: amount}))  # type: ignore[arg-type]


def _by(planned: PlannedReceipt) -> PlannedReceipt:
    return replace(planned, document=replace(planned.document, cashier=CASHIER))


def _signed(link: ChainReceipt, counter: int, when: datetime) -> ChainReceipt:
    assert link.receipt is not None
    fields = {
        "sdc_time": when,
        "invoice_number": number_of(counter),
        "invoice_counter": f"{counter - 256}/{counter}ПП",
        "verification_url": url(payload(type_counter=counter - 256, total_counter=counter)),
    }
    receipt = replace(link.receipt, **fields)  # type: ignore[arg-type]
    journal = _journal(link, replace(receipt, journal=None).invoice_counter, when, counter)
    return replace(link, id=str(uuid.UUID(int=counter)), receipt=replace(receipt, journal=journal))


def _journal(link: ChainReceipt, counter: str, when: datetime, number: int) -> str:
    document = link.planned.document
    items = tuple(
        Item(
            one.name,
            one.quantity.amount,
            one.unit_price.amount,
            one.total.amount,
            (one.label.value,),
        )
        for one in document.lines
    )
    invoice = Invoice(
        kind=PfrType[document.invoice_type.name],
        direction=PfrDirection[document.transaction_type.name],
        items=items,
        payments=tuple(
            Payment(paid.amount, PaymentType[method.value.upper()])
            for method, paid in document.payments
        ),
        cashier=document.cashier,
    )
    return write_journal(
        invoice,
        signed=Signed(when, number_of(number), counter),
        taxes=tax_items(items, in_force(PRODUCTION_RATES, when).labels()),
        taxpayer=Taxpayer(),
        header="centred",
    )


def _paper(link: ChainReceipt) -> Document:
    assert link.receipt is not None
    return layout(
        receipt=link.receipt, document=link.planned.document, esir=link.planned.esir, shop=SHOP
    )


def _row(told: Told, row: int) -> SignedRow:
    receipt, first = told.link.receipt, told.book.links[0]
    document = told.link.planned.document
    return SignedRow(
        row=row,
        id=uuid.UUID(told.link.id),
        at_ms=int(receipt.sdc_time.timestamp() * 1000),
        at=receipt.sdc_time,
        number=receipt.invoice_number,
        document=document,
        program=told.program,
        referent=document.referent_number,
        chain=uuid.UUID(first.id),
    )
