"""What a screen shows ends meanwhile: long work elsewhere, or a row of a till that is put back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMenu

from pos_app.cashier.catalogue.view import CatalogueScreen
from pos_app.cashier.sale.notices import TypedNotTaken
from pos_app.cashier.services.long_work import ASK_MS
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.window.frame import (
    APPROVAL,
    CLOSING,
    HOME,
    LOCK,
    AskedAct,
    AskedToClose,
    LockedBy,
)
from pos_app.cashier.window.screens import (
    CATALOGUE,
    FIRST_START,
    RECEIPTS,
    REPORTS,
    SCREENS,
    SETTINGS,
)
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.errors import DiskFull
from pos_app.selling.catalogue.bulk_act import ActDone, ActKind, ActState, BulkAct
from pos_app.selling.catalogue.files import ImportPlan
from pos_app.selling.catalogue.last_change import ChangeKind, LastChange
from pos_app.selling.catalogue.taking_back import Undone
from pos_app.selling.file_work import FileDone
from pos_app.selling.people.rights import Act
from pos_app.selling.sale import sell
from tests.fakes.many_articles import shown_to_delete
from tests.fakes.people_here import let_in
from tests.fakes.services_in_memory import WorkInMemory
from tests.gui.catalogue.screens import PIN, opened
from tests.gui.inside import inside
from tests.gui.parts import in_front, pass_time
from tests.gui.window.hands import Hands, delete_now, seen
from tests.gui.window.shop import Shop
from tests.sweep import diagonals, each, sampled

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
    row = screen.model.listed.row(0)
    assert row is not None
    screen.model.open(row.product_id)
    screen.files.take_photos([Path("a.jpg")])


def _delete(screen: CatalogueScreen) -> None:
    row = screen.model.listed.row(0)
    assert row is not None
    ids, services = (row.product_id,), screen.model.services
    rows = shown_to_delete(services.catalogue, services.editor, ids)
    screen.notices.follow_act(lambda: screen.model.many.delete(rows), "delete", ids)


def _carry_on(hands: Hands, patch: pytest.MonkeyPatch, work: Held) -> None:
    patch.setattr(hands.shop.catalogue_files, "carry_on", lambda *_, **__: work)
    opened(hands.shop, hands.window)
    room: Any = hands.window.frame.room(CATALOGUE)
    patch.setattr(room.model.many, "open_act", lambda: DELETED)
    room.carry_on()


def _take_back(hands: Hands, patch: pytest.MonkeyPatch, work: Held) -> None:
    patch.setattr(hands.shop.catalogue_files, "take_back", lambda *_, **__: work)
    screen = opened(hands.shop, hands.window)
    with patch.context() as asked:
        asked.setattr(screen.model.many, "last", lambda: CHANGED)
        screen.files.take_back(CHANGED)


def _export_receipts(hands: Hands, patch: pytest.MonkeyPatch, work: Held) -> None:
    patch.setattr(hands.shop.receipt_export, "export", lambda *_, **__: work)
    hands.press("F7")
    frame = hands.window.frame
    in_front(frame, "receipts.title").export()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    menu.actions()[0].trigger()
    menu.close()
    _choose(hands, "r.csv")


def _export_report(hands: Hands, patch: pytest.MonkeyPatch, work: Held) -> None:
    patch.setattr(hands.shop.report_export, "export", lambda *_, **__: work)
    frame = hands.window.frame
    frame.open(REPORTS)
    let_in(in_front(frame, "rep.title").model, PIN)
    room: Any = frame.room(REPORTS)
    room.export(None, Path("r.csv"))


def _choose(hands: Hands, path: str) -> None:
    (chooser,) = hands.window.findChildren(QFileDialog)
    chooser.fileSelected.emit(path)
    chooser.close()
    hands.window.activateWindow()  # where no window manager does
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def _backup(hands: Hands, patch: pytest.MonkeyPatch, work: Held) -> None:
    patch.setattr(hands.shop.backups, "begin", lambda: work)
    hands.window.frame.open(SETTINGS)
    _at_backups(hands)
    hands.tap_words("Сачувај копију сада")


def _at_backups(hands: Hands) -> None:
    screen = inside(hands.window).settings
    if not screen.model.is_open:
        let_in(screen.model, PIN)
    screen.model.choose(PageName.BACKUP)
    QApplication.processEvents()


FILES = Path("x.xlsx")
DELETED = BulkAct(
    ActKind.DELETE, "", "Мира", datetime(2026, 11, 20, tzinfo=UTC), ActState.RUNNING, 3, 3, 3
)
CHANGED = LastChange(ChangeKind.BULK, "", "Мира", DELETED.at, 3)
WAYS = {
    "read": Way(CATALOGUE, _of_files("plan_import", lambda s: s.files.read_sheet(FILES)), PLAN),
    "import": Way(
        CATALOGUE,
        _of_files("carry_out", lambda s: s.files.carry_out(PLAN, FILES)),
        ActDone(replace(DELETED, kind=ActKind.IMPORT)),
        told="Увезена су 3 артикла.",
    ),
    "take back": Way(CATALOGUE, _take_back, Undone(3, (), 0), "3 артикла су како су била."),
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
    "delete": Way(
        CATALOGUE, _of_files("delete", _delete), ActDone(DELETED), told="Обрисана су 3 артикла."
    ),
    "carried on": Way(CATALOGUE, _carry_on, ActDone(DELETED), told="Обрисана су 3 артикла."),
    "receipts": Way(RECEIPTS, _export_receipts, told="r.csv"),
    "report": Way(REPORTS, _export_report, told="r.csv"),
    "backup": Way(SETTINGS, _backup, told="Копија је сачувана"),
}
COVERS = {
    LOCK: LockedBy(None),
    APPROVAL: AskedAct(Act.DRAWER, lambda: None),
    CLOSING: AskedToClose(lambda: None),
}
"""The screens that cover the one on top, and their places."""
OPENED = [one.name for one in SCREENS if one.name not in (FIRST_START, *COVERS)]
PLACES = [*OPENED, *COVERS, "look", "again", "made", "shown"]
"""Screens that stand at the end of the work, or what becomes of its own screen before it ends."""


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
    elif place in COVERS:
        frame.cover(place, COVERS[place])
    else:
        frame.open(place)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def _end(hands: Hands, work: Held, result: object) -> None:
    work.came = result  # type: ignore[assignment]
    _look(hands)


def _open_while_it_ends(
    hands: Hands, patch: pytest.MonkeyPatch, way: Way, place: str, end: Callable[[], None]
) -> None:
    """Open the work's screen again; the work ends while that is made, or first shown."""
    hands.window.frame.go_home()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    shown: Any = import_module(next(one.home for one in SCREENS if one.name == way.screen)).SCREEN
    part = {"made": "__init__", "shown": "take_focus"}[place]
    before = getattr(shown, part)

    def ends(screen: Any, *given: Any) -> None:
        before(screen, *given)
        end()

    with patch.context() as ending:
        ending.setattr(shown, part, ends)
        hands.window.frame.open(way.screen)


