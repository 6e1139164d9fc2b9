"""A torn catalogue, or one that another program holds, is reported as an error of ours."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.adapters.sqlite.catalogue.importing import known_digests, open_for_import
from pos_app.adapters.sqlite.catalogue.writer import LONGEST_WAIT
from pos_app.domain.article.article import Marks
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.article.scale_labels import WeightCode
from pos_app.domain.money.money import Quantity
from pos_app.errors import DatabaseBusy, DatabaseDamaged
from pos_app.selling.synchronisation.catalogue_edits import EditState
from tests.fakes.faulty_file import refused, tear
from tests.fakes.inner_connection import connection_of
from tests.integration.catalogue.conftest import NOW, Shop, product
from tests.sweep import each

Read = Callable[[SqliteCatalogue], object]
Write = Callable[[SqliteCatalogueEditor], object]

READS: dict[str, Read] = {
    "by_code": lambda shelf: shelf.by_code(ArticleCode("90")),
    "by_scale": lambda shelf: shelf.by_scale(WeightCode(16, "2000016", Quantity(1))),
    "article": lambda shelf: shelf.article("id Хлеб"),
    "variants": lambda shelf: shelf.variants("id Хлеб"),
    "open_price_articles": lambda shelf: shelf.open_price_articles(),
    "count": lambda shelf: shelf.count("хлеб"),
    "page": lambda shelf: shelf.page("", limit=5),
    "favourites": lambda shelf: shelf.favourites(),
    "categories": lambda shelf: shelf.categories(),
    "category_of_articles": lambda shelf: shelf.category_of_articles(),
    "units": lambda shelf: shelf.units(),
    "stores": lambda shelf: shelf.stores(),
    "store": lambda shelf: shelf.store(),
    "product": lambda shelf: shelf.product("id Хлеб"),
    "marks": lambda shelf: shelf.marks("id Хлеб"),
    "picture": lambda shelf: shelf.picture("f-1"),
    "facts": lambda shelf: shelf.facts(),
    "price_changes": lambda shelf: shelf.price_changes(since=NOW),
}
WRITES: dict[str, Write] = {
    "note": lambda desk: desk.note("id Хлеб", Marks(open_price=True), by="x", at=NOW),
    "edits": lambda desk: desk.edits(frozenset(EditState)),
    "pin": lambda desk: desk.pin(("id Хлеб",), by="x", at=NOW),
    "count_sold": lambda desk: desk.count_sold([("id Хлеб", Quantity.ONE)], on=NOW.date()),
}


@pytest.fixture
def bread(shop: Shop) -> Shop:
    shop.bring(product("Хлеб", 90, "50", ean="8600123450144"))
    shop.bring(product("Хлеб", 90, "60", ean="8600123450144"))
    return shop


def closed(bread: Shop) -> Path:
    """Close the catalogue; return its file."""
    bread.shelf.close()
    bread.desk.close()
    return catalogue_file(bread.folder)


@pytest.fixture
def torn(bread: Shop) -> Iterator[SqliteCatalogue]:
    path = closed(bread)
    with SqliteCatalogue(path) as shelf:
        tear(path)
        yield shelf


@each("read", READS.values())
def test_a_read_of_a_torn_file(torn: SqliteCatalogue, read: Read) -> None:
    with pytest.raises(DatabaseDamaged) as told:
        read(torn)
    assert (told.value.kind, told.value.file) == ("now", "catalogue.db")


@each("fault", [apsw.BusyError("held"), apsw.ProtocolError("held")])
@each("read", READS.values())
def test_a_read_of_a_file_that_another_holds(bread: Shop, read: Read, fault: apsw.Error) -> None:
    with refused(connection_of(bread.shelf), fault), pytest.raises(DatabaseBusy):
        read(bread.shelf)
    read(bread.shelf)


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_write_to_a_torn_file(bread: Shop, write: Write) -> None:
    path = closed(bread)
    with SqliteCatalogueEditor(path) as desk:
        tear(path)
        with pytest.raises(DatabaseDamaged) as told:
            write(desk)
    assert told.value.file == "catalogue.db"


def test_what_is_counted_in_passing_gives_up_at_once(bread: Shop) -> None:
    other = apsw.Connection(str(catalogue_file(bread.folder)))
    other.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    with pytest.raises(DatabaseBusy):
        WRITES["count_sold"](bread.desk)
    assert time.monotonic() - began < LONGEST_WAIT / 2000
    other.close()
    WRITES["count_sold"](bread.desk)


def test_a_synchronisation_of_a_torn_file(bread: Shop) -> None:
    path = closed(bread)
    with closing(open_for_import(path)) as connection:
        tear(path)
        with pytest.raises(DatabaseDamaged):
            known_digests(connection)
