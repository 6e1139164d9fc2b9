"""The key in the place of the articles, where a search left none."""

from __future__ import annotations

from pos_app.cashier.ui.panel import EmptyState
from tests.gui.parts import visible_parts
from tests.gui.window.hands import Hands


def test_a_search_without_a_hit_leads_back_to_all_articles(hands: Hands) -> None:
    sale = hands.area.sale
    hands.type("zzzz")
    (empty,) = visible_parts(sale, EmptyState)
    assert empty.button is not None
    hands.tap(empty.button)
    assert sale.search.text() == ""
    assert sale.picker.rows.rowCount()
    assert not visible_parts(sale, EmptyState)
