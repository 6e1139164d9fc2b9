"""The bodies of the till's routes, byte by byte, and requests about a receipt as they are meant."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from pos_app.documents.server_papers import PdfFile
from pos_app.domain.money.money import Money, Quantity, UnitPrice
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt import server_status
from pos_app.domain.receipt.buyer import BuyerId, CostCentre
from pos_app.domain.receipt.operations import (
    AdvancePayment,
    Closing,
    Copying,
    Operation,
    OperationRequest,
    RefundedItem,
    Refunding,
)
from pos_app.domain.receipt.request import FrozenArticle, ReceiptDelivery, RequestedItem
from pos_app.errors import Invalid
from pos_app.wire import records, server
from pos_app.wire.operations import READERS, operation_to_json
from pos_app.wire.strict_json import loads
from tests.sweep import each

GOLDEN = Path(__file__).with_name("golden")
RECORDS: dict[str, type] = {
    "status": server_status.ServerStatus,
    "status_calm": server_status.ServerStatus,
    "job": server_status.DeliveryJob,
    "job_paper": server_status.DeliveryJob,
    "witness": server_status.JournalCompared,
    "witness_new": server_status.JournalCompared,
    "pdf": PdfFile,
}
LISTS: dict[str, type] = {
    "doubts": server_status.ReceiptInDoubt,
    "jobs": server_status.DeliveryJob,
    "refusals": server_status.RefusedCaller,
}
SHAPES: dict[str, type[server.AnswerShape]] = {
    "health": server.Health, "health_proved": server.Health, "state": server.State,
    "state_signed": server.State, "waiting": server.Waiting,
    "waiting_signed": server.Waiting,
}  # fmt: skip


def body(name: str) -> bytes:
    return (GOLDEN / f"{name}.json").read_bytes()


def test_every_body_is_written_the_same_again() -> None:
    assert {path.stem for path in GOLDEN.glob("*.json")} == {*RECORDS, *LISTS, *SHAPES}
    for name, kind in RECORDS.items():
        assert records.written(kind, records.from_json(kind, loads(body(name)))) == body(name)
    for name, kind in LISTS.items():
        read_back: tuple[object, ...] = records.list_from_json(kind, loads(body(name)))
        assert records.written_list(kind, read_back) == body(name)
    for name, shape in SHAPES.items():
        assert server.written(shape.model_validate(loads(body(name)))) == body(name)


def _members(name: str) -> dict[str, object]:
    members = loads(body(name))
    assert isinstance(members, dict)
    return members


def test_a_record_is_read_as_strictly_as_a_shape() -> None:
    job = _members("job")
    for member, wrong, words in (
        ("id", "3", '"id" must be a number'),
        ("id", True, '"id" must be a number'),
        ("target", 5, '"target" must be a string'),
        ("since", "yesterday", '"since" must be a valid ISO 8601 date and time'),
        ("total", "1.00", '"total" must be a number'),
        ("method", None, '"method" is required'),
    ):
        with pytest.raises(Invalid, match=words):
            records.from_json(server_status.DeliveryJob, {**job, member: wrong})
    assert records.from_json(server_status.DeliveryJob, {**job, "madeUp": 1}).id == 3
    assert records.from_json(server_status.DeliveryJob, {**job, "total": None}).total is None


BUYER = BuyerId.parse("10:101234567")
CARD = CostCentre.parse("50:1234")
PAID = Payments.of({PaymentMethod.CASH: Money("6.50"), PaymentMethod.CARD: Money("100")})
PAPER = ReceiptDelivery(thermal=True)
MAIL = ReceiptDelivery(email="kupac@primer.rs", pdf=True)
PARTS = {TaxLabel.DJ: Money("6.50"), TaxLabel.E: Money(100)}
TABLE = RequestedItem(
    sku=None,
    quantity=Quantity("1.250"),
    unit_price=UnitPrice("12000"),
    total=Money("15000.01"),
    article=FrozenArticle("Сто", TaxLabel.DJ, "ком", "8600000000018"),
)
NOON = datetime(2026, 11, 20, 11, 0, tzinfo=UTC)

ASKED: list[tuple[Operation, OperationRequest]] = [
    (Operation.COPY, Copying(delivery=PAPER)),
    (Operation.REFUND, Refunding(payments=PAID, delivery=PAPER, buyer=BUYER)),
    (Operation.REFUND, Refunding(payments=PAID, delivery=MAIL, buyer=BUYER,
     items=(RefundedItem(Quantity("0.333"), line=0),
     RefundedItem(Quantity(2), sku=7, line=3),
     RefundedItem(Quantity(1), sku=8)), cost_centre=CARD, additional_text="Враћено")),
    (Operation.REFUND, Refunding(payments=PAID, delivery=PAPER, buyer=BUYER, specification=PARTS)),
    (Operation.ADVANCE, AdvancePayment(payments=PAID, delivery=PAPER)),
    (Operation.ADVANCE, AdvancePayment(payments=PAID, delivery=MAIL,
     buyer=BUYER, cost_centre=CARD, pos_time=NOON, specification=PARTS, additional_text="За сто")),
    (Operation.CLOSE, Closing(payments=Payments.of({}), delivery=PAPER)),
    (Operation.CLOSE, Closing(payments=PAID, delivery=MAIL, items=(TABLE,),
     buyer=BUYER, cost_centre=CARD, additional_text="Сто")),
]  # fmt: skip


@each(("operation", "asked"), ASKED)
def test_there_and_back(operation: Operation, asked: OperationRequest) -> None:
    assert READERS[operation](loads(operation_to_json(asked))) == asked
