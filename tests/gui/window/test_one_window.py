"""A second start on the same data folder brings the open window to the front."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from pos_app.cashier.start.single_window import Doorbell, call_to_front, name_of
from pos_app.cashier.start.start_error import StartErrorWindow, start_error
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.details import Details
from pos_app.cashier.ui.focus import FocusRing
from pos_app.cashier.ui.theme import Theme
from pos_app.errors import AlreadyRunning, DatabaseDamaged, DiskFull, PosError
from tests.gui.parts import lines_of, only
from tests.gui.window.hands import Hands
from tests.sweep import each

ROOT = Path(__file__).parents[3]
CALLER = """
import sys
from pathlib import Path
from pos_app.cashier.start import single_window
single_window.ANSWER_MS = int(sys.argv[2])
sys.exit(0 if single_window.call_to_front(Path(sys.argv[1])) else 3)
"""
COLLECTS = """
import gc, time
from pos_app.cashier.start import app
from pos_app.cashier.start.opening import Opening
def work(tell):
    for part in range(5):
        time.sleep(0.03)
        gc.collect()
        tell(part, 5)
for _ in range(3):
    app.put_back_behind(Opening(), work)
"""
HEARD = 0
PATIENT_MS = 20_000
"""The patience of calls that are heard: a test's machine may be busy."""


def call(folder: Path, qtbot: QtBot) -> int:
    """Start the program a second time while this one goes on; returns its answer."""
    words = [sys.executable, "-c", CALLER, str(folder), str(PATIENT_MS)]
    started = subprocess.Popen(words, cwd=ROOT)
    qtbot.waitUntil(lambda: started.poll() is not None, timeout=2 * PATIENT_MS)
    return started.wait()


@pytest.fixture
def bell(tmp_path: Path) -> Iterator[Doorbell]:
    """The doorbell of the till that is open on `tmp_path`."""
    made = Doorbell(tmp_path)
    yield made
    made.close()


@pytest.mark.qt_log_ignore("does not support raise")
def test_a_second_start_brings_the_minimised_window_to_the_front(
    hands: Hands, bell: Doorbell, tmp_path: Path, qtbot: QtBot
) -> None:
    window = hands.window
    bell.answer_with(window.come_to_front)
    window.showMinimized()
    assert call(tmp_path, qtbot) == HEARD
    assert not window.isMinimized()
    assert window.isVisible()
    qtbot.waitUntil(window.isActiveWindow, timeout=PATIENT_MS)
    window.showFullScreen()
    qtbot.wait(50)  # the platform answers each change of state by an event of its own
    window.setWindowState(window.windowState() | Qt.WindowState.WindowMinimized)
    qtbot.wait(50)
    assert call(tmp_path, qtbot) == HEARD
    assert window.windowState() & Qt.WindowState.WindowFullScreen


def test_who_does_not_answer_is_not_waited_for(bell: Doorbell, tmp_path: Path) -> None:
    """A till that hangs, as this one does meanwhile; a folder without one, and that of another."""
    other = tmp_path / "other"
    other.mkdir()
    for folder in (tmp_path, other):
        assert not call_to_front(folder)
    (tmp_path / "way").symlink_to(tmp_path)
    assert name_of(tmp_path / "way") == name_of(other / "..") == name_of(tmp_path) != name_of(other)


def test_a_thread_that_collects_garbage_frees_nothing_of_the_loop_before() -> None:
    """Qt ends a program in which a thread frees the timers of another one."""
    words = [sys.executable, "-c", COLLECTS]
    done = subprocess.run(words, cwd=ROOT, check=False, capture_output=True, text=True)
    assert (done.returncode, "another thread" in done.stderr) == (0, False), done.stderr


@each(
    "error",
    [
        AlreadyRunning("silent_till", what="x", program="till", path="/shop"),
        DiskFull("x"),
        DatabaseDamaged("header", path="/shop/data/till.db", why="y"),
    ],
)
def test_why_the_till_can_t_open_is_told_in_its_own_look(
    theme: Theme, error: PosError, qtbot: QtBot
) -> None:
    window = StartErrorWindow(error, start_error(error, language="sr-Cyrl"), theme)
    qtbot.addWidget(window)
    closed: list[bool] = []
    window.closed.connect(lambda: closed.append(True))
    window.show()
    qtbot.waitExposed(window)
    told, said = Texts().error(error, has_details=True), " ".join(lines_of(window))
    assert all(part in said for part in (told.happened, told.safe, told.press))
    assert "/shop" not in said
    if isinstance(error, DatabaseDamaged):  # its path can be read all the same
        before = window.height()
        qtbot.mouseClick(only(window, Details).button, Qt.MouseButton.LeftButton)
        assert "/shop/data/till.db" in " ".join(lines_of(window))
        assert window.height() > before
    assert window.findChildren(FocusRing)
    qtbot.keyClick(window.read, Qt.Key.Key_Return)
    assert closed == [True]
