"""A cashier's acts at the till, and the fixtures of the till."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from shiboken6 import isValid

from pos_app.cashier.payment.layout import PaymentLayout
from pos_app.cashier.payment.model import PaymentModel
from pos_app.cashier.payment.view import TYPING_RESTS_MS
from pos_app.cashier.sale.cart_view import CartColumn
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.top import Top
from pos_app.cashier.sale.work_area import WorkArea
from pos_app.cashier.scanner.decoder import ENTER, TAB, Family
from pos_app.cashier.scanner.filter import ScanFilter
from pos_app.cashier.services.file_viewer import Viewer
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.choices import Segment
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.metrics import TouchMm, measure
from pos_app.cashier.ui.paint_cart import cart_hits
from pos_app.cashier.ui.style import apply_style
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.window.scan_ways import report_key_too_soon
from pos_app.cashier.window.till_window import TillWindow
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.ticket import Ticket
from pos_app.settings import ScannerSettings
from tests.fakes.receipt_files import NotingViewer
from tests.fakes.small_disk import small_disk
from tests.gui.inside import inside
from tests.gui.parts import layout_of, pass_time, place_of_part
from tests.gui.patience import waited
from tests.gui.pictures import LIGHT, look_of, settle, styled
from tests.gui.scanner.wedge import ALT, CTRL, ESCAPE, F9, F10, F12, PAD_PLUS, SHIFT, Keyboards
from tests.gui.window.shop import Shop, copied, run

KEY = {
    "F1": Qt.Key.Key_F1, "F2": Qt.Key.Key_F2, "F3": Qt.Key.Key_F3, "F4": Qt.Key.Key_F4,
    "F5": Qt.Key.Key_F5, "F6": Qt.Key.Key_F6, "F7": Qt.Key.Key_F7,
    "F8": Qt.Key.Key_F8, "F11": Qt.Key.Key_F11, "Up": Qt.Key.Key_Up,
    "Backspace": Qt.Key.Key_Backspace, "Del": Qt.Key.Key_Delete, "PgUp": Qt.Key.Key_PageUp,
    "PgDown": Qt.Key.Key_PageDown, "Left": Qt.Key.Key_Left, "Right": Qt.Key.Key_Right,
    "Home": Qt.Key.Key_Home, "End": Qt.Key.Key_End,
}  # fmt: skip
MODIFIERS = {"Ctrl": Qt.KeyboardModifier.ControlModifier}
PLACES = {
    "Enter": ENTER, "Tab": TAB, "Esc": ESCAPE, "F9": F9, "F10": F10, "F12": F12, "Down": 108,
    "Ctrl": CTRL, "Shift": SHIFT, "Alt": ALT, "pad plus": PAD_PLUS, "pad -": 74, "Space": 57,
    "D": 32, "0": 11, **{str(digit): digit + 1 for digit in range(1, 10)},
}  # fmt: skip
"""Scan codes of keys that the filter looks at, or that belong to a shortcut of Qt's own."""


