"""Room and positions: the panel at each size, touch size and text scale, low or covered by a page.

That every control has a name and that nothing is cut or covered, the crawl sees in each scene.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QWidget

from pos_app.cashier.payment.board import shown_rows
from pos_app.cashier.texts.lookup import LANGUAGES, Language, Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.keyboard import Pad
from pos_app.cashier.ui.labels import AmountLabel, ElidedLabel, Label
from pos_app.cashier.ui.metrics import TouchMm, TypeStep, measure
from pos_app.cashier.ui.scrolling import Scrolled, ScrolledRows
from pos_app.domain.article.store import USUAL_ROWS
from pos_app.domain.money.payment import PaymentMethod as By
from pos_app.selling.sale import sell
from pos_app.selling.sale.receipt_drafts import FaultPart
from pos_app.selling.sale.ticket import DocumentKind
from tests.gui.parts import lines_of, only, visible_parts
from tests.gui.payment.conftest import PANEL_1024, PANEL_1366, Paying
from tests.gui.payment.shop import CASHIER, Shop, named
from tests.gui.pictures import settle
from tests.sweep import diagonals, each, sampled, turns

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


def news_in_sight(pay: Paying) -> list[ElidedLabel]:
    """The words about the last event, where they are visible."""
    return [one for one in visible_parts(pay.panel, ElidedLabel) if one.text() == pay.news]


# --- keys ----------------------------------------------------------------------------------------


@each(("touch", "size"), list(product([12, 9], SIZES)))
def test_nothing_folds_at_twelve_millimetres(
    shop: Shop, show: Show, size: Size, touch: TouchMm
) -> None:
    pay = sized(shop, show, size, touch)
    board = pay.layout.board
    assert not board.is_tight
    assert board.pad.isVisible()
    for button in board.buttons.methods.values():
        assert button.height() >= measure(touch_mm=touch).payment_button
        assert button.spec.icon


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


def keys_of(pay: Paying) -> list[Button]:
    """The visible keys of methods, notes and pad."""
    board = pay.layout.board
    notes = (board.buttons.notes_row, board.folded_notes)
    of_notes = [button for row in notes for button in (row.exact_button, *row.notes.values())]
    of_pad = [board.pad.key(name) for name in ("7", "4", "1", "0", "00", "back")]
    return [one for one in (*board.buttons.methods.values(), *of_notes, *of_pad) if one.isVisible()]


@pytest.mark.parametrize(
    ("size", "touch", "text", "lost"),
    sampled(list(product(SIZES, [15, 12, 9], [150, 125, 100], [60, SLIM_BANNER, 0]))),
)
def test_no_key_of_the_payment_becomes_smaller(
    shop: Shop, show: Show, size: Size, touch: TouchMm, text: int, lost: int
) -> None:
    """Keys without room scroll; the payments, the figure and the big button stay in sight."""
    pay = sized(shop, show, lower(size, lost), touch, text, kind=DocumentKind.ADVANCE)
    layout, metrics = pay.layout, pay.ui.theme.metrics
    for numbers in (False, True):
        if numbers and not layout.board.is_tight:
            break
        if numbers:
            pay.tap("Бројеви")
        settle()
        for button in keys_of(pay):
            assert button.height() >= metrics.payment_button, button.accessibleName()
            assert button.width() >= metrics.touch, button.accessibleName()
            areas = layout.findChildren(Scrolled)
            area = next(one for one in areas if one.isAncestorOf(button))
            area.ensureWidgetVisible(button, 0, 0)
            assert is_whole(button), button.accessibleName()
        for part in (layout.board.lines, layout.figure, layout.issue):
            assert part.height() == part.sizeHint().height()
            assert pay.window.rect().contains(place_of(part, pay))


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


def test_rows_that_have_no_room_scroll_whole(shop: Shop, show: Show) -> None:
    pay = sized(shop, show, lower(PANEL_1366, 150), 15, 150)
    area = only(pay.layout.board, ScrolledRows)
    port = place_of(area.viewport(), pay)
    tops = set()
    bar = area.verticalScrollBar()
    for value in range(0, bar.maximum() + 1, bar.singleStep()):
        bar.setValue(value)
        for button in pay.layout.board.buttons.methods.values():
            place = place_of(button, pay)
            assert port.contains(place) or not port.intersects(place), button.accessibleName()
            tops.add(place.top())
    assert len(tops) > 1


@each(
    ("rows", "lengths"),
    [
        (USUAL_ROWS, [2, 2, 3]),
        ((tuple(By),), [4, 3]),
        (tuple((method,) for method in By), [2, 2, 3]),
        (
            (
                (By.CASH,),
                (By.CARD, By.CHECK),
                (By.OTHER, By.VOUCHER, By.WIRE_TRANSFER),
                (By.MOBILE_MONEY,),
            ),
            [3, 3, 1],
        ),
    ],
)
def test_rows_are_shown_in_the_stores_order(
    rows: tuple[tuple[By, ...], ...], lengths: list[int]
) -> None:
    shown = shown_rows(rows)
    assert [len(row) for row in shown] == lengths
    assert [one for row in shown for one in row] == [one for row in rows for one in row]


# --- figure, lines and corner --------------------------------------------------------------------


@each("size", SIZES)
def test_the_figure_steps_down_before_keys_scroll(shop: Shop, show: Show, size: Size) -> None:
    pay = sized(shop, show, size, 15, 150, kind=DocumentKind.ADVANCE)
    figure, metrics = pay.layout.figure, pay.ui.theme.metrics
    amount = only(figure, AmountLabel)
    narrow = size == PANEL_1024  # between the keys of the head it shrinks one more step
    least = metrics.type_px(TypeStep.AMOUNT) + 1 if narrow else metrics.type_px(TypeStep.TOTAL)
    assert least <= amount.shown_px() <= metrics.type_px(TypeStep.TOTAL)
    assert amount.height() >= amount.shown_px()
    for words in visible_parts(figure, Label):
        assert words.height() >= words.sizeHint().height()


def test_the_big_button_stays_in_its_corner(pay: Paying) -> None:
    issue, metrics, places = pay.layout.issue, pay.ui.theme.metrics, []
    parts = (FaultPart.BUYER, FaultPart.DELIVERY, FaultPart.DISCOUNT, FaultPart.TEXT)
    for page in (None, *parts):
        if page is not None:
            pay.panel.open_page(page)
        pay.window.layout().activate()
        places.append(place_of(issue, pay))
    assert places == places[:1] * 5
    edge = QPoint(metrics.s3, metrics.s3)
    assert places[0].bottomRight() + edge == pay.window.rect().bottomRight()
    assert places[0].height() == metrics.button


def test_lines_that_come_and_an_error_at_one_move_nothing(pay: Paying) -> None:
    cash = pay.button("Готовина")
    place = place_of(cash, pay)
    pay.press("Alt+2", "1000", "Alt+1", "100", "Alt+6", "50", "Alt+3")
    pay.window.layout().activate()
    assert place_of(cash, pay) == place
    assert not pay.layout.board.lines.field.visibleRegion().isEmpty()
    pay.anew()
    pay.press("Alt+2", "1000", "Alt+1", "500")
    lines, tender = pay.layout.board.lines, pay.panel.model.tender
    before = [lines.line(line.id).geometry() for line in tender.lines]
    pay.press("Enter")
    assert "недостаје 175,00" in lines_of(lines.line(tender.active))
    assert [lines.line(line.id).geometry() for line in tender.lines] == before


@each(
    ("size", "keys"),
    [(PANEL_1366, ("Alt+2", "Alt+6", "Alt+3", "Alt+1")), (PANEL_1024, ("Alt+2", "Alt+1"))],
)
def test_lines_are_seen_together_under_the_banner(
    shop: Shop, show: Show, size: Size, keys: tuple[str, ...]
) -> None:
    pay = sized(shop, show, lower(size, SLIM_BANNER))
    for key in keys:
        pay.press(key, "100")
    pay.window.layout().activate()
    assert not pay.layout.board.is_tight
    lines = pay.layout.board.lines
    shown = [lines.line(line.id) for line in pay.panel.model.tender.lines]
    assert len(shown) == len(keys)
    assert all(map(is_whole, shown))
    for at, one in enumerate(shown):
        assert not any(one.geometry().intersects(two.geometry()) for two in shown[at + 1 :])


# --- a low panel, and a page above the on-screen keyboard ----------------------------------------


def test_a_low_panel_keeps_what_happened_in_sight(shop: Shop, show: Show) -> None:
    pay = sized(shop, show, lower(PANEL_1366, BARS), 15, 150)
    pay.panel.ticket_changed(shop.add(pay.panel.model.ticket, named("Хлеб ражани 400 g", "9.99")))
    settle()
    (said,) = news_in_sight(pay)
    assert pay.window.rect().contains(place_of(said, pay))
    assert not place_of(said, pay).intersects(place_of(pay.layout.figure, pay))
    pay.press("1")
    settle()
    assert not said.isVisible()


def test_the_keys_of_a_low_panel_lead_where_their_words_did(shop: Shop, show: Show) -> None:
    pay = sized(shop, show, lower(PANEL_1366, BARS), 15, 150)
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
    pay.tap("Продаја")
    assert pay.backs == [True]


@each(("size", "height"), list(product(SIZES, [260, 330, 654])))
def test_the_text_shows_whole_lines_in_a_whole_field(
    shop: Shop, show: Show, size: Size, height: int
) -> None:
    pay = sized(shop, show, (size[0], height + 70), 15, 150)
    pay.panel.open_page(FaultPart.TEXT)
    settle()
    assert all(one.width() >= one.sizeHint().width() for one in news_in_sight(pay))
    edit = pay.form.edit
    assert is_whole(edit)
    line = math.ceil(QFontMetricsF(edit.font()).lineSpacing())
    room = edit.viewport().height() - 3 * math.ceil(edit.document().documentMargin())
    assert room >= line
    assert room % line <= 1
    assert edit.verticalScrollBar().maximum() == 0
    edit.setPlainText("Хвала на поверењу.\nРекламације у року\nод 8 дана.\nЛипа\nНови Сад")
    settle()
    assert edit.viewport().height() >= edit.cursorRect().height()


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


def shown(pay: Paying) -> dict[str, tuple[QRect, object]]:
    """The place of each visible part of the payment, and what stands on its buttons."""
    settle()
    parts = [one for one in pay.layout.findChildren(QWidget) if one.isVisible()]
    return {
        f"{number} {type(one).__name__} {one.accessibleName()}": (
            place_of(one, pay),
            one.spec if isinstance(one, Button) else None,
        )
        for number, one in enumerate(parts)
    }


@pytest.mark.parametrize(
    ("size", "touch", "lost"), sampled(list(product(SIZES[::-1], [15, 12, 9], [SLIM_BANNER, 0])))
)
def test_a_page_leaves_the_payment_as_it_was(
    shop: Shop, show: Show, size: Size, touch: TouchMm, lost: int
) -> None:
    pay = sized(shop, show, lower(size, lost), touch)
    for key in ("Alt+2", "Alt+3", "Alt+6", "Alt+1"):
        pay.press(key, "100")
        before = shown(pay)
        for page in ("Купац", "Рачун купцу", "Попуст", "Текст", "F1"):
            pay.press(page) if page == "F1" else pay.tap(page)
            settle()
            pay.press(page if page == "F1" else "Esc")
            after = shown(pay)
            moved = {
                one: (at, after.get(one)) for one, at in before.items() if after.get(one) != at
            }
            assert (key, page, moved) == (key, page, {})
