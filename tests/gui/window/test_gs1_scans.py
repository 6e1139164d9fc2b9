"""GS1 messages scanned in the real window, by a keyboard wedge and at a serial port."""

from __future__ import annotations

import pytest

from pos_app.domain.money.money import Money
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from tests.gui.scanner.wedge import LayoutName
from tests.gui.window.hands import Hands
from tests.gui.window.shop import CHEESE
from tests.sweep import each

BREAD, MILK = "08609910700134", "08609951100139"
CHEESE_GTIN = "98600123450147"
SCANS = (
    f"]d201{BREAD}10A/7\x1d17301231",
    f"]C101{CHEESE_GTIN}3103000412",
    f"(01){MILK}(30)2",
    f"https://id.gs1.org/01/{MILK}?17=301231",
)
SOLD = [(BREAD, "1", "58.99"), (CHEESE_GTIN, "0.412", "370.39"), (MILK, "3", "419.97")]


def label_the_cheese(hands: Hands) -> None:
    product, now = hands.shop.row(CHEESE).product_id, hands.shop.clock.now()
    changes = {"ean": CHEESE_GTIN}
    hands.shop.desk.record(NewEdit.changing(product, product, changes, by="Мира", at=now))


def lines(hands: Hands) -> list[tuple[str | None, str, str]]:
    return [
        ((one.article.frozen.gtin or "").zfill(14), str(one.quantity), str(one.total))
        for one in hands.ticket.cart.active
    ]


@each("layout", ["us", "rs-latin", "rs-cyrillic"])
def test_a_wedge_sells_what_the_message_says_whatever_layout_the_computer_has(
    hands: Hands, layout: LayoutName
) -> None:
    label_the_cheese(hands)
    hands.keys.layout = layout
    hands.scan(*SCANS)
    assert sorted(lines(hands)) == sorted(SOLD)
    assert hands.notice() == ""
    hands.pay("+")
    assert hands.ticket.cart.is_empty


def test_a_serial_scanner_sends_the_same(hands: Hands) -> None:
    label_the_cheese(hands)
    for text in SCANS:
        hands.filter.take_line(text, is_ended=True)
    assert sorted(lines(hands)) == sorted(SOLD)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("]d210A7\x1d21S9", "Са ове ознаке се не види артикал"),
        (f"01{BREAD}10A7\x1d1726", "Са ове ознаке се не види артикал"),
        ("(01)08600123450199", "Нема артикла са кодом 8600123450199"),
        ("(01)08600123450198", "Код 8600123450198 је погрешно прочитан"),
    ],
)
def test_what_sells_nothing_says_why(hands: Hands, text: str, said: str) -> None:
    hands.scan(text)
    assert hands.ticket.cart.total == Money.ZERO
    assert hands.notice().startswith(said)
    assert hands.shop.tones.played[-1] == "no"
