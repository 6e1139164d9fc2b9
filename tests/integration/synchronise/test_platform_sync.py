"""`pos-app sync` with our platform, and with one that knows only the specification."""

from __future__ import annotations

import gzip
import json
import sqlite3  # noqa: TID251 - a platform's file is put back by hand
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import apsw
import pytest

from pos_app.adapters.catalogue_files.catalogue_process import CatalogueProcess
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue import products
from pos_app.adapters.sqlite.catalogue.articles import CatalogueView
from pos_app.bootstrap.synchronisation import platform_sync
from pos_app.domain.article.article import Barcode, Marks
from pos_app.domain.article.product import USUAL_UNITS, Product
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.tax import PUBLISHED_RATES
from pos_app.errors import Invalid, OutcomeUnknown
from pos_app.platform_api.database.engine import FILE, Reserve
from pos_app.platform_api.quotas import Quotas
from pos_app.selling.catalogue.catalogue import USUAL_FROM_LINES, PrintedLabel
from pos_app.selling.catalogue.files import ImportPlan
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from pos_app.selling.catalogue.taking_back import Undone
from pos_app.selling.synchronisation.catalogue_edits import CatalogueEdit, EditSide, EditState
from pos_app.selling.synchronisation.run import GROUP, SyncEnd, push
from tests.e2e.nursery import CATALOGUE_FILES, child
from tests.fakes.foreign_platform import ForeignPlatform
from tests.fakes.many_articles import last_of
from tests.fakes.our_platform import OurPlatform
from tests.integration.catalogue.test_sheets import ended
from tests.integration.synchronise.conftest import CODES, NOW, Platform, TillBeside, till_beside

UNIT = USUAL_UNITS[0].id


def test_what_is_not_taken_back_gets_no_other_code_unsaid(
    foreign: ForeignPlatform, abroad: TillBeside
) -> None:
    foreign.takes_back = False
    bread = foreign.add(name="Хлеб", price=100, sku=24)
    foreign.add(name="Млеко", price=1, sku=25)
    abroad.sync()
    edit = abroad.change("Хлеб", price=Money(120))
    foreign.remove(bread["id"])
    abroad.sync()
    abroad.desk.decide(edit.id, {"deleted": EditSide.OURS}, at=NOW)
    assert abroad.sync().pushed.conflicts == 1
    (asked,) = abroad.open()
    assert [one.field for one in asked.conflicts] == ["sku"]
    assert abroad.rows()["Хлеб"].sku == 24
    abroad.desk.decide(asked.id, {"sku": EditSide.OURS}, at=NOW)
    abroad.sync()
    assert abroad.open() == []
    skus = {one["sku"] for one in foreign.live().values()}
    assert skus == {25, abroad.rows()["Хлеб"].sku}


def cut(platform: Platform, till: TillBeside, fault: str, *, after: int = 0) -> None:
    """Let a run end before it knows what became of the first thing that it sent, or of the one
    after so many."""

    def die(*_: object, **__: object) -> Any:
        raise SystemExit

    with pytest.MonkeyPatch.context() as patch:
        if fault == "killed":
            patch.setattr(f"{platform_sync.__name__}._SyncPlatform.send", die)
            with pytest.raises(SystemExit):
                till.sync()
            return
        platform.faults = [*after * [""], fault]
        patch.setattr(push, "__kwdefaults__", {"rounds": 1, "group": GROUP})
        till.sync()


CUTS = pytest.mark.parametrize("fault", ["killed", "lost", "lost-after"])


@pytest.mark.parametrize("fault", ["lost", "lost-after"])
def test_an_addition_in_doubt_is_changed_or_taken_back(
    platform: Platform, till: TillBeside, fault: str
) -> None:
    till.sync()
    till.add("Прва", 10)
    cut(platform, till, fault)
    assert till.states() == [EditState.SENDING]
    till.delete("Прва")
    assert till.rows() == {}
    assert till.sync().pushed.sent == (fault == "lost-after"), "what they never had is not sent"
    assert (platform.live(), till.open()) == ({}, [])
    till.add("Прва", 10)
    cut(platform, till, fault)
    for price in (20, 30):
        till.change("Прва", price=Money(price))
    assert till.sync().pushed.sent == 1, "nothing older than the last wish is sent"
    assert [one["price"] for one in platform.live().values()] == [30]
    assert (till.prices(), till.open()) == ({"Прва": "30.00"}, [])


