"""A scan reaches the till whatever has the focus, and changes nothing on its way."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from pos_app.cashier.scanner.decoder import LAYOUTS as SCANNERS
from pos_app.settings import ScannerSettings
from tests.gui.scanner.conftest import Till
from tests.gui.scanner.wedge import LayoutName
from tests.sweep import diagonals, each, turns

# The offscreen platform logs its limits whenever a popup opens or a window is raised.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

LAYOUTS: list[LayoutName] = ["us", "rs-latin", "rs-cyrillic"]
EAN = "8600123456789"
RECEIPT = "https://suf.purs.gov.rs/v/?vl=AzyZY+/=_-" + "QyZ9" * 200
CODES = [EAN, "1 2 3 4", "Yz-/zY;'[]{}", RECEIPT]


def _list_view() -> QWidget:
    view = QListView()
    view.setModel(QStringListModel([f"{digit} Хлеб" for digit in range(10)], view))
    view.setCurrentIndex(view.model().index(0, 0))
    return view


def _combo() -> QWidget:
    combo = QComboBox()
    combo.addItems([f"{digit}" for digit in range(10)])
    return combo


def _default_button() -> QWidget:
    button = QPushButton("Плати")
    button.setDefault(True)
    button.setAutoDefault(True)
    return button


def _state(widget: QWidget) -> object:
    match widget:
        case QLineEdit() | QSpinBox() | QDoubleSpinBox():
            return widget.text()
        case QPlainTextEdit():
            return widget.toPlainText()
        case QComboBox():
            return widget.currentIndex()
        case QListView():
            return widget.currentIndex().row()
    return None


FOCUSED: dict[str, Callable[[], QWidget]] = {
    "line": lambda: QLineEdit("било"),
    "text": lambda: QPlainTextEdit("било"),
    "spin": QSpinBox,
    "amount": QDoubleSpinBox,
    "button": _default_button,
    "list": _list_view,
    "combo": _combo,
    "nothing": QWidget,
}


SUFFIXES = ("enter", "tab", "crlf", "none")


@pytest.mark.parametrize(("name", "scanned"), turns(FOCUSED, diagonals(LAYOUTS, SUFFIXES)))
def test_a_scan_arrives_and_the_focus_is_untouched(
    till: Till, name: str, scanned: tuple[LayoutName, str]
) -> None:
    layout, suffix = scanned
    widget, other = FOCUSED[name](), QPushButton("друго")
    widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    pressed: list[object] = []
    for button in (widget, other):
        if isinstance(button, QPushButton):
            button.pressed.connect(lambda: pressed.append(1))
    till.show(widget, other)
    before = _state(widget)
    till.keys.layout = layout
    for code in CODES:
        till.keys.scan(code, suffix=suffix)
        till.decide()
    assert till.codes == CODES
    assert _state(widget) == before
    assert not pressed
    assert QApplication.focusWidget() is widget


def test_an_open_question_is_not_answered(till: Till) -> None:
    behind = QLineEdit("позади")
    till.show(behind)
    dialog = QDialog(till.window)
    amount, yes = QLineEdit(), QPushButton("Да")
    yes.setDefault(True)
    yes.clicked.connect(dialog.accept)
    form = QVBoxLayout(dialog)
    form.addWidget(amount)
    form.addWidget(yes)
    dialog.open()
    dialog.activateWindow()
    amount.setFocus()
    QApplication.processEvents()
    till.keys.layout = "rs-cyrillic"
    proved = "8600123456788"  # what proves nothing may be a piece of a path that is typed
    till.keys.scan(proved)
    assert till.codes == [proved]
    assert dialog.isVisible()
    assert (amount.text(), behind.text()) == ("", "позади")
    till.keys.now += 200
    till.keys.type("25\r")
    assert amount.text() == "25"
    assert dialog.result() == QDialog.DialogCode.Accepted


@each("layout", SCANNERS)
def test_a_scanner_set_to_each_layout_is_read_whatever_the_computer_is_set_to(
    till: Till, layout: str
) -> None:
    """A receipt's code, and a letter at another position on such a keyboard."""
    till.show(QLineEdit())
    till.filter.configure(ScannerSettings().having(layout=layout))
    till.keys.layout = "rs-cyrillic"
    for code in ("https://suf.purs.gov.rs/v/?vl=A1ZZ%2Fyz%3D+", "LOT-17_Z/y", "8600123450144"):
        till.keys.now += 2000
        till.keys.scan(code, set_to=layout)
        assert till.codes[-1] == code
