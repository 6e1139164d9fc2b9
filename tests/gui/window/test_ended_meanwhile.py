"""Long work ends while another screen stands: its result is told once, and the till goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication, QLabel

from pos_app.cashier.catalogue.view import CatalogueScreen
from pos_app.cashier.frame import HOME, LOCK, LockedBy
from pos_app.cashier.long_work import ASK_MS
from pos_app.cashier.screens import CATALOGUE, RECEIPTS, REPORTS, SCREENS, SETTINGS
from pos_app.errors import DiskFull
from pos_app.selling.catalogue.files import ImportPlan
from pos_app.selling.catalogue.taking_back import Undone
from pos_app.selling.file_work import FileDone
from tests.fakes.backups import WorkInMemory
from tests.gui.catalogue.screens import opened
from tests.gui.inside import inside
from tests.gui.parts import pass_time
from tests.gui.window.hands import Hands
from tests.sweep import diagonals, turns

BREAD_EAN = "8609910700134"
PLAN = ImportPlan(Path("plan"), 3, 1, 2, 0, 0, (), ())
ENDS = ("done", "refused")
Begin = Callable[[Hands, pytest.MonkeyPatch, "Held"], None]


class Held(WorkInMemory):
    """Work of another process that ends when the test says so."""

    def result(self) -> Any:
        if isinstance(self.came, ValueError):
            raise self.came
        return self.came


@dataclass
class Way:
    """Work of a screen. done: its result. told: the words of its screen, once it is done, or ""
    where it is not told. begin: begins it on its screen."""

    screen: str
    begin: Begin
    done: object = field(default_factory=lambda: FileDone(3))
    told: str = ""


def _of_files(port: str, begin: Callable[[CatalogueScreen], None]) -> Begin:
    def do(hands: Hands, patch: pytest.MonkeyPatch, work: Held) -> None:
        patch.setattr(hands.shop.catalogue_files, port, lambda *_, **__: work)
        begin(opened(hands.shop, hands.window))

    return do


def _with_photos(screen: CatalogueScreen) -> None:
    row = screen.model.row(0)
    assert row is not None
    screen.model.open(row.product_id)
    screen.files.take_photos([Path("a.jpg")])


def _export_receipts(hands: Hands, _: pytest.MonkeyPatch, work: Held) -> None:
    hands.window.frame.open(RECEIPTS)
    room: Any = hands.window.frame.room(RECEIPTS)
    room.exporting.begin(work, Path("r.csv"))


def _export_report(hands: Hands, _: pytest.MonkeyPatch, work: Held) -> None:
    hands.window.frame.open(REPORTS)
    room: Any = hands.window.frame.room(REPORTS)
    room.exporting.begin(work, Path("r.csv"))


def _backup(hands: Hands, patch: pytest.MonkeyPatch, work: Held) -> None:
    patch.setattr(hands.shop.backups, "begin", lambda: work)
    hands.window.frame.open(SETTINGS)
    room: Any = hands.window.frame.room(SETTINGS)
    room.model.backup.begin()


FILES = Path("x.xlsx")
WAYS = {
    "read": Way(CATALOGUE, _of_files("plan_import", lambda s: s.files.read_sheet(FILES)), PLAN),
    "import": Way(
        CATALOGUE,
        _of_files("carry_out", lambda s: s.files.carry_out(PLAN, FILES)),
        told="Увезена су 3 артикла.",
    ),
    "take back": Way(
        CATALOGUE,
        _of_files("take_back", lambda s: s.files.take_back()),
        Undone(3, (), 0),
        "3 артикла су како су била.",
    ),
    "export": Way(
        CATALOGUE, _of_files("export", lambda s: s.files.export_to(FILES)), told=str(FILES)
    ),
    "refused rows": Way(
        CATALOGUE,
        _of_files("save_refused", lambda s: s.files.save_refused(PLAN, FILES)),
        told=str(FILES),
    ),
    "pictures": Way(CATALOGUE, _of_files("take_photos", _with_photos)),
    "labels": Way(
        CATALOGUE,
        _of_files("labels", lambda s: s.files.print_labels(FILES, only_changed=False)),
        told=str(FILES),
    ),
    "receipts": Way(RECEIPTS, _export_receipts, told="r.csv"),
    "report": Way(REPORTS, _export_report),
    "backup": Way(SETTINGS, _backup),
}
PLACES = [HOME, *(one.name for one in SCREENS if one.icon or one.key), LOCK, "look", "again"]


def _result_of(way: Way, end: str) -> object:
    return {"done": way.done, "refused": DiskFull("full"), "bug": ValueError("x")}[end]


def _stand_in(hands: Hands, way: Way, place: str) -> None:
    """Leave the work's screen for that place, by the way that leads there."""
    frame, window = hands.window.frame, hands.window
    if place == "look":
        window.change(theme="dark", language="en")
        window.change(theme="light", language="sr-Cyrl")
    elif place == "again":
        frame.go_home()
        frame.open(way.screen)
    elif place == LOCK:
        frame.cover(LOCK, LockedBy(None))
    else:
        frame.open(place)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def _end(hands: Hands, work: Held, result: object) -> None:
    work.came = result  # type: ignore[assignment]
    _look(hands)


