"""The bottom line never runs over its edge: the least important words give way first."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF, Qt
from pytestqt.qtbot import QtBot

from pos_app.cashier.ui.bars import StatusItem, StatusLine
from pos_app.cashier.ui.metrics import measure
from pos_app.cashier.ui.state import StateKind
from tests.gui.crawl.painted import painted_by
from tests.gui.ui.conftest import Change
from tests.sweep import each

WELL = (StatusItem("Сервер", "ради"), StatusItem("Процесор", "спреман, Л-ПФР"))
PRINTER = StatusItem("Термални штампач", "искључен или без везе", StateKind.DECIDE)
DRAWER = StatusItem("Фиока", "није се отворила", StateKind.DECIDE)
STORAGE = StatusItem("Подаци", "диск је пун", StateKind.FAILED)
WAITS = StatusItem("На чекању", "3 ставке · 2 траже одлуку", StateKind.WAIT)


@pytest.fixture
def line(qtbot: QtBot, change: Change) -> StatusLine:
    line = StatusLine(change(metrics=measure(width=1024, text_percent=150)), name="Стање")
    qtbot.addWidget(line)
    line.resize(1024, 44)
    return line


def test_everything_is_said_where_it_has_room_and_the_sentence_folds_first(
    qtbot: QtBot, line: StatusLine
) -> None:
    line.set_status(WELL, "Продаја ради")
    assert line.shown_items() == WELL
    assert line.toolTip() == ""
    assert "Процесор спреман, Л-ПФР" in line.accessibleDescription()
    assert line.accessibleDescription().endswith("ради")
    assert line.shows_sentence()
    line.resize(620, 44)
    assert not line.shows_sentence()
    with qtbot.waitSignal(line.clicked):
        qtbot.mouseClick(line, Qt.MouseButton.LeftButton)


@each("width", [1024, 900, 800])
def test_what_is_shown_stays_within_the_line(line: StatusLine, width: int) -> None:
    line.resize(width, 44)
    line.set_status((STORAGE, *WELL, PRINTER, DRAWER, WAITS), "Продаја ради")
    painted, _ = painted_by(line)
    said = [words for item in line.shown_items() for words in (item.subject, item.state) if words]
    assert [one.words for one in painted] == said  # whole, or without the facts that have no room
    assert all(QRectF(line.rect()).contains(one.rect) for one in painted)
    assert "Термални штампач искључен или без везе" in line.toolTip()


@each("width", range(560, 1000, 20))
def test_a_state_loses_whole_facts_and_is_never_cut(line: StatusLine, width: int) -> None:
    line.resize(width, 44)
    line.set_status((*WELL, WAITS), "")
    (waits,) = [one for one in line.shown_items() if one.subject == WAITS.subject]
    assert waits.state in (WAITS.state, "3 ставке", "")
    assert WAITS.state in line.toolTip() or waits.state == WAITS.state


def test_a_long_name_of_a_person_keeps_its_first_word_and_initials(line: StatusLine) -> None:
    line.set_status(WELL, "", person="Ана Марија Стефановић-Вукашиновић")
    painted, _ = painted_by(line)
    assert painted[0].words == "Ана М. С."
    assert "Ана Марија Стефановић-Вукашиновић" in line.toolTip()
    line.set_status(WELL, "", person="Ана Илић")
    assert painted_by(line)[0][0].words == "Ана Илић"