@dataclass
class Hands:
    """A cashier at the window, with a scanner, a keyboard and a finger."""

    window: TillWindow
    shop: Shop
    filter: ScanFilter
    keys: Keyboards
    before: int = 0
    """The number of the last sale before the case that is tried (`Anew`)."""

    @property
    def model(self) -> SaleModel:
        return inside(self.window).model

    @property
    def ticket(self) -> Ticket:
        return self.model.cart.ticket

    @property
    def area(self) -> WorkArea:
        return inside(self.window).work_area

    @property
    def cart(self) -> CartColumn:
        return inside(self.window).cart

    @property
    def top(self) -> Top:
        return inside(self.window).top

    @property
    def payment(self) -> PaymentModel:
        model = self.area.payment.cart_model
        assert model is not None
        return model

    @property
    def paying(self) -> PaymentLayout:
        return layout_of(self.area.payment)

    def sale(self) -> Sale | None:
        """The sale that was confirmed last, None where the case has confirmed none."""
        last = self.model.confirmation.last
        return last if last is not None and last.sequence > self.before else None

    def sold(self) -> Sale:
        sale = self.sale()
        assert sale is not None, "nothing was confirmed"
        return sale

    def sales(self) -> list[Sale]:
        """The sales of the case, the last one first, from the till's file."""
        found = self.shop.database.sales.last(99)
        return [one for one in found if one.sequence > self.before]

    def serve(self, steps: int = 12) -> None:
        """Let the outbox do that many steps, and the window show what came of them."""
        run(self.shop.serve(steps))
        settle()

    def gtins(self) -> list[str | None]:
        return [line.article.frozen.gtin for line in self.ticket.cart.active]

    def _wait(self, ms: int) -> None:
        """Let the keys rest for so long; the next ones go to this window."""
        self.keys.window = self.window.windowHandle()
        self.keys.now += ms

    def press(self, *keys: str) -> None:
        """Press keys without a character, with their modifiers ("F12", "Ctrl+Enter"), one after the
        other; what stands behind "#" is typed: press("F3", "#12", "Enter")."""
        for key in keys:
            if key.startswith("#"):
                self.type(key[1:])
            else:
                self._press(key)

    def _press(self, name: str) -> None:
        *held, last = name.split("+")
        places = [PLACES[one] for one in held]
        self._wait(500)
        if last in PLACES:
            for place in places:
                self.keys.press(place)
            self.keys.tap(PLACES[last])
            for place in reversed(places):
                self.keys.release(place)
        else:
            with_them = Qt.KeyboardModifier.NoModifier
            for one in held:
                with_them |= MODIFIERS[one]
            handle, click = self.window.windowHandle(), QTest.KeyAction.Click
            QTest.sendKeyEvent(click, handle, KEY[last], "", with_them)

    def enter(self, code: str) -> None:
        """Type the code of an article, and press Enter."""
        self.press(f"#{code}", "Enter")

    def pad(self, sign: str) -> None:
        self.press(f"pad {sign}".replace("+", "plus"))

    def pay(self, sign: str) -> None:
        """Press + or − of the numeric pad once no scan keeps it from paying any more."""
        self.shop.pause()
        self.pad(sign)

    def type_on_pad(self, text: str) -> None:
        """Type digits, a point and Enter on the numeric pad."""
        self._wait(500)
        self.keys.type_on_pad(text)
        self.keys.now += 500
        self.filter.decide_now()

    def type(self, text: str) -> None:
        """Type characters of a US keyboard, as fast as a hand."""
        self._wait(500)
        self.keys.type(text)
        self.keys.now += 500
        self.filter.decide_now()

    def rest(self) -> None:
        """Press no key for so long that the text typed in the payment is stored."""
        pass_time(self.area.payment, TYPING_RESTS_MS)

    def scan_part(self, code: str) -> None:
        """Scan a code that breaks off, so that it is a misread."""
        self._wait(1500)
        self.keys.scan(code, suffix="none")
        self.keys.now += 1500
        self.filter.decide_now()

    def scan(self, *codes: str, cut: int = 0, pause: int = 0) -> None:
        """Scan codes by the wedge scanner's keys, with Enter at the end of each; `pause` ms at
        `cut`."""
        for code in codes:
            self._wait(400)
            self.keys.scan(code[:cut], suffix="none")
            self.keys.now += pause
            self.keys.scan(code[cut:])

    def tap(self, widget: QWidget, place: QPoint | None = None) -> None:
        assert widget.isVisible(), f"{widget.accessibleName()} is not there"
        spot = widget.rect().center() if place is None else place
        waited(widget)
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=spot)

    def choose(self, segment: Segment, number: int) -> None:
        self.tap(segment, place_of_part(segment, number))

    def tap_words(self, words: str) -> None:
        self.tap(self.button(words))

    def button(self, words: str) -> QAbstractButton:
        found = self.buttons(words)
        assert found, f'no button "{words}"'
        return found[0]

    def buttons(self, words: str) -> list[QAbstractButton]:
        return [
            one
            for one in self.window.findChildren(QAbstractButton)
            if one.isVisible() and one.accessibleName().startswith(words)
        ]

    def tap_article(self, code: str) -> None:
        picker = self.area.sale.picker
        wanted = self.shop.row(code).product_id
        for number in range(picker.rows.window.count):
            row = picker.rows.window.row(number)
            if row is not None and row.product_id == wanted:
                place = picker.view.visualRect(picker.rows.index(number))
                assert picker.view.viewport().rect().contains(place.center()), "out of sight"
                self.tap(picker.view.viewport(), place.center())
                return
        raise AssertionError(f"article {code} is not in the picker")

    def tap_cart(self, button: str, number: int) -> None:
        self.tap(self.cart.list.viewport(), self._place_in_row(button, number))

    def spot_in_row(self, button: str, number: int) -> QPoint:
        """The point in the window of a button in a row of the cart."""
        view = self.cart.list.viewport()
        return view.mapTo(self.window, self._place_in_row(button, number))

    def _place_in_row(self, button: str, number: int) -> QPoint:
        cart = self.cart.list
        index = cart.rows.index(number)
        rect: QRect = cart.visualRect(index)
        words = cart.cart_delegate.words
        if not button:
            return QPoint(rect.center().x(), rect.top() + 8)
        hits = cart_hits(rect, cart.theme, index.data(Qt.ItemDataRole.UserRole), words)
        place: QRect = getattr(hits, button)
        assert not place.isEmpty(), f"no {button} in row {number}"
        return place.center()

    def rows(self) -> list[str]:
        """The cart as a screen reader reads it."""
        cart = self.cart.list.rows
        return [
            str(cart.data(cart.index(number), Qt.ItemDataRole.AccessibleTextRole))
            for number in range(cart.rowCount())
        ]

    def total(self) -> str:
        return self.cart.total.accessibleName()

    def bottom_line(self) -> str:
        """The bottom line as a screen reader reads it."""
        return self.window.status.accessibleDescription()

    def notice(self) -> str:
        """The notice as a screen reader reads it, "" without one."""
        panel = self.area.sale.notices.panel
        return panel.accessibleName() if panel is not None else ""


