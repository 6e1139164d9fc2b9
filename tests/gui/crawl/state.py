"""Everything that a press may change, as rows of text."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from types import MappingProxyType

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)
from shiboken6 import isValid

from pos_app.cashier.ui.choices import Segment
from pos_app.cashier.ui.focus import FocusRing
from pos_app.cashier.ui.labels import PaintedLabel

DEPTH = 9
"""The number of attributes within one another that are followed into a model."""
OURS = ("pos_app.cashier", "pos_app.selling", "pos_app.domain", "tests.")
NOT_OURS = ("pos_app.cashier.ui", "pos_app.cashier.texts", "pos_app.cashier.scanner")
"""Packages of the look, which hold no state."""
TYPED = (QLineEdit, QPlainTextEdit, QAbstractItemView, Segment)
"""Widgets that show the effect themselves: the typed text, or the choice."""


def state(window: QWidget, pressed: QWidget) -> set[str]:
    """Everything that a press may change, in rows of text, without the look of the pressed
    control."""
    lines = {f"clipboard = {QApplication.clipboard().text()}", *_files(window)}
    for top in QApplication.topLevelWidgets():
        if top.isVisible():
            lines.add(f"window {type(top).__name__} {top.windowTitle()}")
    told: list[str] = []
    seen: set[int] = set()
    is_there = isValid(pressed)
    for one in (window, *window.findChildren(QWidget)):
        if not isValid(one) or isinstance(one, FocusRing):
            continue
        is_own = is_there and (one is pressed or pressed.isAncestorOf(one))
        if one.isVisible() and (not is_own or isinstance(one, TYPED)):
            lines.add(look(one))
        for name, value in vars(one).items():
            if _is_ours(value):
                _model(f"{type(one).__name__}.{name}", value, told, seen, DEPTH)
    return lines.union(told)


def _is_ours(value: object) -> bool:
    """Whether it is a model, or a fake of the tests that keeps its requests."""
    room = type(value).__module__
    return room.startswith(OURS) and not room.startswith(NOT_OURS)


def look(widget: QWidget) -> str:
    told = [type(widget).__name__, widget.accessibleName(), widget.accessibleDescription()]
    told.append("on" if widget.isEnabled() else "off")
    match widget:
        case QAbstractButton():
            told.append(str(widget.isChecked()))
        case QLineEdit():
            told.append(widget.text())
        case QPlainTextEdit():
            told.append(widget.toPlainText())
        case QAbstractItemView() if widget.model() is not None:
            rows, role = widget.model(), Qt.ItemDataRole.AccessibleTextRole
            told += [str(rows.index(n, 0).data(role)) for n in range(min(rows.rowCount(), 12))]
            told += [str(widget.currentIndex().row()), str(rows.rowCount())]
        case QLabel() | PaintedLabel():
            told.append(widget.text())
    return " | ".join(told)


def _model(path: str, value: object, told: list[str], seen: set[int], depth: int) -> None:
    """Note the contents of a model of the product, or of a fake of the tests, as deep as they are
    ours."""
    if isinstance(value, str | bytes | int | float | Enum | None):
        told.append(f"{path} = {value!r}")
        return
    if depth == 0 or id(value) in seen or isinstance(value, QObject):
        return
    seen.add(id(value))
    if isinstance(value, dict | MappingProxyType):
        for key, one in list(value.items())[:200]:
            _model(f"{path}[{key!r}]", one, told, seen, depth - 1)
        return
    if isinstance(value, list | tuple | set | frozenset):
        told.append(f"{path} has {len(value)}")
        for number, one in enumerate(list(value)[:60]):
            _model(f"{path}[{number}]", one, told, seen, depth - 1)
        return
    if not _is_ours(value):
        if type(value).__module__ == "decimal":
            told.append(f"{path} = {value!r}")
        return
    names = list(getattr(value, "__dict__", {})) or list(getattr(value, "__slots__", ()))
    for name in names:
        _model(f"{path}.{name}", getattr(value, name, None), told, seen, depth - 1)


def _files(window: QWidget) -> Iterator[str]:
    services = getattr(window, "services", None)
    data = getattr(getattr(services, "settings", None), "data", None)
    if isinstance(data, Path):
        for file in sorted(data.rglob("*")):
            if file.is_file() and not file.name.endswith("-shm"):
                told = file.stat()
                yield f"file {file.name} {told.st_size} {told.st_mtime_ns}"
