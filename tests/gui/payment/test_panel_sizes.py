"""Room, names and positions: the panel at each size, touch size and text scale."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QWidget

from pos_app.cashier.payment.board import shown_rows
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.labels import AmountLabel, Label
from pos_app.cashier.ui.metrics import TouchMm, TypeStep, measure
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.domain.article.store import USUAL_ROWS
from pos_app.domain.money.payment import PaymentMethod as By
from pos_app.selling.sale.receipt_drafts import FaultPart
from pos_app.selling.sale.ticket import DocumentKind
from tests.gui.parts import lines_of, only, visible_parts
from tests.gui.payment.conftest import PANEL_1024, PANEL_1366, Paying
from tests.gui.payment.shop import Shop
from tests.gui.pictures import settle
from tests.sweep import sampled, turns

SLIM_BANNER = 18
"""Height of the banner for receipts of training."""
PAGES = (
    None,
    FaultPart.BUYER,
    FaultPart.DELIVERY,
    FaultPart.DISCOUNT,
    FaultPart.TEXT,
    FaultPart.ADVANCE,
)
ONE, TWO, THREE = (By.CASH,), (By.CARD, By.CHECK), (By.OTHER, By.VOUCHER, By.WIRE_TRANSFER)


def controls(window: QWidget) -> list[QWidget]:
    """The visible widgets that can be pressed or typed into."""
    kinds = (QAbstractButton, QLineEdit)
    return [one for kind in kinds for one in window.findChildren(kind) if one.isVisible()]


def sized(
    shop: Shop, show: Callable[..., Paying], size: tuple[int, int], touch: TouchMm, text: int = 100
) -> Paying:
    pay = show(shop, size)
    narrow = 1024 if size == PANEL_1024 else 1366
    pay.change(metrics=measure(touch_mm=touch, text_percent=text, width=narrow))
    pay.begin(shop.basket(DocumentKind.ADVANCE))
    return pay


@pytest.mark.parametrize(("touch", "size"), turns([15, 12, 9], [PANEL_1024, PANEL_1366]))
def test_every_control_has_a_name_and_its_room(
    shop: Shop, show: Callable[..., Paying], size: tuple[int, int], touch: TouchMm
) -> None:
    pay = sized(shop, show, size, touch)
    for page in PAGES:
        if page is not None:
            pay.panel.open_page(page)
        pay.window.layout().activate()
        for one in controls(pay.window):
            assert one.accessibleName(), type(one).__name__
            if isinstance(one, Button):
                assert one.height() >= one.sizeHint().height() - 2, one.accessibleName()
        outside = [one.accessibleName() for one in controls(pay.window) if is_outside(one, pay)]
        assert outside == []


def is_outside(control: QWidget, pay: Paying) -> bool:
    """Whether a part of it lies outside the window."""
    box = QRect(control.mapTo(pay.window, QPoint(0, 0)), control.size())
    return not control.visibleRegion().isEmpty() and not pay.window.rect().contains(box)


@pytest.mark.parametrize(("touch", "size"), turns([12, 9], [PANEL_1024, PANEL_1366]))
def test_nothing_folds_at_twelve_millimetres(
    shop: Shop, show: Callable[..., Paying], size: tuple[int, int], touch: TouchMm
) -> None:
    pay = sized(shop, show, size, touch)
    board = pay.layout.board
    assert not board.is_tight
    assert board.pad.isVisible()
    for button in board.buttons.methods.values():
        assert button.height() >= measure(touch_mm=touch).payment_button


def test_fifteen_millimetres_fold_the_pad_behind_a_key(
    shop: Shop, show: Callable[..., Paying]
) -> None:
    pay = sized(shop, show, PANEL_1024, 15)
    layout = pay.layout
    assert not layout.board.pad.isVisible()
    pay.tap("Бројеви")
    assert layout.board.pad.isVisible()
    for key in ("2", "00", "0"):
        pay.tap(key)
    assert pay.figure == "Кусур 325,00"
    pay.tap("Новчаница 5.000")
    assert pay.figure == "Кусур 3.325,00"
    pay.press("Esc")
    assert not layout.board.pad.isVisible()
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
    ("width", "height", "touch", "text", "lost"),
    sampled(
        [
            (*size, *others)
            for size in (PANEL_1024, PANEL_1366)
            for others in product([15, 12, 9], [150, 125, 100], [60, SLIM_BANNER, 0])
        ]
    ),
)
def test_no_key_of_the_payment_becomes_smaller(
    shop: Shop,
    show: Callable[..., Paying],
    width: int,
    height: int,
    touch: TouchMm,
    text: int,
    lost: int,
) -> None:
    """Keys without room scroll; the payments, the figure and the big button stay in sight."""
    pay = sized(shop, show, (width, height - lost), touch, text)
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
            area = next(one for one in scrolls(layout) if one.isAncestorOf(button))
            area.ensureWidgetVisible(button, 0, 0)
            assert button.visibleRegion().boundingRect() == button.rect(), button.accessibleName()
        for part in (layout.board.lines, layout.figure, layout.issue):
            assert part.height() == part.sizeHint().height()
            assert pay.window.rect().contains(QRect(part.mapTo(pay.window, QPoint()), part.size()))


def scrolls(layout: QWidget) -> list[Scrolled]:
    return layout.findChildren(Scrolled)


@pytest.mark.parametrize("size", [PANEL_1366, PANEL_1024])
def test_the_figure_steps_down_before_keys_scroll(
    shop: Shop, show: Callable[..., Paying], size: tuple[int, int]
) -> None:
    pay = sized(shop, show, size, 15, 150)
    figure, metrics = pay.layout.figure, pay.ui.theme.metrics
    amount = only(figure, AmountLabel)
    QApplication.processEvents()
    narrow = size == PANEL_1024  # between the keys of the head it shrinks one more step
    least = metrics.type_px(TypeStep.AMOUNT) + 1 if narrow else metrics.type_px(TypeStep.TOTAL)
    assert least <= amount.shown_px() <= metrics.type_px(TypeStep.TOTAL)
    assert amount.height() >= amount.shown_px()
    for words in visible_parts(figure, Label):
        assert words.height() >= words.sizeHint().height()


@pytest.mark.parametrize("text", [100, 125, 150])
def test_large_type_cuts_no_amount(shop: Shop, show: Callable[..., Paying], text: int) -> None:
    pay = sized(shop, show, PANEL_1024, 12, text)
    figure = only(pay.layout.figure, AmountLabel)
    assert figure.shown_px() <= figure.height()
    assert figure.width() > 0


def test_the_big_button_stays_in_its_corner(pay: Paying) -> None:
    issue = pay.layout.issue
    metrics = pay.ui.theme.metrics
    places = []
    for page in PAGES[:-1]:
        if page is not None:
            pay.panel.open_page(page)
        pay.window.layout().activate()
        places.append(QRect(issue.mapTo(pay.window, QPoint(0, 0)), issue.size()))
    assert len({(box.x(), box.y(), box.width(), box.height()) for box in places}) == 1
    corner = places[0].bottomRight()
    edge = QPoint(metrics.s3, metrics.s3)
    assert corner + edge == pay.window.rect().bottomRight()
    assert places[0].height() == metrics.button


def test_methods_stay_where_they_are_when_lines_come(pay: Paying) -> None:
    cash = pay.button("Готовина")
    place = cash.mapTo(pay.window, QPoint(0, 0))
    pay.press("Alt+2", "1000", "Alt+1", "100", "Alt+6", "50", "Alt+3")
    pay.window.layout().activate()
    assert cash.mapTo(pay.window, QPoint(0, 0)) == place
    layout = pay.layout
    field = layout.board.lines.field
    assert field is not None
    assert not field.visibleRegion().isEmpty()


@pytest.mark.parametrize(
    ("size", "keys"),
    [
        ((PANEL_1366[0], PANEL_1366[1] - SLIM_BANNER), ("Alt+2", "Alt+6", "Alt+3", "Alt+1")),
        ((PANEL_1024[0], PANEL_1024[1] - SLIM_BANNER), ("Alt+2", "Alt+1")),
    ],
)
def test_lines_are_seen_together_under_the_banner(
    shop: Shop, show: Callable[..., Paying], size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    pay = show(shop, size)
    pay.change(metrics=measure(width=1366 if size[0] == PANEL_1366[0] else 1024))
    pay.begin(shop.basket())
    for key in keys:
        pay.press(key, "100")
    pay.window.layout().activate()
    assert not pay.layout.board.is_tight
    lines = pay.layout.board.lines
    shown = [lines.line(line.id) for line in pay.panel.model.tender.lines]
    assert len(shown) == len(keys)
    assert all(one.visibleRegion().boundingRect() == one.rect() for one in shown)
    assert not any(
        one.geometry().intersects(two.geometry())
        for at, one in enumerate(shown)
        for two in shown[at + 1 :]
    )


def test_an_error_at_a_line_moves_nothing(pay: Paying) -> None:
    lines = pay.layout.board.lines
    pay.press("Alt+2", "1000", "Alt+1", "500")
    before = [lines.line(line.id).geometry() for line in pay.panel.model.tender.lines]
    pay.press("Enter")
    active = lines.line(pay.panel.model.tender.active)
    assert "недостаје 175,00" in lines_of(active)
    assert [lines.line(line.id).geometry() for line in pay.panel.model.tender.lines] == before


def test_all_labels_are_plain_text(pay: Paying) -> None:
    from PySide6.QtCore import Qt

    for page in PAGES[:-1]:
        if page is not None:
            pay.panel.open_page(page)
        formats = {label.textFormat() for label in pay.window.findChildren(QLabel)}
        assert formats == {Qt.TextFormat.PlainText}


@pytest.mark.parametrize(
    ("rows", "lengths"),
    [
        (USUAL_ROWS, [2, 2, 3]),
        ((tuple(By),), [4, 3]),
        (tuple((method,) for method in By), [2, 2, 3]),
        ((ONE, TWO, THREE, (By.MOBILE_MONEY,)), [3, 3, 1]),
    ],
)
def test_rows_are_shown_in_the_stores_order(
    rows: tuple[tuple[By, ...], ...], lengths: list[int]
) -> None:
    shown = shown_rows(rows)
    assert [len(row) for row in shown] == lengths
    assert [one for row in shown for one in row] == [one for row in rows for one in row]
