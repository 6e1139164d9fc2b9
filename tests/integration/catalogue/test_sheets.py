"""Import and export over a real catalogue.db, in the child process where a file is written."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from pos_app.adapters.catalogue_files.catalogue_process import (
    CatalogueProcess,
    _act_done,
    _answers_to_json,
)
from pos_app.adapters.catalogue_files.catalogue_process import _plan as plan_from_json
from pos_app.adapters.catalogue_files.spreadsheets import look_at, rows_of
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.adapters.sqlite.catalogue.table import SqliteCatalogueTable
from pos_app.bootstrap.till import sheet_import
from pos_app.domain.article.article import Article, Barcode, Marks
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.article.product import Product, ProductType, Variant
from pos_app.domain.article.store import Store
from pos_app.domain.money import tax
from pos_app.domain.money.money import Money, Quantity
from pos_app.errors import Invalid
from pos_app.selling.catalogue.bulk_act import ActDone
from pos_app.selling.catalogue.files import BadCellShown, ImportPlan
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from pos_app.selling.catalogue.product_draft import read_price
from pos_app.selling.catalogue.sheet.cell_reading import price_typed, read_label
from pos_app.selling.catalogue.sheet.row_plan import FieldChange, Question, SheetAnswers
from pos_app.selling.catalogue.table import TableChoice
from pos_app.selling.file_work import FileDone, FileWork
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from tests.e2e.nursery import CATALOGUE_FILES, child
from tests.fakes.many_articles import counts, last_of
from tests.fakes.ready_tables import ready_catalogue

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
HEAD = "Шифра;Назив;Цена;Порез;ЕАН;Боја"


def product(product_id: str, name: str, label: str = "Е", **members: Any) -> Product:
    return Product(id=product_id, name=name, tax_label=tax.TaxLabel(label), **members)


def faults(cells: Iterable[BadCellShown]) -> list[tuple[int, str, str]]:
    """Return row, column and kind of each cell that is remarked."""
    return [(one.row, one.column, one.why.kind) for one in cells]


@dataclass
class Shop:
    data: Path

    def __post_init__(self) -> None:
        path = catalogue_file(self.data)
        is_new = not path.exists()
        self.editor = SqliteCatalogueEditor(ready_catalogue(path) if is_new else path)
        for number, (name, price) in enumerate((("Хлеб", "58.99"), ("Млеко", "129.99")), 1):
            if is_new:
                self.add(product(f"p{number}", name, sku=number, price=Money(price)))
        self.catalogue = SqliteCatalogue(path)
        self.table = SqliteCatalogueTable(path, now=lambda: NOW)
        self.files = CatalogueProcess(self.data, command=child(CATALOGUE_FILES))

    def add(self, made: Product) -> None:
        self.editor.record(NewEdit.adding(made, by="Мира", at=NOW))

    def close(self) -> None:
        for each in (self.editor, self.catalogue, self.table, self.files):
            each.close()

    def sheet(self, text: str, *, encoding: str = "utf-8") -> Path:
        path = self.data / "sheet.csv"
        path.write_bytes(text.encode(encoding))
        return path

    @property
    def opened(self) -> sheet_import.OpenCatalogue:
        return sheet_import.OpenCatalogue(self.data, self.catalogue, self.editor, self.table)

    def planned(
        self, path: Path, *, rates: Mapping[tax.TaxLabel, Decimal] = tax.PUBLISHED_RATES
    ) -> ImportPlan:
        """Return the plan of a sheet, made without a process."""
        return plan_from_json(planned_here(self.opened, path, rates=rates))

    def carried_out(self, plan: ImportPlan, *, name: str = "cene.csv") -> ActDone:
        """Import what was planned, without a process."""
        asked = {"plan": str(plan.plan), "by": "Мира", "name": name, "shape": plan.shape}
        heads = {str(one.index): one.head for one in plan.columns}
        answered = {"heads": heads, "answers": _answers_to_json(plan.answers)}
        return _act_done(sheet_import.carry_out(self.opened, asked | answered)["act"])

    def article(self, code: str | int) -> Article:
        return self.catalogue.by_code(ArticleCode(str(code)))[0].article

    def price(self, code: str) -> str:
        return str(self.article(code).price)


def planned_here(
    opened: sheet_import.OpenCatalogue,
    path: Path,
    answers: dict[str, Any] | None = None,
    *,
    rates: Mapping[tax.TaxLabel, Decimal] = tax.PUBLISHED_RATES,
) -> dict[str, Any]:
    """Return the plan of a sheet as the child process sends it, made without a process."""
    asked = {"file": str(path), "plan": str(opened.folder / "plan.jsonl"), "label": None}
    known = {one.value: str(rate) for one, rate in rates.items()}
    told = sheet_import.plan(opened, asked | {"rates": known, "answers": answers})
    plan: dict[str, Any] = told["plan"]
    return plan


def ended(work: FileWork) -> Any:
    """Return the result of the child process, which is a real one."""
    deadline = time.monotonic() + 240
    while (told := work.result()) is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)  # waits for the child
    return told


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    made = Shop(tmp_path)
    yield made
    made.close()


def test_a_row_changes_the_article_of_its_code_alone_and_each_change_is_told(shop: Shop) -> None:
    shop.carried_out(shop.planned(shop.sheet(f"{HEAD}\n103;Чачкалице;50;Ђ;8600123450144;\n")))
    plan = shop.planned(
        shop.sheet(
            "Naziv;Šifra;EAN;Cena;Porez\nЧарапе;1001;8600123450144;99;Ђ\n;;96385074;60,00;\n"
            "Млеко 1 l;2;;139,99;\n;103;5901234123457;61;\nХлеб;1;4006381333931;58,99;Е\n"
        )
    )
    bad = [one for one in plan.bad_cells if one.row == 2]
    assert [(one.column, one.why.kind, one.why.values) for one in bad] == [
        ("EAN", "code_of_other", {"other": "103 Чачкалице"})
    ]
    assert (plan.changed, plan.renamed) == (3, 1)
    assert [(one.row, one.name, one.is_new) for one in plan.changes] == [
        *((4, "Млеко", False), (5, "Чачкалице", False), (6, "Хлеб", False))
    ]
    assert [field for one in plan.changes for field in one.changes] == [
        FieldChange("Naziv", "Млеко", "Млеко 1 l"),
        FieldChange("Cena", "129,99", "139,99"),
        FieldChange("Cena", "50,00", "61,00"),
        FieldChange("EAN", "8600123450144", "5901234123457"),
        FieldChange("EAN", "", "4006381333931"),
    ]
    shop.carried_out(plan)
    assert (shop.article(103).name, shop.price("103")) == ("Чачкалице", "61.00")
    by_ean = shop.planned(shop.sheet("EAN;Cena\n5901234123457;62\n"))
    assert [one.name for one in by_ean.changes] == ["Чачкалице"]
    two = shop.planned(shop.sheet("Šifra;EAN\n1;5901234123457\n"))
    assert [one.why.kind for one in two.bad_cells] == ["code_of_other"]


def test_each_bad_cell_is_named(shop: Shop) -> None:
    plan = shop.planned(
        shop.sheet(
            f"{HEAD}\n1;;abc;;;\n2;;;Ж;860012345014X;\n1;Хлеб;;;;\n;;5;Е;96385074;\n9;Ново;=1+1;Е;;\n"
            "8;Ново;1,000;Е;;\n10;Ново;-5,00;Е;;\n"
        )
    )
    assert {*faults(plan.bad_cells)} == {
        (2, "Цена", "number"),
        (3, "Порез", "label"),
        (3, "ЕАН", "ean"),
        (4, "Шифра", "row_twice"),
        (5, "Назив", "new_needs"),
        (6, "Цена", "formula"),
        (7, "Цена", "thousand"),
        (8, "Цена", "negative"),
    }
    assert (plan.bad, plan.new, plan.changed) == (7, 0, 0)


def test_a_code_of_zero_in_a_sheet_is_none(shop: Shop) -> None:
    """Programs write 0 for an article without a code."""
    plan = shop.planned(shop.sheet(f"{HEAD}\n0;Кеса;5,00;Е;;\n0;Чаша;6,00;Е;;\n00;Хлеб;7,00;Е;;\n"))
    assert (plan.bad, plan.new, plan.bad_cells) == (0, 3, ())


def test_categories_that_there_are_not_are_made_with_their_articles(shop: Shop) -> None:
    head = "Шифра;Назив;Цена;Порез;Група"
    sheet = shop.sheet(
        f"{head}\n7;Бурек;90;Ђ;Пекара\n8;Сир;200;Е;Млечно; \n9;Јогурт;80;Е;MLEČNO| Напици\n"
        "10;Грешка;abc;Е;Никад\n1;;;;pekara\n"
    )
    plan = shop.planned(sheet)
    assert (plan.new, plan.changed, plan.bad) == (3, 1, 1)
    assert (plan.new_categories, plan.categories) == (3, ("Пекара", "Млечно", "Напици"))
    assert plan.changes[-1].changes == (FieldChange("Група", "", "Пекара"),)
    assert shop.catalogue.categories() == (), "a plan writes nothing"
    assert counts(shop.carried_out(plan)) == (4, 0, 0)
    chips = {one.category.name: one.rows for one in shop.catalogue.categories()}
    assert list(chips.items()) == [("Пекара", 2), ("Млечно", 2), ("Напици", 1)]
    again = shop.planned(sheet)
    assert (again.same, again.new_categories) == (4, 0)
    out = shop.data / "out.csv"
    ended(shop.files.export(TableChoice(), out))
    told = next(row for row in rows_of(look_at(out)) if "Јогурт" in row)
    assert "Млечно; Напици" in told, "a shop without these categories gets two of them, not one"


def test_no_address_is_a_code_and_no_name_too_long_for_a_receipt(shop: Shop) -> None:
    address = "https://suf.purs.gov.rs/v/?vl=A1"
    plan = shop.planned(
        shop.sheet(
            "Шифра;Назив;Цена;Порез;ЕАН;Остали бар-кодови\n"
            f"21;Шнала;250;Ђ;{address};\n22;Трака;20;Ђ;;{address}\n23;{'Сир ' * 600};20;Ђ;;\n"
        )
    )
    assert (plan.new, plan.bad, {one.row for one in plan.bad_cells}) == (0, 3, {2, 3, 4})


def test_prices_of_another_measure_are_imported_only_where_a_person_says_so(shop: Shop) -> None:
    shop.editor.open_store(Store(id="s1", name="Липа"))
    kilogram = next(one.id for one in shop.catalogue.units() if one.symbol == "kg")
    for number in (16, 17, 18):
        made = product(f"p{number}", f"Воће {number}", sku=number, price=Money("189.99"))
        shop.add(replace(made, sale_unit_id=kilogram))
    planned = PlannedPrice("p17", Money("161.49"), NOW + timedelta(days=9_998))
    to_come = PlannedPrice("p16", Money("161.49"), NOW + timedelta(days=9_999))
    for one in (planned, to_come):
        shop.editor.plan_price(one, by="Мира", at=NOW)
    sheet = shop.sheet("Šifra;JM;Cena\n16;g;\n17;g;0,19\n18;g;0,19\n1;kom;\n2;kg;0,5\n")
    plan = shop.planned(sheet)
    assert faults(plan.bad_cells) == [(2, "JM", "price_measure"), (3, "JM", "price_measure")]
    assert [(one.why.values["head"], one.why.values["price"]) for one in plan.bad_cells] == [
        ("Cena", "189,99"), ("Планирана цена", "161,49"),
    ]  # fmt: skip
    assert (plan.questions, plan.changed) == (("measure",), 3)
    said = _answers_to_json(SheetAnswers(by_question={Question.MEASURE: "yes"}))
    meant = plan_from_json(planned_here(shop.opened, sheet, said))
    assert (meant.bad, meant.changed) == (0, 5)
    shop.carried_out(meant)
    assert (shop.article(16).unit, shop.price("16"), shop.price("18")) == ("g", "189.99", "0.19")
    back = shop.planned(shop.sheet("Šifra;JM;Cena\n16;kg;\n"))
    assert faults(back.bad_cells) == [(2, "JM", "price_measure")], "it is asked of each file"
    shop.editor.plan_price(replace(planned, price=Money("0.16")), by="Мира", at=NOW)
    undone = ended(shop.files.take_back(last_of(shop.editor), by="Мира"))
    assert undone.left_names == ("Воће 17",), "its price for a gram would hold for a kilogram"
    assert [shop.article(code).unit for code in (16, 17, 18)] == ["kg", "g", "kg"]
    assert shop.editor.plan_of("p16") == to_come
    assert shop.catalogue.facts().plans_ended == ()


def test_a_unit_is_known_however_it_is_spelled_and_a_new_one_is_made(shop: Shop) -> None:
    """Each row: what cells say, and the symbol that their articles have."""
    spelled = {
        "ком": "kom Kom. КОМ pcs PC комад", "g": "gr gram гр. g", "l": "lit LTR литар",
        "kg": "kg кг. килограм", "кут": "kut Кутија", "пар": "par пар.", "сет": "set",
        "порција": "porcija", "флаша": "flaša флаша", "дан": "dan", "t": "t тона",
        "paleta": "paleta Палета paleta.",
    }  # fmt: skip
    rows = [(word, symbol) for symbol, words in spelled.items() for word in words.split()]
    head = "Шифра;Назив;Цена;Порез;Јединица"
    lines = [f"{at};Ново {at};5,00;Е;{word}" for at, (word, _) in enumerate(rows, 10)]
    plan = shop.planned(shop.sheet("\n".join([head, *lines])))
    assert (plan.bad, plan.new) == (0, len(rows))
    assert plan.units == ("кут", "пар", "сет", "порција", "флаша", "дан", "t", "paleta")
    shop.carried_out(plan)
    found = [shop.article(at) for at in range(10, 10 + len(rows))]
    assert [one.unit for one in found] == [symbol for _, symbol in rows]
    assert {one.unit for one in found if one.by_weight} == {"kg", "g", "t"}
    again = shop.planned(shop.sheet("\n".join([head, *lines])))
    assert (again.units, again.same, len(shop.catalogue.units())) == ((), len(rows), 18)
    ended(shop.files.take_back(last_of(shop.editor), by="Мира"))
    assert len(shop.catalogue.units()) == 10, "what was made with it goes with it"


def test_a_quotation_mark_without_its_other_is_told_by_its_row(shop: Shop) -> None:
    """It takes in the rows below, to the end or to the next mark, in whichever column it stands."""
    shop.add(product("p3", "Baget", sku=3, price=Money("80")))
    last, between = "3;Baget;81;10;;\n", '3;Baget;81;10;;"4";\n'
    for broken, below, told in (
        ('1;"Hleb beli;61;10;;\n', last, [(2, "Naziv", "quote_open")]),
        ('1;"Hleb beli;61;10;;\n', between, [(2, "Naziv", "quote_open")]),
        ('1;Hleb beli;61;10;;"staro\n', last, [(2, "Beleška", "quote_open")]),
        ('1;Hleb beli;61;10;"staro;\n', last, [(2, "Opis", "quote_open")]),
        ('1;"Hleb\nbeli";61;10;;\n', last, [(2, "Naziv", "several_lines")]),
        ('1;"Hleb beli";"61\n2";10;;\n', last, [(2, "Cena", "several_lines")]),
        ('1;"Hleb";61;10;"Prvi red\n""drugi"" red";\n', last, []),
        ('77;"Novo;61;10;;\n', "", [(2, "Naziv", "quote_open")]),
        ('77;Novo;61;10;;"', "", [(2, "Beleška", "quote_open")]),
    ):
        plan = shop.planned(shop.sheet(f"Šifra;Naziv;Cena;Porez;Opis;Beleška\n{broken}{below}"))
        assert faults(plan.bad_cells) == told, broken
        assert plan.bad_cells == () or "\n" not in plan.bad_cells[0].text
        assert (plan.new, plan.bad) == (0, len(told))


def test_one_broken_sign_makes_no_other_encoding(shop: Shop) -> None:
    """A file was cut, or pasted together: all but one name of it is UTF-8."""
    rows = "".join(f"{7 + n};Чај {name};9;Е\n" for n, name in enumerate("абвгдђежзи"))
    head = "Шифра;Назив;Цена;Порез\n"
    path = shop.data / "sheet.csv"
    path.write_bytes(f"{head}{rows}40;Ча".encode()[:-1] + b";9;E\n")
    plan = shop.planned(path)
    assert (plan.new, plan.bad, plan.odd, plan.encoding) == (11, 0, 1, "UTF-8")
    assert (plan.changes[0].name, plan.odd_cells[0].text) == ("Чај а", "UTF-8")


def test_of_two_columns_of_the_tax_the_more_exact_one_is_read(shop: Shop) -> None:
    sheet = shop.sheet(
        "Шифра;Назив;ПДВ;Цена;Стопа ПДВ;Пореска ознака\n"
        "31;Хлеб;5,35;58,99;10;Е\n32;Сок;20;120,00;10;Ђ\n33;Вода;;60,00;20%;\n"
    )
    plan = shop.planned(sheet)
    assert [(one.row, one.column, one.text, one.why.kind) for one in plan.odd_cells] == [
        (0, "ПДВ", "C", "unread"),
        (0, "Стопа ПДВ", "E", "unread"),
        (3, "Стопа ПДВ", "10", "other_label"),
    ]
    assert plan.odd_cells[0].why.values["head"] == "Пореска ознака"
    assert [(one.row, one.column) for one in plan.bad_cells] == [(4, "Пореска ознака")]
    assert (plan.odd, plan.new, plan.bad) == (3, 2, 1)
    shop.carried_out(plan)
    assert [shop.article(code).label.value for code in (31, 32)] == ["Е", "Ђ"]
    plan = ended(shop.files.plan_import(sheet, label=tax.TaxLabel.A, rates=tax.PUBLISHED_RATES))
    assert plan.odd == 0, "no column of the tax is read"


def test_what_is_exported_comes_back_the_same_and_holds_no_formula(shop: Shop) -> None:
    evil = product(
        "evil", '=HYPERLINK("http://x")', "Ђ", sku=3, subtitle="-10", price=Money("1149.5"),
        description="@SUM(A1)\nдруги ред", ean="96385074", product_type=ProductType.SERVICE,
        weight=Decimal("0.25"), dimensions="1x2x3", quantity_per_base_unit=Decimal("0.5"),
        manufacturer_sku="'=7",
    )  # fmt: skip
    shop.add(evil)
    e = tax.TaxLabel.E
    variants = tuple(
        Variant(
            id=f"v{n}", name="Сок", variant_name=name, tax_label=e, sku=sku, price=Money(90 + n)
        )
        for n, (name, sku) in enumerate((("чаша", 41), ("флаша", None)))
    )
    shop.add(product("juice", "Сок", has_variants=True, variants=variants))
    shop.add(product("bare", " Без шифре", "Г"))
    barcodes = (Barcode("4006381333931"), Barcode("5901234123457", Quantity("2.5")))
    shop.editor.note("evil", Marks(barcodes=barcodes, pinned=True), by="Мира", at=NOW)
    plan = PlannedPrice("v0", Money("85.5"), NOW, NOW.replace(year=2030))
    shop.editor.plan_price(plan, by="Мира", at=NOW)
    for name in ("out.csv", "out.xlsx"):
        path = shop.data / name
        assert ended(shop.files.export(TableChoice(), path)) == FileDone(6, 0, articles=5)
        assert next(iter(rows_of(look_at(path))))[:3] == ["Шифра", "Назив", "Варијанта артикла"]
        told = shop.planned(path)
        assert (told.rows, told.same, told.bad_cells) == (6, 6, ()), (name, told)
    text = (shop.data / "out.csv").read_text("utf-8-sig")
    assert "'=HYPERLINK" in text
    assert "'-10" in text
    assert ";1149,50;" in text
    sheet = openpyxl.load_workbook(shop.data / "out.xlsx").worksheets[0]
    cells = [cell for row in sheet.iter_rows() for cell in row]
    assert all(cell.data_type != "f" for cell in cells)
    assert 1149.5 in [cell.value for cell in cells], "a number stays a number"


def test_variants_and_planned_prices_come_from_a_sheet(shop: Shop) -> None:
    head = "Шифра;Назив;Варијанта артикла;Варијанта;Цена;Порез;Планирана цена;Планирана од;Важи до"
    sheet = shop.sheet(
        f"{head}\n61;;Хлеб;сечен;65,00;;;\n62;;Пита;мала;90,00;Е;80,00;24.12.2030. 08:00\n"
        "63;;Пита;велика;150;Е;;\n64;;Пица;;10;Е;;\n65;;Пица;мала;10;;;\n66;Со;;;5;Е;4;\n"
        "2;;;;;;99;1.1.2020.;2.1.2020.\n"
    )
    plan = shop.planned(sheet)
    assert {*faults(plan.bad_cells)} == {
        (5, "Варијанта", "new_needs"),
        (6, "Порез", "new_needs"),
        (7, "Планирана од", "plan_day"),
        (8, "Важи до", "plan_over"),
    }
    assert (plan.new, plan.bad, counts(shop.carried_out(plan))) == (3, 4, (3, 0, 0))
    bread = shop.catalogue.product("p1")
    assert [one.variant_name for one in bread.variants] == ["сечен"]
    small, large = shop.article(62), shop.article(63)
    assert small.product_id == large.product_id
    assert (large.name, str(large.price)) == ("Пита велика", "150.00")
    assert str(shop.editor.plan_of(small.id).price) == "80.00"
    again = shop.planned(sheet)
    assert (again.new, again.same) == (0, 3), "a second time it changes nothing"


# --- a large sheet -------------------------------------------------------------------------------

LINES = 200_000
MOST_MEMORY = 300 * 1024 * 1024


def _large(shop: Shop) -> Path:
    rows = (f"{n};Артикал {n};{n % 900 + 1},50;Ђ;;" for n in range(1, LINES + 1))
    return shop.sheet("\n".join([HEAD, *rows]))


@pytest.mark.long
def test_a_sheet_of_200_000_lines_is_planned_with_little_memory(shop: Shop) -> None:
    sheet, others = _large(shop), children()
    told, most = [], 0
    # A fork of the nursery is no child of this process.
    with contextlib.closing(CatalogueProcess(shop.data)) as files:
        work = files.plan_import(sheet, label=None, rates=tax.PUBLISHED_RATES)
        while (plan := work.result()) is None:
            told.append(work.progress.done)
            most = max(most, memory_of(children() - others))
            time.sleep(0.05)
    assert isinstance(plan, ImportPlan), plan
    assert (plan.rows, plan.new, plan.changed, plan.bad) == (LINES, LINES - 2, 2, 0)
    assert told == sorted(told)
    assert len(set(told)) > 10
    assert 0 < most < MOST_MEMORY


def children() -> set[str]:
    files = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return {process for file in files for process in file.read_text().split()}


def memory_of(processes: set[str]) -> int:
    whole = 0
    for process in processes:
        with contextlib.suppress(OSError):
            whole += int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return whole * os.sysconf("SC_PAGE_SIZE")


def test_a_tax_is_read_as_people_write_it_and_a_rate_means_the_label_of_today(shop: Shop) -> None:
    written = {
        "Ђ": ("Ђ", "đ", "20", "20%", "20,00 %", "20.00", "0.2", "општа", "Opšta stopa"),
        "Е": ("Е", "e", "10", "10 %", "10,00", "0,10", "посебна", "П-ПДВ"),
        "Г": ("г", "без ПДВ"),
        "А": ("a", "Није у ПДВ"),
    }
    rates = {tax.TaxLabel.DJ: Decimal(22), tax.TaxLabel.E: Decimal(8)}
    for label, ways in written.items():
        assert {read_label(way, tax.PUBLISHED_RATES).value for way in ways} == {label}
    for wrong in ("0", "0 %", "8", "200", "нижа", "2 0", "-20", "1e1"):
        with pytest.raises(Invalid):
            read_label(wrong, tax.PUBLISHED_RATES)
    assert [read_label(way, rates).value for way in ("22", "0,08")] == ["Ђ", "Е"]
    for old in ("20 %", "0.1"):
        with pytest.raises(Invalid):
            read_label(old, rates)
    for head in ("Poreska stopa", "ПДВ %", "PDV", "Стопа ПДВ-а (%)"):
        plan = shop.planned(shop.sheet(f"Назив;{head}\nСо;20,00%\nРум;22\n"))
        assert (plan.new, [(one.row, one.text) for one in plan.bad_cells]) == (1, [(3, "22")])


def test_prices_are_read_as_they_are_written(shop: Shop) -> None:
    written = {
        "58.99": ("58,99 RSD", "58,99RSD", "RSD 58,99", "58.99 din.", "58,99 дин", "58,99"),
        "12345.00": ("12 345,00", "12\u00a0345,00", "12.345,00 RSD", "12 345", "12345"),
        "1234567.50": ("1 234 567,5", "1\u202f234\u202f567,50"),
        "100.00": ("100,-", "100.-", "100,–", "100,-- din", "100"),
        "1234.00": ("1.234,-", "1.234,00"),
    }
    for price, ways in written.items():
        assert {str(read_price(price_typed(way))) for way in ways} == {price}
    for way in ("1.234 RSD", "1,234", "RSD", "12 34", "1 2345", "-5 RSD", "100-", "1 234 5"):
        with pytest.raises(Invalid):
            read_price(price_typed(way))
    cells = ("12.5 €", "12,50 eur", "12,50 евра", "$5")
    bad = shop.planned(shop.sheet("Šifra;Cena\n" + "".join(f"1;{one}\n" for one in cells)))
    told = [one.why.values["currency"] for one in bad.bad_cells if one.why.kind != "row_twice"]
    assert told == ["€", "EUR", "EVRA", "$"]
