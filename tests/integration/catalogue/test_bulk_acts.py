"""A change of many articles, killed, stopped and carried on, makes each once; and taking back."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections import UserDict
from collections.abc import Iterator, KeysView
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, ClassVar

import pytest

from pos_app.adapters.catalogue_files.catalogue_process import CatalogueProcess
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.article.product import Variant
from pos_app.domain.money import tax
from pos_app.domain.money.money import Money
from pos_app.errors import NotAllowed
from pos_app.selling.catalogue.bulk_act import ActDone, ActKind, ActState, BulkAct, PlannedRow
from pos_app.selling.catalogue.bulk_change import (
    CategoryForAll,
    LabelForAll,
    NewPrices,
    OnePrice,
    PriceByPercent,
    PricePeriod,
    preview,
)
from pos_app.selling.catalogue.bulk_plan import change_as_planned, row_of
from pos_app.selling.catalogue.catalogue import delete_product
from pos_app.selling.catalogue.editing import save_typed
from pos_app.selling.catalogue.last_change import ChangeKind
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from pos_app.selling.catalogue.taking_back import Undone, take_back
from pos_app.selling.file_work import FileDone, FileWork
from tests.e2e.nursery import CATALOGUE_FILES, child
from tests.fakes.many_articles import counts, last_of, planned_rows, shown_to_delete
from tests.integration.catalogue.test_sheets import NOW, Shop, ended, product
from tests.sweep import sampled

MANY = 300
HEAD = "Шифра;Назив;Цена;Порез;Група;Остали бар-кодови;Омиљено;Планирана цена;Планирана од"
IDS = [f"a{number:05}" for number in range(MANY)]
SOME = IDS[:60]
"""Of tests whose child ends at a commit, or by itself: others must catch it at work."""
TEN = PriceByPercent(Decimal(10))
DAY = timedelta(days=1)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a shop with articles a00000 … of 100,00, 101,00, …"""
    folder = tmp_path_factory.mktemp("filled")
    with closing(Shop(folder)) as shop, shop.editor.together():
        for number, article_id in enumerate(IDS):
            price = Money(f"{100 + number}.00")
            shop.add(product(article_id, f"Артикал {number}", sku=1000 + number, price=price))
    return folder


@pytest.fixture
def shop(filled: Path, tmp_path: Path) -> Iterator[Shop]:
    made = Shop(shutil.copytree(filled, tmp_path, dirs_exist_ok=True))
    yield made
    made.close()


@pytest.fixture
def mortal(shop: Shop) -> Shop:
    """Return the shop with a process of its own, which can be killed."""
    shop.files.close()
    shop.files = CatalogueProcess(shop.data)
    return shop


def killed(shop: Shop, *, commit: int, when: str) -> CatalogueProcess:
    """Files work that dies at that commit."""
    wrapped = ("--file", "catalogue.db", "--commit", str(commit), "--when", when)
    words = (*child("tests.e2e.kill_at"), *wrapped, "--", "catalogue_files")
    return CatalogueProcess(shop.data, command=words)


def prices(shop: Shop, ids: list[str] = IDS) -> list[Money | None]:
    found = [shop.catalogue.product(one) for one in ids]
    return [None if one is None else one.price for one in found]


def raised(ids: list[str] = IDS) -> list[Money]:
    return [Money.rounded((100 + int(one[1:])) * Decimal("1.1")) for one in ids]


def begun(work: FileWork) -> None:
    """Wait until the work has changed something, or is over."""
    deadline = time.monotonic() + 240
    while not work.progress.done and work.result() is None:
        assert time.monotonic() < deadline
        time.sleep(0.002)  # waits for the child


def kill(work: FileWork) -> None:
    """Kill the work in its midst."""
    begun(work)
    os.kill(vars(work)["_process"].pid, signal.SIGKILL)
    ended(work)


def carried_on(shop: Shop) -> BulkAct:
    done: ActDone = ended(shop.files.carry_on())
    assert done.act is not None
    return done.act


def changes_of_prices(shop: Shop) -> list[str]:
    rows: list[str] = []
    after = None
    while some := shop.catalogue.price_changes(since=NOW.replace(year=2000), after=after):
        rows += [one.article_id for one in some]
        after = some[-1]
    return rows


