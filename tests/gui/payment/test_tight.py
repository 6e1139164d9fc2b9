"""A low panel: methods and notes stay in sight, and no word or key is cut."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import pytest
from PySide6.QtCore import QPoint, QRect, QRectF
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QWidget

from pos_app.cashier.payment.lines_view import PaymentLine
from pos_app.cashier.texts.lookup import LANGUAGES, Language, Texts
from pos_app.cashier.ui.field import LineEdit
from pos_app.cashier.ui.keyboard import Pad
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import ElidedLabel
from pos_app.cashier.ui.metrics import TouchMm, measure
from pos_app.cashier.ui.scrolling import ScrolledRows
from pos_app.domain.money.payment import PaymentMethod
from pos_app.selling.sale.receipt_drafts import FaultPart
from pos_app.selling.sale.ticket import DocumentKind
from tests.fakes.printer_setup import IN_THE_SHOP
from tests.gui.crawl.painted import painted_by
from tests.gui.parts import lines_of, only, visible_parts
from tests.gui.payment.conftest import PANEL_1024, PANEL_1366, Paying
from tests.gui.payment.shop import Shop, named
from tests.gui.pictures import settle
from tests.sweep import diagonals, sampled, turns

PANEL_1920 = (1210, 990)
BARS = 24
"""The additional height of bar and bottom line with 15 mm and large type."""
PRACTICE, TRAINING = 27, 45

Show = Callable[..., Paying]


def sized(
    shop: Shop,
    show: Show,
    size: tuple[int, int],
    touch: TouchMm = 12,
    text: int = 100,
    texts: Texts | None = None,
) -> Paying:
    pay = show(shop, size, texts)
    width = {PANEL_1024[0]: 1024, PANEL_1366[0]: 1366, PANEL_1920[0]: 1920}[size[0]]
    pay.change(metrics=measure(touch_mm=touch, text_percent=text, width=width))
    pay.begin(shop.basket())
    settle()
    return pay


def place_of(part: QWidget, pay: Paying) -> QRect:
    return QRect(part.mapTo(pay.window, QPoint(0, 0)), part.size())


def news_in_sight(pay: Paying) -> list[ElidedLabel]:
    """The words about the last event, where they are visible."""
    return [one for one in visible_parts(pay.panel, ElidedLabel) if one.text() == pay.news]


@pytest.mark.parametrize(
    ("touch_text", "look"),
    turns(
        [(15, 100), (12, 150), (15, 125), (15, 150)],
        diagonals([PANEL_1366, PANEL_1024], list(product(LANGUAGES, [0, PRACTICE, TRAINING]))),
    ),
)
def test_methods_and_notes_are_whole_without_scrolling(
    shop: Shop,
    show: Show,
    touch_text: tuple[TouchMm, int],
    look: tuple[tuple[int, int], tuple[Language, int]],
) -> None:
    (touch, text), (size, (language, banner)) = touch_text, look
    low = BARS if touch == 15 or text == 150 else 0
    words = Texts(language)
    pay = sized(shop, show, (size[0], size[1] - low - banner), touch, text, words)
    board = pay.layout.board
    notes = board.buttons.notes_row
    for button in (*board.buttons.methods.values(), notes.exact_button, *notes.notes.values()):
        assert button.isVisible(), button.accessibleName()
        assert button.visibleRegion().boundingRect() == button.rect(), button.accessibleName()
        assert button.height() >= pay.ui.theme.metrics.payment_button
    for part in (pay.layout.issue, pay.layout.figure, *board.options.values()):
        assert pay.window.rect().contains(place_of(part, pay))
        assert part.visibleRegion().boundingRect() == part.rect(), part.accessibleName()


def test_a_low_panel_keeps_what_happened_in_sight(shop: Shop, show: Show) -> None:
    pay = sized(shop, show, (PANEL_1366[0], PANEL_1366[1] - BARS), 15, 150)
    assert pay.panel.model is not None
    pay.panel.ticket_changed(shop.add(pay.panel.model.ticket, named("Хлеб ражани 400 g", "9.99")))
    settle()
    (said,) = news_in_sight(pay)
    assert pay.window.rect().contains(place_of(said, pay))
    assert not place_of(said, pay).intersects(place_of(pay.layout.figure, pay))
    pay.press("1")
    settle()
    assert not said.isVisible()


def test_the_keys_of_a_low_panel_lead_where_their_words_did(shop: Shop, show: Show) -> None:
    pay = sized(shop, show, (PANEL_1366[0], PANEL_1366[1] - BARS), 15, 150)
    layout = pay.layout
    assert pay.button("Бројеви").toolTip() == "Бројеви"
    pay.tap("Бројеви")
    assert layout.board.pad.isVisible()
    pay.tap("Начини")
    assert not layout.board.pad.isVisible()
    pay.panel.open_page(FaultPart.BUYER)
    settle()
    assert pay.form.title in lines_of(layout.head)
    assert not layout.figure.isVisible()
    pay.press("Esc")
    settle()
    assert layout.figure.isVisible()
    pay.tap("Назад")
    assert pay.backs == [True]


def test_rows_that_have_no_room_scroll_whole(shop: Shop, show: Show) -> None:
    pay = sized(shop, show, (PANEL_1366[0], PANEL_1366[1] - 150), 15, 150)
    area = only(pay.layout.board, ScrolledRows)
    port = QRect(area.viewport().mapTo(pay.window, QPoint(0, 0)), area.viewport().size())
    tops = set()
    bar = area.verticalScrollBar()
    for value in range(0, bar.maximum() + 1, bar.singleStep()):
        bar.setValue(value)
        for button in pay.layout.board.buttons.methods.values():
            place = place_of(button, pay)
            assert port.contains(place) or not port.intersects(place), button.accessibleName()
            tops.add(place.top())
    assert len(tops) > 1


# --- room to spare -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("touch", "text"), sampled([(15, 100), (9, 100), (12, 100), (12, 150)], few=2)
)
def test_keys_of_the_pad_grow_no_higher_than_an_action_key(
    shop: Shop, show: Show, touch: TouchMm, text: int
) -> None:
    pay = sized(shop, show, PANEL_1920, touch, text)
    board, metrics = pay.layout.board, pay.ui.theme.metrics
    for name in "123456789":
        button = board.pad.key(name)
        assert metrics.payment_button <= button.height() <= metrics.button
        assert button.height() <= button.width() + metrics.s1
    cash, seven = board.buttons.methods[PaymentMethod.CASH], board.pad.key("7")
    assert place_of(cash, pay).top() == place_of(seven, pay).top()
    assert cash.height() == seven.height()


# --- marks and words -----------------------------------------------------------------------------


def test_icons_of_the_methods_stay_at_1024(shop: Shop, show: Show) -> None:
    pay = sized(shop, show, PANEL_1024)
    buttons = pay.layout.board.buttons.methods
    assert all(button.spec.icon for button in buttons.values())


@pytest.mark.parametrize(
    ("size", "touch"), turns([PANEL_1024, PANEL_1366, PANEL_1920], [9, 12, 15])
)
def test_each_method_is_named_whole_in_large_type(
    shop: Shop, show: Show, size: tuple[int, int], touch: TouchMm
) -> None:
    pay = sized(shop, show, size, touch, 150)
    for method in PaymentMethod:
        pay.layout.board.buttons.methods[method].click()
        settle()
        name = pay.ui.texts(f"pay.line.{method}")
        told = [
            one for line in visible_parts(pay.window, PaymentLine) for one in painted_words(line)
        ]
        assert name in " ".join(told), told
        assert not [one for one in told if one.endswith("…")], told


def painted_words(line: PaymentLine) -> list[str]:
    labels = visible_parts(line, ElidedLabel)
    return [one.words for label in labels for one in painted_by(label)[0]]


@pytest.mark.parametrize(("language", "text"), turns(LANGUAGES, [150, 100]))
def test_options_say_their_values_uncut(
    shop: Shop, show: Show, text: int, language: Language
) -> None:
    pay = sized(shop, show, PANEL_1024, 15, text, Texts(language))
    pay.begin(shop.basket(DocumentKind.ADVANCE))  # an advance has one option more
    settle()
    texts = pay.ui.texts
    options = pay.layout.board.options
    thermal = texts("pay.way.thermal")
    options[FaultPart.DELIVERY].set_value(thermal, short=texts("pay.way.thermal.short"))
    for option in options.values():
        painted, _ = painted_by(option)
        assert [one.words for one in painted][-2:] == list(option.shown_words())  # without …
        for one in painted:
            assert QRectF(option.rect()).contains(one.rect), one.words
    delivery = options[FaultPart.DELIVERY]
    if thermal not in delivery.shown_words():
        assert thermal in delivery.toolTip()


@pytest.mark.parametrize("size", [PANEL_1366, PANEL_1024])
def test_the_options_of_an_advance_look_alike(
    shop: Shop, show: Show, size: tuple[int, int]
) -> None:
    """Each has the same side beside its words, also with the longest way of delivery."""
    shop.services.printers.saved = IN_THE_SHOP
    pay = sized(shop, show, size)
    pay.begin(shop.basket(DocumentKind.ADVANCE))
    settle()
    options = pay.layout.board.options
    assert "Термални" in options[FaultPart.DELIVERY].shown_words()
    sides = {painted_by(option)[0][-1].rect.left() for option in options.values()}
    assert len(sides) == 1
    assert sides.pop() > pay.ui.theme.metrics.s3


# --- a page above the on-screen keyboard ---------------------------------------------------------


@pytest.mark.parametrize(
    ("height", "size"), turns([260, 300, 330, 420, 654], [PANEL_1366, PANEL_1024])
)
def test_the_text_shows_whole_lines_in_a_whole_field(
    shop: Shop, show: Show, size: tuple[int, int], height: int
) -> None:
    pay = sized(shop, show, (size[0], height + 70), 15, 150)
    pay.panel.open_page(FaultPart.TEXT)
    settle()
    edit = pay.form.edit
    assert edit.visibleRegion().boundingRect() == edit.rect()
    line = math.ceil(QFontMetricsF(edit.font()).lineSpacing())
    room = edit.viewport().height() - 3 * math.ceil(edit.document().documentMargin())
    assert room >= line
    assert room % line <= 1
    assert edit.verticalScrollBar().maximum() == 0
    edit.setPlainText("Хвала на поверењу.\nРекламације у року\nод 8 дана.\nЛипа\nНови Сад")
    settle()
    assert edit.viewport().height() >= edit.cursorRect().height()


def test_the_quiet_hint_is_read_whole_or_not_at_all(shop: Shop, show: Show) -> None:
    for size, text in ((PANEL_1366, 150), (PANEL_1024, 150), (PANEL_1024, 100)):
        pay = sized(shop, show, size, 15, text)
        pay.panel.open_page(FaultPart.TEXT)
        settle()
        assert all(one.width() >= one.sizeHint().width() for one in news_in_sight(pay))


@pytest.mark.parametrize(("touch", "text"), [(12, 100), (15, 100), (15, 150)])
def test_a_page_for_amounts_keeps_its_pad(
    shop: Shop, show: Show, touch: TouchMm, text: int
) -> None:
    """Its fields take no letters: without the pad a finger could type nothing."""
    pay = sized(shop, show, (PANEL_1024[0], PANEL_1024[1] - BARS), touch, text)
    for place, has_pad in ((FaultPart.DISCOUNT, True), (FaultPart.BUYER, text == 100)):
        pay.panel.open_page(place)
        settle()
        assert only(pay.form, Pad).isVisible() is has_pad
        typing = pay.form.findChildren(LineEdit)
        assert has_pad or all(one.typing.takes is not InputKind.NOTHING for one in typing)
