"""The payment of one cart: figure, papers, and the frozen sale, over a till in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pos_app.cashier.payment.model import FigureKind, PaymentModel
from pos_app.cashier.services.till_services import ways_here
from pos_app.domain.article.store import PrintMethod, Store
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.sale import receipt_drafts, sell
from pos_app.selling.sale.checkout import ConfirmedSale, confirm
from pos_app.selling.sale.ports import Till
from pos_app.selling.sale.receipt_drafts import AdvanceDraft, FaultPart
from pos_app.selling.sale.ticket import DocumentKind, Ticket
from pos_app.settings import load
from tests.fakes.memory_till import MemoryTill
from tests.fakes.till import CASHIER, article, till_of
from tests.fakes.till_clock import StandingClock
from tests.sweep import each


@pytest.fixture
def till() -> Till:
    return till_of(MemoryTill().carts, StandingClock())


def sold(till: Till, *prices: str, kind: DocumentKind = DocumentKind.SALE) -> Ticket:
    """A cart with one article for each price; the second has another tax label."""
    basket = sell.start(till=till, cashier=CASHIER)
    if kind is not DocumentKind.SALE:
        basket = sell.set_kind(till=till, ticket=basket, kind=kind, cashier=CASHIER)
    for number, price in enumerate(prices):
        label = TaxLabel.DJ if number == 1 else TaxLabel.E
        basket = added(till, basket, f"Роба {number}", price, label)
    return basket


def added(
    till: Till, ticket: Ticket, name: str, price: str, label: TaxLabel = TaxLabel.E
) -> Ticket:
    what = replace(article(name, price), label=label)
    done = sell.add_item(till=till, ticket=ticket, article=what, quantity=Quantity.ONE)
    assert isinstance(done, sell.ItemAdded)
    return done.ticket


def confirmed(model: PaymentModel, till: Till) -> ConfirmedSale:
    return confirm(
        till=till,
        ticket=model.ticket,
        tendered=model.tender.payments,
        receipt_details=model.drafts.receipt_details(model.ticket, till.clock.now()),
        cashier=CASHIER,
        in_whole_dinars=model.in_whole_dinars,
    )


def paying(ticket: Ticket, store: Store | None = None) -> PaymentModel:
    return PaymentModel(ticket, store=store, in_whole_dinars=True)


def keys(model: PaymentModel, text: str) -> None:
    for key in text:
        model.tender = model.tender.key(key)


@pytest.mark.parametrize(
    ("typed", "kind", "amount", "rounding"),
    [
        ("", FigureKind.REMAINING, "1675", "0"),
        ("2000", FigureKind.CHANGE, "325", "0.28"),
        ("500", FigureKind.REMAINING, "1175", "0"),
    ],
)
def test_the_figure(till: Till, typed: str, kind: FigureKind, amount: str, rounding: str) -> None:
    model = paying(sold(till, "1674.72"))
    keys(model, typed)
    figure = model.figure()
    assert (figure.kind, figure.amount, figure.rounding) == (kind, Money(amount), Money(rounding))


def test_a_corporate_card_is_voucher_with_cost_centre_and_buyer(till: Till) -> None:
    model = paying(sold(till, "100.00"))
    keys(model, "50")
    model.pay_by_corporate_card(True)
    model.buyer = replace(model.buyer, value="123456788", centre_value="4711")
    assert model.faults(till.clock.now()) == ()
    assert dict(model.tender.payments.by_method) == {PaymentMethod.VOUCHER: Money(100)}
    model.choose(PaymentMethod.CASH)
    assert dict(model.tender.payments.by_method) == {PaymentMethod.VOUCHER: Money(100)}
    details = model.drafts.receipt_details(model.ticket, till.clock.now())
    assert str(details.cost_centre) == "50:4711"
    assert confirmed(model, till).sale.total == Money(100)


def test_an_advance_asks_for_its_part_and_keeps_no_change(till: Till) -> None:
    model = paying(sold(till, "1000.00", "674.72", kind=DocumentKind.ADVANCE))
    model.change_advance(AdvanceDraft("1000"))
    keys(model, "2000")
    assert model.figure().amount == Money(1000)
    done = confirmed(model, till)
    assert done.sale.total == Money(1000)
    assert done.sale.money_taken.on_receipt.total == Money(1000)


def test_an_unknown_advance_of_two_labels_needs_its_split(till: Till) -> None:
    model = paying(sold(till, "1000.00", "674.72", kind=DocumentKind.ADVANCE))
    model.change_advance(AdvanceDraft("500", unknown=True))
    keys(model, "500")
    assert FaultPart.ADVANCE in {fault.part for fault in model.faults(till.clock.now())}
    parts = {TaxLabel.E: "300", TaxLabel.DJ: "200"}
    model.change_advance(AdvanceDraft("500", unknown=True, texts_by_label=parts))
    done = confirmed(model, till)
    assert done.sale.total == Money(500)


NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
BOTH = {TaxLabel.E: Money("1000"), TaxLabel.DJ: Money("674.72")}
WIRE = Payments.of({PaymentMethod.WIRE_TRANSFER: Money(1000)})
CASH = Payments.of({PaymentMethod.CASH: Money(1000)})


def test_a_doubt_ends_with_the_cashiers_word_for_that_very_number() -> None:
    typed = receipt_drafts.BuyerDraft("10", "123456789")
    doubt = typed.unconfirmed_warning()
    assert doubt == receipt_drafts.PaymentFault(FaultPart.BUYER, "pib_check_digit")
    sure = receipt_drafts.BuyerDraft.of(replace(typed, sure=True).added())
    assert sure.unconfirmed_warning() is None
    assert sure.with_typed(value="123456780").unconfirmed_warning() is not None
    assert sure.with_typed(code="14").unconfirmed_warning() is not None
    assert receipt_drafts.BuyerDraft("10", "123 456 788").unconfirmed_warning() is None
    alone = receipt_drafts.BuyerDraft().corporate_card(True)
    kinds = [fault and fault.kind for fault in (alone.fault(), alone.centre_fault())]
    assert kinds == ["without_buyer", "no_mark"]


W = receipt_drafts.DeliveryWay
EVERY = set(W)


@each(
    ("methods", "built", "offered", "usual"),
    [
        (PrintMethod(thermal=True), {W.PDF}, [W.PDF], {W.PDF}),
        (PrintMethod(thermal=True), EVERY, [W.THERMAL, W.PDF], {W.THERMAL}),
        (PrintMethod(a4=True, email=True), EVERY, [W.A4, W.EMAIL, W.PDF], {W.A4}),
        (PrintMethod(), EVERY, [W.PDF], {W.PDF}),
        (PrintMethod(), set(), [], set()),
    ],
)
def test_delivery_offers_what_store_and_server_can_do(
    methods: PrintMethod, built: set[W], offered: list[W], usual: set[W]
) -> None:
    draft = receipt_drafts.DeliveryDraft.usual(receipt_drafts.ways_of(methods, built=built))
    assert (list(draft.offered), draft.chosen) == (offered, usual)
    assert not draft.is_without_paper or not {W.THERMAL, W.A4} & usual


@pytest.mark.parametrize(
    ("settings", "ways"),
    [
        ({}, {W.PDF}),
        ({"printer": {"kind": "network", "address": "10.0.0.7"}}, {W.PDF, W.THERMAL}),
        ({"a4": {"queue": "office"}}, {W.PDF, W.A4}),
        ({"mail": {"host": "smtp.primer.rs"}}, {W.PDF, W.EMAIL}),
    ],
)
def test_the_till_asks_for_what_the_settings_set_up(
    tmp_path: Path, settings: dict[str, object], ways: set[W]
) -> None:
    assert ways_here(load(tmp_path, **settings)) == ways


@each(
    ("amount", "unknown", "parts", "fault"),
    [
        ("", False, {}, None),
        ("1000", False, {}, None),
        ("2000", False, {}, "above_total"),
        ("2000", True, {TaxLabel.E: "1500", TaxLabel.DJ: "500"}, None),
        ("0", False, {}, "nothing"),
        ("x", False, {}, "number"),
        ("1000", True, {}, "split_needed"),
        ("1000", True, {TaxLabel.E: "600", TaxLabel.DJ: "300"}, "split_sum"),
        ("1000", True, {TaxLabel.E: "600", TaxLabel.DJ: "400"}, None),
        ("1100", False, {TaxLabel.E: "1100"}, "split_above"),
        ("1000", False, {TaxLabel.E: "x"}, "number"),
    ],
)
def test_an_advance_and_its_split(
    amount: str, unknown: bool, parts: Mapping[TaxLabel, str], fault: str | None
) -> None:
    found = receipt_drafts.AdvanceDraft(amount, unknown, parts).fault(BOTH)
    assert (found.kind if found else None) == fault
    one_label = receipt_drafts.AdvanceDraft("100", unknown=True)
    assert one_label.fault({TaxLabel.E: Money(50)}) is None, "it needs no split"


@each(
    ("day", "time", "given", "fault"),
    [
        ("", "", CASH, None),
        ("19.11.2026", "", WIRE, None),
        ("19.11.", "14:30", WIRE, None),
        ("19.11.2026.", "", CASH, "no_transfer"),
        ("31.2.2026", "", WIRE, "date"),
        ("19.11.2026", "1430", WIRE, None),
        ("19.11.2026", "25:00", WIRE, "time"),
        ("31.2.2026", "25:00", WIRE, "date"),
        ("yesterday", "", WIRE, "date"),
        ("20.11.2026", "10:31", WIRE, "future"),
        ("31.12.9999", "23:59", WIRE, "date"),
        ("1.1.0001", "0:10", WIRE, "date"),
        ("31.10.2021", "23:59", WIRE, "too_early"),
        ("1.11.2021", "0:00", WIRE, None),
        ("20.11.2026", "10:30", WIRE, None),
    ],
)
def test_the_time_of_a_transfer(day: str, time: str, given: Payments, fault: str | None) -> None:
    """A day is a day in Belgrade."""
    arrived = receipt_drafts.AdvanceDraft(day="19.11.2026", time="14:30").arrived(NOW)
    assert arrived == datetime(2026, 11, 19, 13, 30, tzinfo=UTC)
    found = receipt_drafts.AdvanceDraft(day=day, time=time).wire_fault(given, NOW)
    assert (found.kind if found else None) == fault