EAN = "8600001000008"


def test_what_was_not_shown_is_not_changed(platform: Platform, till: TillBeside) -> None:
    """It came after the conflict about the code, and before the answer."""
    till.sync()
    bread = till.add("Хлеб", 120, code=EAN)
    platform.add(name="Туђа", price=1, sku=CODES.start)
    assert till.sync().pushed.conflicts == 1
    platform.add(name="Хлеб бели 500 г", price=95, sku=77, ean=EAN)
    report = till.sync()
    assert (report.pushed.sent, report.pushed.conflicts) == (0, 1)
    told = {one.field: one.theirs for one in till.open()[0].conflicts}
    assert told == {"ean": EAN, "name": "Хлеб бели 500 г", "price": Money(95)}
    till.desk.decide(bread.id, {"ean": EditSide.OURS}, at=bread.at)
    till.sync()
    assert (till.open(), till.prices()) == ([], {"Туђа": "1.00", "Хлеб": "120.00"})


KG, GRAM = ({"id": one.id, "name": one.name, "symbol": one.symbol} for one in USUAL_UNITS[1:3])


def two_of_one_ean(platform: Platform, till: TillBeside) -> tuple[CatalogueEdit, dict[str, Any]]:
    """Add bread here and there before the two sides know of each other, and ask about it."""
    till.sync()
    ours = till.add("Хлеб", 120, code=EAN)
    theirs = platform.add(name="Хлеб бели 500 г", price=95, sku=77, ean=EAN)
    till.sync()
    return ours, theirs


@pytest.mark.parametrize("way", ["removed", "without the EAN", "deleted here"])
def test_a_question_of_one_ean_ends_with_the_other_article(
    ours: OurPlatform, beside: TillBeside, way: str
) -> None:
    bread, there = two_of_one_ean(ours, beside)
    if way == "removed":
        ours.remove(there["id"])
    elif way == "without the EAN":
        ours.change(there["id"], ean=None)
    else:
        beside.delete("Хлеб бели 500 г")
        for field in ("price", "ean"):
            with pytest.raises(Invalid):  # there is nothing to be one with
                beside.desk.decide(bread.id, {field: EditSide.THEIRS}, at=NOW)
        beside.sync()
    assert beside.sync().pushed.refused == 0
    assert (beside.open(), beside.names_with(EAN)) == ([], ["Хлеб"])
    prices = {one["name"]: one["price"] for one in ours.live().values() if one["ean"]}
    assert prices == {"Хлеб": 120}


@pytest.mark.parametrize("is_decided", [False, True])
def test_what_is_equal_on_both_sides_is_asked_no_more(
    platform: Platform, till: TillBeside, is_decided: bool
) -> None:
    """A manager types the platform's value, before the first answer or after it."""
    bread, there = two_of_one_ean(platform, till)
    platform.change(there["id"], price=96)
    till.sync()
    (asked,) = till.open()
    assert ("price", Money(96)) in [(one.field, one.theirs) for one in asked.conflicts]
    if is_decided:
        till.desk.decide(bread.id, {"name": EditSide.OURS}, at=bread.at)
    till.change("Хлеб", price=Money(96))
    (asked,) = till.open()
    assert [one.field for one in asked.fields_apart] == ([] if is_decided else ["name"])
    if not is_decided:
        till.desk.decide(asked.id, {"name": EditSide.OURS}, at=bread.at)
    till.sync()
    assert (till.open(), till.prices()) == ([], {"Хлеб": "96.00"})
    (now,) = platform.live().values()
    assert (now["name"], now["price"]) == ("Хлеб", 96)


