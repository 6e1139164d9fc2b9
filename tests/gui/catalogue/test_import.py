"""A manager's import at the window: the meaning of columns, refusals, and the import taken back."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QFileSystemModel, QMenu

from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import DropDown
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.press_part import REST_MS
from pos_app.domain.money.money import Money
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.catalogue.sheet.row_plan import Question
from tests.gui.catalogue.screens import priced, visited
from tests.gui.catalogue.test_catalogue import came, ended, key, price_of, screen_of
from tests.gui.parts import lines_of, notices_in, visible_parts
from tests.gui.patience import until
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BREAD, BUREK, Shop
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


async def passed(milliseconds: int) -> None:
    end = time.monotonic() + milliseconds / 1000
    await until(lambda: time.monotonic() > end)


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


def told(screen: Any) -> set[str]:
    return {one.text() for one in screen.notices.findChildren(Label)}


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


@pytest.mark.parametrize(
    ("last", "is_told"),
    [("1;Хлеб;5", True), ("1;Хлеб;5\n", False), ("1;Хлеб;5;10", False)],
    ids=["cut", "whole with fewer cells", "whole without an end of line"],
)
async def test_a_file_that_is_cut_in_its_last_row_is_told_before_it_is_imported(
    hands: Hands, last: str, is_told: bool
) -> None:
    screen = visited(hands.shop, hands.window)
    path = hands.shop.services.settings.data / "cene.csv"
    path.write_text(f"Šifra;Naziv;Cena;PDV\n2;Млеко;139,99;10\n{last}")
    lines = lines_of(await page_of(screen, path))
    assert any("58,99 → 5,00" in one for one in lines)
    assert any("завршава усред овог реда" in one for one in lines) is is_told


async def test_a_column_in_percent_is_no_price(hands: Hands) -> None:
    screen = visited(hands.shop, hands.window)
    heads = "Šifra;Naziv;PDV %;MPC %;Cena +/- %;Cena"
    page = await page_of(screen, written(hands, heads, "1;Хлеб;10;5;7;60,00"))
    assert {one.head: one.field for one in page.plan.columns} == {
        "Šifra": "sku", "Naziv": "name", "PDV %": "tax_label",
        "MPC %": "", "Cena +/- %": "", "Cena": "price",
    }  # fmt: skip
    assert any("58,99 → 60,00" in one for one in lines_of(page))


async def test_a_workbook_of_another_program_is_imported(hands: Hands) -> None:
    screen = visited(hands.shop, hands.window)
    page = await chosen(hands, screen, SHEETS / "artikli.ods")
    assert (page.plan.new, page.plan.bad, page.plan.unpriced) == (5, 0, 1)
    assert page.do.is_missing, "a formula that failed has no price"
    hands.tap(page.unpriced)
    hands.tap(page.do)
    await came(lambda: screen.model.listed.count == 432)
    await ended(screen)
    prices = {"501": "12.30", "502": "36.90", "503": "58.99"}
    assert {code: price_of(hands, code) for code in prices} == {
        code: Money(price) for code, price in prices.items()
    }


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


@pytest.mark.usefixtures("in_real_time")
async def test_a_preview_that_appears_under_enter_is_not_confirmed(hands: Hands) -> None:
    """The reading of the file ends by itself, and nobody can have seen yet what it would change."""
    screen = visited(hands.shop, hands.window)
    path = written(
        hands, "Šifra;Naziv;Cena;PDV", *(f"{n};Sok {n};61,00;20" for n in range(9001, 9301))
    )
    page = await page_of(screen, path)
    assert not page.do.is_missing
    window = hands.window.windowHandle()
    keys = ((Qt.Key.Key_Return, "\r"), (Qt.Key.Key_Space, " "), (Qt.Key.Key_Enter, "\r"))
    for one, sign in keys:
        QTest.sendKeyEvent(QTest.KeyAction.Click, window, one, sign, Qt.KeyboardModifier.NoModifier)
    spot = page.do.mapTo(hands.window, page.do.rect().center())
    QTest.mouseClick(window, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, spot)
    assert screen.import_page is page
    assert screen.model.listed.count == 427
    await passed(REST_MS + 100)
    QTest.sendKeyEvent(
        QTest.KeyAction.Click, window, Qt.Key.Key_Return, "\r", Qt.KeyboardModifier.NoModifier
    )
    await came(lambda: screen.model.listed.count == 727)
    await ended(screen)


@pytest.mark.parametrize("width", sampled([1024, 1366]))
async def test_a_preview_takes_no_form_away_that_is_typed_in(
    shop: Shop, sell_in: SellIn, width: int
) -> None:
    """The file is read while somebody went on to a form: what is typed stays there."""
    hands = sell_in(shop, width=width)
    screen = visited(hands.shop, hands.window)
    path = written(hands, "Šifra;Naziv;Cena;PDV", "9001;Sok;61,00;20")
    for by_button in (True, False):
        screen.files.read_sheet(path)
        hands.press("Enter")
        name = screen.editor.field(DraftField.NAME).edit
        name.setFocus(Qt.FocusReason.TabFocusReason)
        name.clear()
        hands.type("kifla")
        await ended(screen)
        QApplication.processEvents()
        assert screen.import_page is None
        hands.type(" 2")
        assert (name.text(), hands.window.focusWidget()) == ("kifla 2", name)
        assert any("Датотека cene.csv је прочитана" in one for one in told(screen))
        if by_button:
            hands.tap(notice_key(screen, "Прикажи преглед"))
        else:
            hands.press("Esc")  # puts the notice away
            assert (screen.import_page, screen.model.current is None) == (None, False)
            hands.press("Esc")
        assert screen_of(hands).import_page.isVisible()
        assert not screen.notices.is_asking
        hands.press("Esc")
        assert screen.import_page is None
        if by_button:
            assert name.text() == "kifla 2"
            hands.press("Esc")
        assert screen.import_page is None


async def test_an_open_question_is_answered_before_the_import(hands: Hands) -> None:
    """A row that no answer mends asks nothing."""
    screen = visited(hands.shop, hands.window)
    rows = ("9001;Sok;61;Ђ", "9002;Voda;1.234;Ђ", "9003;;1.500;Ђ")
    page = await page_of(screen, written(hands, "Šifra;Naziv;Cena;Porez", *rows))
    assert (page.plan.new, page.plan.bad) == (1, 2)
    assert page.do.is_missing
    hands.tap(page.do)
    assert hands.window.focusWidget() is page.questions.drop(Question.POINT)
    choose(hands, page.questions.drop(Question.POINT), "хиљаде", "keys")
    page = await next_page(screen, page)
    assert (page.plan.new, page.plan.bad, page.do.is_missing) == (2, 1, False)
    last = written(hands, "Šifra;Naziv;Cena;Porez", rows[0], rows[2])
    hands.press("Esc")
    page = await page_of(screen, last)
    assert (page.plan.new, page.plan.bad, page.do.is_missing) == (1, 1, False)


async def test_refused_rows_are_saved_mended_and_imported(hands: Hands) -> None:
    screen = visited(hands.shop, hands.window)
    path = written(
        hands, "Cenovnik, jesen;;;", "Šifra;Naziv;PDV;Za kupca",
        "1;Hleb beli;10;61,00", "6;;;a\x07c", "9001;Sok;7;50,00",
    )  # fmt: skip
    page = await page_of(screen, path)
    choose(hands, page.columns.drop(3), "Цена са ПДВ", "mouse")
    page = await next_page(screen, page)
    assert page.plan.bad == 2
    assert {"„a□c“", "61,00, a□c"} <= set(lines_of(page)), "a sign that nobody sees is shown"
    hands.press("Enter")
    await ended(screen)
    assert price_of(hands, BREAD) == Money(61)
    refused = path.with_name("odbijeni.csv")
    hands.tap(notice_key(screen, "Сачувај одбијене редове"))
    chooser = next(one for one in hands.window.findChildren(QFileDialog) if one.isVisible())
    chooser.selectFile(str(refused))
    chooser.accept()
    await ended(screen)
    assert any(one.startswith("Сачувана су 2 одбијена реда") for one in told(screen))
    rows = refused.read_text("utf-8-sig").splitlines()
    assert rows == [
        "Šifra;Naziv;PDV;Za kupca;Разлог",
        "6;;;a\x07c;Za kupca: То није број",
        "9001;Sok;7;50,00;PDV: Пореска ознака је Ђ, Е, Г или А",
    ]
    refused.write_text("\n".join(rows).replace("a\x07c", "185,00").replace(";7;", ";20;"))
    page = await page_of(screen, refused)
    assert page.plan.remembered, "the column of reasons makes no other shape"
    assert page.columns.drop(4).text() == "не увози се"
    assert (page.plan.bad, page.plan.new, page.plan.changed) == (0, 1, 1)
    hands.press("Enter")
    await came(lambda: price_of(hands, BUREK) == Money(185))
    await ended(screen)


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


@BY
async def test_what_was_changed_since_an_import_stays(hands: Hands, by: str) -> None:
    screen = visited(hands.shop, hands.window)
    rows = ("1;Hleb;10;61,00", "6;Burek;10;70,00", "9001;Sok;20;50,00", "9002;Voda;20;40,00")
    path = written(hands, "Šifra;Naziv;PDV;Cena", *rows)
    burek = price_of(hands, BUREK)
    await page_of(screen, path)
    hands.press("Enter")
    await ended(screen)
    hands.press("Esc")
    for code, price in ((BREAD, "64,00"), ("9002", "45,00")):
        screen.model.open(hands.shop.row(code).product_id)
        screen.editor.type_into(DraftField.PRICE, price)
        hands.tap(screen.editor.save)
        screen.model.close()
    if by == "mouse":
        hands.tap(screen.filters.undo_button)
    else:
        screen.area.focus_table()
        key(hands, Qt.Key.Key_Z, "", Qt.KeyboardModifier.ControlModifier)
        assert price_of(hands, "9002") == Money(40), "the newest change goes first"
        key(hands, Qt.Key.Key_Z, "", Qt.KeyboardModifier.ControlModifier)
        assert price_of(hands, BREAD) == Money(61)
        for code, price in ((BREAD, "64"), ("9002", "45")):
            priced(hands.shop, code, price)
        key(hands, Qt.Key.Key_Z, "", Qt.KeyboardModifier.ControlModifier)
    assert any("Вратити увоз cene.csv? 4 артикла" in one for one in told(screen))
    assert price_of(hands, BUREK) == Money(70), "it is asked first"
    hands.tap(notice_key(screen, "Врати измене"))
    await ended(screen)
    said = "2 артикла су мењана после тога и остају како јесу: Voda, Hleb"
    assert {"Увоз је враћен за 2 реда.", said} <= told(screen)
    assert (price_of(hands, BREAD), price_of(hands, "9002")) == (Money(64), Money(45))
    assert (price_of(hands, BUREK), screen.model.listed.count) == (burek, 428)
