"""The bar on top: nothing in it moves when something begins to wait, and all counts agree."""

from __future__ import annotations

import re
from itertools import product

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication

from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TouchMm
from pos_app.selling.sale.state import SaleState
from tests.fakes.fiscal_server import Fault
from tests.gui.inside import inside
from tests.gui.parts import lines_of, visible_parts
from tests.gui.window.finger import place_of
from tests.gui.window.hands import Hands, SellIn, seen
from tests.gui.window.shop import Shop
from tests.gui.window.test_always_stands import HEIGHT, SIZES
from tests.gui.window.test_frame import cancelled_to_be_corrected, confirm_bread, take_back
from tests.sweep import sampled


def who_and_when(hands: Hands) -> tuple[Label, Label]:
    words = visible_parts(inside(hands.window).top, Label)
    (cashier,) = [one for one in words if hands.window.services.cashier in one.text()]
    (clock,) = [one for one in words if re.fullmatch(r"\d\d:\d\d", one.text())]
    return cashier, clock


def places(hands: Hands) -> list[QRect]:
    """The rectangles of shop, sale types, cashier and clock."""
    QApplication.processEvents()
    top = inside(hands.window).top
    return [place_of(one) for one in (top.head, top.segment, *who_and_when(hands))]


@pytest.mark.parametrize(
    ("language", "width", "touch", "text"),
    sampled(reversed(list(product(["sr-Cyrl", "en"], *SIZES)))),
)
def test_nothing_moves_when_the_bell_comes(
    shop: Shop, sell_in: SellIn, width: int, touch: TouchMm, text: int, language: str
) -> None:
    hands = sell_in(shop, width=width, touch=touch, text=text)
    hands.window.change(language=language)  # type: ignore[arg-type]
    top = inside(hands.window).top
    before = places(hands)
    is_tight = width == 1024 and text == 150
    more = ("9+", "9+") if is_tight else ("12", "99+")
    for count, said in ((1, "1"), (12, more[0]), (150, more[1]), (0, "0")):
        top.show_waiting(count)
        assert places(hands) == before
        assert top.bell.isVisible() is (count > 0)
        assert top.bell.spec.words == said
        assert not place_of(top.bell).intersects(place_of(top.segment))
        assert top.head.width() >= 2 * hands.window.theme.metrics.touch  # a part of the shop's name
        assert hands.window.size().toTuple() == (width, HEIGHT)
        assert hands.window.rect().contains(place_of(who_and_when(hands)[1]))
    top.show_waiting(150)
    assert top.bell.accessibleName().endswith(": 150")


# --- one count -----------------------------------------------------------------------------------


def counts(hands: Hands) -> list[str]:
    """The counts of waiting cases at bell, bottom line and Attention."""
    window = hands.window
    told = window.status.accessibleDescription().split(" · Каталог")[0].split(" · Усклађено")[0]
    queue = " · ".join(told.split(" · ")[2:])
    inside(window).open("attention")
    _, waits = lines_of(inside(window).attention.head)
    inside(window).go_home()
    return [inside(window).top.bell.spec.words, queue, waits]


async def test_bell_bottom_line_and_attention_tell_one_count(hands: Hands) -> None:
    """Not only sales of this till wait: here corrected lines wait too."""
    await confirm_bread(hands, Fault.FIX)
    corrected = cancelled_to_be_corrected(hands)
    inside(hands.window).waiting()
    said = "2 ставке · 2 траже одлуку"
    assert counts(hands) == ["2", f"Пажња {said}", said]
    take_back(hands, corrected)
    await seen()
    said = "1 ставка · 1 тражи одлуку"
    inside(hands.window).waiting()
    assert counts(hands) == ["1", f"Пажња {said}", said]


async def test_what_is_solved_in_attention_is_counted_off_at_once(hands: Hands) -> None:
    await confirm_bread(hands, Fault.FIX)
    inside(hands.window).open("attention")
    await seen()
    sales, now = hands.shop.database.sales, hands.shop.clock.now()
    assert inside(hands.window).model.confirmation.last is not None
    sales.request_cancel(inside(hands.window).model.confirmation.last.key, reason="x", at=now)
    sales.move(inside(hands.window).model.confirmation.last.key, SaleState.CANCELLING, at=now)
    sales.move(inside(hands.window).model.confirmation.last.key, SaleState.CANCELLED, at=now)
    inside(hands.window).attention.room.changed.emit()  # as at the end of each act there
    await seen()
    assert counts(hands) == ["0", "Ред празан", "све је у реду"]


def test_a_till_without_a_name_is_told_in_the_letters_of_the_screen(hands: Hands) -> None:
    for language, told in (("sr-Cyrl", "Каса 1"), ("sr-Latn", "Kasa 1"), ("en", "Till 1")):
        hands.window.change(language=language)  # type: ignore[arg-type]
        assert who_and_when(hands)[0].text() == f"{told} · {hands.window.services.cashier}"
