"""The bar of a mode, in which codes are not sold: it says what the next code is for, and has a
button that leaves the mode."""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.commands import ESCAPE
from pos_app.cashier.sale.context import SalePart
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.labels import Icon, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.painting import box
from pos_app.cashier.ui.theme import Theme, ThemedWidget
from pos_app.cashier.ui.tokens import Token
from pos_app.selling.sale.scan import ScanPurpose


class ModeStyle(NamedTuple):
    """name: the part of its texts' ids that names the mode."""

    name: str
    icon: str
    ground: Token
    ink: Token


STYLES = MappingProxyType(
    {
        ScanPurpose.SHOW_PRICE: ModeStyle("price", "circle-question-mark", "info_ground", "info"),
        ScanPurpose.TAKE_OFF: ModeStyle("off", "minus", "danger_ground", "danger"),
    }
)
"""The modes that have a bar; selling has none."""


class ModeBar(ThemedWidget):
    """Hidden while codes are sold; then `mode_style` is None."""

    def __init__(self, model: SaleModel, texts: Texts, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._model = model
        self._texts = texts
        self.mode_style: ModeStyle | None = None
        self._icons = {
            purpose: Icon(theme, style.icon, colour=style.ink, size=24)
            for purpose, style in STYLES.items()
        }
        self._name = Label(theme, step=TypeStep.STRONG, weight=Weight.BOLD)
        self._does = Label(theme, wrap=True)
        self._leave = Button(theme, key=ESCAPE, parent=self)
        self._leave.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._leave.clicked.connect(lambda: model.entry.set_purpose(ScanPurpose.ADD))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._build()
        model.context.listen(lambda _: self.show_mode(), SalePart.NEXT)
        self.show_mode()

    def show_mode(self) -> None:
        purpose, texts = self._model.cart.purpose, self._texts
        self.mode_style = style = STYLES.get(purpose)
        self.setVisible(style is not None)
        if style is None:
            return
        for one, icon in self._icons.items():
            icon.setVisible(one is purpose)
        name, does = texts(f"more.{style.name}"), texts(f"mode.{style.name}.words")
        self._name.setText(name)
        self._name.set_colour(style.ink)
        self._does.setText(does)
        self._leave.set_words(texts("mode.leave"))
        self.setAccessibleName(f"{name} {does} {texts('mode.leave')}: Esc")
        self.update()

    def fold(self, folded: bool) -> None:
        """Set whether only the mode's name and the way out are shown, because there is no room for
        more."""
        self._does.setVisible(not folded)

    def sizeHint(self) -> QSize:
        layout = self.layout()
        return layout.sizeHint() if layout is not None else QSize(0, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.mode_style is None:
            return
        metrics, theme = self.theme.metrics, self.theme
        box(
            QPainter(self),
            self._field(),
            radius=metrics.radius_panel,
            width=metrics.edge,
            fill=theme.colour(self.mode_style.ground),
            edge=theme.colour(self.mode_style.ink),
        )

    def _field(self) -> QRect:
        """Return the bar without the gap below it."""
        half = self.theme.metrics.s2 // 2
        return self.contentsRect().adjusted(half, 0, -half, -(self.theme.metrics.s2 + 2))

    def _build(self) -> None:
        metrics = self.theme.metrics
        half = metrics.s2 // 2
        row = QHBoxLayout(self)
        row.setContentsMargins(
            half + metrics.s4, metrics.s1, half + metrics.s1, metrics.s1 + metrics.s2 + 2
        )
        row.setSpacing(metrics.s3)
        for icon in self._icons.values():
            row.addWidget(icon)
        layout = QVBoxLayout()
        layout.setSpacing(0)
        layout.addWidget(self._name)
        layout.addWidget(self._does)
        row.addLayout(layout, 1)
        row.addWidget(self._leave)


def paint_frame(painter: QPainter, area: QRect, theme: Theme, style: ModeStyle) -> None:
    """Paint the colour of a mode around all that acts in it."""
    thick, ink = theme.metrics.s1, theme.colour(style.ink)
    inner = area.adjusted(thick, thick, -thick, -thick)
    for side in (
        QRect(area.left(), area.top(), area.width(), thick),
        QRect(area.left(), inner.bottom() + 1, area.width(), thick),
        QRect(area.left(), area.top(), thick, area.height()),
        QRect(inner.right() + 1, area.top(), thick, area.height()),
    ):
        painter.fillRect(side, ink)