@pytest.mark.parametrize("both_planned", [False, True])
@pytest.mark.parametrize("side", EditSide)
def test_two_that_are_one_keep_all(
    platform: Platform, till: TillBeside, side: EditSide, both_planned: bool
) -> None:
    """Both were noted, sold, priced and labelled here before anybody knew that they are one."""
    platform.add(name="Хлеб бели 500 г", price=95, sku=77)
    till.sync()
    theirs, ours = till.rows()["Хлеб бели 500 г"].product_id, till.add("Хлеб", 120, code=EAN)
    till.change("Хлеб", price=Money(125))
    kept = Marks(barcodes=(Barcode("2100123"), Barcode("2100777")))
    till.desk.note(theirs, kept, by="Мира", at=NOW)
    mine = Marks(
        pinned=True,
        open_price=True,
        by_weight=True,
        barcodes=(Barcode("2100456"), Barcode("2100123", Quantity("6"))),
    )
    till.desk.note(ours.product_id, mine, by="Мира", at=NOW)
    to_come = PlannedPrice(ours.product_id, Money(99), NOW + timedelta(days=9_999))
    till.desk.plan_price(to_come, by="Мира", at=NOW)
    other = replace(to_come, article_id=theirs, price=Money(88))
    if both_planned:
        till.desk.plan_price(other, by="Мира", at=NOW)
    newer = PrintedLabel("125", NOW + timedelta(days=1), Money(125))
    till.desk.note_labels({theirs: PrintedLabel("95", NOW, Money(95)), ours.product_id: newer})
    for article_id, amount in ((theirs, "1"), (ours.product_id, "3")):
        till.desk.count_sold([(article_id, Quantity(amount))] * USUAL_FROM_LINES, on=NOW.date())
    platform.change(theirs, ean=EAN)
    till.sync()
    (edit,) = till.open()
    till.desk.decide(edit.id, dict.fromkeys([one.field for one in edit.conflicts], side), at=NOW)
    till.sync()
    is_ours = side is EditSide.OURS
    assert till.shelf.marks(theirs) == Marks(
        pinned=True,
        open_price=is_ours,
        by_weight=True if is_ours else None,
        barcodes=(Barcode("2100123"), Barcode("2100777"), Barcode("2100456")),
    )
    assert till.shelf.usual_amount(theirs) == Quantity("2")
    assert till.desk.labels_printed([theirs]) == {theirs: newer}
    changes = till.shelf.price_changes(since=NOW - timedelta(days=1))
    assert {one.article_id for one in changes} == {theirs}
    plans = [other] if both_planned else []
    plans.insert(0 if is_ours else len(plans), replace(to_come, article_id=theirs))
    stays = plans[0] if is_ours or both_planned else None
    assert (till.desk.plan_of(theirs), till.desk.plan_of(ours.product_id)) == (stays, None)
    told = [one.price for one in till.shelf.facts().plans_ended]
    assert told == [one.price for one in plans if one != stays]
    assert (till.open(), len(till.rows()), len(platform.live())) == ([], 1, 1)


@pytest.mark.parametrize("word", ["platform_no_room", "platform_no_more"])
def test_a_full_platform_refuses_no_edit(tmp_path: Path, folder: Path, word: str) -> None:
    reserve = Reserve(tmp_path, 10**18) if word == "platform_no_room" else None
    most = Quotas() if reserve else Quotas(stored_bytes=1000)
    one = OurPlatform(folder=tmp_path / "platform", most=most, reserve=reserve)
    with one.open(), till_beside(folder, one) as till:
        till.sync()
        till.add("Хлеб")
        assert till.sync().pushed.fault is not None
        assert (till.states(), till.shelf.facts().fault) == ([EditState.WAITING], word)


@contextmanager
def put_back(one: OurPlatform) -> Iterator[None]:
    """Undo in the platform's file what is done within."""
    file = one.folder / FILE
    both = file.with_name("copy.db"), file
    files = [sqlite3.connect(one, check_same_thread=False) for one in both]
    with closing(files[0]) as copy, closing(files[1]) as present:
        present.backup(copy)
        yield
        copy.backup(present)