def _look(hands: Hands) -> None:
    """Let whoever follows the work look at it."""
    timers = hands.window.findChildren(QTimer)
    if any(one.interval() == ASK_MS and one.isActive() for one in timers):
        pass_time(hands.window, ASK_MS)
    QApplication.processEvents()


def _come_back(hands: Hands, way: Way) -> None:
    frame = hands.window.frame
    if frame.cover_name:
        frame.uncover()
    if frame.top_name != way.screen:
        frame.open(way.screen)
    if way.screen == CATALOGUE and not inside(hands.window).catalogue.model.is_open:
        opened(hands.shop, hands.window)
    QApplication.processEvents()
    _look(hands)


def _said(hands: Hands) -> str:
    top = hands.window.frame.top
    return " ".join(one.text() for one in top.findChildren(QLabel) if one.isVisibleTo(top))


def _bread_in(hands: Hands) -> int:
    rows = [one for one in hands.rows() if "Хлеб бели" in one]
    return int(rows[0].partition(" ")[0]) if rows else 0


def still_sells(hands: Hands) -> None:
    """A scan enters, and Esc, F7 and F9 lead where they lead."""
    frame = hands.window.frame
    frame.tick()
    frame.go_home()
    pieces = _bread_in(hands)
    hands.scan(BREAD_EAN)
    assert _bread_in(hands) == pieces + 1
    hands.press("F7")
    assert frame.top_name == RECEIPTS
    hands.press("Esc")
    assert frame.is_home
    hands.press("F9")
    assert inside(hands.window).model.questions.question is not None
    hands.press("Esc")
    assert inside(hands.window).model.questions.question is None


@pytest.mark.parametrize(("name", "meanwhile"), turns(WAYS, diagonals(PLACES, ENDS)))
def test_work_that_ends_elsewhere_is_told_once_and_the_till_goes_on(
    hands: Hands, monkeypatch: pytest.MonkeyPatch, name: str, meanwhile: tuple[str, str]
) -> None:
    _ends_elsewhere(hands, monkeypatch, WAYS[name], *meanwhile)


@pytest.mark.logs_error("a bug ended long work")
@pytest.mark.parametrize(("name", "place"), turns([one for one in WAYS if one != "backup"], PLACES))
def test_a_bug_at_the_end_of_work_is_its_end(
    hands: Hands, monkeypatch: pytest.MonkeyPatch, name: str, place: str
) -> None:
    """The work was asked for its result ten times a second for ever, and no other was begun."""
    _ends_elsewhere(hands, monkeypatch, WAYS[name], place, "bug")
    room: Any = hands.window.frame.room(CATALOGUE)
    assert room.busy is None


def _ends_elsewhere(
    hands: Hands, patch: pytest.MonkeyPatch, way: Way, place: str, end: str
) -> None:
    work = Held()
    way.begin(hands, patch, work)
    _stand_in(hands, way, place)
    _end(hands, work, _result_of(way, end))
    _come_back(hands, way)
    if end == "done" and way.told:
        assert _said(hands).count(way.told) == 1, _said(hands)
    still_sells(hands)
    hands.window.frame.open(way.screen)
    if way.screen == CATALOGUE:
        opened(hands.shop, hands.window)
        assert not way.told or way.told not in _said(hands), "it was told before"
    still_sells(hands)
