"""Files as the old tills of small shops write them, each read by the real program."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from pos_app.adapters.catalogue_files.catalogue_process import CatalogueProcess
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.domain.barcodes import ArticleCode
from pos_app.domain.tax import PUBLISHED_RATES
from pos_app.selling.catalogue.files import ImportPlan
from pos_app.selling.catalogue.sheet.row_plan import SheetAnswers
from pos_app.selling.file_work import FileDone
from tests.e2e.nursery import CATALOGUE_FILES, child
from tests.integration.catalogue import old_tills
from tests.integration.catalogue.test_sheets import ended

QUESTIONS = {"no heads at all": 7}
"""In a file without heads a person names each column."""


class Till:
    def __init__(self, data: Path) -> None:
        self.data = data
        self.files = CatalogueProcess(data, command=child(CATALOGUE_FILES))

    def planned(self, path: Path, answers: SheetAnswers | None = None) -> ImportPlan:
        work = self.files.plan_import(path, label=None, rates=PUBLISHED_RATES, answers=answers)
        told = ended(work)
        assert isinstance(told, ImportPlan), told
        return told


@pytest.fixture
def till(tmp_path: Path) -> Iterator[Till]:
    made = Till(tmp_path)
    yield made
    made.files.close()


def open_things(plan: ImportPlan) -> int:
    """Return how many things a person has to say before this can be imported."""
    unsaid = [one for one in plan.questions if one not in plan.answers.said]
    return len(unsaid) + len(plan.doubled) + bool(plan.unpriced) + (not plan.names_article)


@pytest.mark.parametrize("file", old_tills.FILES, ids=[one.name for one in old_tills.FILES])
def test_a_file_becomes_its_catalogue_with_one_question_at_most(
    till: Till, file: old_tills.OldTill
) -> None:
    path = old_tills.written(file, till.data)
    plan = till.planned(path)
    said = len(file.said.fields) + len(file.said.said)
    assert said <= QUESTIONS.get(file.name, 1)
    if said:
        assert open_things(plan) == 1, plan
        plan = till.planned(path, file.said)
    assert (open_things(plan), plan.bad) == (0, file.refused), plan.bad_cells
    without = [one for one in plan.odd_cells if one.why.kind == "row_without_article"]
    told = {one.why.kind for one in (*plan.bad_cells, *plan.odd_cells)}
    assert (len(without), plan.joined) == (file.left_out, file.joined)
    assert told - {"row_without_article"} == file.tells
    done = ended(till.files.carry_out(plan, name=path.name, by="Мира"))
    assert done == FileDone(len(file.goods))
    _is_in_catalogue(till, file.goods)
    again = till.planned(path)
    assert again.answers == file.said, "the next file of that shape is not asked about"
    assert again.remembered == bool(said)
    assert (open_things(again), again.new, again.changed, again.joined) == (0, 0, 0, 0), again


def _is_in_catalogue(till: Till, goods: tuple[old_tills.Good, ...]) -> None:
    with SqliteCatalogue(catalogue_file(till.data)) as catalogue:
        assert catalogue.count() == len(goods)
        names = {one.category.id: one.category.name for one in catalogue.categories()}
        for good in goods:
            code = ArticleCode(str(good.sku) if good.sku is not None else good.eans[0])
            (found,) = catalogue.by_code(code)
            article = found.article
            product = catalogue.product(article.product_id)
            assert product is not None
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
