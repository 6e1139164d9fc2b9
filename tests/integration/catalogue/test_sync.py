"""`pos-app sync`: a checked list comes in whole, in small steps, while tills sell."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import pytest

from pos_app import settings
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue import importing as catalogue_import
from pos_app.adapters.sqlite.catalogue.schema import IF_DAMAGED
from pos_app.bootstrap.synchronisation import sync
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.errors import Invalid, NotFound
from pos_app.wire.strict_json import MalformedJson, dumps
from tests.fakes.inner_connection import connection_of
from tests.integration.catalogue.conftest import NOW, PARTS, Shop, product
from tests.sweep import each

MANY = [product(f"Артикал {number}", number) for number in range(1, 101)]


def test_over_a_damaged_catalogue_it_says_how_a_new_one_is_made(folder: Path) -> None:
    source = folder / "articles.json"
    source.write_bytes(dumps({"products": [product("Хлеб", 1)]}))
    damaged = catalogue_file(folder)
    damaged.parent.mkdir()
    damaged.write_text("no database" * 1000)
    out = io.StringIO()
    told = settings.load(folder)
    assert sync.sync_command(settings=told, source=source, out=out) == sync.FAILED
    assert IF_DAMAGED in out.getvalue()
    assert "support puts the damaged file aside" in out.getvalue()
    assert damaged.read_text() == "no database" * 1000
    for file in damaged.parent.glob("catalogue.db*"):
        file.rename(file.with_name(f"aside-{file.name}"))
    assert sync.sync_command(settings=told, source=source, out=out) == sync.DONE


def test_a_list_without_products_says_nothing_about_them(shop: Shop) -> None:
    shop.bring(product("Хлеб", 1))
    report = shop.bring_text(dumps({"categories": [{"id": "c-bakery", "name": "Пекаре"}]}))
    assert (report.listed, report.removed, report.held_back) == (0, 0, 0)
    assert [one.category.name for one in shop.shelf.categories()] == ["Пекаре"]
    assert shop.names() == ["Хлеб"]


OF_TABLES = {
    "product": "*",
    "article": "*",
    "source": "*",
    "product_category": "*",
    "search WHERE search MATCH '_hleb OR m OR __2 OR 96385074'": "rowid",
}


def test_many_are_written_as_one_by_one(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = [
        product(" Хлеб  бели ", 1, ean=" 96385074 ", manufacturerSku="М-12", subtitle=""),
        product("!?", None, None, saleUnitId="u-kg", categories=["c-dairy", "c-new", "c-dairy"]),
        product("Сир", 3, "0.01", saleUnitId="unknown", categories="c-dairy", variantName="x"),
        product("Јаје", 4, "7", ean="8600123450144", hasVariants=False, variants=[], images=[]),
    ]
    together: list[list[Any]] = []
    one_by_one: list[list[Any]] = []
    for rows in (together, one_by_one):
        shop.bring(*listed)
        connection = connection_of(shop.desk)
        for table, columns in OF_TABLES.items():
            found = connection.execute(f"SELECT {columns} FROM {table}").fetchall()
            rows.append(sorted(found, key=str))
        for table in ("product", "sync_run"):
            connection.execute(f"DELETE FROM {table}")
        connection.execute("INSERT INTO search (search) VALUES ('delete-all')")
        monkeypatch.setattr(catalogue_import, "is_plain", lambda _: False)
    assert together == one_by_one
    assert all(together)


def test_variants_and_products_may_change_places(shop: Shop) -> None:
    variant = {**product("Лименка", 5), "id": "tin"}
    a, b = product("А", None, hasVariants=True), product("Б", None, hasVariants=True)
    shop.bring({**a, "variants": [variant]}, {**b, "variants": []})
    shop.bring({**b, "variants": [variant]}, {**a, "variants": []})
    (found,) = shop.shelf.by_code(ArticleCode("5"))
    assert (found.article.product_id, shop.shelf.variants("id А")) == ("id Б", ())
    shop.bring(product("Лименка", 5, id="tin"), product("А", None), product("Б", 6))
    (found,) = shop.shelf.by_code(ArticleCode("5"))
    assert (found.article.product_id, shop.names()) == ("tin", ["А", "Б", "Лименка"])


# --- what is gone --------------------------------------------------------------------------------


def test_a_manager_lets_them_go_at_the_till_or_with_the_next_run(shop: Shop) -> None:
    shop.bring(*MANY)
    assert "10 products gone from the list" in "".join(shop.bring(*MANY[10:]).lines())
    assert shop.desk.accept_gone(by="Мира", at=NOW) == 10
    assert (shop.shelf.count(), shop.shelf.facts().gone) == (90, 0)
    report = shop.bring(accept_removals=True)
    assert (report.removed, report.held_back) == (90, 0)
    assert shop.shelf.count() == shop.shelf.count("artikal") == 0


def test_a_deletion_that_the_list_tells_needs_no_manager(shop: Shop) -> None:
    shop.bring(product("Хлеб", 1), product("Сок", 2))
    shop.bring(product("Хлеб", 1, deletedAt="2026-11-20T11:00:00.000Z"), product("Сок", 2))
    assert shop.names() == ["Сок"]
    parts = {
        member: [{"id": "gone", "name": "Бивша", "deletedAt": "2026-11-20T11:00:00.000Z"}, *rows]
        for member, rows in PARTS.items()
    }
    shop.bring_text(dumps(parts))
    assert [one.name for one in shop.shelf.stores()] == ["Липа"]
    assert "gone" not in [one.id for one in shop.shelf.units()]
    assert "gone" not in [one.category.id for one in shop.shelf.categories()]


# --- a list that is bad --------------------------------------------------------------------------


@each(
    ("bad", "field", "words"),
    [
        ({"sku": "2"}, "products[1].sku", "must be a number"),
        ({"name": None}, "products[1].name", "is required"),
        ({"price": -1}, "products[1].price", "greater than or equal"),
        ({"taxRateLabel": "B"}, "products[1].taxRateLabel", "must be one of"),
        ({"categories": 7}, "products[1].categories", '"categories" must be an array'),
        ({"categories": [7]}, "products[1].categories[0]", "must be a string"),
        ({"sku": 1}, "products[1].sku", "already exists: Хлеб"),
        ({"id": "id Хлеб"}, "products[1].id", "said twice"),
        ({"variants": [{**product("В", 1)}]}, "products[1].variants[0].sku", "already exists"),
        ({"variants": [{"id": "v", "name": ""}]}, "products[1].variants[0].name", "empty"),
    ],
)
def test_one_bad_product_refuses_the_whole_list(
    shop: Shop, bad: dict[str, Any], field: str, words: str
) -> None:
    shop.bring(product("Сир", 9))
    with pytest.raises(Invalid, match=words) as caught:
        shop.bring(product("Хлеб", 1), {**product("Сок", 2), **bad})
    assert caught.value.field == field
    assert ("Сок" if bad.get("name", "Сок") else "without a name") in caught.value.what
    assert shop.names() == ["Сир"]


@each(
    ("text", "field"),
    [
        ('{"stores": [{"id": "s"}], "products": []}', "stores[0].name"),
        ('{"stores": [{"id": "s", "name": "A"}, {"id": "s", "name": "B"}]}', "stores[1].id"),
        ('{"units": [{"id": "s", "name": 5}]}', "units[0].name"),
        ('{"categories": [{"name": "x"}]}', "categories[0].id"),
        ('{"products": {"a": 1}}', "products"),
        ('{"products": [5]}', "products[0]"),
    ],
)
def test_a_fault_elsewhere_in_the_list_is_named_too(shop: Shop, text: str, field: str) -> None:
    shop.bring(product("Сир", 9))
    with pytest.raises(Invalid) as caught:
        shop.bring_text(text.encode())
    assert (caught.value.field, shop.names()) == (field, ["Сир"])


@each("cut", [b"", b"{", b'{"products": [', b'{"products": [{"id": "a"}', b"\xff", b"5"])
def test_a_list_that_was_cut_off_changes_nothing(shop: Shop, cut: bytes) -> None:
    shop.bring(*MANY)
    with pytest.raises(Invalid):
        shop.bring_text(cut)
    whole = dumps({**PARTS, "products": MANY[:99]})
    with pytest.raises(MalformedJson):
        shop.bring_text(whole[:-2])
    assert shop.shelf.count() == 100


# --- photos --------------------------------------------------------------------------------------


def cover(address: str, key: str = "f1") -> dict[str, Any]:
    return {"id": key, "filename": "a.png", "urls": {"original": address}}


@each(
    "address",
    [
        "../secret.png",
        "/etc/hostname",
        "pictures/../../secret.png",
        "https://x/a.png",
        "file:///etc/x.png",
        "missing.png",
        "secret.txt",
        "",
        "..\\secret.png",
        "a\0.png",
        "a" * 300 + ".png",
    ],
)
def test_no_photo_comes_from_elsewhere(
    shop: Shop, tmp_path: Path, caplog: pytest.LogCaptureFixture, address: str
) -> None:
    caplog.clear()
    inner = tmp_path / "lists"
    inner.mkdir(exist_ok=True)
    for place in (tmp_path / "secret.png", inner / "secret.txt"):
        place.write_bytes(b"secret")
    source = inner / "list.json"
    source.write_bytes(dumps([product("Хлеб", 1, coverImage=cover(address))]))
    assert shop.sync(source).pictures == 0
    assert list((shop.folder / "catalogue" / "files").iterdir()) == []
    assert shop.shelf.page()[0].picture is None
    is_told = "photos of the list are not beside it, or no photos" in caplog.messages
    assert is_told == (bool(address) and ":" not in address)


# --- as a program --------------------------------------------------------------------------------


def test_a_file_that_is_not_there(shop: Shop, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        shop.sync(tmp_path / "none.json")
    with pytest.raises(NotFound):
        shop.sync(tmp_path)


RECEIPT = {"invoiceType": "normal", "payments": {"cash": 200}, "items": [{"sku": 1}]}


@each("other", [{}, {"foo": 1}, {"Products": []}, RECEIPT])
def test_a_file_that_is_no_catalogue_is_refused(shop: Shop, other: dict[str, Any]) -> None:
    shop.bring(product("Хлеб", 1))
    with pytest.raises(Invalid, match="this is no catalogue"):
        shop.bring_text(dumps(other))
    assert shop.names() == ["Хлеб"]


def test_a_folder_without_a_catalogue_gets_one_from_a_right_list_only(tmp_path: Path) -> None:
    mistyped = tmp_path / "shpo"
    listed = tmp_path / "list.json"
    lines = io.StringIO()

    def bring(document: object) -> int:
        listed.write_bytes(dumps(document))
        return sync.sync_command(settings=settings.load(mistyped), source=listed, out=lines)

    assert bring({"foo": 1}) == sync.BAD_LIST
    assert not mistyped.exists()
    assert bring([product("Хлеб", 1)]) == sync.DONE
    assert f"{mistyped} had no catalogue: this is its first one." in lines.getvalue()
    lines.truncate(0)
    assert bring([product("Хлеб", 1)]) == sync.DONE
    assert "first one" not in lines.getvalue()


# --- beside a till -------------------------------------------------------------------------------

KILLED = """
import sys
from pathlib import Path
from pos_app import settings
from pos_app.adapters.sqlite.catalogue import importing as catalogue_import
from pos_app.bootstrap.synchronisation import sync
from tests.fakes.inner_connection import connection_of

catalogue_import.FIRST_BATCH = 10
sync.PAUSE = 60.0
sync.TELL_EACH = 0.0
sync.run_sync(settings=settings.load(Path(sys.argv[1])), source=Path(sys.argv[2]),
              progress=lambda line: print(line, flush=True))
"""


def test_a_run_that_is_killed_is_taken_up_by_the_next(shop: Shop) -> None:
    source = shop.folder.parent / "list.json"
    source.write_bytes(dumps({**PARTS, "products": MANY}))
    command = [sys.executable, "-c", KILLED, str(shop.folder), str(source)]
    with Popen(command, stdout=PIPE, text=True) as process:
        assert process.stdout.readline() == "10 of 100 products\n"
        process.kill()
    assert shop.shelf.count() == 10
    report = shop.bring(*MANY)
    assert (report.added, report.unchanged) == (90, 10)
    assert shop.shelf.count() == shop.shelf.count("artikal") == 100
