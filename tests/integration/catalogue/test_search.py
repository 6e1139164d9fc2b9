"""Search finds what it should, in order, window by window."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pos_app import settings as app_settings
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue import search as catalogue_search
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.bootstrap.synchronisation.sync import run_sync
from pos_app.domain.text.search_text import matches
from pos_app.wire.strict_json import dumps
from tests.fakes.ready_tables import ready_catalogue
from tests.integration.catalogue.conftest import PARTS, Shop, product
from tests.integration.statement_plans import watched
from tests.sweep import examples


@pytest.fixture(params=[500, 0], ids=["few hits", "many hits"])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few hits are sorted whole; many are not: both give the same hits."""
    monkeypatch.setattr(catalogue_search, "SORTED_HITS", request.param)


MANY = 3_000
FEW_ROWS = (
    *("meta", "made_by", "category", "platform", "store_edit", "name_edit"),
    *("joining", "gone"),
    *("sqlite_master", "sqlite_schema", "json_each", "search", "main"),
    "product_by_sort",
)
"""Tables that hardly grow or are read by what is asked; of all names, only the first are read."""


def test_no_key_of_a_search_goes_through_all_names_that_begin_so(folder: Path) -> None:
    """The names of the other category begin with the same letter as all others, and come last."""
    source = folder.parent / "list.json"
    listed = [product(f"Сир {n}", n) for n in range(MANY)]
    few = [product(f"Штрудла {n}", MANY + n, categories=["c-dairy"]) for n in range(600)]
    source.write_bytes(dumps({**PARTS, "products": listed + few}))
    run_sync(settings=app_settings.load(folder), source=source, progress=lambda _: None)
    path = catalogue_file(folder)
    with watched(path.name) as statements, SqliteCatalogue(path) as shelf:
        for query in ("", "s", "š", "st", "str", "1"):
            for category in (None, "c-dairy", "c-bakery"):
                shelf.page(query, category_id=category)
                shelf.count(query, category_id=category, most=1)
                shelf.facts()
    assert statements.faults(path, may_be_read_whole=FEW_ROWS) == []


LETTERS = st.sampled_from("sšсшčćцaаиiđђdž1 5.-")
WORDS = st.text(LETTERS, min_size=1, max_size=6)


@pytest.mark.usefixtures("either_way")
@settings(
    max_examples=examples(48, share=8), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(names=st.lists(WORDS.filter(str.strip), min_size=1, max_size=12, unique=True), query=WORDS)
def test_search_finds_what_the_rule_of_search_says(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], query: str
) -> None:
    folder: Path = tmp_path_factory.mktemp("shop")
    path = ready_catalogue(catalogue_file(folder))
    with SqliteCatalogue(path) as shelf, SqliteCatalogueEditor(path) as desk:
        shop = Shop(folder, shelf, desk)
        shop.bring(*(product(name, None) for name in names))
        if query.strip(" .-"):
            wanted = {name.strip() for name in names if matches(name, query)}
            assert set(shop.names(query)) == wanted
