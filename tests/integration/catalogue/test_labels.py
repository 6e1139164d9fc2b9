"""Label sheets: each bar code is read again by another program, and only new labels are printed."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from pathlib import Path

import pypdfium2
import pytest
import zxingcpp

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.pdf.price_labels import label_sheet
from pos_app.adapters.pdf.typeface import Typefaces
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.documents.bar_codes import bar_code
from pos_app.documents.price_labels import LabelSheet, PriceLabel, in_lines
from pos_app.domain.money.money import Money
from pos_app.domain.text.instant import beginning_of, day_of
from pos_app.errors import Invalid
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from pos_app.selling.file_work import FileDone
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from tests.integration.catalogue.test_sheets import NOW, Shop, ended, shop

__all__ = ["shop"]
TOMORROW = day_of(NOW) + timedelta(days=1)
CODES = (
    "8600123450144", "4006381333931", "96385074", "036000291452", "2094", "13", "7", "LOT-17/b",
)  # fmt: skip


def read(pdf: bytes) -> list[list[tuple[str, str]]]:
    """Return format and text of each bar code, page by page."""
    pages = []
    document = pypdfium2.PdfDocument(pdf)
    for page in document:
        found = zxingcpp.read_barcodes(page.render(scale=4).to_pil())
        pages.append([(one.format.name, one.text) for one in found])
    document.close()
    return pages


def test_each_code_is_read_again() -> None:
    labels = [PriceLabel(f"Артикал {code}", "1.149,00", "", code, bar_code(code)) for code in CODES]
    (found,) = read(label_sheet(labels, faces=Typefaces(), at=NOW))
    formats = {text.lstrip("0"): name for name, text in found}
    assert set(formats) == {code.lstrip("0") for code in CODES}
    assert (formats["8600123450144"], formats["LOT-17/b"]) == ("EAN13", "Code128")


def test_a_sheet_has_24_labels_and_equal_ones_are_equal_bytes() -> None:
    label = PriceLabel(
        "Сир млади домаћи, крављи, димљени, 1 kg", "899,00", "за 1 kg", "13", bar_code("13")
    )
    pdf = label_sheet([label] * 25, faces=Typefaces(), at=NOW)
    assert [len(page) for page in read(pdf)] == [24, 1]
    assert pdf == label_sheet([label] * 25, faces=Typefaces(), at=NOW)
    sheet = LabelSheet()
    right, bottom = sheet.corner(23)
    assert (right + sheet.label_width, bottom + sheet.label_height) == (210.0, 296.5)


def test_names_are_cut_by_words() -> None:
    assert in_lines("Сир млади", letters=20) == ["Сир млади"]
    assert in_lines("Сир млади домаћи крављи", letters=12) == ["Сир млади", "домаћи крав…"]
    for code in ("", "ж", "x" * 25):
        with pytest.raises(Invalid):
            bar_code(code)


def test_only_labels_that_say_something_new_are_printed(shop: Shop) -> None:
    path = Path(shop.data) / "labels.pdf"
    assert ended(shop.files.labels(["p1", "p2"], path, only_changed=False)) == FileDone(2)
    assert isinstance(ended(shop.files.labels(["p1", "p2"], path, only_changed=True)), Invalid)
    bread = shop.catalogue.article("p1")
    price = {"price": Money("61")}
    shop.editor.record(NewEdit.changing(bread.product_id, bread.id, price, by="Мира", at=NOW))
    assert ended(shop.files.labels(["p1", "p2"], path, only_changed=True)) == FileDone(1)
    assert [len(page) for page in read(path.read_bytes())] == [1]


def test_labels_of_a_day_have_the_prices_of_that_day(shop: Shop) -> None:
    """One article begins its planned price in the morning, the other one goes back at midnight."""
    path, midnight = Path(shop.data) / "labels.pdf", beginning_of(TOMORROW)
    for plan in (
        PlannedPrice("p1", Money("61"), midnight + timedelta(hours=8)),
        PlannedPrice("p2", Money("99"), midnight - timedelta(days=3), midnight),
    ):
        shop.editor.plan_price(plan, by="Мира", at=NOW)
    assert ended(shop.files.coming_labels(TOMORROW, path, only_changed=False)) == FileDone(2)
    printed = shop.editor.labels_printed(["p1", "p2"])
    assert [printed[one].split("\n")[:2] for one in ("p1", "p2")] == [
        ["Хлеб", "61,00"],
        ["Млеко", "129,99"],
    ]
    assert isinstance(ended(shop.files.coming_labels(TOMORROW, path, only_changed=True)), Invalid)
    other_day = TOMORROW + timedelta(days=1)
    assert isinstance(ended(shop.files.coming_labels(other_day, path, only_changed=False)), Invalid)


def test_a_planned_price_that_is_over_on_its_day_comes_no_more(shop: Shop) -> None:
    """What comes of it is the price after it."""
    begins = beginning_of(TOMORROW) + timedelta(hours=8)
    ends = begins + timedelta(hours=2)
    shop.editor.plan_price(PlannedPrice("p1", Money("61"), begins, ends), by="Мира", at=NOW)
    until = beginning_of(TOMORROW + timedelta(days=1))
    for now, price in ((begins, "61.00"), (ends, "58.99")):
        with SqliteCatalogue(catalogue_file(shop.data), now=partial(max, [now])) as seen:
            prices = seen.coming_prices(since=beginning_of(TOMORROW), until=until)
        assert [str(one.new) for one in prices] == [price]
