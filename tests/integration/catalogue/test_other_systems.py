"""Exports of other systems and files of old tills become articles of a real catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.catalogue_files.catalogue_process import CatalogueProcess, _answers_to_json
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.adapters.sqlite.catalogue.table import SqliteCatalogueTable
from pos_app.bootstrap.till.sheet_import import OpenCatalogue, carry_out
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.money import tax
from pos_app.errors import Invalid
from pos_app.selling.catalogue.files import ImportPlan
from pos_app.selling.catalogue.sheet.row_plan import Question, SheetAnswers
from tests.e2e.nursery import CATALOGUE_FILES, child
from tests.fakes.many_articles import counts
from tests.fakes.ready_tables import ready_catalogue
from tests.integration.catalogue import old_tills, other_systems
from tests.integration.catalogue.old_tills import Good, OldTill
from tests.integration.catalogue.other_systems import OtherFile
from tests.integration.catalogue.test_sheets import ended, planned_here

FOLDER = Path(__file__).parent / "systems"
GIVEN = range(900_000, 901_000)
"""The codes that the till gives to articles without one."""


@pytest.fixture
def files(tmp_path: Path) -> Iterator[CatalogueProcess]:
    SqliteCatalogueEditor(ready_catalogue(catalogue_file(tmp_path))).close()
    made = CatalogueProcess(tmp_path, codes=GIVEN, command=child(CATALOGUE_FILES))
    yield made
    made.close()


def planned(files: CatalogueProcess, path: Path, answers: SheetAnswers | None = None) -> ImportPlan:
    plan = ended(files.plan_import(path, label=None, rates=tax.PUBLISHED_RATES, answers=answers))
    assert isinstance(plan, ImportPlan), plan
    return plan


def asked(plan: ImportPlan) -> set[str]:
    """What a person has to say, or may, before the import."""
    open_questions = {str(one) for one in plan.questions if one not in plan.answers.by_question}
    return open_questions | {one for one in plan.taxes if one not in plan.answers.by_tax}


def goods_of(data: Path) -> list[str]:
    """Every article as `other_systems` writes it."""
    with SqliteCatalogue(catalogue_file(data)) as catalogue:
        names = {one.category.id: one.category.name for one in catalogue.categories()}
        goods = []
        for _, _, product_id, article_id, _ in catalogue.codes():
            one, product = catalogue.article(article_id), catalogue.product(product_id)
            assert one is not None
            assert product is not None
            price = "?" if one.open_price else f"{one.price}" if one.price is not None else "–"
            sku = "" if one.sku in GIVEN else one.sku
            bars = (one.ean, *(bar.code for bar in one.barcodes))
            parts = (
                f"{product.name} · {one.variant_name}" if one.variant_name else one.name, sku,
                one.manufacturer_sku, price, one.label.value, one.unit,
                "; ".join(names[at] for at in one.category_ids), ", ".join(filter(None, bars)),
            )  # fmt: skip
            goods.append("|".join("" if part is None else str(part) for part in parts))
    return goods


@pytest.mark.parametrize("file", other_systems.FILES, ids=lambda one: one.name)
def test_an_export_becomes_its_articles_and_no_column_is_chosen(
    files: CatalogueProcess, tmp_path: Path, file: OtherFile
) -> None:
    path = FOLDER / file.name
    plan = planned(files, path)
    assert (plan.system, asked(plan)) == (file.system, set(file.asks)), plan.bad_cells
    if file.said is not None:
        plan = planned(files, path, file.said)
    assert not plan.doubled
    assert {one.why.kind for one in plan.odd_cells if isinstance(one.why, Invalid)} == file.tells
    assert {one.why.kind for one in plan.bad_cells if isinstance(one.why, Invalid)} == file.refuses
    heads = {one.head for one in plan.columns}
    odd = [one for one in plan.odd_cells if one.why.kind not in {"not_sold", "row_without_article"}]
    assert all(one.column in heads and one.text not in heads for one in odd), odd
    done = ended(files.carry_out(plan, name=path.name, by="Мира"))
    assert (counts(done), goods_of(tmp_path)) == ((len(file.goods), 0, 0), list(file.goods))
    further = tmp_path / path.name
    further.write_bytes(path.read_bytes() + (b"" if file.is_book else b"\n"))
    again = planned(files, further)
    assert (again.new, again.changed, again.joined) == (0, 0, 0), "a second file doubles nothing"
    assert not asked(again) - {"unsold"}, "what was said once is remembered"


def written(folder: Path, *rows: str) -> Path:
    path = folder / "artikli.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def test_a_damaged_book_is_refused(files: CatalogueProcess) -> None:
    work = files.plan_import(FOLDER / "generic-damaged.ods", label=None, rates=tax.PUBLISHED_RATES)
    told = ended(work)
    assert isinstance(told, Invalid)
    assert told.kind == "file_no_table"


def test_a_mended_variant_joins_its_product(files: CatalogueProcess, tmp_path: Path) -> None:
    """What only the first row of the product says stands in the saved row, too."""
    path = written(
        tmp_path,
        "Handle,Title,Option1 Value,Variant SKU,Variant Price,Tax",
        "kapa,Kapa,Crna,71,690.00,20%",
        "kapa,,Bela,72,abc,",
    )
    plan = planned(files, path)
    assert (plan.system, plan.new, plan.bad) == ("Shopify", 1, 1)
    ended(files.carry_out(plan, name=path.name, by="Мира"))
    refused = tmp_path / "odbijeni.csv"
    ended(files.save_refused(plan, refused, language="sr-Cyrl"))
    refused.write_text(refused.read_text("utf-8-sig").replace("abc", "650.00"))
    plan = planned(files, refused)
    assert (plan.new, plan.bad, asked(plan)) == (1, 0, set())
    ended(files.carry_out(plan, name=path.name, by="Мира"))
    assert goods_of(tmp_path) == [
        "Kapa · Crna|71||690.00|Ђ|ком||",
        "Kapa · Bela|72||650.00|Ђ|ком||",
    ]


def test_a_second_tax_alone_is_of_the_row_above(files: CatalogueProcess, tmp_path: Path) -> None:
    head = (FOLDER / "odoo-plain.csv").read_text("utf-8-sig").splitlines()[0]
    row = '"__export__.product_template_11","Ruž","2301","","900.0","1.0","20% PDV","All / A",'
    more = ",".join(['""'] * 6 + ['"10% PDV"'] + ['""'] * 4)
    path = written(tmp_path, head, f'{row}"Units","Goods","True"', more)
    plan = planned(files, path)
    assert plan.system == "Odoo"
    assert "20% PDV,10% PDV" in asked(plan)
    assert {one.row for one in plan.bad_cells} == {2}
    said = SheetAnswers(by_question={Question.NET: "no"}, by_tax={"20% PDV,10% PDV": "Ђ"})
    plan = planned(files, path, said)
    assert (plan.new, plan.bad) == (1, 0)


def test_a_planned_price_gets_the_tax_that_prices_lack(
    files: CatalogueProcess, tmp_path: Path
) -> None:
    head = "Šifra;Naziv;Cena;Planirana cena;Planirana od;PDV"
    path = written(tmp_path, head, "81;Sok;100,00;200,00;01.12.2099.;20")
    plan = planned(files, path, SheetAnswers(by_question={Question.NET: "no"}))
    assert (plan.new, plan.bad_cells) == (1, ())
    ended(files.carry_out(plan, name=path.name, by="Мира"))
    same = written(tmp_path, head, "81;Sok;120,00;240,00;01.12.2099.;20")
    assert planned(files, same, SheetAnswers(by_question={Question.NET: "yes"})).same == 1


def test_a_person_chooses_the_store_of_a_price(files: CatalogueProcess, tmp_path: Path) -> None:
    path = FOLDER / "loyverse-stores.csv"
    plan = planned(files, path)
    at = next(one.index for one in plan.columns if one.head == "Price [B]")
    plan = planned(files, path, plan.answers.with_field(at, "price"))
    assert (plan.bad, [one.price for one in plan.changes]) == (0, ["100,00", "55,00"])
    ended(files.carry_out(plan, name=path.name, by="Мира"))
    assert planned(files, path).same == 2, "the next file of the same heads asks nothing"


def test_a_field_chosen_for_a_head_is_remembered_for_other_files_with_it(
    files: CatalogueProcess, tmp_path: Path
) -> None:
    """It counts only where no other head names the field, and the next choice replaces it."""
    first = written(tmp_path, "Šifra;Naziv;PDV;Za kupca;Polica", "81;Sok;20;61,00;A3")
    said = planned(files, first).answers.with_field(3, "price").with_field(4, "")
    plan = planned(files, first, said)
    ended(files.carry_out(plan, name=first.name, by="Мира"))
    other = planned(files, written(tmp_path, "Naziv;ZA KUPCA;Polica;PDV", "Voda;40,00;B;20"))
    assert [(one.field, one.why) for one in other.columns] == [
        ("name", ""), ("price", "remembered"), ("", "left_out"), ("tax_label", ""),
    ]  # fmt: skip
    assert (other.new, other.unpriced, other.remembered) == (1, 0, False)
    known = written(tmp_path, "Naziv;Za kupca;Cena;PDV", "Voda;40,00;55,00;20")
    plan = planned(files, known)
    assert [one.field for one in plan.columns] == ["name", "", "price", "tax_label"]
    assert [one.price for one in plan.changes] == ["55,00"]
    plan = planned(files, known, plan.answers.with_field(1, "subtitle"))
    ended(files.carry_out(plan, name=known.name, by="Мира"))
    again = planned(files, written(tmp_path, "Šifra;Za kupca", "81;hladno"))
    assert [one.field for one in again.columns] == ["sku", "subtitle"]


def test_a_column_of_many_texts_is_not_of_the_tax(files: CatalogueProcess, tmp_path: Path) -> None:
    rows = (f"{number};Sok;10;opis {number}" for number in range(1, 12))
    plan = planned(files, written(tmp_path, "Šifra;Naziv;Cena;PDV", *rows))
    assert (plan.taxes, plan.bad) == ((), 11)


# --- old tills -----------------------------------------------------------------------------------

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


@pytest.mark.parametrize("file", old_tills.FILES, ids=lambda one: one.name)
def test_a_file_becomes_its_catalogue_with_one_question_at_most(
    opened: OpenCatalogue, tmp_path: Path, file: OldTill
) -> None:
    path = tmp_path / f"artikli{file.suffix}"
    path.write_bytes(file.content)
    plan = planned_here(opened, path)
    said = len(file.said.fields) + len(file.said.by_question)
    assert said <= QUESTIONS.get(file.name, 1)
    if said:
        assert open_things(plan) == 1, plan
        plan = planned_here(opened, path, _answers_to_json(file.said))
    assert (open_things(plan), plan["bad"]) == (0, file.refused), plan["bad_cells"]
    remarks = kinds(plan["odd_cells"])
    assert (remarks.count("row_without_article"), plan["joined"]) == (file.left_out, file.joined)
    assert {*kinds(plan["bad_cells"]), *remarks} - {"row_without_article"} == file.tells
    act = carry_out(opened, confirmed(plan, path.name))["act"][0]
    assert (act["done"], act["failed"], act["leftOut"]) == (len(file.goods), 0, 0)
    _is_in_catalogue(opened.catalogue, file.goods)
    again = planned_here(opened, path)
    assert again["answers"] == _answers_to_json(file.said), "the next such file asks nothing"
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
