"""Which addresses are taken, and as what they go to the server."""

from __future__ import annotations

import pytest

from pos_app.adapters.mail_address import checked_address
from pos_app.errors import Invalid


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
    "given",
    [
        "",
        "kupac",
        "@primer.rs",
        "kupac@",
        "kupac@primer",
        "kupac@primer.rs\r\nBcc: svi@primer.rs",
        "kupac@primer.rs\n",
        "kupac@primer.rs,drugi@primer.rs",
        "kupac@primer.rs> SIZE=1",
        "Kupac <kupac@primer.rs>",
        "ku pac@primer.rs",
        ".kupac@primer.rs",
        "kupac.@primer.rs",
        "ku..pac@primer.rs",
        "купац@primer.rs",
        "kupac@-primer.rs",
        "kupac@primer..rs",
        "kupac@primer.rs.",
        "kupac@127.0.0.1",
        "kupac@[127.0.0.1]",
        "a@b@c.rs",
        f"{'a' * 65}@b.rs",
        f"a@{'b' * 64}.rs",
        f"a@{'.'.join(['b' * 60] * 5)}.rs",
    ],
)
def test_an_address_that_cannot_be_one(given: str) -> None:
    with pytest.raises(Invalid):
        checked_address(given)
