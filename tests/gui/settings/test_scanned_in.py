"""Scans while a manager is in the settings: by the keys of a scanner, twice, with the caret in a
field."""

from __future__ import annotations

from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.view import SettingsScreen
from pos_app.cashier.ui.field import Field
from tests.fakes.people_here import let_in
from tests.gui.inside import inside
from tests.gui.parts import lines_of
from tests.gui.pictures import settle
from tests.gui.window.hands import Hands

BREAD_EAN, NOBODYS, BROKEN_OFF = "8609910700134", "4006381333931", "860991070"


def at_page(hands: Hands, page: PageName) -> SettingsScreen:
    inside(hands.window).open("settings")
    screen = inside(hands.window).settings
    let_in(screen.model, "2580")
    screen.model.choose(page)
    settle()
    assert screen.model.is_open
    return screen


def told(screen: SettingsScreen) -> str:
    return " ".join(lines_of(screen.told))


def test_what_can_not_be_sold_leads_no_manager_away(hands: Hands) -> None:
    """Nothing is typed; an article goes to the sale."""
    screen = at_page(hands, PageName.SELLING)
    for scan, words in (
        (lambda: hands.scan(NOBODYS), "код који нема ниједан артикал"),
        (lambda: hands.scan_part(BROKEN_OFF), "код који није прочитан цео"),
    ) * 2:
        scan()
        assert inside(hands.window).is_in("settings")
        assert screen.model.is_open, "the PIN is not asked for again"
        assert words in told(screen)
        hands.press("Esc")
        assert told(screen) == ""
        assert inside(hands.window).is_in("settings"), "Esc reads the notice first"
    hands.scan(BREAD_EAN)
    assert inside(hands.window).is_in("sale")
    assert len(hands.rows()) == 1


def test_what_is_typed_stays_whatever_is_scanned(hands: Hands) -> None:
    screen = at_page(hands, PageName.SELLING)
    field = next(one for one in screen.page.findChildren(Field) if one.isVisible())
    field.edit.setFocus()
    field.edit.selectAll()
    hands.type("7")
    for scan in (lambda: hands.scan(BREAD_EAN), lambda: hands.scan_part(BROKEN_OFF)) * 2:
        scan()
        assert inside(hands.window).is_in("settings")
        assert field.text() == "7"
        assert field.edit.hasFocus()
        assert "све што је овде откуцано остаје" in told(screen)
    hands.window.change(theme="dark", language="en")
    settle()
    screen = inside(hands.window).settings
    assert "all that is typed here stays" in told(screen), "the notice stands again"
    assert hands.rows() == []
