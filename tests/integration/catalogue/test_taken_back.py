"""An import by the real process is taken back: whole, stopped, or changed by others since."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.errors import NotAllowed
from pos_app.selling.catalogue.catalogue import delete_product
from pos_app.selling.catalogue.editing import save_typed
from pos_app.selling.catalogue.last_change import ChangeKind
from pos_app.selling.catalogue.taking_back import Undone
from pos_app.selling.file_work import FileDone
from tests.fakes.many_articles import counts, last_of
from tests.integration.catalogue.test_sheets import NOW, Shop, ended

HEAD = "Шифра;Назив;Цена;Порез;Група;Остали бар-кодови;Омиљено;Планирана цена;Планирана од"


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    made = Shop(tmp_path)
    yield made
    made.close()


def imported(shop: Shop, *rows: str, head: str = HEAD) -> None:
    plan = shop.planned(shop.sheet("\n".join([head, *rows])))
    assert plan.bad == 0, plan.bad_cells
    ended(shop.files.carry_out(plan, name="cene.csv", by="Мира"))


def taken_back(shop: Shop) -> Undone:
    told = ended(shop.files.take_back(last_of(shop.editor), by="Мира"))
    assert isinstance(told, Undone), told
    return told


def everything(shop: Shop) -> list[tuple[object, ...]]:
    """Return all that the form shows of the two articles of the shop."""
    found: list[tuple[object, ...]] = []
    for code in ("1", "2"):
        (one,) = shop.catalogue.by_code(ArticleCode(code))
        product = shop.catalogue.product(one.article.product_id)
        assert product is not None
        marks, plan = shop.catalogue.marks(product.id), shop.editor.plan_of(product.id)
        found.append((product.name, product.price, product.categories, marks, plan))
    return found


def test_every_field_is_as_it_was(shop: Shop) -> None:
    before = everything(shop)
    imported(
        shop,
        "1;Хлеб црни;70;Ђ;Пекара;96385074;да;80;1.1.2030.",
        "9;Нови;5;Ђ;Ново;;да;;",
        "9;Нови;5;Ђ;Ново;5901234123457;да;;",
    )
    last = shop.editor.last_change()
    assert last is not None
    assert (last.kind, last.name, last.by) == (ChangeKind.IMPORT, "cene.csv", "Мира")
    with SqliteCatalogueEditor(catalogue_file(shop.data)) as again:
        assert again.last_change() == last, "the next start of the till knows of it"
    assert taken_back(shop) == Undone(2)
    assert everything(shop) == before
    assert shop.catalogue.count() == 2
    assert shop.catalogue.categories() == ()
    assert shop.editor.last_change() is None
    refused = ended(shop.files.take_back(last, by="Мира"))
    assert isinstance(refused, NotAllowed), "a second time there is nothing to be taken back"
    assert refused.kind == "other_change"


def test_variants_go_with_the_product_that_was_made_for_them(shop: Shop) -> None:
    head = "Шифра;Варијанта артикла;Варијанта;Цена;Порез"
    imported(shop, "61;Хлеб;сечен;65;", "62;Пита;мала;90;Е", "63;Пита;велика;150;Е", head=head)
    assert shop.catalogue.count() == 3
    last = shop.editor.last_change()
    assert last is not None
    assert last.articles == 3, "as many as the import told"
    assert taken_back(shop) == Undone(3)
    assert shop.catalogue.count() == 2
    bread = shop.catalogue.product("p1")
    assert bread is not None
    assert bread.variants == ()


def test_what_another_changed_since_stays_and_is_named(shop: Shop) -> None:
    imported(shop, "1;Хлеб црни;70;Ђ;;;;;", "2;Млеко;140;Ђ;;;;;", "9;Нови;5;Ђ;;;;;")
    (new,) = shop.catalogue.by_code(ArticleCode("9"))
    for ids, typed in (
        (("p1", "p1"), {"price": "75"}),
        ((new.article.product_id,) * 2, {"description": "мој"}),
    ):
        save_typed(shop.editor, *ids, typed, by="Ана", at=NOW)
    save_typed(shop.editor, "p2", "p2", {"description": "мој"}, by="Ана", at=NOW)
    assert taken_back(shop) == Undone(1, ("Нови", "Хлеб црни"), 2)
    assert shop.price("1") == "75.00"
    assert shop.price("2") == "129.99", "another field of it was changed, which stays"
    milk = shop.catalogue.product("p2")
    assert milk is not None
    assert milk.description == "мој"
    assert shop.catalogue.count() == 3


def test_what_was_deleted_since_is_named_and_not_counted(shop: Shop) -> None:
    imported(shop, "1;Хлеб црни;70;Ђ;;;;;", "2;;140;;;;;;", "9;Нови;5;Ђ;;;;;")
    (new,) = shop.catalogue.by_code(ArticleCode("9"))
    for product_id in (new.article.product_id, "p2"):
        delete_product(shop.editor, product_id, by="Ана", at=NOW)
    assert taken_back(shop) == Undone(1, ("Нови", "Млеко"), 2)


def test_a_later_import_takes_the_place_of_the_one_before(shop: Shop) -> None:
    imported(shop, "1;;70;;;;;;")
    imported(shop, "2;;140;;;;;;")
    assert taken_back(shop) == Undone(1)
    assert (shop.price("1"), shop.price("2")) == ("70.00", "129.99")


def test_what_a_stopped_import_made_is_taken_back_whole(shop: Shop) -> None:
    rows = [f"{n};Артикал {n};5;Ђ;Група {n % 7};;да;;" for n in range(10, 610)]
    plan = shop.planned(shop.sheet("\n".join([HEAD, *rows])))
    work = shop.files.carry_out(plan, name="cene.csv", by="Мира")
    while not work.progress.done:
        time.sleep(0.005)  # waits for the child
    work.stop()
    ended(work)
    there = shop.catalogue.count() - 2
    assert there
    last = last_of(shop.editor)
    back = shop.files.take_back(last, by="Мира")
    while not back.progress.done:
        time.sleep(0.005)  # waits for the child
    back.stop()
    told = ended(back)
    assert isinstance(told, FileDone | Undone)
    if isinstance(told, FileDone):
        rest = ended(shop.files.take_back(last, by="Мира"))  # refused where nothing is left of it
        assert isinstance(rest, Undone | NotAllowed)
        assert not isinstance(rest, Undone) or rest.left_many == 0, "the rest is taken back later"
    assert shop.catalogue.count() == 2
    again = shop.planned(shop.data / "sheet.csv")
    assert counts(ended(shop.files.carry_out(again, name="cene.csv", by="Мира"))) == (600, 0, 0)
