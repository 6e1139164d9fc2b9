"""Every word of payment and Attention that belongs to a kind of something."""

from __future__ import annotations

from pos_app.cashier.payment.drafts import FaultPlace
from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.buyer import BUYER_KINDS, COST_CENTRE_KINDS
from pos_app.domain.payment import PaymentMethod
from pos_app.fiscalization.device_ports import DeviceTrouble
from pos_app.selling.attention import AttentionKind
from tests.sweep import each


@each(
    "key",
    [
        *(
            f"pay.{kind}.{method}"
            for kind in ("method", "line", "hint")
            for method in PaymentMethod
        ),
        *(f"pay.kind.{kind.key}" for kind in BUYER_KINDS.values()),
        *(f"pay.centre.{kind.key}" for kind in COST_CENTRE_KINDS.values() if kind.code != "60"),
        *(f"att.trouble.{trouble}" for trouble in DeviceTrouble),
        *(f"att.ask.{what}" for what in AttentionKind),
        *(f"att.row.{what}" for what in AttentionKind if what is not AttentionKind.SOLVED),
        *(
            f"pay.{place}"
            for place in (
                FaultPlace.BUYER,
                FaultPlace.DELIVERY,
                FaultPlace.DISCOUNT,
                FaultPlace.TEXT,
                FaultPlace.ADVANCE,
            )
        ),
    ],
)
def test_each_kind_has_its_words(key: str) -> None:
    assert Texts().has(key)