@pytest.mark.parametrize("side", [None, *EditSide])
def test_an_older_price_of_a_platform_that_was_put_back_ends_no_plan_until_a_person_decides(
    ours: OurPlatform, beside: TillBeside, side: EditSide | None
) -> None:
    """side: None for a price that another one had written, so that nobody is asked about it."""
    old = ours.add(name="Хлеб", price=1)
    beside.sync()
    article_id = beside.rows()["Хлеб"].article_id or ""
    with put_back(ours):
        if side is None:
            ours.change(old["id"], price=99)
        else:
            beside.change("Хлеб", price=Money(99))
        beside.sync()
        assert beside.prices() == {"Хлеб": "99.00"}
        plan = PlannedPrice(article_id, Money(70), NOW - timedelta(days=1))
        beside.desk.plan_price(plan, by="Мира", at=NOW)
    assert beside.sync().brought.lost == (0 if side is None else 1)
    assert (beside.prices(), beside.desk.plan_of(article_id)) == ({"Хлеб": "70.00"}, plan)
    assert not beside.shelf.facts().plans_ended
    for edit in beside.open():
        assert side is not None
        beside.desk.decide(edit.id, {one.field: side for one in edit.conflicts}, at=NOW)
    charged = {None: "70.00", EditSide.OURS: "99.00", EditSide.THEIRS: "1.00"}
    for _ in range(2):
        beside.sync()
        assert beside.prices() == {"Хлеб": charged[side]}


