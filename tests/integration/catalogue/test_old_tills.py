"""Files as the old tills of small shops write them, each imported into a real catalogue.

The program around it, a process of its own, is tested in test_sheets.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.adapters.sqlite.catalogue.table import SqliteCatalogueTable
from pos_app.bootstrap.till.sheet_import import OpenCatalogue, carry_out
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.selling.catalogue.sheet.row_plan import SheetAnswers
from tests.fakes.ready_tables import ready_catalogue
from tests.integration.catalogue.old_tills import FILES, Good, OldTill, written
from tests.integration.catalogue.test_sheets import planned_here

QUESTIONS = {"no heads at all": 7}
"""In a file without heads a person names each column."""


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[OpenCatalogue]:
    path = ready_catalogue(catalogue_file(tmp_path))
    with (
        SqliteCatalogue(path) as catalogue,
        SqliteCatalogueEditor(path) as editor,
        closing(SqliteCatalogueTable(path, now=lambda: datetime.now(UTC))) as table,
    ):
        yield OpenCatalogue(path.parent, catalogue, editor, table)


def as_json(answers: SheetAnswers) -> dict[str, Any]:
    fields = {str(at): name for at, name in answers.fields.items()}
    return {
        "fields": fields,
        "said": {one.value: said for one, said in answers.by_question.items()},
        "taxes": dict(answers.by_tax),
    }


def confirmed(plan: dict[str, Any], name: str) -> dict[str, Any]:
    """Return what the till asks for once a person confirms a plan."""
    heads = {str(index): head for index, head, *_ in plan["columns"]}
    asked = {"plan": plan["file"], "by": "Мира", "name": name, "heads": heads}
    return asked | {"shape": plan["shape"], "answers": plan["answers"]}


def open_things(plan: dict[str, Any]) -> int:
    """Return how many things a person has to say before this can be imported."""
    unsaid = [one for one in plan["questions"] if one not in plan["answers"]["said"]]
    lacking = bool(plan["unpriced"]) + (not plan["names_article"])
    return len(unsaid) + len(plan["doubled"]) + lacking


def kinds(cells: list[Any]) -> list[str]:
    return [why["values"].get("kind", "") for _, _, _, why in cells]


@pytest.mark.parametrize("file", FILES, ids=[one.name for one in FILES])
def test_a_file_becomes_its_catalogue_with_one_question_at_most(
    opened: OpenCatalogue, tmp_path: Path, file: OldTill
) -> None:
    path = written(file, tmp_path)
    plan = planned_here(opened, path)
    said = len(file.said.fields) + len(file.said.by_question)
    assert said <= QUESTIONS.get(file.name, 1)
    if said:
        assert open_things(plan) == 1, plan
        plan = planned_here(opened, path, as_json(file.said))
    assert (open_things(plan), plan["bad"]) == (0, file.refused), plan["bad_cells"]
    remarks = kinds(plan["odd_cells"])
    assert (remarks.count("row_without_article"), plan["joined"]) == (file.left_out, file.joined)
    assert {*kinds(plan["bad_cells"]), *remarks} - {"row_without_article"} == file.tells
    done = carry_out(opened, confirmed(plan, path.name))
    act = done["act"][0]
    assert (act["done"], act["failed"], act["leftOut"]) == (len(file.goods), 0, 0)
    _is_in_catalogue(opened.catalogue, file.goods)
    again = planned_here(opened, path)
    assert again["answers"] == as_json(file.said), "the next file of that shape asks nothing"
    assert again["remembered"] == bool(said)
    assert (open_things(again), again["new"], again["changed"], again["joined"]) == (0, 0, 0, 0)


def _is_in_catalogue(catalogue: SqliteCatalogue, goods: tuple[Good, ...]) -> None:
    assert catalogue.count() == len(goods)
    names = {one.category.id: one.category.name for one in catalogue.categories()}
    for good in goods:
        code = ArticleCode(str(good.sku) if good.sku is not None else good.eans[0])
        (found,) = catalogue.by_code(code)
        article = found.article
        product = catalogue.product(article.product_id)
        barcodes = tuple(one.code for one in catalogue.marks(article.id).barcodes)
        amount = None if article.price is None else article.price.amount
        assert (article.sku, article.name, amount, article.label.value) == (
            good.sku,
            good.name,
            Decimal(good.price),
            good.label,
        )
        assert (article.unit, article.ean, barcodes) == (good.unit, good.eans[0], good.eans[1:])
        assert [names[one] for one in product.categories] == [good.category]
    assert len(names) == len({one.category for one in goods})
