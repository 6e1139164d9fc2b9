"""Asks whether the till is closed while something stands, and says what becomes of it. Enter and
Esc keep the till open; the scan of what can be sold sells on.

Source: till.md ("Closing the till").
"""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.closing.words import Standing, standing_words
from pos_app.cashier.commands import ENTER, TillCommand
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.focus import EnterCap
from pos_app.cashier.ui.labels import Icon, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import ButtonRow, Divider, FilledPanel, clear_layout
from pos_app.cashier.ui.scrolling import ScrolledColumn
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.window.frame import CLOSING, AskedToClose, Frame, Room, ScanAnswer
from pos_app.cashier.window.headed_screen import HeadedScreen
from pos_app.cashier.window.scan_ways import is_known
from pos_app.cashier.window.what_stands import what_stands
from pos_app.selling.catalogue.codes import ReadCode


class ClosingRoom(Room):
    """The question that stands."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.asked: AskedToClose | None = None

    def leave(self) -> None:
        self.asked = self.told = None

    def close_till(self) -> None:
        """Close the till as it was asked for, once the pressed button has returned."""
        if self.asked is not None:
            QTimer.singleShot(0, self, self.asked.then)


class ClosingScreen(HeadedScreen):
    """Places: `AskedToClose`."""

    title = "closing.title"
    help_keys = (
        (ENTER, "closing.keys.stay"),
        ("Tab", "att.keys.tab"),
        (TillCommand.KEYS, "keys.f1"),
        (TillCommand.BACK, "closing.keys.stay"),
    )

    def __init__(self, frame: Frame, room: Room) -> None:
        super().__init__(frame, room)
        assert isinstance(room, ClosingRoom)
        self.room = room
        texts, theme = frame.ui.texts, self.theme
        self.stay = Button(theme, texts("closing.stay"), key=ENTER, kind=ButtonKind.FILLED)
        self.stay.clicked.connect(self.leave)
        self.close_till = Button(theme, texts("more.close"), icon="x")
        self.close_till.clicked.connect(room.close_till)
        self._session = Label(theme, texts("closing.session"), step=TypeStep.STRONG, wrap=True)
        self._shown_rows: list[Standing] | None = None
        self._page = QWidget()
        self._lay_out()
        EnterCap(self, self.stay, ENTER)
        frame.covered.connect(self.show_way_back)
        self._show_standing()
        self.show_place()

    def _lay_out(self) -> None:
        metrics = self.theme.metrics
        inside = QWidget()
        holder = QVBoxLayout(inside)
        holder.setContentsMargins(0, 0, 0, 0)
        holder.setSpacing(metrics.s3)
        panel = FilledPanel(self.theme)
        self._rows = panel.edge_column()
        holder.addWidget(self._session)
        holder.addWidget(panel)
        holder.addStretch(1)
        area = ScrolledColumn(self.theme, name=self.accessibleName())
        area.show_inside(inside)
        column = QVBoxLayout(self._page)
        column.setContentsMargins(*(metrics.s3,) * 4)
        column.setSpacing(metrics.s3)
        column.addWidget(area, 1)
        buttons = ButtonRow(self.theme, self.stay, self.close_till, gap=metrics.s3, apart=True)
        column.addWidget(buttons)
        self.column.addWidget(self._page, 1)
        self.column.addWidget(self.keys, 1)

    # --- for the frame ---------------------------------------------------------------------------

    def go_to(self, screen_place: object) -> None:
        if isinstance(screen_place, AskedToClose):
            self.room.asked = screen_place
            self._session.setVisible(screen_place.by_session)

    def press(self, command: TillCommand) -> None:
        if command in (TillCommand.BACK, TillCommand.KEYS):
            super().press(command)
        else:
            self.frame.home.tone("no")

    def scan(self, code: ReadCode, text: str) -> ScanAnswer:
        """Give way to a scan that sells on, or that lets somebody in below."""
        services = self.frame.services
        if not is_known(code, services.catalogue) and services.people.badge_of(text) is None:
            return self.unused_scan
        self.leave()
        return self.frame.top.scan(code, text)

    @property
    def unused_scan(self) -> ScanAnswer:
        """What gives way to no cover below is counted as that cover would."""
        return ScanAnswer.MISSED if self.frame.covers_cover else super().unused_scan

    def keeps_scan(self) -> bool:
        return self.frame.keeps_scan_below()

    def tick(self) -> None:
        """Tell what has changed; a sale may have got its receipt meanwhile."""
        super().tick()
        self._show_standing()

    def way_out(self) -> str:
        return self.frame.below.standing()

    def leave(self) -> None:
        self.frame.uncover(CLOSING)

    def show_place(self) -> None:
        asked = self.room.asked
        self._session.setVisible(asked is not None and asked.by_session)
        self.keys.setVisible(self.shows_keys)
        self._page.setVisible(not self.shows_keys)

    def focus_place(self) -> None:
        self.stay.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- what is shown ---------------------------------------------------------------------------

    def _show_standing(self) -> None:
        texts = self.frame.ui.texts
        rows = standing_words(what_stands(self.frame), texts)
        if not rows:
            rows = [Standing("circle-check", texts("closing.nothing"), "")]
        if rows == self._shown_rows:
            return
        self._shown_rows = rows
        clear_layout(self._rows)
        for number, row in enumerate(rows):
            if number:
                self._rows.addWidget(Divider(self.theme))
            self._rows.addWidget(_ClosingRow(self.theme, row))


class _ClosingRow(QWidget):
    def __init__(self, theme: Theme, row: Standing) -> None:
        super().__init__()
        self.setAccessibleName(f"{row.what}. {row.then}".strip())
        metrics = theme.metrics
        line = QHBoxLayout(self)
        line.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        line.setSpacing(metrics.s3)
        mark = Icon(theme, row.icon, colour="ink_2", size=24)
        line.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(metrics.s1)
        column.addWidget(
            Label(theme, row.what, step=TypeStep.STRONG, weight=Weight.SEMIBOLD, wrap=True)
        )
        if row.then:
            column.addWidget(Label(theme, row.then, colour="ink_2", wrap=True))
        line.addLayout(column, 1)


ROOM, SCREEN = ClosingRoom, ClosingScreen
