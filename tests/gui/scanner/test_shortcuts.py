"""A shortcut given back fires exactly when Qt itself would have fired it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QKeyEvent, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLineEdit,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from pos_app.cashier.scanner import replay
from tests.sweep import each

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

Context = Qt.ShortcutContext
NONE = Qt.KeyboardModifier.NoModifier


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


def _press(
    key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE, *, repeat: bool = False
) -> QKeyEvent:
    return QKeyEvent(QEvent.Type.KeyPress, key, modifiers, "", repeat)
