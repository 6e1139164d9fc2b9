"""Weighed goods named at the closing of an advance: a code without a weight asks for it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from pos_app.cashier.advances.items_view import ItemsView
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.money.money import Money, Quantity
from pos_app.selling.catalogue.catalogue import FoundArticle
from pos_app.selling.receipts.advance_draft import ClosingDraft
from tests.fakes.till import BREAD
from tests.unit.fiscalization.plans.book import unknown
from tests.unit.selling.test_advance_draft import CAKE, PIE, begun, overview

BANANAS = FoundArticle(replace(BREAD, sku=16, by_weight=True))
LABEL = replace(BANANAS, quantity=Quantity("1.560"), is_pack=True)


def test_a_code_without_a_weight_asks_for_it(qtbot: QtBot, theme: Theme) -> None:
    shown = overview(begun(unknown(CAKE, PIE), cash="100.00"))
    view = ItemsView(theme, Texts(), ClosingDraft.of(shown, in_whole_dinars=True))
    qtbot.addWidget(view)
    view.show()
    kept, ends = list[ClosingDraft](), list[str]()
    view.changed.connect(kept.append)
    view.done.connect(lambda: ends.append("done"))
    view.refused.connect(lambda: ends.append("refused"))
    ordered = view.draft.items

    def enter(at: int, text: str = "") -> None:
        QTest.keyClicks(view.quantities[at].edit, text)
        QTest.keyClick(view.quantities[at].edit, Qt.Key.Key_Return)

    assert view.add(BANANAS)
    assert view.quantities[2].text() == ""
    assert kept[-1].items == ordered, "goods without a weight are not kept"
    enter(2)
    assert ends == ["refused"]
    enter(2, "0,412")
    assert kept[-1].items[2].quantity == Quantity("0.412")
    assert ends[-1] == "done"

    assert view.add(BANANAS)
    assert view.quantities[2].text() == ""
    assert view.draft.items[2].quantity == Quantity("0.412"), "no kilogram is added"
    enter(2)
    assert ends[-1] == "refused"
    assert view.add(LABEL)
    assert view.draft.items[2].quantity == Quantity("1.972")

    other = replace(BANANAS, article=replace(BANANAS.article, sku=17))
    assert view.add(other)
    assert view.add(replace(other, quantity=Quantity("1.560"), is_pack=True))
    assert kept[-1].items[3].quantity == Quantity("1.560"), "the label is all its weight"
    assert kept[-1].due > Money.ZERO
