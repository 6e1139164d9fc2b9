"""Scans while a manager is in the settings: by the keys of a scanner, twice, with the caret in a
field."""

from __future__ import annotations

from pos_app.cashier.settings.model import PageName
from pos_app.cashier.ui.field import Field
from tests.gui.inside import inside
from tests.gui.pictures import settle
from tests.gui.settings.conftest import at_page, told, type_over
from tests.gui.window.hands import Hands

BREAD_EAN, NOBODYS, BROKEN_OFF = "8609910700134", "4006381333931", "860991070"


async def test_a_scan_leads_no_manager_away_from_what_is_typed(hands: Hands) -> None:
    """Where nothing is typed, an article goes to the sale."""
    screen, page = await at_page(hands, PageName.SELLING)
    for scan, words in (
        (lambda: hands.scan(NOBODYS), "код који нема ниједан артикал"),
        (lambda: hands.scan_part(BROKEN_OFF), "код који није прочитан цео"),
    ) * 2:
        scan()
        assert inside(hands.window).is_in("settings")
        assert screen.model.is_open, "the PIN is not asked for again"
        assert words in told(screen.told)
        hands.press("Esc")
        assert told(screen.told) == ""
        assert inside(hands.window).is_in("settings"), "Esc reads the notice first"
    hands.scan(BREAD_EAN)
    assert inside(hands.window).is_in("sale")
    assert len(hands.rows()) == 1
    screen, page = await at_page(hands, PageName.SELLING)
    field = next(one for one in page.findChildren(Field) if one.isVisible())
    type_over(hands, field, "7")
    for scan in (lambda: hands.scan(BREAD_EAN), lambda: hands.scan_part(BROKEN_OFF)) * 2:
        scan()
        assert inside(hands.window).is_in("settings")
        assert field.text() == "7"
        assert field.edit.hasFocus()
        assert "све што је овде откуцано остаје" in told(screen.told)
    hands.window.change(theme="dark", language="en")
    settle()
    screen = inside(hands.window).settings
    assert "all that is typed here stays" in told(screen.told), "the notice stands again"
    assert len(hands.rows()) == 1
