"""A scan reaches the till whatever has the focus, and changes nothing on its way."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QStringListModel, Qt
from PySide6.QtGui import QAction, QKeyEvent, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QLineEdit,
    QListView,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from pos_app.cashier.scanner import replay
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


Context = Qt.ShortcutContext
NONE = Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


class Scene:
    """A window with a focused button, a panel with a field, a hidden page."""

    def __init__(self) -> None:
        self.fired: list[str] = []
        self.window = QWidget()
        self.panel, self.hidden, self.disabled = QWidget(), QWidget(), QWidget()
        self.focus, self.inner = QPushButton("a"), QPushButton("b")
        form = QVBoxLayout(self.window)
        for widget in (self.focus, self.panel, self.hidden, self.disabled):
            form.addWidget(widget)
        QVBoxLayout(self.panel).addWidget(self.inner)
        self.window.show()
        self.hidden.hide()
        self.disabled.setEnabled(False)
        self.window.activateWindow()
        self.focus.setFocus()
        QApplication.processEvents()
        self.other = QWidget(self.window, Qt.WindowType.Window)

    def shortcut(self, keys: str, owner: QWidget, context: Context) -> QShortcut:
        return QShortcut(keys, owner, lambda: self.fired.append(keys), context=context)

    def action(self, keys: str, owner: QWidget, context: Context) -> QAction:
        action = QAction(keys, owner)
        action.setShortcut(keys)
        action.setShortcutContext(context)
        action.triggered.connect(lambda: self.fired.append(keys))
        owner.addAction(action)
        return action

    def dialog(self) -> None:
        dialog = QDialog(self.window)
        QLineEdit(dialog)
        dialog.open()
        QApplication.processEvents()


Setting = Callable[[Scene], object]


def _disabled_action(scene: Scene) -> None:
    scene.action("F4", scene.window, Context.WindowShortcut).setEnabled(False)


def _disabled_shortcut(scene: Scene) -> None:
    scene.shortcut("F4", scene.window, Context.WindowShortcut).setEnabled(False)


def _button(scene: Scene) -> None:
    scene.inner.setShortcut("F4")
    scene.inner.pressed.connect(lambda: scene.fired.append("F4"))


def _in_a_menu(scene: Scene) -> None:
    menu = QMenu("m", scene.window)
    action = menu.addAction("x", lambda: scene.fired.append("F4"))
    action.setShortcut("F4")
    scene.window.addAction(menu.menuAction())


def _behind_a_question(context: Context) -> Setting:
    def build(scene: Scene) -> None:
        scene.shortcut("F4", scene.window, context)
        scene.dialog()

    return build


def _behind_a_menu(scene: Scene) -> None:
    scene.shortcut("F4", scene.window, Context.WindowShortcut)
    menu = QMenu(scene.window)
    menu.addAction("x")
    menu.popup(scene.window.pos())


SETTINGS: dict[str, Setting] = {
    **{
        f"{kind} {place} {context.name}": (
            lambda scene, kind=kind, place=place, context=context: getattr(scene, kind)(
                "F4", getattr(scene, place), context
            )
        )
        for kind in ("shortcut", "action")
        for place in ("window", "panel", "hidden", "disabled", "focus", "inner", "other")
        for context in (
            Context.WindowShortcut,
            Context.ApplicationShortcut,
            Context.WidgetShortcut,
            Context.WidgetWithChildrenShortcut,
        )
    },
    "disabled action": _disabled_action,
    "disabled shortcut": _disabled_shortcut,
    "button": _button,
    "entry of a menu": _in_a_menu,
    "window behind a question": _behind_a_question(Context.WindowShortcut),
    "application behind a question": _behind_a_question(Context.ApplicationShortcut),
    "window behind a menu": _behind_a_menu,
    "nothing": lambda scene: None,
}


@each("name", SETTINGS)
def test_the_same_as_qt(qapp: QApplication, name: str) -> None:
    def fired(press: Callable[[Scene], object]) -> list[str]:
        scene = Scene()
        SETTINGS[name](scene)
        press(scene)
        for popup in (QApplication.activePopupWidget(), QApplication.activeModalWidget()):
            if popup is not None:
                popup.close()
        scene.window.close()
        scene.window.deleteLater()
        return scene.fired

    def by_qt(scene: Scene) -> None:
        window = QApplication.activeModalWidget() or scene.window
        QTest.keyPress(window.windowHandle(), Qt.Key.Key_F4)

    def by_us(scene: Scene) -> None:
        replay.fire(_press(Qt.Key.Key_F4))

    assert fired(by_us) == fired(by_qt)


@pytest.mark.parametrize(
    ("keys", "key", "modifiers", "fires"),
    [
        ("F4", Qt.Key.Key_F4, SHIFT, False),
        ("Ctrl+Return", Qt.Key.Key_Return, CTRL, True),
        ("Return", Qt.Key.Key_Return, CTRL, False),
        ("*", Qt.Key.Key_Asterisk, SHIFT, True),
        ("A", Qt.Key.Key_A, SHIFT, False),
        ("+", Qt.Key.Key_Plus, Qt.KeyboardModifier.KeypadModifier, True),
    ],
)
def test_keys_and_modifiers(
    qapp: QApplication, keys: str, key: Qt.Key, modifiers: Qt.KeyboardModifier, fires: bool
) -> None:
    scene = Scene()
    scene.shortcut(keys, scene.window, Context.WindowShortcut)
    assert replay.fire(_press(key, modifiers)) is fires
    assert scene.fired == ([keys] if fires else [])
    scene.window.close()


def test_a_repeat_fires_only_what_may_repeat(qapp: QApplication) -> None:
    scene = Scene()
    scene.shortcut("F4", scene.window, Context.WindowShortcut).setAutoRepeat(False)
    assert replay.fire(_press(Qt.Key.Key_F4, repeat=True))
    assert scene.fired == []
    scene.window.close()


def _press(
    key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE, *, repeat: bool = False
) -> QKeyEvent:
    return QKeyEvent(QEvent.Type.KeyPress, key, modifiers, "", repeat)
