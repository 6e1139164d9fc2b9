"""The one panel in the place of the list, where no receipt is there to be listed."""

from __future__ import annotations

from pos_app.cashier.ui.panel import EmptyState
from tests.gui.parts import visible_parts
from tests.gui.receipts.conftest import Held


async def test_a_search_without_a_hit_says_so_once_and_leads_to_all(held: Held) -> None:
    hands = held.hands
    await hands.press("F7")
    screen = held.screen
    await hands.until(lambda: screen.side.rows.rowCount() > 0)
    await hands.press("F2")
    await hands.type("zzzz")
    await hands.until(lambda: bool(visible_parts(screen, EmptyState)))
    (empty,) = visible_parts(screen, EmptyState)
    assert not screen.side.turnover.isVisible()
    assert not screen.side.view.isVisible()
    assert empty.button is not None
    await hands.tap(empty.button)
    await hands.until(screen.side.view.isVisible)
    assert screen.side.filters.search.text() == ""
    await held.close()
