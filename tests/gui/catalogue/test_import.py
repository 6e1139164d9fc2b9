"""A manager's import at the window: a file of another system, and the preview while it is saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QFileSystemModel, QMenu

from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import DropDown
from pos_app.domain.money.money import Money
from pos_app.selling.catalogue.sheet.row_plan import Question
from tests.gui.catalogue.screens import visited
from tests.gui.catalogue.test_catalogue import came, ended, key, price_of
from tests.gui.parts import lines_of, notices_in, visible_parts
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD
from tests.sweep import sampled

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # pop-ups offscreen
SHEETS = Path(__file__).parents[2] / "integration" / "catalogue" / "sheets"
SYSTEMS = SHEETS.parent / "systems"
BY = pytest.mark.parametrize("by", sampled(["keys", "mouse"]))


def written(hands: Hands, *rows: str, name: str = "cene.csv") -> Path:
    path = hands.shop.services.settings.data / name
    path.write_text("\n".join(rows) + "\n")
    return path


async def page_of(screen: Any, path: Path) -> Any:
    screen.files.read_sheet(path)
    return await next_page(screen, None)


async def next_page(screen: Any, before: Any) -> Any:
    await came(lambda: screen.import_page not in (None, before))
    return screen.import_page


def choose(hands: Hands, drop: DropDown | None, words: str, by: str) -> None:
    """Choose from the list of a column or a question."""
    assert drop is not None
    if by == "mouse":
        hands.tap(drop)
    else:
        drop.setFocus(Qt.FocusReason.TabFocusReason)
        key(hands, Qt.Key.Key_Space, " ")
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    wanted = next(one for one in menu.actions() if one.text() == words)
    if by == "mouse":
        place = menu.actionGeometry(wanted).center()
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
        return
    for _ in menu.actions():
        if menu.activeAction() is wanted:
            break
        QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Return)


def notice_key(screen: Any, words: str) -> Button:
    return next(one for one in visible_parts(screen.notices, Button) if one.spec.words == words)


async def chosen(hands: Hands, screen: Any, path: Path) -> Any:
    """Choose a file among what the dialog shows, and return its preview."""
    hands.tap(screen.filters.import_button)
    chooser = hands.window.findChild(QFileDialog)
    assert chooser is not None
    chooser.setDirectory(str(path.parent))
    files = chooser.findChild(QFileSystemModel)
    assert files is not None
    await came(lambda: files.index(str(path)).isValid())
    assert {"*.ods", "*.xls", "*.tsv"} <= set(files.nameFilters())
    chooser.selectFile(str(path))
    chooser.accept()
    return await next_page(screen, None)


@BY
async def test_an_export_of_another_system_needs_no_column_chosen(hands: Hands, by: str) -> None:
    """Its rows become products with variants. Only what no column says is asked, once."""
    screen = visited(hands.shop, hands.window)
    page = await chosen(hands, screen, SYSTEMS / "shopify-not-sold.csv")
    assert "Препознат је извоз програма Shopify." in lines_of(page)
    words = ["Група", "Категорије", "Продаје се"]
    assert [page.columns.drop(at).text() for at in (0, 2, 10)] == words
    assert page.questions.drop(Question.UNSOLD).text() == "не увозе се"
    assert (page.do.isEnabled(), page.plan.new) == (False, 0)
    untaxed = "Variant Taxable: FALSE"
    for asked, answer in (
        (Question.LABEL, "Ђ"), (untaxed, "А"), (Question.UNSOLD, "увозе се"),
    ):  # fmt: skip
        choose(hands, page.questions.drop(asked), answer, by)
        page = await next_page(screen, page)
    assert (page.plan.new, page.plan.bad) == (5, 0)
    hands.press("Enter")
    await came(lambda: screen.model.listed.count == 431)
    await ended(screen)
    found = hands.shop.catalogue.page("Nova torba", limit=2)
    variants = hands.shop.catalogue.variants(found[0].product_id)
    assert [(one.name, one.price) for one in variants] == [
        ("Nova torba Mala", Money(4900)), ("Nova torba Velika", Money(5900)),
    ]  # fmt: skip


@pytest.mark.parametrize("then", sampled(["import", "answer"]))
async def test_a_preview_stays_while_its_refused_rows_are_saved(hands: Hands, then: str) -> None:
    screen = visited(hands.shop, hands.window)
    rows = ("Sifra;Naziv;PDV;Za kupca", "1;Hleb;20;61,00", "9001;Sok;7;50,00")
    page = await page_of(screen, written(hands, *rows))
    choose(hands, page.columns.drop(3), "Цена са ПДВ", "mouse")
    page = await next_page(screen, page)
    before = price_of(hands, BREAD)
    screen.files.save_refused(page.plan, page.plan.plan.with_name("odbijeni.csv"))
    if then == "import":
        hands.press("Enter")
    else:
        choose(hands, page.columns.drop(3), "не увози се", "mouse")
    assert notices_in(screen.told) == ["Сачекајте да се рад заврши"]
    await ended(screen)
    assert (screen.import_page, price_of(hands, BREAD)) == (page, before)
    hands.press("Enter")
    await came(lambda: price_of(hands, BREAD) == Money(61))
    await ended(screen)
