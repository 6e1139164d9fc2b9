"""The addresses that are accepted, and their form on the way to the server."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from pos_app.domain.text.email_address import checked_address
from pos_app.errors import Invalid
from pos_app.fiscalization.handover.handover_options import settled_delivery
from pos_app.selling.sale.receipt_drafts import DeliveryDraft, DeliveryWay
from pos_app.wire.fiscal import DeliveryShape, receipt_delivery
from pos_app.wire.reading import read
from tests.sweep import each


@dataclass(frozen=True)
class Mailing:
    refuses_without_mail: bool = False

    def print_methods(self) -> frozenset[str]:
        return frozenset({"email"})


@each(
    ("given", "address"),
    [
        ("kupac@primer.rs", "kupac@primer.rs"),
        ("a.b+racuni'x@sub.primer.co.rs", "a.b+racuni'x@sub.primer.co.rs"),
        ("kupac@пример.срб", "kupac@xn--e1afmkfd.xn--90a3ac"),
        ("a@b.xn--90a3ac", "a@b.xn--90a3ac"),
        (f"{'a' * 64}@b.rs", f"{'a' * 64}@b.rs"),
    ],
)
def test_an_address_that_can_be_one(given: str, address: str) -> None:
    assert checked_address(given) == address


NO_ADDRESSES = [
    "", "kupac", "@primer.rs", "kupac@", "kupac@primer",
    "kupac@primer.rs\r\nBcc: svi@primer.rs",
    "kupac@primer.rs\n",
    "kupac@primer.rs,drugi@primer.rs",
    "kupac@primer.rs> SIZE=1", "Kupac <kupac@primer.rs>", "ku pac@primer.rs", ".kupac@primer.rs",
    "kupac.@primer.rs", "ku..pac@primer.rs", "купац@primer.rs", "kupac@-primer.rs",
    "kupac@primer..rs", "kupac@primer.rs.", "kupac@127.0.0.1", "kupac@[127.0.0.1]", "a@b@c.rs",
    f"{'a' * 65}@b.rs", f"a@{'b' * 64}.rs",
    f"a@{'.'.join(['b' * 60] * 5)}.rs",
    "x@1.2.3.4", "a@b_c.rs", "a@b.rs ", "a@" + "б" * 100_000 + ".rs",
]  # fmt: skip


@each("given", NO_ADDRESSES)
def test_an_address_that_cannot_be_one(given: str) -> None:
    with pytest.raises(Invalid) as refusal:
        checked_address(given)
    assert refusal.value.kind == "email"


@each("given", NO_ADDRESSES)
def test_no_border_takes_what_the_mail_server_would_not_be_given(given: str) -> None:
    """Else the receipt is signed and its mail fails for ever; here its caller is warned."""
    asked = receipt_delivery(read(DeliveryShape, {"email": given, "pdf": True}))
    kept, (warning,) = settled_delivery(asked, Mailing(), of_till=False)
    assert kept == replace(asked, email=None)
    assert warning.field == "receiptDelivery.email"
    with pytest.raises(Invalid):
        settled_delivery(asked, Mailing(refuses_without_mail=True), of_till=False)
    typed = DeliveryDraft((DeliveryWay.EMAIL,), frozenset({DeliveryWay.EMAIL}), given)
    blanks_around = given != given.strip() and "\r" not in given
    assert (typed.fault() is None) == blanks_around  # a form accepts blanks around the address
