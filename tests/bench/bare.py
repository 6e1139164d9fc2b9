"""A bare till: a window with two lists over SQLite, the peer that ours is compared with (`peers`).

    python -m tests.bench.bare --data DIR --code EAN
    python -m tests.bench.bare --data DIR --plan JSON

Nothing of the product is loaded. A scan is one look-up, one durable commit and one row; a search is
one question to FTS5. It tells the moment of its first scan, or the milliseconds of what the plan
asks; after the plan it stays, so that its memory can be read.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
from PySide6.QtCore import QCoreApplication, QEvent, QStringListModel, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QListView, QVBoxLayout, QWidget

from tests.bench import screen

HITS, LINES, BREATH_MS = 100, 20, 10
FILE = "bare.db"
_ALL = f"SELECT name FROM article LIMIT {HITS}"
_FOUND = (
    "SELECT name FROM words JOIN article ON article.row = words.rowid WHERE words MATCH ?"
    f" LIMIT {HITS}"
)
_LATIN = str.maketrans(
    dict(zip("абвгдђежзијклмнопрстћуфхцчш", "abvgdđežzijklmnoprstćufhcčš", strict=True))
    | {"љ": "lj", "њ": "nj", "џ": "dž"}
)


def folded(text: str) -> str:
    """The text in one script; FTS5 takes off the accents."""
    return text.lower().translate(_LATIN)


class Window(QWidget):
    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.database = apsw.Connection(str(folder / FILE))
        self.database.pragma("journal_mode", "wal")
        self.database.pragma("synchronous", "full")
        self.scanned, self.search = QLineEdit(self), QLineEdit(self)
        self.hits, self.cart = QListView(self), QListView(self)
        self.found, self.sold = QStringListModel(self), QStringListModel(self)
        column = QVBoxLayout(self)
        for part in (self.scanned, self.search, self.hits, self.cart):
            column.addWidget(part)
        for view, model in ((self.hits, self.found), (self.cart, self.sold)):
            view.setModel(model)
            view.setUniformItemSizes(True)
        self.scanned.returnPressed.connect(self._scan)
        self.search.textChanged.connect(self._search)
        self._search()

    def _scan(self) -> None:
        found = "SELECT row, name FROM article WHERE ean = ?"
        row, name = self.database.execute(found, (self.scanned.text(),)).get
        self.database.execute("INSERT INTO line (article) VALUES (?)", (row,))
        names = self.sold.stringList()
        self.sold.setStringList([*names[len(names) // LINES * LINES :], name])
        self.scanned.clear()
        self.cart.scrollToBottom()

    def _search(self) -> None:
        text = folded(self.search.text()).split()
        if text:
            words = " ".join(f'"{word}"*' for word in text)
            found = self.database.execute(_FOUND, (words,))
        else:
            found = self.database.execute(_ALL)
        self.found.setStringList([name for (name,) in found])

    def enter(self, ean: str) -> None:
        self.scanned.setText(ean)
        none = Qt.KeyboardModifier.NoModifier
        event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, none)
        QCoreApplication.sendEvent(self.scanned, event)


class Work:
    """Carries out a plan: each step goes on once the window has nothing left to do."""

    def __init__(self, window: Window, plan: dict[str, Any]) -> None:
        from tests.bench.painted import Paints, Rest

        self._window, self._plan, self._rest = window, plan, Rest()
        self._paints = {view: Paints(view) for view in (window.cart, window.hits)}
        self._samples: dict[str, list[float]] = {}
        self._steps = self._all()
        self._go_on()

    def _go_on(self) -> None:
        pause = next(self._steps, None)
        if pause is None:
            print("samples", json.dumps(self._samples), flush=True)
        else:
            QTimer.singleShot(pause, self._window, lambda: self._rest.tell(self._go_on))

    def _all(self) -> Iterator[int]:
        """Carry out the plan; yields the milliseconds to wait after each step."""
        yield 200
        for ean in self._plan["codes"]:
            began = time.perf_counter()
            self._window.enter(ean)
            yield from self._painted("scan", self._window.cart, began)
            yield BREATH_MS
        for shape in QListView.ViewMode:
            self._window.hits.setViewMode(shape)
            self._window.hits.setUniformItemSizes(True)
            yield 200
            for script, words in self._plan["words"].items():
                name = f"{script}, as {'list' if shape is QListView.ViewMode.ListMode else 'tiles'}"
                for word in words:
                    yield from self._typed(name, word)

    def _typed(self, name: str, word: str) -> Iterator[int]:
        ends = [*range(1, len(word) + 1), *(len(word) - back for back in range(1, 3))]
        for end in ends:
            began = time.perf_counter()
            self._window.search.setText(word[: max(end, 0)])
            yield from self._painted(name, self._window.hits, began)
        self._window.search.clear()
        yield 150

    def _painted(self, name: str, view: QListView, began: float) -> Iterator[int]:
        yield 0
        ended = self._paints[view].ended
        ended = ended if ended > began else self._rest.since
        self._samples.setdefault(name, []).append((ended - began) * 1000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--code")
    parser.add_argument("--plan", type=json.loads)
    given = parser.parse_args()
    screen.use(given.data)
    application = QApplication([])
    window = Window(given.data)
    window.resize(*screen.SIZE)
    window.show()
    if given.plan:
        work = Work(window, given.plan)
        application.exec()
        del work
        return

    def scan() -> None:
        window.enter(given.code)
        print("scanned", time.monotonic(), flush=True)
        window.close()

    QTimer.singleShot(0, window, scan)
    application.exec()


if __name__ == "__main__":
    main()
