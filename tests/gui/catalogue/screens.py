from __future__ import annotations

import json
import shutil
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from typing import Any, cast
from uuid import uuid4

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.importing import look_for_added, open_for_import
from pos_app.adapters.sqlite.catalogue.lost_edits import ask_about_names, ask_about_stores
from pos_app.adapters.sqlite.catalogue.name_edits import keep_name_edit
from pos_app.adapters.sqlite.catalogue.stores import keep_edit
from pos_app.bootstrap.synchronisation.sync import run_sync
from pos_app.cashier.catalogue.bulk import BulkKind
from pos_app.cashier.catalogue.columns import CatalogueColumn, ColumnSet
from pos_app.cashier.catalogue.view import CatalogueScreen
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.window.screens import CATALOGUE
from pos_app.cashier.window.till_window import TillWindow
from pos_app.domain.article.article import Article
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.text.instant import beginning_of, day_of
from pos_app.resources import folder
from pos_app.selling.catalogue.catalogue import FROM_FILE, create_for_code
from pos_app.selling.catalogue.files import ImportPlan
from pos_app.selling.catalogue.last_change import ChangedArticle, ChangeKind
from pos_app.selling.catalogue.made_ids import NewNames
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.file_work import FileWork
from pos_app.selling.synchronisation.catalogue_edits import LOST_FIELD, Changes, NewEdit
from pos_app.selling.synchronisation.name_edits import changed_here
from pos_app.selling.synchronisation.own_names import NameKind
from pos_app.selling.synchronisation.store_edits import StoreEdit
from tests.fakes.people_here import let_in, quick
from tests.gui import pictures
from tests.gui.crawl.posing import named, over_till
from tests.gui.inside import inside
from tests.gui.parts import page_in_front
from tests.gui.window.shop import BREAD, BUREK, CHEESE, COFFEE, MILK, Shop

PIN = "2580"


def opened(shop: Shop, window: TillWindow) -> CatalogueScreen:
    window.frame.open(CATALOGUE)
    screen = inside(window).catalogue
    let_in(screen.model, PIN)
    pictures.settle()
    return screen


def visited(shop: Shop, window: TillWindow) -> Any:
    """The same as a person finds it, whatever of its parts is there."""
    return opened(shop, window)


def article_opened(shop: Shop, window: TillWindow, code: str) -> Any:
    screen = visited(shop, window)
    screen.model.open(shop.row(code).product_id)
    return screen


def undecided(shop: Shop, window: TillWindow) -> Any:
    """The page of what a manager decides, after a list came."""
    screen = visited(shop, window)
    screen.model.reload_if_outdated()
    screen.model.show_undecided()
    return screen


def change(shop: Shop, article: Article, changes: Changes) -> None:
    ids, at = (article.product_id, article.id), shop.clock.now()
    shop.desk.record(NewEdit.changing(*ids, changes, by="Мира", at=at))


def priced(shop: Shop, code: str, price: str) -> None:
    article = shop.catalogue.article(shop.row(code).article_id or "")
    assert article is not None
    change(shop, article, {"price": Money(price)})


def first_pin(shop: Shop, window: TillWindow) -> None:
    window.frame.open(CATALOGUE)


def pin(shop: Shop, window: TillWindow) -> None:
    shop.services.manager.save_pin(quick(PIN))
    window.frame.open(CATALOGUE)
    inside(window).catalogue.gate.panel.fields["pin"].set_text("1111")
    inside(window).catalogue.gate.panel.enter.click()


def pin_waits(shop: Shop, window: TillWindow) -> None:
    pin(shop, window)
    panel = inside(window).catalogue.gate.panel
    for _ in range(2):
        panel.fields["pin"].set_text("1111")
        panel.enter.click()


def table(shop: Shop, window: TillWindow) -> None:
    priced(shop, BREAD, "61.99")
    priced(shop, BUREK, "185")
    visited(shop, window)


def ticked(shop: Shop, window: TillWindow) -> None:
    screen = visited(shop, window)
    for code in (BREAD, BUREK):
        screen.model.listed.tick(shop.row(code).product_id)


def edited(shop: Shop, window: TillWindow) -> None:
    priced(shop, BUREK, "185")
    screen = article_opened(shop, window, CHEESE)
    screen.editor.type_into(DraftField.PRICE, "1.249,00")


def in_place(shop: Shop, window: TillWindow) -> None:
    screen = visited(shop, window)
    if not screen.table.isVisible():
        return
    screen.table.edit_cell(screen.area.rows.index(2, CatalogueColumn.PRICE))
    screen.table.cell_editor.set_text("129,99")