def _look(hands: Hands) -> None:
    """Let whoever follows the work look at it."""
    timers = hands.window.findChildren(QTimer)
    if any(one.interval() == ASK_MS and one.isActive() for one in timers):
        pass_time(hands.window, ASK_MS)
    QApplication.processEvents()


def _come_back(hands: Hands, way: Way) -> None:
    frame = hands.window.frame
    if frame.cover_name:
        frame.uncover(frame.cover_name)
    if frame.top_name != way.screen:
        frame.open(way.screen)
    if way.screen == CATALOGUE and not inside(hands.window).catalogue.model.is_open:
        opened(hands.shop, hands.window)
    if way.screen == SETTINGS:
        _at_backups(hands)
    if way.screen == REPORTS and not (model := in_front(frame, "rep.title").model).is_open:
        let_in(model, PIN)
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
    delete_now()
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
    assert hands.model.questions.question is not None
    hands.press("Esc")
    assert hands.model.questions.question is None


FEW = [(name, *meanwhile) for name, meanwhile in zip(WAYS, diagonals(PLACES, ENDS), strict=False)]
EVERY = [(name, *meanwhile) for name in WAYS for meanwhile in diagonals(PLACES, ENDS)]


@pytest.mark.parametrize("cases", sampled([FEW, EVERY]))
def test_work_that_ends_elsewhere_is_told_once_and_the_till_goes_on(
    hands: Hands, monkeypatch: pytest.MonkeyPatch, cases: list[tuple[str, str, str]]
) -> None:
    each(("name", "place", "end"), cases)(_ends_elsewhere)(hands=hands, patch=monkeypatch)


@pytest.mark.logs_error("a bug ended long work")
@each(("name", "place"), [("import", "made"), ("receipts", HOME), ("backup", "look")])
def test_a_bug_at_the_end_of_work_is_its_end(
    hands: Hands, monkeypatch: pytest.MonkeyPatch, name: str, place: str
) -> None:
    """The work was asked for its result ten times a second for ever, and no other was begun."""
    _ends_elsewhere(hands, monkeypatch, name, place, "bug")


def _ends_elsewhere(
    hands: Hands, patch: pytest.MonkeyPatch, name: str, place: str, end: str
) -> None:
    way, work = WAYS[name], Held()
    with patch.context() as ports:
        way.begin(hands, ports, work)
        if place in ("made", "shown"):
            _open_while_it_ends(
                hands, ports, way, place, lambda: _end(hands, work, _result_of(way, end))
            )
        else:
            _stand_in(hands, way, place)
            _end(hands, work, _result_of(way, end))
        _come_back(hands, way)
        is_told = end == "done" and bool(way.told)
        assert not is_told or _said(hands).count(way.told) == 1, _said(hands)
        assert hands.window.frame.busy is None
        still_sells(hands)
        if is_told:
            _come_back(hands, way)
            assert way.told not in _said(hands), "it was told before"
            hands.window.frame.go_home()


EAN = "8609910700134"


@pytest.fixture
def shop(shop_data: Path) -> Iterator[Shop]:
    """A shop whose file comes from a copy, with bread in an open cart."""
    before = Shop(shop_data)
    till = before.services.till
    ticket = sell.start(till=till, cashier=before.services.cashier)
    found = before.catalogue.by_code(ArticleCode(EAN))
    sell.add_item(till=till, ticket=ticket, article=found[0].article)
    before.close()
    made = Shop(shop_data, first_key=100)
    yield made
    made.close()


async def put_back(hands: Hands) -> None:
    """Let the journal have a sale of this till that the till does not know."""
    server = hands.shop.server
    server.sequences[500] = "f" * 32
    server.grow(1)
    await hands.shop.serve()
    await seen()


@pytest.mark.parametrize("open_by", ["F3", "weight"])
async def test_a_panel_about_its_row_ends(hands: Hands, open_by: str) -> None:
    """What was typed is told, and scans that wait for an answer go to the next cart."""
    if open_by == "F3":
        hands.press("F3", "#7")
    else:
        hands.model.entry.enter_code("16")
        hands.scan(EAN)
    await put_back(hands)
    assert hands.model.questions.question is None
    told = [one for one in hands.model.context.notices if isinstance(one, TypedNotTaken)]
    assert [one.typed_text for one in told] == (["7"] if open_by == "F3" else [])
    hands.scan(EAN) if open_by == "F3" else None
    assert len(hands.rows()) == 1
