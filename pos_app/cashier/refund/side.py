"""The right side: the sum that the hand gives, the way of the money, the buyer's document."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.commands import TillCommand, cap_of, method_cap
from pos_app.cashier.refund.model import ID_CARD, KINDS, Missing, RefundModel
from pos_app.cashier.refund.words import (
    EXCHANGE_FACE,
    digits_words,
    document_advice,
    document_words,
    way_title,
    way_words,
)
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import painting
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import ChipRow, ChipSpec
from pos_app.cashier.ui.field import Field, bounded
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import MOST_LINES, Icon, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import Panel, clear_layout
from pos_app.cashier.ui.scrolling import bring_into_sight
from pos_app.cashier.ui.theme import Theme, ThemedButton
from pos_app.cashier.ui.tokens import Token
from pos_app.domain.receipt.buyer import BUYER_KINDS
from pos_app.selling.receipts.refund_draft import RefundWay

EXCHANGE_CAP = method_cap(0)


class WayButton(ThemedButton):
    has_ring = False

    def __init__(self, theme: Theme, title: str, words: str, *, key: str, is_last: bool) -> None:
        super().__init__(theme, f"{title}. {words}")
        self._title, self._words, self._key, self._is_last = title, words, key, is_last
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a press leaves the caret where it is
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(4 * self.theme.metrics.touch, self._height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _height(self) -> int:
        metrics = self.theme.metrics
        many = 1 if self._fits(self.width()) else len(self._below())
        words = metrics.line(TypeStep.BASE) + many * metrics.line(TypeStep.SMALL)
        return max(metrics.touch, words + 2 * metrics.s1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def _side(self) -> int:
        metrics = self.theme.metrics
        return 2 * metrics.s4 + metrics.icon(24) + metrics.s3

    def _key_width(self) -> int:
        if not self._key:
            return 0
        return painting.cap_width(self.theme, self.font(), self._key) + self.theme.metrics.s3

    def _below(self) -> list[str]:
        """Return the lines of the words where they stand below the title."""
        meter = self.theme.fonts.text_metrics(self.font(), TypeStep.SMALL)
        room = self.width() - self._side() - self._key_width()
        return meter.broken(self._words, room, lines=MOST_LINES)

    def _fits(self, width: int) -> bool:
        metrics, key = self.theme.metrics, self._key_width()
        title = painting.width_of(self.theme.font(TypeStep.BASE, Weight.SEMIBOLD), self._title)
        words = painting.width_of(self.theme.font(TypeStep.SMALL), self._words)
        return self._side() + title + metrics.s3 + words + key <= width

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, metrics, whole = self.theme, self.theme.metrics, self.rect()
        if self.isDown():
            painter.fillRect(whole.adjusted(1, 1, -1, -1), theme.colour("line"))
        if not self._is_last:
            painting.rule(painter, whole, theme)
        self._paint_ring(painter)
        room = whole.adjusted(metrics.s4 + metrics.icon(24) + metrics.s3, 0, -metrics.s4, 0)
        if self._key and self.isEnabled():
            wide = painting.cap_width(theme, self.font(), self._key)
            rect = QRect(room.right() + 1 - wide, 0, wide, metrics.cap)
            rect.moveTop((whole.height() - metrics.cap) // 2)
            painting.paint_key_cap(painter, rect, theme, self._key, ink="ink_2", edge="line_strong")
            room.setRight(rect.left() - metrics.s3)
        title = theme.fonts.resized(self.font(), TypeStep.BASE, Weight.SEMIBOLD)
        small = theme.fonts.text_metrics(self.font(), TypeStep.SMALL)
        ink = theme.colour("ink" if self.isEnabled() else "ink_2")
        quiet = theme.colour("ink_2")
        if self._fits(whole.width()):
            painting.put(painter, room, self._title, ink, title, align=painting.LEFT)
            painting.put(painter, room, self._words, quiet, small.font, align=painting.RIGHT)
            return
        below = self._below()
        upper, lower = metrics.line(TypeStep.BASE), metrics.line(TypeStep.SMALL)
        top = (whole.height() - upper - len(below) * lower) // 2
        first = QRect(room.left(), top, room.width(), upper)
        second = QRect(room.left(), top + upper, room.width(), lower)
        painting.put(painter, first, self._title, ink, title, align=painting.LEFT, elide=True)
        painting.put_lines(painter, second, below, small, ink=quiet)

    def _paint_ring(self, painter: QPainter) -> None:
        theme, metrics = self.theme, self.theme.metrics
        size = metrics.icon(24)
        rect = QRect(metrics.s4, (self.height() - size) // 2, size, size)
        chosen, enabled = self.isChecked(), self.isEnabled()
        fill: Token = "accent" if chosen else "surface" if enabled else "sunken"
        edge: Token = "accent" if chosen else "line_strong" if enabled else "line"
        if self.hasFocus():
            edge = "focus"
        painting.box(
            painter,
            rect,
            radius=size // 2,
            fill=theme.colour(fill),
            edge=theme.colour(edge),
            width=metrics.edge,
        )
        if chosen:
            inner = size // 3 // 2 * 2
            dot = QRect(0, 0, inner, inner)
            dot.moveCenter(rect.center() + QPoint(0, 0))
            painting.box(painter, dot, radius=inner // 2, fill=theme.colour("on_accent"))


def _possible(ways: Sequence[RefundWay]) -> list[RefundWay]:
    return [one for one in ways if one.fault is None]


class WaysPanel(Panel):
    """Signal: `chosen(int)`, the number of a way from 0."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, texts: Texts, model: RefundModel) -> None:
        super().__init__(theme)
        self._texts, self._model = texts, model
        self._shown_ways: tuple[RefundWay, ...] = ()
        self.buttons: list[WayButton] = []
        self.setAccessibleName(texts("refund.ways"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._column = self.edge_column()

    def show_model(self) -> None:
        ways, way = self._model.ways, self._model.way
        self.setVisible(bool(ways))
        if ways != self._shown_ways:
            self._make(ways)
        for one, button in zip(_possible(ways), self.buttons, strict=True):
            button.setChecked(one == way)
            button.setEnabled(self._model.can_type)

    def _make(self, ways: tuple[RefundWay, ...]) -> None:
        clear_layout(self._column)
        self._shown_ways, self.buttons = ways, []
        possible = _possible(ways)
        impossible = [one for one in ways if one.fault is not None]
        for number, way in enumerate(possible):
            title, words = way_title(way, self._texts), way_words(way, self._model, self._texts)
            is_last = number == len(possible) - 1 and not impossible
            key = method_cap(number + 1)
            button = WayButton(self.theme, title, words, key=key, is_last=is_last)
            button.clicked.connect(self._press(number))
            self.buttons.append(button)
            self._column.addWidget(button)
        if impossible:
            self._column.addWidget(self._why_not(impossible))

    def _why_not(self, ways: Sequence[RefundWay]) -> Label:
        """Say in one grey text which ways there are not, and why, those of one reason together."""
        by_reason: dict[str, list[str]] = {}
        for one in ways:
            reason = way_words(one, self._model, self._texts)
            by_reason.setdefault(reason, []).append(way_title(one, self._texts))
        words = "\n".join(f"{', '.join(names)}: {why}" for why, names in by_reason.items())
        label = Label(self.theme, words, step=TypeStep.SMALL, colour="ink_2", wrap=True)
        edge = self.theme.metrics
        label.setContentsMargins(edge.s4, edge.s2, edge.s4, edge.s2)
        return label

    def _press(self, number: int) -> Callable[[], None]:
        def press() -> None:
            self.chosen.emit(number)
            self.show_model()

        return press


class DocumentPart(QWidget):
    """The buyer's document: its kind and number, and what looks wrong with it. Signal:
    `changed()`."""

    changed = Signal()

    def __init__(self, theme: Theme, texts: Texts, model: RefundModel) -> None:
        super().__init__()
        self._theme, self._texts, self._model = theme, texts, model
        self._head = Label(
            theme,
            texts("refund.document"),
            step=TypeStep.SMALL,
            weight=Weight.SEMIBOLD,
            colour="ink_2",
            wrap=True,
        )
        self._tick = Icon(theme, "circle-check", colour="ok", size=18)
        self._digits = Label(theme, step=TypeStep.SMALL, weight=Weight.SEMIBOLD, colour="ink_2")
        self.kinds = ChipRow(theme, more=lambda _: texts("refund.other_document"))
        self.kinds.setAccessibleName(texts("pay.buyer.kind"))
        self.kinds.chosen.connect(self._choose_kind)
        faces = [ChipSpec(one, texts(f"pay.kind.{BUYER_KINDS[one].name}")) for one in KINDS]
        self.kinds.set_chips(faces, current=model.document.code)
        self.number = Field(theme, name="", icon="id-card", mono=True, takes=InputKind.NUMBER)
        bounded(theme, self.number)
        self.number.changed.connect(self._type)
        self.number.keep_room_for_error()
        self._arrange()

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(self._theme.metrics.s1)
        head.addWidget(self._head, 1)
        head.addWidget(self._tick)
        head.addWidget(self._digits)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._theme.metrics.s2)
        column.addLayout(head)
        for part in (self.kinds, self.number):
            column.addWidget(part)

    def show_model(self) -> None:
        model, texts = self._model, self._texts
        draft, kind = model.document, texts(f"pay.kind.{BUYER_KINDS[model.document.code].name}")
        self.kinds.set_current(draft.code)
        self.kinds.setEnabled(model.can_type)
        self.number.edit.setEnabled(model.can_type)
        self.number.edit.setAccessibleName(texts("pay.buyer.number", kind=kind))
        is_card = draft.code == ID_CARD
        self.number.set_placeholder(texts("refund.scan_id", kind=kind) if is_card else kind)
        if self.number.text() != draft.value:
            self.number.set_text(draft.value)
        before = self.number.error()
        if advice := document_advice(model, texts):
            self.number.set_error(advice, ink="warn")
        else:
            is_asked = model.missing is Missing.DOCUMENT
            self.number.judge(document_words(model, texts), asked=is_asked)
        if self.number.error() not in ("", before):
            bring_into_sight(self.number)
        self._digits.setText(digits_words(model, texts))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        super().resizeEvent(event)

    def _fit(self) -> None:
        """Hide what has no room beside the head: large type in a narrow window."""
        wide = self.width()
        parts = (self._head, self._tick, self._digits)
        needed = sum(part.sizeHint().width() for part in parts) + 2 * self._theme.metrics.s1
        has_room = bool(self._digits.text()) and needed <= wide
        self._tick.setVisible(has_room)
        self._digits.setVisible(has_room)

    def focus_number(self) -> None:
        self.number.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        bring_into_sight(self)

    @property
    def is_typing(self) -> bool:
        return self.number.edit.hasFocus()

    def _choose_kind(self, code: str) -> None:
        self._model.set_document(self._model.document.with_typed(code=code))
        self.changed.emit()
        self.focus_number()

    def _type(self, typed_text: str) -> None:
        if typed_text != self._model.document.value:
            self._model.set_document(self._model.document.with_typed(value=typed_text))
            self.changed.emit()


class OtherActs(QWidget):
    """What may be done in place of a usual refund: take the shop's own PIB, because the error is
    its own, or take other goods in exchange. Where both have no room side by side they are below
    each other."""

    def __init__(self, theme: Theme, texts: Texts, model: RefundModel) -> None:
        super().__init__()
        self._theme, self._texts, self._model = theme, texts, model
        self.own_error = Button(theme, icon="store", key=cap_of(TillCommand.BUYER), spread=True)
        words, icon = texts(EXCHANGE_FACE.word), EXCHANGE_FACE.icon
        self.exchange = Button(theme, words, icon=icon, key=EXCHANGE_CAP, spread=True)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(theme.metrics.s2)
        for button in (self.own_error, self.exchange):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._row.addWidget(self.own_error, 1)
        self._row.addWidget(self.exchange)

    def show_model(self) -> None:
        model = self._model
        self.setVisible(model.can_type)
        self.own_error.setVisible(not model.asks_reason)
        self.exchange.setVisible(not model.asks_exchange)
        if model.seller_pib:
            self.own_error.allow()
        else:
            self.own_error.refuse(self._texts("refund.own_error.why_not"))
        if (fault := model.exchange_fault) is None:
            self.exchange.allow()
        else:
            self.exchange.refuse(self._texts(f"refund.exchange.{fault}"))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        super().resizeEvent(event)

    def _fit(self) -> None:
        """Take the icons away where both have no room side by side with them, and shorten the words
        where the whole ones have none."""
        pib, texts, wide = self._model.seller_pib, self._texts, self.width()
        self.own_error.set_words(texts("refund.own_error"))
        beside = self._side_by_side(icons=True) <= wide or self._side_by_side(icons=False) <= wide
        ways = QBoxLayout.Direction
        self._row.setDirection(ways.LeftToRight if beside else ways.TopToBottom)
        if not beside:
            self._show_icons(True)
        room = wide - beside * (self.exchange.sizeHint().width() + self._row.spacing())
        if pib:
            self.own_error.set_words(texts("refund.own_error.whole", pib=pib))
            if self.own_error.sizeHint().width() > room:
                self.own_error.set_words(texts("refund.own_error"))

    def _side_by_side(self, *, icons: bool) -> int:
        self._show_icons(icons)
        widths = (one.sizeHint().width() for one in (self.own_error, self.exchange))
        return sum(widths) + self._row.spacing()

    def _show_icons(self, icons: bool) -> None:
        self.own_error.set_icon("store" if icons else "")
        self.exchange.set_icon(EXCHANGE_FACE.icon if icons else "")
