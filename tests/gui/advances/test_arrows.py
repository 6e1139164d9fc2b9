"""Arrows through the open advances, and weighed goods that are named at a closing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from pos_app.cashier.advances.items_view import ItemsView
from pos_app.cashier.advances.view import AdvancesScreen
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.theme import Theme
from pos_app.documents.shown_receipt import ShownReceipt
from pos_app.domain.money.money import Money, Quantity
from pos_app.selling.catalogue.catalogue import FoundArticle
from pos_app.selling.receipts.advance_draft import ClosingDraft
from tests.fakes.till import BREAD
from tests.gui.advances.screens import opened
from tests.gui.parts import screen_in
from tests.gui.pictures import SHAPES
from tests.integration.local_api.wires import until
from tests.unit.fiscalization.plans.book import unknown
from tests.unit.selling.test_advance_draft import CAKE, PIE, begun, overview

DOWN, PLUS = Qt.Key.Key_Down, Qt.Key.Key_Plus


def press(screen: AdvancesScreen, key: Qt.Key, text: str = "") -> None:
    """Post a key, behind the events that wait already."""
    event = QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier, text)
    QCoreApplication.postEvent(screen, event)


@asynccontextmanager
async def listed(theme: Theme) -> AsyncIterator[AdvancesScreen]:
    async with opened(SHAPES[0], theme, "open_ones") as window:
        yield screen_in(window, "Аванси")


async def test_only_the_advance_where_the_arrows_rest_is_asked_for(
    theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with listed(theme) as screen:
        receipts, asked = screen.frame.services.receipts, list[str]()
        tell = receipts.receipt

        async def told(number: str) -> ShownReceipt:
            asked.append(number)
            return await tell(number)

        monkeypatch.setattr(receipts, "receipt", told)
        for _ in range(3):
            press(screen, DOWN)
        press(screen, PLUS, "+")
        await until(lambda: screen.is_paying)
        row = screen.model.row
        assert row is not None
        assert asked == [row.number]
        assert screen.payment.model.overview == screen.model.opened


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