def test_what_a_bug_keeps_here_goes_beside_the_others(
    ours: OurPlatform, beside: TillBeside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change without its article ends; one that can't be read waits, and a person is told."""
    for number in range(3):
        ours.add(name=f"Артикал {number}", price=1)
    beside.sync()
    gone, odd, plain = [beside.change(f"Артикал {n}", price=Money(9)).product_id for n in range(3)]
    read = products.platform_product

    def fail(connection: apsw.Connection, product_uuid: str) -> Product | None:
        if product_uuid == odd:
            raise ValueError
        return None if product_uuid == gone else read(connection, product_uuid)

    monkeypatch.setattr(products, "platform_product", fail)
    report = beside.sync()
    assert (report.pushed.sent, report.pushed.waiting, report.end) == (1, 1, SyncEnd.FAILED)
    assert [one.product_id for one in beside.open()] == [odd]
    assert (beside.shelf.facts().fault, ours.live()[plain]["price"]) == ("program_error", 9)


def test_what_was_put_back_is_listed_anew(ours: OurPlatform, beside: TillBeside) -> None:
    """Undone changes are undone here too, and a code given out again belongs to one article."""
    kept = [ours.add(name=f"Артикал {number}", price=1) for number in range(6)]
    beside.sync()
    with put_back(ours):
        undone = ours.add(name="Трећи", price=70)
        ours.change(kept[0]["id"], price=9)
        beside.sync()
        assert beside.prices()["Артикал 0"] == "9.00"
    again = ours.add(name="Четврти", price=100, taxRateLabel="Ђ")
    ours.change(again["id"], price=101)
    assert again["sku"] == undone["sku"]
    beside.sync()
    assert beside.names_with(undone["sku"]) == ["Четврти"]
    assert beside.prices()["Артикал 0"] == "1.00"
    assert "Трећи" not in beside.rows()
    with closing(CatalogueView(catalogue_file(beside.folder))) as view:
        assert [one.name for one in view.articles(again["sku"])] == ["Четврти"]
    assert beside.sync().is_unchanged


def test_a_first_list_goes_on_where_it_was_cut(ours: OurPlatform, beside: TillBeside) -> None:
    made = [ours.add(name=f"Артикал {n}", sku=n, price=n) for n in range(1, 41)]
    told = json.dumps(list(ours.live().values()), ensure_ascii=False)
    size = len(gzip.compress(told.encode()))  # as it is sent
    ours.cut_list = size // 2
    for _ in range(2):  # the second time adds to the first
        with pytest.raises(OutcomeUnknown):
            beside.sync()
        assert beside.rows() == {}
    ours.change(made[0]["id"], name="Ново име")
    ours.remove(made[1]["id"])
    ours.cut_list = 0
    asks = len(ours.asks)
    report = beside.sync()
    (asked,) = [one for one in ours.asks[asks:] if "/products" in one]
    assert parse_qs(asked.partition("?")[2])["updatedSince"][0] >= made[20]["updatedAt"]
    assert report.brought.added == 39
    assert set(beside.rows()) == {"Ново име", *(one["name"] for one in made[2:])}
    assert beside.sync().is_unchanged
    assert not list((beside.folder / "catalogue").glob("platform-list*"))


# --- a store that is changed while its platform is away, or refuses the change --------------------


@pytest.fixture
def there(tmp_path: Path) -> Iterator[OurPlatform]:
    platform = OurPlatform(folder=tmp_path / "platform")
    with platform.open():
        platform.store("POST", "/stores", {"name": "Липа", "city": "Ниш", "phone": "1"})
        yield platform


@pytest.fixture
def here(folder: Path, there: OurPlatform) -> Iterator[TillBeside]:
    with till_beside(folder, there) as till:
        till.sync()
        yield till


def test_what_is_refused_waits_to_be_mended(there: OurPlatform, here: TillBeside) -> None:
    store = here.change_store(city="Пирот")
    there.faults.append("422")
    assert here.sync().pushed.refused == 1
    assert (here.desk.store_edit(store.id).error, here.sync().pushed.sent) == ("a fault", 0)
    here.change_store(city="Врање")
    assert (here.sync().pushed.sent, [one["city"] for one in there.stores()]) == (1, ["Врање"])


# --- an import that a platform knows is taken back here and, with the next run, there -------------

HEAD = "Шифра;Назив;Цена;Порез;Јединица;Група;Остали бар-кодови;Омиљено"


@dataclass
class Files:
    """Imports of a till, and their undoing, in the real process."""

    till: TillBeside
    process: CatalogueProcess

    def bring(self, *rows: str, head: str = HEAD) -> None:
        sheet = self.till.folder / "sheet.csv"
        sheet.write_text("\n".join([head, *rows]))
        plan = ended(self.process.plan_import(sheet, label=None, rates=PUBLISHED_RATES))
        assert isinstance(plan, ImportPlan), plan
        assert plan.bad == 0, plan.bad_cells
        ended(self.process.carry_out(plan, name="cene.csv", by="Мира"))

    def take_back(self) -> Undone:
        told = ended(self.process.take_back(last_of(self.till.desk), by="Мира"))
        assert isinstance(told, Undone), told
        return told


@pytest.fixture
def files(till: TillBeside) -> Iterator[Files]:
    made = Files(till, CatalogueProcess(till.folder, codes=CODES, command=child(CATALOGUE_FILES)))
    yield made
    made.process.close()


def test_what_was_cleared_before_a_deletion_stays_so_where_that_is_taken_back(
    platform: Platform, till: TillBeside
) -> None:
    bread = platform.add(name="Хлеб", price=70, ean="8600123450144", categories=[UNIT])
    till.sync()
    till.change("Хлеб", price=None, ean=None, categories=())
    till.delete("Хлеб")
    till.sync()
    till.desk.bring_back(bread["id"], by="Мира", at=NOW)
    till.sync()
    (there,) = platform.live().values()
    assert (there["price"], there["ean"], there["categories"]) == (None, None, [])
    assert (till.prices(), till.names_with("8600123450144"), till.open()) == (
        {"Хлеб": None},
        [],
        [],
    )


def eans_there(platform: Platform) -> dict[str, Any]:
    return {one["name"]: one.get("ean") for one in platform.live().values()}


@pytest.mark.parametrize("first", ["changed", "added"])
def test_codes_go_along_a_chain(ours: OurPlatform, beside: TillBeside, first: str) -> None:
    eans = {"А": "8600123450014", "Б": "8600123450021", "В": "8600123450038"}
    for name, ean in eans.items():
        if (name, first) != ("А", "added"):
            ours.add(name=name, price=5, ean=ean)
    beside.sync()
    if first == "added":
        beside.add("А")
    beside.change("А", price=Money(77))
    beside.change("Б", price=Money(78))
    beside.change("В", ean=None)
    beside.change("Б", ean=eans["В"])
    beside.change("А", ean=eans["Б"])
    assert beside.sync().pushed.waiting == 0
    assert eans_there(ours) == {"А": eans["Б"], "Б": eans["В"], "В": None}
    assert beside.open() == []