def wrong(shop: Shop, window: TillWindow) -> None:
    screen = article_opened(shop, window, CHEESE)
    screen.editor.type_into(DraftField.NAME, " ")
    screen.editor.type_into(DraftField.SKU, "1")
    screen.editor.type_into(DraftField.EAN, "8600123450145")
    screen.editor.type_into(DraftField.PLANNED_PRICE, "99")
    screen.editor.save.click()


def variants(shop: Shop, window: TillWindow) -> None:
    screen = visited(shop, window)
    many = next(row for row in shop.catalogue.page(limit=100) if row.articles > 1)
    screen.model.open(many.product_id)


def added(shop: Shop, window: TillWindow) -> None:
    visited(shop, window).filters.add_button.click()


def deleting(shop: Shop, window: TillWindow) -> None:
    screen = article_opened(shop, window, COFFEE)
    screen.editor.delete.click()


def conflicted(
    shop: Shop, code: str, *, ours: str, theirs: str, names: tuple[str, str] | None = None
) -> None:
    """Change a price here and in the platform's next list; the name too, where `names` are ours and
    theirs."""
    priced(shop, code, ours)
    if names is not None:
        article = shop.catalogue.article(shop.row(code).article_id or "")
        assert article is not None
        change(shop, article, {"name": names[0]})
    relisted(shop, code, price=float(theirs), **({} if names is None else {"name": names[1]}))


TWICE = "4006381333931"
"""An EAN that no article of the demo has."""


def collided(shop: Shop, *, ean: str | None = TWICE) -> None:
    """Add an article here whose EAN, or else its code, the next list has under another name; it is
    looked for as in the list of a platform."""
    made, at, number = str(uuid4()), shop.clock.now(), 4711 if ean is None else 8181
    create_for_code(
        shop.desk, product_id=made, name="Мед овде", label=TaxLabel.DJ, price=Money(990),
        code=ean, by="Мира", at=at,
    )  # fmt: skip
    shop.desk.record(NewEdit.changing(made, made, {"sku": 4711}, by="Мира", at=at))
    listed = _listed()
    other: dict[str, Any] = {
        "id": str(uuid4()),
        "name": "Мед тамо",
        "price": 900.0,
        "taxRateLabel": "Е",
    }
    other |= {"sku": number, "ean": ean}
    listed["products"].append({**listed["products"][0], **other})
    _synchronise(shop, listed)
    with closing(open_for_import(catalogue_file(shop.services.settings.data))) as connection:
        look_for_added(connection, origin=FROM_FILE, at=at)


def conflicted_many(shop: Shop, codes: Sequence[str]) -> None:
    for code in codes:
        priced(shop, code, "1149")
    article = shop.catalogue.article(shop.row(codes[0]).article_id or "")
    assert article is not None
    change(shop, article, {"name": "Сир наш"})
    changed_there(shop, codes, named=codes[0])


def changed_there(shop: Shop, codes: Sequence[str], *, named: str = "") -> None:
    """Let a synchronisation bring other prices of these articles and another name of one; all other
    articles are as the demo has them."""
    listed = _listed()
    for product in listed["products"]:
        if str(product.get("sku")) in codes:
            product["price"] = 1099.0
        if str(product.get("sku")) == named:
            product["name"] = "Сир њихов"
    _synchronise(shop, listed)


def relisted(shop: Shop, code: str, **changes: object) -> None:
    listed = _listed()
    product = next(one for one in listed["products"] if str(one.get("sku")) == code)
    product |= changes
    _synchronise(shop, listed)


def store_listed(shop: Shop, **changes: object) -> None:
    listed = _listed()
    listed["stores"][0] |= changes
    _synchronise(shop, listed)


def variant_relisted(shop: Shop, code: str, **changes: object) -> None:
    """Let a synchronisation bring another variant of that code."""
    listed = _listed()
    variants = [each for one in listed["products"] for each in one.get("variants") or ()]
    next(each for each in variants if str(each["sku"]) == code).update(changes)
    _synchronise(shop, listed)


def delisted(shop: Shop, code: str) -> None:
    """Let a synchronisation lack the product that has the code, or a variant of it."""
    listed = _listed()
    listed["products"] = [
        one
        for one in listed["products"]
        if code not in [str(each.get("sku")) for each in (one, *(one.get("variants") or ()))]
    ]
    _synchronise(shop, listed)


def _listed() -> dict[str, Any]:
    told: dict[str, Any] = json.loads((folder() / "demo" / "catalogue.json").read_text())
    return told


