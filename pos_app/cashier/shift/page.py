"""What the pages of the shift's screen share: their base, the column of a panel, widths."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.commands import ENTER
from pos_app.cashier.shift.model import Lack, ShiftPageKind
from pos_app.cashier.shift.room import ShiftRoom
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import Weight
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.window.screens import SHIFT
from pos_app.errors import Invalid, PosError

TO_CHECK_KEY = "V"
"""The key that leads from a count back to the open things."""
NARROW = 1200
"""Below this width in px three columns don't fit side by side."""
LARGEST_LINE = 25
"""Up to this height of a text line in px three columns stand side by side."""


class ShiftPage(QWidget):
    """A page of the screen. widest: the share of the width of its right side, in thousandths."""

    widest: ClassVar[int] = 332
    ends: ClassVar[bool] = False
    """Whether what the page's button does can't be undone."""

    def __init__(self, room: ShiftRoom) -> None:
        super().__init__()
        self.room, self.model = room, room.model
        self.look, self.texts = room.frame.ui.theme, room.frame.ui.texts
        self.big = BigButton(self.look, "", key=ENTER)
        self.big.clicked.connect(self.tapped)
        self.trouble = Label(self.look, colour="danger", weight=Weight.SEMIBOLD, wrap=True)
        """The reason why something was not done; the screen puts it over the button."""
        self.trouble.hide()
        self.tools: QWidget | None = None
        """The keys of the page that stand in the bar at the top."""
        self.side = QWidget()
        self.right = QVBoxLayout(self.side)
        self.right.setContentsMargins(0, 0, 0, 0)
        self.right.setSpacing(self.look.metrics.s3)
        self.below = QVBoxLayout(self)
        self.below.setContentsMargins(*(self.look.metrics.s3,) * 4)
        self.below.setSpacing(0)
        self.row = QHBoxLayout()
        self.row.setSpacing(self.look.metrics.s3)
        self.below.addLayout(self.row, 1)
        self.side.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)

    # --- what each of them says itself -----------------------------------------------------------

    def refresh(self) -> None:
        """Show the page anew."""

    def enter(self) -> None:
        """Do what the big button says."""

    @property
    def is_looked_at(self) -> bool:
        """Whether nothing but the way back is left to do here, which has the focus then."""
        return False

    def focus_place(self) -> None:
        self.big.setFocus(Qt.FocusReason.OtherFocusReason)

    def letter(self, letter: str) -> bool:
        """Take a letter or sign that no field took; returns whether it is a key here."""
        return False

    def number(self, number: int) -> bool:
        """Take Alt and a digit; returns whether it is a key here."""
        return False

    def step_back(self) -> bool:
        """Go a step back inside the screen (Esc); returns whether there was one."""
        return False

    def back_to_shift(self) -> bool:
        """Go a step back to the shift's own page."""
        self.model.page = ShiftPageKind.HOME
        self.room.changed.emit()
        return True

    # --- parts -----------------------------------------------------------------------------------

    def keyed(self) -> None:
        """Act at Enter. No key is pressed twice by accident, so only a page that ends something
        waits for its resting button."""
        if not self.ends or not self.big.rests:
            self.enter()

    def confirmed(self) -> None:
        """Act at F12, where it is a key of the page."""

    def tapped(self) -> None:
        if not self.big.rests_for_fingers:
            self.enter()

    def attempt(self, act: object, *values: object) -> bool:
        """Do an act; return whether it was done. A fault is shown at its field, or over the button,
        until the next act begins."""
        model = self.model
        self.room.frame.top.end_refusal()
        try:
            act(*values)  # type: ignore[operator]
        except Invalid as error:
            model.error = error
            self.room.frame.home.tone("no")
            self.refresh()
            return False
        except PosError as error:
            self.room.frame.tell_failure(error, of=SHIFT)
            return False
        model.error = None
        self.room.changed.emit()
        return True

    def show_trouble(self, words: str) -> None:
        self.trouble.setText(words)
        self.trouble.setVisible(bool(words))

    def show_order(self, lack: Lack | None, act: str) -> None:
        """Show on the big button what it does, or what is to be typed before."""
        order = self.texts(f"shift.before.{lack}") if lack is not None else ""
        self.big.show_act(act, order=order, rests=False)

    def fault(self, field: str) -> str:
        error = self.model.error
        if error is None or error.field != field:
            return ""
        return self.texts.error(error).happened


class PageColumn(Panel):
    def __init__(self, page: ShiftPage) -> None:
        super().__init__(page.look)
        metrics = page.look.metrics
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        self.column.setSpacing(metrics.s2)
