"""The buyers' book in the settings: firms are found, named, deleted, exported and imported."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QWidget

from pos_app.cashier.settings.model import PageName
from pos_app.cashier.ui.option_button import OptionButton
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.errors import DiskFull
from pos_app.selling.buyers.buyer_book import KnownBuyer
from tests.gui.parts import lines_of, visible_parts
from tests.gui.patience import until
from tests.gui.settings.conftest import at_page, says, settings_acts, type_over
from tests.gui.window.hands import Hands

ALFA, BETA = BuyerId.parse("10:100000049"), BuyerId.parse("12:100000057:12345")
JMBG = "11:0101990710008"


async def at_book(hands: Hands) -> tuple[Any, Any]:
    hands.shop.database.buyers.take_in(
        [KnownBuyer(ALFA, "Алфа д.о.о."), KnownBuyer(BETA, "Управа")]
    )
    return await at_page(hands, PageName.BUYERS)


def names(page: Any) -> list[str]:
    return [one.accessibleName().split(": ")[1] for one in visible_parts(page, OptionButton)]


async def open_first(hands: Hands, page: Any) -> None:
    hands.tap(visible_parts(page, OptionButton)[0])
    await until(page.fields.isVisible)


async def test_a_firm_is_found_and_named(hands: Hands) -> None:
    screen, page = await at_book(hands)
    assert names(page) == ["Алфа д.о.о.", "Управа"]
    type_over(hands, page.search, "xyz")
    await until(lambda: not names(page))
    hands.tap_words("Прикажи све")
    await until(lambda: names(page) == ["Алфа д.о.о.", "Управа"])
    assert page.search.edit.hasFocus()
    type_over(hands, page.search, "upr")
    await until(lambda: names(page) == ["Управа"])
    hands.press("Enter")
    await until(page.fields.isVisible)
    assert not page.fields.number.isEnabled()
    type_over(hands, page.fields.name, "Gradska uprava")
    await until(lambda: screen.head.button.accessibleName().startswith("Купци"))
    hands.press("Esc")
    await until(lambda: names(page) == ["Управа"])
    assert screen.model.has_unsaved
    await open_first(hands, page)
    assert page.fields.name.text() == "Gradska uprava", "what was typed is kept"
    hands.press("Enter")
    await until(lambda: page.acts.words == "Сачуван је 1 купац.")
    assert hands.shop.database.buyers.buyer(BETA) == KnownBuyer(BETA, "Gradska uprava")
    assert [one.subject for one in settings_acts(hands.shop)] == ["buyers"]
    assert not screen.model.has_unsaved
    hands.window.frame.go_home()
    page = (await at_page(hands, PageName.BUYERS))[1]
    assert page.search.text() == "", "a search ends with the visit"
    assert names(page) == ["Алфа д.о.о.", "Gradska uprava"]


async def test_a_new_firm_is_saved_whole_or_told_what_is_wrong(hands: Hands) -> None:
    _, page = await at_book(hands)
    hands.tap(page.new)
    await until(lambda: page.acts.save.accessibleName() == "Упишите ПИБ")
    number, email, book = page.fields.number, page.fields.email, hands.shop.database.buyers
    for field, typed, why in (
        (number, "1000", "Ово није ПИБ"),
        (number, "100000049", "већ у књизи"),
        (number, "100 000 065", ""),
        (email, "g@", "Ово није имејл адреса"),
    ):
        type_over(hands, field, typed)
        if why:
            hands.press("Enter")
            await until(partial(lambda field, why: why in field.error(), field, why))
            assert book.count() == 2
    type_over(hands, email, "g@example.rs")
    hands.press("Enter")
    await until(lambda: book.count() == 3)
    assert book.find("100000065", at_most=2)[0].email == "g@example.rs"


def rect_on_screen(widget: QWidget) -> QRect:
    return widget.rect().translated(widget.mapToGlobal(QPoint(0, 0)))


async def test_a_firm_is_deleted_by_the_answer_that_names_it(hands: Hands) -> None:
    """Enter, Esc and a changed field leave it; the red answer is not where the key stood, and the
    way back leads to the form."""
    screen, page = await at_book(hands)
    await open_first(hands, page)
    for leave in (
        lambda: hands.press("Enter"),
        lambda: hands.press("Esc"),
        lambda: type_over(hands, page.fields.name, "Beta"),
    ):
        stood = rect_on_screen(hands.button("Обриши купца"))
        hands.tap_words("Обриши купца")
        await until(lambda: bool(hands.buttons("Задржи купца")))
        safe, act = hands.button("Задржи купца"), hands.button("Обриши: Алфа д.о.о.")
        assert safe.hasFocus()
        assert not rect_on_screen(act).intersects(stood)
        assert "Брисање купца" in lines_of(screen.head)
        assert screen.head.button.accessibleName().startswith("Купац")
        gap = rect_on_screen(act).left() - rect_on_screen(safe).right() - 1
        assert gap == page.fields.theme.metrics.s6
        leave()
        await until(lambda: not hands.buttons("Задржи купца"))
        assert page.fields.isVisible()
        await until(lambda: screen.head.button.accessibleName().startswith("Купци"))
    assert hands.shop.database.buyers.count() == 2
    hands.tap_words("Обриши купца")
    await until(lambda: bool(hands.buttons("Обриши: Алфа")))
    hands.tap_words("Обриши: Алфа")
    await until(lambda: names(page) == ["Управа"])
    assert "Обрисан је 1 купац" in page.acts.words


async def test_what_comes_into_the_book_meanwhile_is_neither_lost_nor_in_the_way(
    hands: Hands,
) -> None:
    """Only what a person changed is saved; where another value came for it, that is told once."""
    screen, page = await at_book(hands)
    book, fields = hands.shop.database.buyers, page.fields
    await open_first(hands, page)
    type_over(hands, fields.name, "Alfa gradnja")
    hands.press("Esc")
    await until(page.rows.isVisible)
    book.take_in([KnownBuyer(ALFA, email="novo@a.rs")])
    await open_first(hands, page)
    assert (fields.name.text(), fields.email.text()) == ("Alfa gradnja", "novo@a.rs")
    assert screen.model.has_unsaved
    book.take_in([KnownBuyer(ALFA, email="drugo@a.rs")])
    hands.press("Enter")
    await until(page.rows.isVisible)
    assert not screen.model.has_unsaved
    assert book.buyer(ALFA) == KnownBuyer(ALFA, "Alfa gradnja", "drugo@a.rs")
    await open_first(hands, page)
    type_over(hands, fields.email, "moje@a.rs")
    book.take_in([KnownBuyer(ALFA, "Алфа", "njihovo@a.rs")])
    hands.press("Enter")
    await until(lambda: "njihovo@a.rs" in fields.email.error())
    assert (fields.name.text(), fields.email.text()) == ("Алфа", "moje@a.rs")
    assert book.buyer(ALFA) == KnownBuyer(ALFA, "Алфа", "njihovo@a.rs")
    hands.press("Enter")
    await until(page.rows.isVisible)
    assert book.buyer(ALFA) == KnownBuyer(ALFA, "Алфа", "moje@a.rs")


async def test_a_full_disk_keeps_what_was_typed(
    hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise DiskFull("till.db")

    _, page = await at_book(hands)
    await open_first(hands, page)
    type_over(hands, page.fields.name, "Beta")
    monkeypatch.setattr(type(hands.shop.database.buyers), "change", fails)
    hands.press("Enter")
    await until(lambda: "нема места" in page.acts.words.lower())
    assert page.fields.name.text() == "Beta"


async def test_the_book_is_written_and_a_sheet_is_read_and_taken_in(
    hands: Hands, tmp_path: Path
) -> None:
    screen, page = await at_book(hands)
    model, book = screen.model.buyers, hands.shop.database.buyers
    path = tmp_path / "kupci.csv"
    model.write_sheet(path)
    await until(lambda: page.acts.words == "У датотеку су уписана 2 купца.")
    rows = path.read_text("utf-8-sig").replace("Алфа д.о.о.", "Алфа").splitlines()
    rows += ["100000066;Гама;", f"{JMBG};Ана;", "5;Пет;", '100000024;"Без краја;', "100000074;Т;"]
    path.write_text("\n".join(rows), "utf-8")
    model.read_sheet(path)
    await until(page.sheet.isVisible)
    assert says(page, "У табели су 3 исправна купца; ништа још није уписано.")
    assert says(page, "1 купац добија други назив: Алфа д.о.о. → Алфа.")
    assert says(page, "1 број има погрешну контролну цифру, проверите га: 100000066.")
    assert says(page, "3 реда се не уписују")
    await until(lambda: says(page, "Ред 5, ПИБ или ИД купца"))
    assert says(page, "У књизи купаца нема физичких лица")
    hands.press("Esc")
    await until(page.rows.isVisible)
    model.read_sheet(path)
    await until(page.sheet.isVisible)
    hands.tap(page.sheet.take)
    await until(lambda: page.acts.words == "Увезена су 3 купца.")
    assert {one.name for one in book.find("", at_most=9)} == {"Алфа", "Управа", "Гама"}