async def seen() -> None:
    """Let Qt deliver queued events; within a coroutine nothing else may."""
    for _ in range(6):
        await asyncio.sleep(0)


def other_program_comes() -> None:
    QGuiApplication.instance().applicationStateChanged.emit(Qt.ApplicationState.ApplicationInactive)


def other_program_goes() -> None:
    """Let the till come to the front again."""
    QGuiApplication.instance().applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)


def filter_at(window: TillWindow) -> ScanFilter:
    """The scanner's filter before a window, as the till's program installs it."""
    scanner = ScanFilter(
        window.on_scan,
        ScannerSettings(),
        on_misread=window.on_misread,
        on_key=window.hands.note,
        on_key_too_soon=partial(report_key_too_soon, window.frame),
        family=Family.X11,
        parent=window,
    )
    scanner.install()
    return scanner


SellIn = Callable[..., Hands]


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    """A light look at 96 dpi, applied to the application."""
    with styled(qapp, look_of(LIGHT)) as made:
        yield made


@pytest.fixture
def sell_in(qapp: QApplication, theme: Theme) -> Iterator[SellIn]:
    """Open the till of a shop in a window of a given size."""
    opened: list[Hands] = []

    def sell(
        shop: Shop,
        *,
        width: int = 1366,
        height: int = 768,
        touch: TouchMm = 12,
        text: int = 100,
        viewer: Viewer | None = None,
    ) -> Hands:
        sizes = measure(width=width, touch_mm=touch, text_percent=text)
        ui = UiContext(theme, Texts()).changed(metrics=sizes)
        apply_style(qapp, ui.theme)
        window = TillWindow(shop.services, ui, viewer=viewer or NotingViewer())
        window.frame.count()
        window.resize(width, height)
        window.show()
        window.activateWindow()
        scanner = filter_at(window)
        QApplication.processEvents()
        if window.frame.is_home:
            inside(window).work_area.take_focus()
        opened.append(Hands(window, shop, scanner, Keyboards()))
        shop.until_closed.callback(close_if_there, window)  # before the files are closed
        return opened[-1]

    yield sell
    for hands in opened:
        put_away(hands)


def put_away(hands: Hands) -> None:
    """Close the window and delete it with its timers, if that was not done before: none of them
    reads a file of the shop any more."""
    if isValid(hands.window):
        hands.filter.remove()
        hands.window.close()
        hands.window.deleteLater()
        delete_now()


def close_if_there(window: TillWindow) -> None:
    if isValid(window):
        window.close()


def delete_now() -> None:
    """Delete what was put away: where no loop runs, Qt keeps such widgets and styles all of them
    again and again."""
    QApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def hands(shop: Shop, sell_in: SellIn) -> Hands:
    return sell_in(shop)


@pytest.fixture
def little(template: Path, tmp_path: Path, sell_in: SellIn) -> Iterator[Hands]:
    """A shop on a small disk of its own."""
    with small_disk(tmp_path / "disk", megabytes=24) as disk:
        shop = Shop(copied(template, disk / "shop"))
        hands = sell_in(shop)
        yield hands
        hands.window.close()
        shop.close()