def _synchronise(shop: Shop, listed: dict[str, Any]) -> None:
    changed = shop.services.settings.data / "changed.json"
    changed.write_text(json.dumps(listed))
    for picture in (folder() / "demo").iterdir():
        if picture.is_dir():
            shutil.copytree(picture, changed.parent / picture.name, dirs_exist_ok=True)
    run_sync(settings=shop.services.settings, source=changed, progress=lambda _: None)


def two_changes(shop: Shop, window: TillWindow) -> None:
    conflicted(shop, CHEESE, ours="1149", theirs="1099")
    screen = visited(shop, window)
    screen.model.reload_if_outdated()
    screen.model.open(shop.row(CHEESE).product_id)


def typed_over(shop: Shop, window: TillWindow) -> None:
    screen = article_opened(shop, window, CHEESE)
    screen.editor.type_into(DraftField.PRICE, "950,00")
    relisted(shop, CHEESE, price=1099.0)
    screen.tick()


def typed_for_gone(shop: Shop, window: TillWindow) -> None:
    screen = article_opened(shop, window, CHEESE)
    screen.editor.type_into(DraftField.PRICE, "950,00")
    delisted(shop, CHEESE)
    screen.tick()


def conflicts(shop: Shop, window: TillWindow) -> None:
    names = ("Сир млади домаћи, кришка", "Сир млади, домаћи")
    conflicted(shop, CHEESE, ours="1149", theirs="1099", names=names)
    undecided(shop, window)


def two_articles(shop: Shop, window: TillWindow) -> None:
    collided(shop)
    undecided(shop, window)


def lost_changes(shop: Shop, window: TillWindow) -> None:
    """What the platform had until it was put back from an older copy: a price, the store's city and
    the name of a category."""
    conflicted(shop, CHEESE, ours="1149", theirs="1099")
    (store, *_), at = shop.catalogue.stores(), shop.clock.now()
    category = shop.catalogue.counted_names(NameKind.CATEGORY)[0].named
    with closing(open_for_import(catalogue_file(shop.services.settings.data))) as connection:
        connection.execute(
            "UPDATE edit SET error_field = ? WHERE state = 'conflict'", (LOST_FIELD,)
        )
        done = StoreEdit(base=store, ours=store, theirs=store, by="Мира", at=at)
        keep_edit(connection, store.id, done)
        ask_about_stores(connection, [replace(store, city="Ниш")])
        made = changed_here(None, replace(category, name="Старо"), category, by="Мира", at=at)
        keep_name_edit(connection, NameKind.CATEGORY, category.id, made)
        keep_name_edit(connection, NameKind.CATEGORY, category.id, None)
        ask_about_names(connection, NameKind.CATEGORY, [replace(category, name="Старо")])
    undecided(shop, window)


def many_conflicts(shop: Shop, window: TillWindow) -> None:
    conflicted_many(shop, (CHEESE, COFFEE, BREAD))
    undecided(shop, window)
    pictures.settle()
    panel = page_in_front(window.frame, "cat.many.title")
    panel.findChildren(Button)[0].click()


def vanished(shop: Shop, *, every: int = 2) -> None:
    """Let the next list of the shop's file have only one article of so many; none of the others is
    deleted yet."""
    listed = _listed()
    listed["products"] = listed["products"][::every]
    _synchronise(shop, listed)


def removals(shop: Shop, window: TillWindow) -> None:
    vanished(shop)
    undecided(shop, window)


def removals_in_attention(shop: Shop, window: TillWindow) -> None:
    vanished(shop)
    inside(window).open("attention")


def refused_cell(shop: Shop, window: TillWindow) -> None:
    screen = visited(shop, window)
    if screen.table.isVisible():
        screen.table.edit_cell(screen.area.rows.index(2, CatalogueColumn.CODE))
        screen.table.cell_editor.set_text("1")
        QTest.keyClick(screen.table.cell_editor.edit, Qt.Key.Key_Return)


def choosing_cell(shop: Shop, window: TillWindow) -> None:
    screen = visited(shop, window)
    if screen.table.isVisible() and not screen.table.isColumnHidden(CatalogueColumn.CATEGORY):
        screen.table.edit_cell(screen.area.rows.index(2, CatalogueColumn.CATEGORY))


def new_category(shop: Shop, window: TillWindow) -> None:
    screen = article_opened(shop, window, MILK)
    screen.editor.categories.other_wanted.emit()
    screen.editor.new_category.field.set_text("Домаће")


