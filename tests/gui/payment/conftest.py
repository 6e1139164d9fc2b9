"""The payment panel in a window, and the cashier's hands at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QVBoxLayout, QWidget

from pos_app.cashier.payment.form import Form
from pos_app.cashier.payment.layout import PaymentLayout
from pos_app.cashier.payment.model import OpenPayment
from pos_app.cashier.payment.view import PaymentPanel
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.texts.lookup import Language, Texts
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.focus import FocusRing, focus_position, take_focus_at
from pos_app.cashier.ui.metrics import Metrics
from pos_app.cashier.ui.theme import Theme
from pos_app.selling.sale import sell
from pos_app.selling.sale.checkout import ConfirmedSale
from pos_app.selling.sale.ticket import Ticket
from tests.gui.parts import form_of, layout_of
from tests.gui.patience import waited
from tests.gui.payment.shop import CASHIER, Shop
from tests.gui.window.hands import theme

__all__ = ["pay", "shop", "show", "theme"]

PANEL_1366 = (861, 678)
"""Width and height of the panel in a window of 1366 × 768, between bar and status line."""

KEYS = {
    "Home": Qt.Key.Key_Home,
    "End": Qt.Key.Key_End,
    "Enter": Qt.Key.Key_Return, "Esc": Qt.Key.Key_Escape, "Back": Qt.Key.Key_Backspace,
    "Del": Qt.Key.Key_Delete, "Tab": Qt.Key.Key_Tab, "Up": Qt.Key.Key_Up, "F4": Qt.Key.Key_F4,
    "F1": Qt.Key.Key_F1, "F12": Qt.Key.Key_F12, "F5": Qt.Key.Key_F5, "Down": Qt.Key.Key_Down,
    "Space": Qt.Key.Key_Space,
}  # fmt: skip
ALT, CTRL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier
NONE = Qt.KeyboardModifier.NoModifier


class Finger:
    window: QWidget

    def tap(self, name: str) -> None:
        button = self.button(name)
        assert button.isEnabled(), f"{name} is refused: {button.toolTip()}"
        waited(button)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def button(self, name: str) -> QAbstractButton:
        shown = [one for one in self.window.findChildren(QAbstractButton) if one.isVisible()]
        found = [one for one in shown if one.accessibleName().startswith(name)]
        assert found, f"no {name} among {[one.accessibleName() for one in shown]}"
        exact = [one for one in found if one.accessibleName() == name]
        return (exact or found)[0]


@dataclass
class Paying(Finger):
    """A cashier at the panel: keys go to the window, taps to visible widgets."""

    shop: Shop
    ui: UiContext
    window: QWidget
    payment: OpenPayment = field(default_factory=OpenPayment)
    panel: PaymentPanel = field(init=False)
    confirmed: list[ConfirmedSale] = field(default_factory=list)
    saved: list[Ticket] = field(default_factory=list)
    backs: list[bool] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._show()

    def begin(self, ticket: Ticket) -> None:
        self.payment.set_open(True)
        self.panel.begin(ticket)

    def anew(self) -> Paying:
        """Begin the payment of another cart, with nothing left of the one before."""
        for noted in (self.confirmed, self.saved, self.backs, self.shop.tones.played):
            noted.clear()
        before = sell.start(till=self.shop.till, cashier=CASHIER)
        if before.cart.lines:
            sell.void(till=self.shop.till, ticket=before, reason="test")
        self.begin(self.shop.basket())
        return self

    def change(self, *, metrics: Metrics | None = None, language: Language | None = None) -> None:
        """Make the panel again in other sizes or words, over the same payment, as the window
        does."""
        self.ui = self.ui.changed(metrics=metrics, language=language)
        place = focus_position(self.panel)
        self.panel.hide()
        self.panel.setParent(None)
        self.panel.deleteLater()
        self._show()
        QApplication.processEvents()
        take_focus_at(self.panel, place)

    def _show(self) -> None:
        column = self.window.layout()
        panel = PaymentPanel(self.shop.services, self.ui, self.window, payment=self.payment)
        column.addWidget(panel)
        panel.confirm_cart = SaleModel(self.shop.services).confirmation.confirm_cart
        panel.confirmed.connect(self.confirmed.append)
        panel.ticket_saved.connect(self.saved.append)
        panel.back_pressed.connect(lambda: self.backs.append(True))
        self.panel = panel

    def press(self, *names: str) -> None:
        """Press keys by name: "Enter", "Alt+2", "Ctrl+Enter"; a text is typed character by
        character."""
        for name in names:
            *held, last = name.split("+") if len(name) > 1 else [name]
            modifiers = ALT if "Alt" in held else CTRL if "Ctrl" in held else NONE
            if last in KEYS:
                QTest.keyClick(self.window.windowHandle(), KEYS[last], modifiers)
            else:
                for character in last:
                    QTest.keyClick(self.window.windowHandle(), character, modifiers)

    @property
    def layout(self) -> PaymentLayout:
        return layout_of(self.panel)

    @property
    def form(self) -> Form | None:
        return form_of(self.panel)

    @property
    def figure(self) -> str:
        return self.layout.figure.accessibleName()

    @property
    def news(self) -> str:
        return self.layout.head.news_text()


@pytest.fixture
def shop(folder: Path) -> Iterator[Shop]:
    made = Shop(folder)
    yield made
    made.close()


@pytest.fixture
def show(theme: Theme, qapp: QApplication) -> Iterator[Callable[..., Paying]]:
    windows: list[QWidget] = []

    def make(shop: Shop, size: tuple[int, int] = PANEL_1366, texts: Texts | None = None) -> Paying:
        window = QWidget()
        windows.append(window)
        column = QVBoxLayout(window)
        column.setContentsMargins(0, 0, 0, 0)
        made = Paying(shop, UiContext(theme, texts or Texts()), window)
        FocusRing(theme, window)
        window.resize(*size)
        window.show()
        window.activateWindow()
        QApplication.processEvents()
        assert QApplication.activeWindow() is window
        return made

    yield make
    for window in windows:
        window.close()
        window.deleteLater()
    QApplication.processEvents()


@pytest.fixture
def pay(shop: Shop, show: Callable[..., Paying]) -> Paying:
    made = show(shop)
    made.begin(shop.basket())
    return made
