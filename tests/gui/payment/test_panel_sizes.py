"""Room and positions: the panel at each size, touch size and text scale, low or covered by a page.

That every control has a name and that nothing is cut or covered, the crawl sees in each scene.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QWidget

from pos_app.cashier.payment.board import shown_rows
from pos_app.cashier.texts.lookup import LANGUAGES, Language, Texts
from pos_app.cashier.ui.keyboard import Pad
from pos_app.cashier.ui.metrics import TouchMm, measure
from pos_app.domain.article.store import USUAL_ROWS
from pos_app.domain.money.payment import PaymentMethod as By
from pos_app.selling.sale import sell
from pos_app.selling.sale.receipt_drafts import FaultPart
from pos_app.selling.sale.ticket import DocumentKind
from tests.gui.parts import only
from tests.gui.payment.conftest import PANEL_1024, PANEL_1366, Paying
from tests.gui.payment.shop import CASHIER, Shop
from tests.gui.pictures import settle
from tests.sweep import diagonals, each, turns

PANEL_1920 = (1210, 990)
SLIM_BANNER, PRACTICE, TRAINING = 18, 27, 45
"""Heights of the banners over a sale."""
BARS = 24
"""The additional height of bar and bottom line with 15 mm and large type."""
SIZES = (PANEL_1366, PANEL_1024)

Show = Callable[..., Paying]
Size = tuple[int, int]


def sized(
    shop: Shop,
    show: Show,
    size: Size,
    touch: TouchMm = 12,
    text: int = 100,
    *,
    texts: Texts | None = None,
    kind: DocumentKind = DocumentKind.SALE,
) -> Paying:
    """The panel in that size, with the cart of the pictures."""
    before = sell.start(till=shop.till, cashier=CASHIER)
    if before.cart.lines:
        sell.void(till=shop.till, ticket=before, reason="test")
    pay = show(shop, size, texts)
    width = {PANEL_1024[0]: 1024, PANEL_1366[0]: 1366, PANEL_1920[0]: 1920}[size[0]]
    pay.change(metrics=measure(touch_mm=touch, text_percent=text, width=width))
    pay.begin(shop.basket(kind))
    settle()
    return pay


def lower(size: Size, by: int) -> Size:
    return size[0], size[1] - by


def place_of(part: QWidget, pay: Paying) -> QRect:
    return QRect(part.mapTo(pay.window, QPoint(0, 0)), part.size())


def is_whole(part: QWidget) -> bool:
    return part.visibleRegion().boundingRect() == part.rect()


def test_fifteen_millimetres_fold_the_pad_behind_a_key(shop: Shop, show: Show) -> None:
    pay = sized(shop, show, PANEL_1024, 15)
    pad = pay.layout.board.pad
    assert not pad.isVisible()
    pay.tap("Бројеви")
    assert pad.isVisible()
    for key in ("2", "00", "0"):
        pay.tap(key)
    assert pay.figure == "Кусур 325,00"
    pay.tap("Новчаница 5.000")
    assert pay.figure == "Кусур 3.325,00"
    pay.press("Esc")
    assert not pad.isVisible()
    assert pay.backs == []
    pay.tap("Картица")
    assert pay.figure == "Кусур 3.325,00"


@pytest.mark.parametrize(
    ("touch_text", "look"),
    turns(
        [(15, 100), (12, 150), (15, 125), (15, 150)],
        diagonals(SIZES, list(product(LANGUAGES, [0, PRACTICE, TRAINING]))),
    ),
)
def test_methods_and_notes_are_whole_without_scrolling(
    shop: Shop, show: Show, touch_text: tuple[TouchMm, int], look: tuple[Size, tuple[Language, int]]
) -> None:
    (touch, text), (size, (language, banner)) = touch_text, look
    low = BARS if touch == 15 or text == 150 else 0
    pay = sized(shop, show, lower(size, low + banner), touch, text, texts=Texts(language))
    board = pay.layout.board
    notes = board.buttons.notes_row
    for button in (*board.buttons.methods.values(), notes.exact_button, *notes.notes.values()):
        assert button.isVisible(), button.accessibleName()
        assert is_whole(button), button.accessibleName()
        assert button.height() >= pay.ui.theme.metrics.payment_button
    for part in (pay.layout.issue, pay.layout.figure, *board.options.values()):
        assert pay.window.rect().contains(place_of(part, pay))
        assert is_whole(part), part.accessibleName()


MIXED = (
    (By.CASH,), (By.CARD, By.CHECK), (By.OTHER, By.VOUCHER, By.WIRE_TRANSFER), (By.MOBILE_MONEY,),
)  # fmt: skip
ROWS: list[tuple[tuple[tuple[By, ...], ...], list[int]]] = [
    (USUAL_ROWS, [2, 2, 3]),
    ((tuple(By),), [4, 3]),
    (tuple((method,) for method in By), [2, 2, 3]),
    (MIXED, [3, 3, 1]),
]


@each(("rows", "lengths"), ROWS)
def test_rows_are_shown_in_the_stores_order(
    rows: tuple[tuple[By, ...], ...], lengths: list[int]
) -> None:
    shown = shown_rows(rows)
    assert [len(row) for row in shown] == lengths
    assert [one for row in shown for one in row] == [one for row in rows for one in row]


@each(("touch", "text"), [(12, 100), (15, 100), (15, 150)])
def test_a_page_for_amounts_keeps_its_pad(
    shop: Shop, show: Show, touch: TouchMm, text: int
) -> None:
    """Its fields take no letters: without the pad a finger could type nothing."""
    pay = sized(shop, show, lower(PANEL_1024, BARS), touch, text)
    for place in (FaultPart.DISCOUNT, FaultPart.BUYER):
        pay.panel.open_page(place)
        settle()
        assert only(pay.form, Pad).isVisible()