def plans(shop: Shop, window: TillWindow) -> None:
    visited(shop, window).area.show_columns(ColumnSet.PLANS)


def photos(shop: Shop, window: TillWindow) -> None:
    screen = visited(shop, window)
    row = shop.row(CHEESE)
    screen.model.open(row.product_id)
    names = sorted((folder() / "demo" / "pictures").iterdir())[:3]
    waited(shop.catalogue_files.take_photos(names, product_id=row.product_id, by="Мира"))
    screen.model.reload_if_outdated()
    screen.editor.photos.button(1).click()


def in_attention(shop: Shop, window: TillWindow) -> None:
    conflicted(shop, CHEESE, ours="1149", theirs="1099")
    inside(window).open("attention")


def bulk_price(shop: Shop, window: TillWindow) -> None:
    ticked(shop, window)
    screen = inside(window).catalogue
    screen.band.changes[BulkKind.PRICE].click()
    screen.bulk.price.percent.set_text("10")


def bulk_planned(shop: Shop, window: TillWindow) -> None:
    article = shop.row(BREAD).article_id or ""
    now = shop.clock.now()
    plan = PlannedPrice(article, Money("54.99"), now - timedelta(days=1), now + timedelta(days=9))
    shop.desk.plan_price(plan, by="Мира", at=now)
    bulk_price(shop, window)
    form = inside(window).catalogue.bulk.price
    form.begins.set_text("24.12.2026")
    form.ends.set_text("31.12.2026")
    form.replaces_plans.click()


def coming(shop: Shop) -> None:
    tomorrow = beginning_of(day_of(shop.clock.now()) + timedelta(days=1))
    since = tomorrow - timedelta(days=9)
    for code, begins, ends in (
        (BREAD, tomorrow, None),
        (BUREK, tomorrow, tomorrow + timedelta(days=9)),
        (CHEESE, since, tomorrow),
    ):
        plan = PlannedPrice(shop.row(code).article_id or "", Money(149), begins, ends)
        shop.desk.plan_price(plan, by="Мира", at=shop.clock.now())


def coming_labels_offered(shop: Shop, window: TillWindow) -> None:
    coming(shop)
    visited(shop, window)


def coming_labels(shop: Shop, window: TillWindow) -> None:
    coming_labels_offered(shop, window)
    screen = inside(window).catalogue
    screen.notices.put_away()
    screen.filters.labels_pressed.emit()


def bulk_label(shop: Shop, window: TillWindow) -> None:
    ticked(shop, window)
    screen = inside(window).catalogue
    screen.band.changes[BulkKind.LABEL].click()


def waited(work: FileWork) -> object:
    while (told := work.result()) is None:
        time.sleep(0.01)  # the child needs its time
    return told


def show_sheet(
    shop: Shop, screen: CatalogueScreen, sheet: bytes, name: str = "cenovnik.csv"
) -> None:
    path = shop.services.settings.data / name
    path.write_bytes(sheet)
    work = shop.catalogue_files.plan_import(path, label=None, rates=shop.services.rates)
    screen.show_plan(cast(ImportPlan, waited(work)), path)


def imported(shop: Shop, window: TillWindow) -> None:
    screen = visited(shop, window)
    rows = [
        "Шифра;Назив;Цена;Пореска стопа;ЕАН;Група;ПДВ",
        "1;Хлеб бели;64,90;10;;Пекара;20",
        "6;;12.5 €\x07;;;",
        "7;;0;;;",
        "13;Сир;1.149,00;Ж;;",
    ]
    rows += [f"9{n:03};Нови артикал {n};{n},99;20,00%;;Слаткиши" for n in range(30)]
    rows += ["9001;;5;;;", ";Без шифре;=1+1;Е;860012345014;"]
    show_sheet(shop, screen, "\n".join(rows).encode("cp1251"))


def unpriced(shop: Shop, window: TillWindow) -> None:
    """A file whose heads do not show which column has its prices."""
    screen = visited(shop, window)
    rows = [f"9{n:03};Нови артикал {n};{n},99;20;{n}" for n in range(30)]
    show_sheet(shop, screen, "\n".join(["Шифра;Назив;За купца;Порез;Залиха", *rows]).encode())


def columns_of_sheet(shop: Shop, window: TillWindow) -> None:
    screen = visited(shop, window)
    heads = "R.br.;Šifra robe;Naziv;Bar-kod;JM;Nabavna cena;MPC;Maloprodajna cena;Stopa PDV-a"
    goods = ("Čokolada sa lešnicima", "Sok od jabuke 1 l", "Novine")
    rows = [
        f"{n};9{n:03};{goods[n % 3]} {n};1{n};kom;10,00;{n}9,99;{n}9,99;{(20, 10, 0)[n % 3]};A{n};3"
        for n in range(10, 22)
    ]
    show_sheet(shop, screen, "\n".join([f"{heads};Polica;Zaliha", *rows]).encode(), "artikli.csv")


