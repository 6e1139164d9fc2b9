"""On every screen somebody scans, and types and scans: the screen stays, and so does what is typed.

`python -m tests.gui.crawl.scans [--only SCENE]` ends with 1 where a scan leads away, changes a
field, puts something into the cart, or is told to nobody. In each scene of the till's own window,
over the sale, a code that breaks off and a code that no article has come by the keys of a scanner.
Where the scene has a field, a letter or a digit is typed then; and an article, the same article
again, and both codes come while the field has the focus. A code that breaks off is typed into a
field of a secret, and told to nobody: it may be the secret.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

from pos_app.cashier.scanner.filter import ScanFilter
from pos_app.cashier.ui.field import SearchField
from pos_app.cashier.window.till_window import TillWindow
from tests.gui.crawl import walk
from tests.gui.crawl.scenes import SCENES, Scene
from tests.gui.inside import inside
from tests.gui.parts import lines_of
from tests.gui.pictures import LIGHT, settle
from tests.gui.scanner.wedge import Keyboards
from tests.gui.window.hands import filter_at

BREAD = "8609910700134"


class Scan(NamedTuple):
    """A scan by the keys of a scanner. suffix: the key after it."""

    name: str
    code: str
    suffix: str = "enter"


KNOWN = (Scan("article", BREAD), Scan("article again", BREAD))
CUT = Scan("broken off", "860991070", "none")
UNKNOWN = (CUT, Scan("nobody's", "4006381333931"))
PASSWORD = QLineEdit.EchoMode.Password
TAKES = {
    "catalogue": "an article that is scanned is looked up",
    "settings-person": "any code may become the badge of the person who is edited",
    "settings-removal": "any code may become the badge of the person who is edited",
}
"""The rooms and scenes that have a use for an article's code, and which: fields may change."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a scan did. fault: "" where it did what it should."""

    scene: str
    scan: str
    fault: str


Edit = QLineEdit | QPlainTextEdit


def fields(window: TillWindow) -> list[Edit]:
    """The fields on top that somebody can type into, without those that search, and those of a
    secret, into which the filter types what is not proved to be a code."""
    top = window.frame.top
    every: list[Edit] = [*top.findChildren(QLineEdit), *top.findChildren(QPlainTextEdit)]
    return [
        one
        for one in every
        if one.isVisible()
        and one.isEnabled()
        and not one.isReadOnly()
        and not isinstance(one.parentWidget(), SearchField)
        and not (isinstance(one, QLineEdit) and one.echoMode() is QLineEdit.EchoMode.Password)
    ]


def text_of(edit: Edit) -> str:
    return edit.text() if isinstance(edit, QLineEdit) else edit.toPlainText()


@contextmanager
def scanner_at(window: TillWindow) -> Iterator[tuple[ScanFilter, Keyboards]]:
    made = filter_at(window)
    try:
        yield made, Keyboards(window=window.windowHandle())
    finally:
        made.remove()


def scans_in(application: QApplication, scene: Scene) -> list[Told]:
    """Scan, then type and scan in a scene. It returns nothing for the sale and what covers it."""
    with walk.loop_of_scene(), scene.posed(application, LIGHT, scene.name) as window:
        settle()
        if not isinstance(window, TillWindow) or window.frame.is_home or window.frame.cover_name:
            return []
        window.activateWindow()
        with scanner_at(window) as (filter_, keys):
            made = [_scan(window, scene, filter_, keys, one) for one in UNKNOWN]
            if not fields(window):
                return made
            _type(window, filter_, keys)
            return made + [_scan(window, scene, filter_, keys, one) for one in (*KNOWN, *UNKNOWN)]


def _type(window: TillWindow, filter_: ScanFilter, keys: Keyboards) -> None:
    first = fields(window)[0]
    first.setFocus(Qt.FocusReason.OtherFocusReason)
    keys.now += 500
    keys.type("7")
    keys.now += 500
    filter_.decide_now()
    settle()


def _scan(
    window: TillWindow, scene: Scene, filter_: ScanFilter, keys: Keyboards, scan: Scan
) -> Told:
    before, rows = _state(window), _rows(window)
    keys.now += 1500
    keys.scan(scan.code, suffix=scan.suffix)
    keys.now += 1500
    filter_.decide_now()
    settle()
    return Told(scene.title, scan.name, _fault(window, scene, scan, before, rows))


def _state(window: TillWindow) -> tuple[str, list[str]]:
    return window.frame.top_name, [text_of(one) for one in fields(window)]


def _rows(window: TillWindow) -> int:
    return inside(window).cart.list.rows.rowCount()


def _fault(
    window: TillWindow, scene: Scene, scan: Scan, before: tuple[str, list[str]], rows: int
) -> str:
    now = _state(window)
    if now[0] != before[0]:
        return f"leads from {before[0]} to {now[0]}"
    if _rows(window) != rows:
        return "puts something into the cart"
    if scene.room in TAKES or scene.title in TAKES:
        return ""
    if now[1] != before[1]:
        return f"changes fields from {before[1]} to {now[1]}"
    focus = window.focusWidget()
    if scan is CUT and isinstance(focus, QLineEdit) and focus.echoMode() is PASSWORD:
        return ""
    told = " ".join(lines_of(window.frame.top))
    return "" if window.texts("lock.scanned", name="") in told else "is told to nobody"


def every(only: Sequence[str]) -> list[Told]:
    application = QApplication.instance() or QGuiApplication.instance()
    assert isinstance(application, QApplication)
    chosen = (one for one in SCENES if any(name in one.title for name in only))
    return [told for scene in chosen for told in scans_in(application, scene)]


def main() -> int:
    parser = argparse.ArgumentParser(description="Somebody types on each screen, and scans.")
    parser.add_argument("--only", default=[""], nargs="+", help="parts of scenes' names")
    asked = parser.parse_args()
    walk.begin()
    made = every(asked.only)
    wrong = [one for one in made if one.fault]
    for one in wrong:
        sys.stdout.write(f"{one.scene}, {one.scan}: {one.fault}\n")
    scenes = {one.scene for one in made}
    sys.stdout.write(f"{len(made)} scans in {len(scenes)} scenes, {len(wrong)} wrong\n")
    return int(bool(wrong) or not made)


if __name__ == "__main__":
    assert QApplication.instance() is None
    sys.exit(main())
