"""A search that finds nothing leaves nothing to act on, in each list that is searched.

Receipts, advances and the table of the catalogue have tests of their own, with a side beside the
list.
"""

from __future__ import annotations

import pytest

from pos_app.cashier.settings.model import PageName
from tests.fakes.people_here import let_in
from tests.gui.crawl.press import state
from tests.gui.inside import inside
from tests.gui.window.hands import Hands, seen

NOTHING = "zzqx"
ACTS = ("Enter", "Enter", "Del", "Down", "Enter", "Alt+1", "Alt+2", "F12")


def acts(hands: Hands) -> set[str]:
    """What a page of the settings may change: its models, the files, and what a server is asked."""
    lines = state(hands.window, hands.window)
    kept = ("file ", "SettingsScreen.model")
    return {one for one in lines if one.startswith(kept) and "_look = " not in one}


@pytest.mark.deadline(180)
async def test_a_search_in_the_settings_presses_nothing_of_the_page_beside_it(hands: Hands) -> None:
    inside(hands.window).open("settings")
    screen = inside(hands.window).settings
    let_in(screen.model, "2580")
    for page in (PageName.SELLING, PageName.MAIL, PageName.PEOPLE):
        screen.model.choose(page)
        for _ in range(6):  # what a page reads when it is shown
            await seen()
        hands.press("F2")
        hands.type(NOTHING)
        assert list(screen.finder.rows) == []
        before = acts(hands)
        assert len(before) > 100, "the models are looked into"
        for key in ACTS:
            hands.press(key)
        assert acts(hands) == before, page
        assert screen.finder.field.edit.hasFocus()
        hands.press("Esc")


def test_a_search_at_the_sale_enters_nothing(hands: Hands) -> None:
    hands.scan("8609910700134")
    rows, total = hands.rows(), hands.total()
    hands.press("F2")
    hands.type("hleb")
    hands.press("Down")
    hands.press("F2")
    inside(hands.window).work_area.sale.search.search.edit.selectAll()
    hands.type(NOTHING)
    for key in ("Enter", "Enter", "Down", "Enter", "Enter"):
        hands.press(key)
    assert (hands.rows(), hands.total()) == (rows, total)