def is_whole(shop: Shop, ids: list[str] = IDS) -> None:
    assert prices(shop, ids) == raised(ids)
    assert shop.catalogue.facts().bulk_act is None
    assert sorted(changes_of_prices(shop)) == ids, "each price changed once"


class ReadBy(UserDict[str, str]):
    """The texts of a row, which note the thread that reads them."""

    threads: ClassVar[set[int]] = set()

    def keys(self) -> KeysView[str]:
        self.threads.add(threading.get_ident())
        return super().keys()


def test_the_rows_are_written_for_the_child_beside_the_tills_thread(shop: Shop) -> None:
    ReadBy.threads.clear()
    planned = planned_rows(shop.catalogue, SOME, TEN)
    rows = [replace(one, after=ReadBy(one.after)) for one in planned]
    ended(shop.files.change(rows, by="Мира"))
    assert ReadBy.threads, "they are read"
    assert threading.get_ident() not in ReadBy.threads


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("commit", sampled([3, 1, 2, 4, 5, 7, 9]))
def test_a_kill_at_any_commit_changes_no_price_twice(shop: Shop, commit: int, when: str) -> None:
    """Until its plan is whole the act has changed nothing, and never was; then it is carried on."""
    before = prices(shop, SOME)
    with closing(killed(shop, commit=commit, when=when)) as files:
        told = ended(files.change(planned_rows(shop.catalogue, SOME, TEN), by="Мира"))
    act = shop.catalogue.facts().bulk_act
    if act is None:
        assert prices(shop, SOME) in (before, raised(SOME))
        if prices(shop, SOME) == before:
            ended(shop.files.change(planned_rows(shop.catalogue, SOME, TEN), by="Мира"))
    else:
        assert not isinstance(told, ActDone)
        assert (act.whole, act.done) == (len(SOME), sum(map(_differs, prices(shop, SOME), before)))
        again = ended(shop.files.change(planned_rows(shop.catalogue, SOME, TEN), by="Мира"))
        assert isinstance(again, NotAllowed), "the same act again would raise these twice"
        assert again.kind == "bulk_open"
        assert carried_on(shop).state is ActState.RESUMED
    is_whole(shop, SOME)


def _differs(one: object, other: object) -> bool:
    return one != other


def planned(shop: Shop, begins: timedelta, ends: timedelta | None = None) -> list[PlannedRow]:
    """Prices of SOME that were shown two days ago, to hold from then on."""
    then = datetime.now(UTC).replace(second=0, microsecond=0) - 2 * DAY
    period = PricePeriod(then + begins, None if ends is None else then + ends)
    return planned_rows(shop.catalogue, SOME, NewPrices(TEN, shop.editor, then, period))


def test_a_planned_price_whose_begin_has_passed_holds_from_then_on(shop: Shop) -> None:
    """Nothing is charged backwards. A price changed meanwhile is not the one that was seen."""
    rows, since = planned(shop, DAY), datetime.now(UTC)
    with closing(killed(shop, commit=3, when="after")) as files:
        ended(files.change(rows, by="Мира"))
    save_typed(shop.editor, SOME[-1], SOME[-1], {"price": "5"}, by="Ана", at=since)
    act = carried_on(shop)
    assert (act.done, act.left_out) == (len(SOME) - 1, 1)
    charged = [shop.catalogue.article(one) for one in SOME]
    assert [one and one.price for one in charged] == [*raised(SOME[:-1]), Money(5)]
    changes = shop.catalogue.price_changes(since=NOW.replace(year=2000))
    assert len(changes) == len(SOME)
    assert all(one.at >= since for one in changes)


