"""The checks before a sale is confirmed: their order, and which belong to a key alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.receipt.request import LONGEST_ADDITIONAL_TEXT
from pos_app.errors import DatabaseBusy, Invalid, NotAllowed
from pos_app.selling.sale import confirm_checks, receipt_drafts
from pos_app.selling.sale.confirm_checks import (
    AfterTraining,
    PaymentBegun,
    SaleToConfirm,
    UntoldCodes,
    first_hindrance,
    without_processor,
)
from pos_app.selling.sale.ticket import DocumentKind, Ticket, TypedDetails
from pos_app.selling.sale.unusual_amounts import Unusual, UsualLimits
from tests.fakes.memory_till import MemoryTill
from tests.fakes.till import till_of
from tests.fakes.till_clock import StandingClock
from tests.sweep import each
from tests.unit.cashier_payment.test_model import sold

HELD = DatabaseBusy(what="another program holds till.db")
NO_RECEIPTS = NotAllowed("hold", what="the processor is away")
LIMITS = UsualLimits(Quantity(1000), Money(1_000_000), 10)
DRAFTS = receipt_drafts.Drafts.usual(None, built=[receipt_drafts.DeliveryWay.PDF])
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
CARD_CHARGED = TypedDetails(paid=((PaymentMethod.CARD, Money(50)),))


def cash(amount: str) -> Payments:
    return Payments.of({PaymentMethod.CASH: Money(amount)})


def ticket_of(*prices: str, kind: DocumentKind = DocumentKind.SALE) -> Ticket:
    return sold(till_of(MemoryTill().carts, StandingClock()), *prices, kind=kind)


def sale(**more: Any) -> SaleToConfirm:
    """A sale of 100.00 paid by one key with a note of 100, without a fault."""
    usual = SaleToConfirm(ticket_of("100.00"), DRAFTS, cash("100"), LIMITS, True, by_key=True)
    return replace(usual, **more)


def found(sale: SaleToConfirm) -> str:
    """The check of the table that stopped the sale, "" for none."""
    match first_hindrance(sale, NOW):
        case None:
            return ""
        case PaymentBegun() | AfterTraining() | UntoldCodes() as one:
            return type(one).__name__
        case receipt_drafts.PaymentFault():
            return "faults"
        case Unusual():
            return "unusual_cash"
        case DatabaseBusy():
            return "blocked_by"
        case NotAllowed(kind="hold"):
            return "no_receipts"
        case NotAllowed(kind=kind) | Invalid(kind=kind):
            return kind
    raise AssertionError(sale)


WRONG: dict[str, dict[str, Any]] = {
    "blocked_by": {"blocked_by": HELD},
    "PaymentBegun": {"ticket": replace(ticket_of("100.00"), typed_details=CARD_CHARGED)},
    "AfterTraining": {"after_training": True},
    "UntoldCodes": {"untold_codes": 2},
    "faults": {"drafts": replace(DRAFTS, text="a" * (LONGEST_ADDITIONAL_TEXT + 1))},
    "nothing_to_pay": {"ticket": ticket_of("0.00")},
    "not_enough": {"tendered": cash("1")},
    "para_in_cash": {"tendered": cash("400.05")},
    "unusual_cash": {"tendered": cash("6000")},
    "no_receipts": {"no_receipts": NO_RECEIPTS},
}
"""By check, the changes that make it stop a sale, in the order of the table."""
KEY_ONLY = {"PaymentBegun", "UntoldCodes", "nothing_to_pay", "not_enough", "para_in_cash"}


def test_the_table_names_the_checks_in_their_order() -> None:
    rows = [line.split("|") for line in (confirm_checks.__doc__ or "").splitlines() if "`" in line]
    assert [cells[2].split("`")[1] for cells in rows if len(cells) > 4] == list(WRONG)


@each("first", WRONG)
def test_what_comes_first_in_the_table_is_told_first(first: str) -> None:
    names = list(WRONG)
    wrong: dict[str, Any] = {}
    for name in reversed(names[names.index(first) :]):
        wrong |= WRONG[name]
    assert found(sale(**wrong)) == first


@each("alone", WRONG)
def test_the_panel_is_not_stopped_by_what_it_shows(alone: str) -> None:
    expected = "" if alone in KEY_ONLY else alone
    assert found(sale(by_key=False, **WRONG[alone])) == expected


@each(
    ("kind", "may_wait", "why"),
    [
        (DocumentKind.SALE, True, None),
        (DocumentKind.SALE, False, "hold"),
        (DocumentKind.PROFORMA, True, None),
        (DocumentKind.PROFORMA, False, "hold"),
        (DocumentKind.ADVANCE, True, "advance"),
        (DocumentKind.ADVANCE, False, "advance"),
    ],
)
def test_what_waits_for_a_processor(kind: DocumentKind, may_wait: bool, why: str | None) -> None:
    found = without_processor(kind, may_wait=may_wait)
    assert (found and found.kind) == why


def test_cash_counts_by_what_stays_in_the_drawer() -> None:
    """A card's part and change do not count; a proforma takes no money."""
    limits = replace(LIMITS, cash_kept=Money(100))
    noted = Payments.of({PaymentMethod.CASH: Money(200), PaymentMethod.CARD: Money(1)})
    proforma = ticket_of("100.00", kind=DocumentKind.PROFORMA)
    assert found(sale()) == ""
    assert found(sale(limits=limits)) == "unusual_cash"
    assert found(sale(limits=limits, tendered=cash("200"))) == "unusual_cash"
    assert found(sale(limits=limits, tendered=noted)) == ""
    assert found(sale(limits=limits, agreed=True)) == ""
    assert found(sale(limits=limits, agreed=True, no_receipts=NO_RECEIPTS)) == "no_receipts"
    assert found(sale(limits=limits, ticket=proforma)) == ""
    for kind in (DocumentKind.PROFORMA, DocumentKind.TRAINING):
        free = sale(ticket=ticket_of("0.00", kind=kind), tendered=Payments())
        assert found(free) == "", "what takes no money may cost nothing"


@each(
    ("due", "received", "expected"),
    [
        ("100.40", "100", ""),  # the whole dinars that are due
        ("100.40", "99.99", "not_enough"),
        ("100.60", "100.60", ""),  # exactly, though 101 are due
        ("100.60", "100", "not_enough"),
        ("0.30", "0.30", ""),
    ],
)
def test_cash_covers_the_total_as_the_receipt_is_settled(
    due: str, received: str, expected: str
) -> None:
    assert found(sale(ticket=ticket_of(due), tendered=cash(received))) == expected
