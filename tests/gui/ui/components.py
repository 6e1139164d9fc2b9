"""The components in one picture, as in the design's sheet of components."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.ui import notice
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button, KeyCap
from pos_app.cashier.ui.done import DoneContent, DonePanel
from pos_app.cashier.ui.field import Field, bounded
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.paint_picker import TilePainter, frame_of
from pos_app.cashier.ui.painting import ring
from pos_app.cashier.ui.panel import EmptyState, Ground
from pos_app.cashier.ui.rows import RowState, Tile
from pos_app.cashier.ui.theme import Theme, ThemedWidget


class Ringed(ThemedWidget):
    """A widget with the ring of the focus painted around it, for a still picture."""

    def __init__(self, theme: Theme, inner: QWidget) -> None:
        super().__init__(theme)
        row = QHBoxLayout(self)
        row.setContentsMargins(5, 5, 5, 5)
        row.addWidget(inner)

    def sizeHint(self) -> QSize:
        layout = self.layout()
        return layout.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        inner = self.rect().adjusted(5, 5, -5, -5)
        radius = self.theme.metrics.radius_button
        ring(QPainter(self), inner, self.theme, radius=radius, gap=2, width=3)


class TileStrip(ThemedWidget):
    """Four tiles in their four forms."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(640, self.theme.metrics.tile_height + 10)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        forms = (
            (Tile("Хлеб ражани 400 g", "129,99", "Хр", 0), RowState()),
            (Tile("Павлака 20 %", "119,99", "Пв", 1, badge="1"), RowState(pressed=True)),
            (Tile("Вода минерална 1,5 l", "64,99", "Вм", 3), RowState(focus=True)),
            (Tile("Торта чоколадна", "", "Тч", 0, refusal="нема у продаји"), RowState()),
        )
        tiles = TilePainter(self.theme)
        for number, (tile, state) in enumerate(forms):
            place = QRect(number * 160, 5, 152, self.theme.metrics.tile_height)
            frame = frame_of(tile, picture=None, state=state)
            tiles.paint_frame(painter, place, frame)
            tiles.paint_on(painter, place, frame, tile, None)


def _row(widgets: Sequence[QWidget], gap: int) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(gap)
    for widget in widgets:
        row.addWidget(widget)
    row.addStretch(1)
    return row


def _buttons(theme: Theme) -> tuple[QHBoxLayout, QHBoxLayout]:
    def forms(words: str, kind: ButtonKind) -> list[QWidget]:
        pressed, disabled = Button(theme, words, kind=kind), Button(theme, words, kind=kind)
        pressed.setDown(True)
        disabled.refuse("Прво унесите цену.")
        return [
            Button(theme, words, kind=kind),
            pressed,
            Ringed(theme, Button(theme, words, kind=kind)),
            disabled,
        ]

    first = [
        *forms("Одустани", ButtonKind.PLAIN),
        Button(theme, "Обриши", icon="trash-2", kind=ButtonKind.DANGER),
        Button(theme, "Додај", icon="plus", kind=ButtonKind.QUIET),
    ]
    second = [
        *forms("Сачувај", ButtonKind.FILLED),
        Button(theme, "Изабрано", icon="check", kind=ButtonKind.CHOSEN),
        *(KeyCap(theme, key) for key in ("F12", "Enter", "3*")),
    ]
    return _row(first, theme.metrics.s2), _row(second, theme.metrics.s2)


def _fields(theme: Theme) -> QHBoxLayout:
    empty = Field(theme, name="Шифра", placeholder="Шифра")
    typed = Field(theme, name="Шифра")
    typed.set_text("2088")
    wrong = Field(theme, name="ПИБ")
    bounded(theme, wrong)
    wrong.set_text("10987654")
    wrong.set_error("ПИБ има 9 цифара, уписано је 8")
    row = QHBoxLayout()
    row.setSpacing(theme.metrics.s3)
    for field, stretch in ((empty, 2), (typed, 2), (wrong, 5)):
        column = QVBoxLayout()
        column.addWidget(field)
        column.addStretch(1)
        row.addLayout(column, stretch)
    typed.setObjectName("focused")
    return row


def _notice(theme: Theme) -> notice.NoticePanel:
    return notice.NoticePanel(
        theme,
        notice.NoticeKind.DANGER,
        happened="Картица није у читачу",
        safe="Продаја је сачувана и није послата.",
        press="Вратите картицу и наставите.",
        buttons=(
            Button(theme, "Покушај поново", key="Enter", kind=ButtonKind.FILLED),
            Button(theme, "Остави за касније", key="Esc"),
        ),
    )


def components(theme: Theme) -> QWidget:
    """The whole sheet, 750 px wide."""
    sheet = Ground(theme, colour="bg")
    column = QVBoxLayout(sheet)
    column.setContentsMargins(0, 16, 0, 12)
    column.setSpacing(6)

    def part(title: str, *things: QWidget | QHBoxLayout, wide: bool = False) -> None:
        head = Label(theme, title, step=TypeStep.SMALL, weight=Weight.SEMIBOLD, colour="ink_2")
        for thing in (head, *things):
            row = QHBoxLayout()
            side = 0 if wide and thing is not head else 20
            row.setContentsMargins(side, 0, side, 0)
            row.addLayout(thing) if isinstance(thing, QHBoxLayout) else row.addWidget(thing)
            column.addLayout(row)
        column.addSpacing(4)

    part("Тастери: обичан · притиснут · фокус · искључен", *_buttons(theme))
    part("Поља: празно · фокус · грешка", _fields(theme))
    part("Плочица: обична · притиснута · фокус · нема у продаји", TileStrip(theme))
    part("Обавештење: шта се догодило · да ли је сачувано · шта сада", _notice(theme))
    banner = notice.BannerText("ОБУКА · рачуни нису фискални", "graduation-cap")
    part("Обука: трака преко целе ширине", notice.Banner(theme, banner), wide=True)
    words = "Ништа не чека и ниједан рачун није у сумњи."
    part("Празно стање", EmptyState(theme, title="Све је у реду", words=words))
    done = DoneContent(
        "Рефундација је издата",
        ("Рачун ABCD1234-ABCD1234-17",),
        "Дајте купцу",
        "1.099,00",
        "Нека купац потпише копију.",
    )
    part("Урађено: тинта, квачица, број, шта рука даје", DonePanel(theme, done))
    column.addStretch(1)
    return sheet
