"""The texts of payment and Attention that belong to a kind."""

from __future__ import annotations

from pos_app.cashier.attention.cases import SOURCES
from pos_app.cashier.attention.cases.case import Case
from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.buyer import BUYER_KINDS, COST_CENTRE_KINDS
from pos_app.fiscalization.device_ports import DeviceTrouble
from pos_app.selling.sale.receipt_drafts import FaultPart
from tests.sweep import each


def kinds(of: type[Case]) -> set[str]:
    """The kinds of a class of cases and of its subclasses."""
    own = {of.kind} if hasattr(of, "kind") else set()
    return own.union(*map(kinds, of.__subclasses__()))


KINDS = kinds(Case)


def test_every_kind_of_case_is_known_here() -> None:
    assert SOURCES
    assert len(KINDS) == 73


@each(
    "key",
    [
        *(
            f"pay.{kind}.{method}"
            for kind in ("method", "line", "hint")
            for method in PaymentMethod
        ),
        *(f"pay.kind.{kind.name}" for kind in BUYER_KINDS.values()),
        *(f"pay.centre.{kind.name}" for kind in COST_CENTRE_KINDS.values() if kind.code != "60"),
        *(f"att.trouble.{trouble}" for trouble in DeviceTrouble),
        *(f"att.ask.{kind}" for kind in KINDS),
        *(f"att.row.{kind}" for kind in KINDS - {"solved"}),
        *(
            f"pay.{place}"
            for place in (
                FaultPart.BUYER,
                FaultPart.DELIVERY,
                FaultPart.DISCOUNT,
                FaultPart.TEXT,
                FaultPart.ADVANCE,
            )
        ),
    ],
)
def test_each_kind_has_its_words(key: str) -> None:
    assert Texts().has(key)