def other_system(shop: Shop, window: TillWindow) -> None:
    """An export of another system, which leaves open what a text of a tax means."""
    screen = visited(shop, window)
    heads = "ID,Type,SKU,Name,Published,Tax status,Tax class,Regular price,Categories,Parent"
    rows = [
        f'{n},simple,C-{n},Čaj {n},{n % 3},taxable,reduced-rate,"{n}9,99","Čajevi > Biljni",'
        for n in range(10, 22)
    ]
    show_sheet(shop, screen, "\n".join([heads, *rows]).encode(), "wc-product-export.csv")


def names(shop: Shop, window: TillWindow) -> None:
    screen = visited(shop, window)
    screen.filters.names_button.click()
    button_of(screen, "килограм").click()


def name_typed_wrong(shop: Shop, window: TillWindow) -> None:
    names(shop, window)
    page = inside(window).catalogue.names
    page.add.click()
    page.form.name.set_text("килца")
    page.form.symbol.set_text("kg")


def name_goes(shop: Shop, window: TillWindow) -> None:
    screen = visited(shop, window)
    screen.filters.names_button.click()
    page = inside(window).catalogue.names
    page.kinds.chosen.emit(1)
    next(iter(page.buttons.values())).click()
    page.form.delete.click()


def unit_measured_otherwise(shop: Shop, window: TillWindow) -> None:
    names(shop, window)
    page = inside(window).catalogue.names
    page.form.merge.click()
    into = next(one.id for one in shop.catalogue.units() if one.name == "грам")
    page.removal.into.set_current(into)
    page.removal.into.chosen.emit(into)


def price_of_another_measure(shop: Shop, window: TillWindow) -> None:
    at = shop.clock.now()
    plan = PlannedPrice(shop.row(CHEESE).article_id or "", Money("764.15"), at + timedelta(days=3))
    shop.desk.plan_price(plan, by="Мира", at=at)
    screen = article_opened(shop, window, CHEESE)
    gram = next(one.id for one in shop.catalogue.units() if one.name == "грам")
    screen.model.put(DraftField.UNIT, gram)
    screen.editor.save.click()


def button_of(screen: Any, name: str) -> Any:
    return next(
        one for one in screen.names.buttons.values() if one.accessibleName().startswith(name)
    )


def can_take_back(shop: Shop, window: TillWindow) -> None:
    screen = visited(shop, window)
    editor = shop.services.editor
    log = editor.change_log(ChangeKind.IMPORT, name="cene.csv", by="Мира", at=shop.clock.now())
    ids = (shop.row(BREAD).product_id,) * 2
    with editor.together():
        changed = ChangedArticle(*ids, "Хлеб", {"price": "58,99"}, {"price": "61,00"})
        log.add([changed], NewNames(), many=1)
    screen.filters.show_chips()
    screen.files.ask_take_back()


def working(shop: Shop, window: TillWindow) -> None:
    screen = visited(shop, window)
    screen.files.export_to(shop.services.settings.data / "artikli.xlsx")


def search_typed(shop: Shop, window: TillWindow) -> None:
    visited(shop, window).filters.search.set_text("sir")


def nothing(shop: Shop, window: TillWindow) -> None:
    visited(shop, window).filters.search.set_text("xyz")


def keys_of_names(shop: Shop, window: TillWindow) -> None:
    names(shop, window)
    inside(window).catalogue.toggle_keys()


def keys(shop: Shop, window: TillWindow) -> None:
    visited(shop, window).toggle_keys()


SCENES = named(
    first_pin, pin, pin_waits, table, ticked, edited, in_place, wrong, variants, added,
    deleting, two_changes, typed_over, typed_for_gone, conflicts, two_articles, lost_changes,
    many_conflicts, removals, removals_in_attention, refused_cell, choosing_cell, new_category,
    plans, photos, in_attention, bulk_price, bulk_planned, bulk_label, imported,
    columns_of_sheet, other_system, unpriced, can_take_back, working, coming_labels,
    coming_labels_offered, search_typed, nothing, keys, names, name_typed_wrong, name_goes,
    unit_measured_otherwise, keys_of_names, price_of_another_measure,
)  # fmt: skip
posed = over_till(SCENES)