def test_prices_whose_days_have_passed_are_not_planned(shop: Shop) -> None:
    done = ended(shop.files.change(planned(shop, DAY // 2, DAY), by="Мира"))
    assert (counts(done), done.error.kind) == ((0, len(SOME), 0), "plan_over")
    assert not any(shop.editor.plan_of(one) for one in SOME)
    assert changes_of_prices(shop) == []


def test_what_others_changed_meanwhile_stays_and_is_named(mortal: Shop) -> None:
    work: Any = mortal.files.change(planned_rows(mortal.catalogue, IDS, TEN), by="Мира")
    kill(work)
    save_typed(mortal.editor, IDS[-1], IDS[-1], {"price": "5"}, by="Ана", at=NOW)
    delete_product(mortal.editor, IDS[-2], by="Ана", at=NOW)
    act = carried_on(mortal)
    assert (act.reached, act.left_out) == (MANY, 2)
    assert act.left_names == tuple(f"Артикал {MANY - one}" for one in (2, 1))
    assert (prices(mortal)[-1], prices(mortal, IDS[:-2])) == (Money(5), raised(IDS[:-2]))
    undone: Undone = ended(mortal.files.take_back(last_of(mortal.editor), by="Мира"))
    assert undone.done == MANY - 2


@pytest.mark.parametrize("theirs", ["price", "end", "own price", "no plan", "same"])
def test_a_plan_that_another_changed_is_mixed_with_ours_nowhere(shop: Shop, theirs: str) -> None:
    """A longer plan: its price is not among what changes, and was seen all the same."""
    now = datetime.now(UTC).replace(second=0, microsecond=0)
    ours = PlannedPrice(SOME[0], Money(150), now + DAY, now + 3 * DAY)
    shop.editor.plan_price(ours, by="Мира", at=now)
    period = PricePeriod(now + DAY, now + 7 * DAY, replaces_plans=True)
    change = NewPrices(OnePrice(Money(150)), shop.editor, now, period)
    longer = replace(ours, ends_at=period.ends_at)

    def meddle(plan: PlannedPrice, own: str) -> PlannedPrice | None:
        if theirs == "own price":
            typed = {"price": own}
            save_typed(shop.editor, SOME[0], SOME[0], typed, by="Ана", at=datetime.now(UTC))
        elif theirs == "no plan":
            shop.editor.drop_plan(SOME[0], by="Ана", at=now)
        elif theirs != "same":
            is_price = theirs == "price"
            new = replace(plan, price=Money(10)) if is_price else replace(plan, ends_at=None)
            shop.editor.plan_price(new, by="Ана", at=now)
        return shop.editor.plan_of(SOME[0])

    rows = planned_rows(shop.catalogue, SOME[:1], change)
    seen = meddle(ours, "7")
    done = ended(shop.files.change(rows, by="Мира"))
    is_same = theirs == "same"
    assert counts(done) == (int(is_same), 0, int(not is_same))
    assert shop.editor.plan_of(SOME[0]) == (longer if is_same else seen)
    if is_same:
        return
    shop.editor.plan_price(ours, by="Мира", at=now)
    ended(shop.files.change(planned_rows(shop.catalogue, SOME[:1], change), by="Мира"))
    seen = meddle(longer, "8")
    undone: Undone = ended(shop.files.take_back(last_of(shop.editor), by="Мира"))
    assert (undone.done, undone.left_many, shop.editor.plan_of(SOME[0])) == (0, 1, seen)


@pytest.mark.parametrize("is_over", ["before the change", "before it is taken back"])
def test_a_plan_that_ends_meanwhile_hinders_nothing(shop: Shop, is_over: str) -> None:
    """Its end is no change of another person."""
    now = datetime.now(UTC)
    ends = now.replace(second=0, microsecond=0) + timedelta(hours=1)
    shop.editor.plan_price(PlannedPrice(SOME[0], Money(90), now - DAY, ends), by="Мира", at=now)
    before = shop.catalogue.product(SOME[0])
    rows = planned_rows(shop.catalogue, SOME[:1], NewPrices(TEN, shop.editor, now))
    after = datetime.now(UTC) + DAY
    with SqliteCatalogueEditor(catalogue_file(shop.data), now=lambda: after) as later:
        made = now if is_over == "before it is taken back" else after
        editor = shop.editor if made is now else later
        changed, left = change_as_planned(editor, rows, by="Мира", at=made)
        assert (len(changed), left) == (1, [])
        assert shop.catalogue.product(SOME[0]) != before
        assert take_back(later, changed[0], by="Мира", at=after)
        assert later.plan_of(SOME[0]) is None
    assert shop.catalogue.product(SOME[0]) == before


def test_taking_back_that_is_killed_is_carried_on(mortal: Shop) -> None:
    before = prices(mortal)
    ended(mortal.files.change(planned_rows(mortal.catalogue, IDS, TEN), by="Мира"))
    work: Any = mortal.files.take_back(last_of(mortal.editor), by="Мира")
    kill(work)
    act = mortal.catalogue.facts().bulk_act
    assert (act.kind, act.whole) == (ActKind.TAKE_BACK, MANY)
    assert 0 < act.done < MANY
    done = carried_on(mortal)
    assert (done.done, done.left_out, prices(mortal)) == (MANY, 0, before)
    assert mortal.editor.last_change() is None


def test_a_cut_change_that_had_changed_nothing_leaves_the_one_before_alone(shop: Shop) -> None:
    ended(shop.files.change(planned_rows(shop.catalogue, IDS[:3], TEN), by="Мира"))
    stood = prices(shop)
    act = BulkAct(ActKind.CHANGE, "", "Мира", NOW, ActState.STOPPED, MANY)
    shop.editor.begin_act(act)
    assert isinstance(ended(shop.files.take_back(last_of(shop.editor), by="Мира")), NotAllowed)
    assert (prices(shop), shop.catalogue.facts().bulk_act) == (stood, act)
    shop.editor.end_act()
    assert ended(shop.files.take_back(last_of(shop.editor), by="Мира")) == Undone(3)


def test_what_was_deleted_together_comes_back_together(shop: Shop) -> None:
    before = prices(shop)
    ended(shop.files.delete(shown_to_delete(shop.catalogue, shop.editor, IDS), by="Мира"))
    assert shop.catalogue.count() == 2
    assert ended(shop.files.take_back(last_of(shop.editor), by="Мира")) == Undone(MANY)
    assert prices(shop) == before


@pytest.mark.parametrize("commit", sampled([2, 3, 5]))
def test_a_deletion_that_is_killed_is_carried_on(shop: Shop, commit: int) -> None:
    with closing(killed(shop, commit=commit, when="after")) as files:
        ended(files.delete(shown_to_delete(shop.catalogue, shop.editor, IDS), by="Мира"))
    if shop.catalogue.facts().bulk_act is not None:
        save_typed(shop.editor, IDS[-1], IDS[-1], {"name": "Остаје"}, by="Ана", at=NOW)
        assert carried_on(shop).left_names == ("Остаје",)
        assert [one for one in IDS if shop.catalogue.product(one) is not None] == IDS[-1:]
    else:
        assert shop.catalogue.count() in (2, MANY + 2)


@pytest.mark.parametrize("commit", sampled([4, 5, 6, 8]))
def test_an_import_that_is_killed_is_carried_on(shop: Shop, commit: int) -> None:
    rows = [f"{1000 + n};;{500 + n};;" for n in range(len(SOME))]
    rows += [f"{5000 + n};Нови {n};5;Ђ;Ново" for n in range(len(SOME))]
    plan = shop.planned(shop.sheet("\n".join(["Шифра;Назив;Цена;Порез;Група", *rows])))
    assert (plan.changed, plan.new) == (len(SOME), len(SOME))
    with closing(killed(shop, commit=commit, when="after")) as files:
        ended(files.carry_out(plan, name="cene.csv", by="Мира"))
    act = shop.catalogue.facts().bulk_act
    if act is not None:
        assert (act.kind, act.name, act.whole) == (ActKind.IMPORT, "cene.csv", 2 * len(SOME))
        assert carried_on(shop).done == 2 * len(SOME)
    else:
        shop.carried_out(plan)
    assert prices(shop, SOME) == [Money(500 + n) for n in range(len(SOME))]
    assert shop.catalogue.count() == MANY + len(SOME) + 2
    assert ended(shop.files.take_back(last_of(shop.editor), by="Мира")) == Undone(2 * len(SOME))
    assert (shop.catalogue.count(), prices(shop)[0]) == (MANY + 2, Money(100))


def test_rows_of_an_import_whose_article_went_or_whose_code_was_taken_are_named(shop: Shop) -> None:
    """They are no mistakes of the file, as are rows whose article somebody changed meanwhile."""
    rows = "1000;;500;\n1001;;501;\n9001;Нов;5;Ђ\n1002;;502;"
    plan = shop.planned(shop.sheet(f"Шифра;Назив;Цена;Порез\n{rows}"))
    assert (plan.changed, plan.new, plan.bad) == (3, 1, 0)
    save_typed(shop.editor, IDS[2], IDS[2], {"price": "7"}, by="Ана", at=NOW)
    delete_product(shop.editor, IDS[0], by="Ана", at=NOW)
    shop.add(product("other", "Други", sku=9001, price=Money(7)))
    done = shop.carried_out(plan)
    assert (counts(done), done.act.left_names) == ((1, 0, 3), ("Артикал 0", "Нов", "Артикал 2"))
    assert prices(shop, ["other", *IDS[1:3]]) == [Money(7), Money(501), Money(7)]


def test_two_processes_that_carry_on_make_each_row_once(shop: Shop) -> None:
    """The process of a till that was killed may still be at work when the next till begins."""
    first: Any = shop.files.change(planned_rows(shop.catalogue, IDS, TEN), by="Мира")
    begun(first)
    with closing(CatalogueProcess(shop.data, command=child(CATALOGUE_FILES))) as files:
        second = files.carry_on()
        ended(first)
        ended(second)
    is_whole(shop)


def test_only_articles_with_the_labels_to_be_changed_are_changed(shop: Shop) -> None:
    def changed(many: int, change: LabelForAll) -> ActDone:
        rows = planned_rows(shop.catalogue, IDS[:many], change)
        done: ActDone = ended(shop.files.change(rows, by="Мира"))
        return done

    same = changed(5, LabelForAll(tax.TaxLabel.E)).act
    assert (same.reached, same.done, shop.editor.last_change()) == (5, 0, None)
    changed(2, LabelForAll(tax.TaxLabel.A))
    others = changed(5, LabelForAll(tax.TaxLabel.DJ, instead_of=(tax.TaxLabel.A,))).act
    assert (others.reached, others.done) == (5, 2)


def test_variants_without_categories_follow_their_product_into_another_one(shop: Shop) -> None:
    """A category of its own would take such a variant out of those of its product."""
    shop.editor.add_categories({"c1": "Пића", "c2": "Акција"})
    red, blue = (
        Variant(id=f"v{at}", name="Сок", variant_name=name, tax_label=tax.TaxLabel.E)
        for at, name in enumerate(("црвени", "плави"))
    )
    own = replace(blue, categories=("c1",))
    juice = product("juice", "Сок", categories=("c1",), variants=(red, own), has_variants=True)
    shop.add(juice)

    def changed(*, is_added: bool) -> list[tuple[str, ...]]:
        lines = [*preview(shop.catalogue, ["juice"], CategoryForAll("c2", is_added))]
        assert [one.stays for one in lines] == [None] * 3
        ended(shop.files.change([*map(row_of, lines)], by="Мира"))
        return [one.category_ids for one in shop.catalogue.variants("juice")]

    assert changed(is_added=True) == [("c1", "c2")] * 2
    assert changed(is_added=False) == [("c1",)] * 2


# --- an import is taken back: whole, stopped, or changed by others since --------------------------


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Shop]:
    """Yield a shop of two articles."""
    made = Shop(tmp_path)
    yield made
    made.close()


def imported(shop: Shop, *rows: str, head: str = HEAD) -> None:
    plan = shop.planned(shop.sheet("\n".join([head, *rows])))
    assert plan.bad == 0, plan.bad_cells
    shop.carried_out(plan)


def taken_back(shop: Shop) -> Undone:
    told = ended(shop.files.take_back(last_of(shop.editor), by="Мира"))
    assert isinstance(told, Undone), told
    return told


def everything(shop: Shop) -> list[tuple[object, ...]]:
    """Return all that the form shows of the two articles of the shop."""
    found: list[tuple[object, ...]] = []
    for code in ("1", "2"):
        (one,) = shop.catalogue.by_code(ArticleCode(code))
        bread = shop.catalogue.product(one.article.product_id)
        marks, plan = shop.catalogue.marks(bread.id), shop.editor.plan_of(bread.id)
        found.append((bread.name, bread.price, bread.categories, marks, plan))
    return found


def test_every_field_is_as_it_was(small: Shop) -> None:
    before = everything(small)
    imported(
        small,
        "1;Хлеб црни;70;Ђ;Пекара;96385074;да;80;1.1.2030.",
        "9;Нови;5;Ђ;Ново;;да;;",
        "9;Нови;5;Ђ;Ново;5901234123457;да;;",
    )
    last = small.editor.last_change()
    assert last is not None
    assert (last.kind, last.name, last.by) == (ChangeKind.IMPORT, "cene.csv", "Мира")
    with SqliteCatalogueEditor(catalogue_file(small.data)) as again:
        assert again.last_change() == last, "the next start of the till knows of it"
    assert (taken_back(small), everything(small)) == (Undone(2), before)
    assert (small.catalogue.count(), small.catalogue.categories()) == (2, ())
    assert small.editor.last_change() is None
    refused = ended(small.files.take_back(last, by="Мира"))
    assert isinstance(refused, NotAllowed), "a second time there is nothing to be taken back"
    assert refused.kind == "other_change"


def test_variants_go_with_the_product_that_was_made_for_them(small: Shop) -> None:
    head = "Шифра;Варијанта артикла;Варијанта;Цена;Порез"
    imported(small, "61;Хлеб;сечен;65;", "62;Пита;мала;90;Е", "63;Пита;велика;150;Е", head=head)
    assert small.catalogue.count() == 3
    assert small.editor.last_change().articles == 3, "as many as the import told"
    assert (taken_back(small), small.catalogue.count()) == (Undone(3), 2)
    assert small.catalogue.product("p1").variants == ()


def test_what_another_changed_since_stays_and_is_named(small: Shop) -> None:
    imported(small, "2;;135;;;;;;")
    new_rows = "9;Нови;5;Ђ;;;;;", "10;Кратак;5;Ђ;;;;;"
    imported(small, "1;Хлеб црни;70;Ђ;;;;;", "2;Млеко;140;Ђ;;;;;", *new_rows)
    new, gone = (small.catalogue.by_code(ArticleCode(code))[0].article for code in ("9", "10"))
    for product_id, typed in (
        ("p1", {"price": "75"}),
        (new.product_id, {"description": "мој"}),
        ("p2", {"description": "мој"}),
    ):
        save_typed(small.editor, product_id, product_id, typed, by="Ана", at=NOW)
    delete_product(small.editor, gone.product_id, by="Ана", at=NOW)
    assert taken_back(small) == Undone(1, ("Кратак", "Нови", "Хлеб црни"), 3)
    assert small.price("1") == "75.00"
    assert small.price("2") == "135.00", "as the import before made it; the changed field stays"
    assert (small.catalogue.product("p2").description, small.catalogue.count()) == ("мој", 3)


def test_what_a_stopped_import_made_is_taken_back_whole(small: Shop) -> None:
    rows = [f"{n};Артикал {n};5;Ђ;Група {n % 7};;да;;" for n in range(10, 610)]
    plan = small.planned(small.sheet("\n".join([HEAD, *rows])))
    work = small.files.carry_out(plan, name="cene.csv", by="Мира")
    begun(work)
    work.stop()
    ended(work)
    act = small.editor.stop_act()
    assert small.catalogue.facts().bulk_act == act, "it waits for a decision"
    assert small.catalogue.count() > 2
    last = last_of(small.editor)
    back = small.files.take_back(last, by="Мира")
    begun(back)
    back.stop()
    told = ended(back)
    assert isinstance(told, FileDone | Undone)
    if isinstance(told, FileDone):
        rest = ended(small.files.take_back(last, by="Мира"))  # refused where nothing is left of it
        assert isinstance(rest, Undone | NotAllowed)
        assert not isinstance(rest, Undone) or rest.left_many == 0, "the rest is taken back later"
    assert (small.catalogue.count(), small.catalogue.facts().bulk_act) == (2, None)
    assert counts(small.carried_out(small.planned(small.data / "sheet.csv"))) == (600, 0, 0)
