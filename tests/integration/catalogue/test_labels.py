"""Label sheets: each bar code is read again by another program, and only new labels are printed."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

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
from pos_app.selling.catalogue.price_labels import labels_due
from pos_app.selling.file_work import FileDone
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from tests.integration.catalogue.test_sheets import NOW, Shop, ended, shop

__all__ = ["shop"]
TODAY = day_of(NOW)
TOMORROW = TODAY + timedelta(days=1)
FAR = date(2090, 12, 24)
"""A day that is yet to come for the clock of the process."""
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


def coming(shop: Shop, day: date, *, now: datetime = NOW, only_changed: bool = False) -> Any:
    """Print the labels of the prices that change on a day."""
    path = Path(shop.data) / "labels.pdf"
    work = shop.files.coming_labels(day, path, now=now, only_changed=only_changed)
    return ended(work)


def change(shop: Shop, article_id: str, **fields: Any) -> None:
    product_id = shop.catalogue.article(article_id).product_id
    shop.editor.record(NewEdit.changing(product_id, article_id, fields, by="Мира", at=NOW))


def test_only_labels_that_say_something_new_are_printed(shop: Shop) -> None:
    path = Path(shop.data) / "labels.pdf"
    assert ended(shop.files.labels(["p1", "p2"], path, only_changed=False)) == FileDone(2)
    assert isinstance(ended(shop.files.labels(["p1", "p2"], path, only_changed=True)), Invalid)
    change(shop, "p1", price=Money("61"))
    assert ended(shop.files.labels(["p1", "p2"], path, only_changed=True)) == FileDone(1)
    assert [len(page) for page in read(path.read_bytes())] == [1]


def test_labels_of_a_day_have_the_prices_of_that_day(shop: Shop) -> None:
    """One article begins its planned price in the morning, the other one goes back at midnight."""
    midnight = beginning_of(TOMORROW)
    for plan in (
        PlannedPrice("p1", Money("61"), midnight + timedelta(hours=8)),
        PlannedPrice("p2", Money("99"), midnight - timedelta(days=3), midnight),
    ):
        shop.editor.plan_price(plan, by="Мира", at=NOW)
    assert coming(shop, TOMORROW) == FileDone(2)
    printed = shop.editor.labels_printed(["p1", "p2"])
    assert [printed[one].words.split("\n")[:2] for one in ("p1", "p2")] == [
        ["Хлеб", "61,00"],
        ["Млеко", "129,99"],
    ]
    assert isinstance(coming(shop, TOMORROW, only_changed=True), Invalid)
    other_day = TOMORROW + timedelta(days=1)
    assert isinstance(coming(shop, other_day), Invalid)


def due(shop: Shop, now: datetime) -> tuple[date, int]:
    return labels_due(shop.catalogue, now)


def test_labels_of_a_price_that_is_yet_to_come_are_not_undone_by_those_of_now(shop: Shop) -> None:
    """Two hang ready for tomorrow, and the shop goes on printing today."""
    path, eve = Path(shop.data) / "labels.pdf", beginning_of(FAR) - timedelta(hours=5)
    products = ["p1", "p2"]
    for one in products:
        shop.editor.plan_price(PlannedPrice(one, Money("61"), beginning_of(FAR)), by="", at=NOW)
    assert due(shop, eve) == (FAR, 2)
    assert coming(shop, FAR, only_changed=True) == FileDone(2)
    for only_changed, done in ((True, None), (False, 2), (True, None)):
        told = ended(shop.files.labels(products, path, only_changed=only_changed))
        assert isinstance(told, Invalid) if done is None else told == FileDone(done)
        assert due(shop, eve)[1] == 0
    change(shop, "p1", name="Хлеб нови")
    shop.editor.plan_price(PlannedPrice("p2", Money("62"), beginning_of(FAR)), by="", at=NOW)
    assert due(shop, eve) == (FAR, 1)
    assert coming(shop, FAR, only_changed=True) == FileDone(1), "as many as are told to be missing"
    assert ended(shop.files.labels(products, path, only_changed=True)) == FileDone(1), "its name"


def test_labels_are_missing_until_those_of_what_holds_are_printed(shop: Shop) -> None:
    """A till that was closed the day before tells of them too. An article that never had a label is
    left out once its day is over."""
    path, plans = Path(shop.data) / "labels.pdf", (("p1", "61"), ("p2", "99"))
    ended(shop.files.labels(["p1"], path, only_changed=False))
    for article_id, price in plans:
        plan = PlannedPrice(article_id, Money(price), beginning_of(TOMORROW))
        shop.editor.plan_price(plan, by="Мира", at=NOW)
    days = [beginning_of(TODAY) + timedelta(days=number, hours=9) for number in (-1, 0, 1, 2, 9)]
    seen = [due(shop, one) for one in days]
    assert [many for _, many in seen] == [0, 2, 2, 1, 1]
    late = seen[-1][0]
    assert [day for day, many in seen if many] == [TOMORROW, TOMORROW, day_of(days[3]), late]
    assert coming(shop, late, now=days[-1]) == FileDone(1)
    assert due(shop, days[-1])[1] == 0
    assert shop.editor.labels_printed(["p1"])["p1"].words.split("\n")[1] == "61,00"


@pytest.mark.parametrize("is_moved", [False, True])
@pytest.mark.parametrize("days", [0, 1, 5])
def test_a_label_of_a_price_that_does_not_come_is_due(
    shop: Shop, days: int, is_moved: bool
) -> None:
    """It was printed the evening before, and its plan was taken off or begins a week later."""
    begins = beginning_of(FAR)
    eve, later = begins - timedelta(hours=5), begins + timedelta(days=7)
    shop.editor.plan_price(PlannedPrice("p1", Money("61"), begins), by="", at=NOW)
    assert coming(shop, FAR, now=eve) == FileDone(1)
    assert due(shop, eve)[1] == 0
    if is_moved:
        shop.editor.plan_price(PlannedPrice("p1", Money("61"), later), by="", at=eve)
    else:
        shop.editor.drop_plan("p1", by="", at=eve)
    if is_moved:
        over = later + timedelta(days=9)
        assert due(shop, over)[1] == 0, "it says what holds since then"
    now = eve + timedelta(days=days)
    assert due(shop, now) == (day_of(now), 1)
    assert coming(shop, day_of(now), now=now, only_changed=True) == FileDone(1)
    assert shop.editor.labels_printed(["p1"])["p1"].words.split("\n")[1] == "58,99"
    assert due(shop, now)[1] == 0


def test_a_planned_price_that_is_over_on_its_day_comes_no_more(shop: Shop) -> None:
    """What comes of it is the price after it."""
    begins = beginning_of(TOMORROW) + timedelta(hours=8)
    ends = begins + timedelta(hours=2)
    shop.editor.plan_price(PlannedPrice("p1", Money("61"), begins, ends), by="Мира", at=NOW)
    until = beginning_of(TOMORROW + timedelta(days=1))
    for now, price in ((begins, "61.00"), (ends, "58.99")):
        with SqliteCatalogue(catalogue_file(shop.data), now=partial(max, [now])) as seen:
            prices = seen.coming_prices(since=beginning_of(TOMORROW), until=until, now=now)
        assert [str(one.new) for one in prices] == [price]
