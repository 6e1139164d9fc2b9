"""A change of many articles in the real process, which is killed, stopped and carried on: each
article is changed once, or stays as somebody else made it and is named."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from collections import UserDict
from collections.abc import Iterator, KeysView
from contextlib import closing
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any, ClassVar

import pytest

from pos_app.adapters.catalogue_files.catalogue_process import CatalogueProcess
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.article.product import Product
from pos_app.domain.money import tax
from pos_app.domain.money.money import Money
from pos_app.errors import NotAllowed
from pos_app.selling.catalogue.bulk_act import ActDone, ActKind, ActState, BulkAct
from pos_app.selling.catalogue.bulk_change import LabelForAll, PriceByPercent
from pos_app.selling.catalogue.catalogue import delete_product
from pos_app.selling.catalogue.editing import save_typed
from pos_app.selling.catalogue.taking_back import Undone
from pos_app.selling.file_work import FileWork
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from tests.e2e.nursery import CATALOGUE_FILES, child
from tests.fakes.many_articles import counts, last_of, planned_rows, shown_to_delete
from tests.integration.catalogue.test_sheets import NOW, Shop, ended
from tests.sweep import sampled

MANY = 300
IDS = [f"a{number:05}" for number in range(MANY)]
SOME = IDS[:60]
"""Of tests whose child ends at a commit, or by itself: others must catch it at work."""
TEN = PriceByPercent(Decimal(10))


def filled(data: Path, many: int = MANY) -> Shop:
    """A shop with articles a00000 … of 100,00, 101,00, …"""
    shop = Shop(data)
    with shop.editor.together():
        for number in range(many):
            product = Product(
                id=f"a{number:05}",
                name=f"Артикал {number}",
                tax_label=tax.TaxLabel.E,
                sku=1000 + number,
                price=Money(f"{100 + number}.00"),
            )
            shop.editor.record(NewEdit.adding(product, by="Мира", at=NOW))
    return shop


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    made = filled(tmp_path)
    made.files.close()
    made.files = CatalogueProcess(made.data)  # its own process, which can be killed
    yield made
    made.close()


def killed(shop: Shop, *, commit: int, when: str) -> CatalogueProcess:
    """Files work that dies at that commit."""
    wrapped = ("--file", "catalogue.db", "--commit", str(commit), "--when", when)
    words = (sys.executable, "-m", "tests.e2e.kill_at", *wrapped, "--", "catalogue_files")
    return CatalogueProcess(shop.data, command=words)


def prices(shop: Shop, ids: list[str] = IDS) -> list[Money | None]:
    found = [shop.catalogue.product(one) for one in ids]
    return [None if one is None else one.price for one in found]


def raised(ids: list[str] = IDS) -> list[Money]:
    return [Money.rounded((100 + int(one[1:])) * Decimal("1.1")) for one in ids]


def at_once(work: FileWork, many: int = 1) -> None:
    """Wait until the work has changed so many, or is over."""
    deadline = time.monotonic() + 60
    while work.progress.done < many and work.result() is None:
        assert time.monotonic() < deadline
        time.sleep(0.002)  # waits for the child


def end_it(work: Any, by: signal.Signals = signal.SIGKILL) -> None:
    os.kill(vars(work)["_process"].pid, by)


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


def test_every_price_is_changed_and_can_be_taken_back(shop: Shop) -> None:
    before = prices(shop)
    done: ActDone = ended(shop.files.change(planned_rows(shop.catalogue, SOME, TEN), by="Мира"))
    assert done.act is not None
    assert (done.act.done, done.act.whole, done.act.failed) == (len(SOME), len(SOME), 0)
    is_whole(shop, SOME)
    assert ended(shop.files.take_back(last_of(shop.editor), by="Мира")) == Undone(len(SOME))
    assert prices(shop) == before


class ReadBy(UserDict[str, str]):
    """The texts of a row, which note the thread that reads them."""

    threads: ClassVar[set[int]] = set()

    def keys(self) -> KeysView[str]:
        self.threads.add(threading.get_ident())
        return super().keys()


@pytest.mark.parametrize("act", ["change", "delete"])
def test_the_rows_are_written_for_the_child_beside_the_tills_thread(shop: Shop, act: str) -> None:
    ReadBy.threads.clear()
    rows = [
        replace(one, after=ReadBy(one.after)) for one in planned_rows(shop.catalogue, SOME, TEN)
    ]
    ended(getattr(shop.files, act)(rows, by="Мира"))
    assert ReadBy.threads, "they are read"
    assert threading.get_ident() not in ReadBy.threads


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("commit", sampled([1, 2, 3, 4, 5, 7, 9]))
def test_a_kill_at_any_commit_changes_no_price_twice(shop: Shop, commit: int, when: str) -> None:
    """Until its plan is whole the act has changed nothing, and never was; then it is carried on."""
    before = prices(shop, SOME)
    with closing(killed(shop, commit=commit, when=when)) as files:
        work = files.change(planned_rows(shop.catalogue, SOME, TEN), by="Мира")
        told = ended(work)
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


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_kills_at_random_moments_are_carried_on_until_it_is_whole(
    shop: Shop, end: signal.Signals
) -> None:
    chance = random.Random(int(end))
    work: Any = shop.files.change(planned_rows(shop.catalogue, IDS, TEN), by="Мира")
    for _ in range(4):
        at_once(work, chance.randrange(1, MANY))
        end_it(work, end)
        ended(work)
        if shop.catalogue.facts().bulk_act is None:
            break
        work = shop.files.carry_on()
    ended(work)
    if shop.catalogue.facts().bulk_act is not None:
        carried_on(shop)
    is_whole(shop)


def test_what_others_changed_meanwhile_stays_and_is_named(shop: Shop) -> None:
    work: Any = shop.files.change(planned_rows(shop.catalogue, IDS, TEN), by="Мира")
    at_once(work)
    end_it(work)
    ended(work)
    save_typed(shop.editor, IDS[-1], IDS[-1], {"price": "5"}, by="Ана", at=NOW)
    delete_product(shop.editor, IDS[-2], by="Ана", at=NOW)
    act = carried_on(shop)
    assert (act.reached, act.left_out) == (MANY, 2)
    assert act.left_names == tuple(f"Артикал {MANY - one}" for one in (2, 1))
    assert prices(shop)[-1] == Money(5)
    assert prices(shop, IDS[:-2]) == raised(IDS[:-2])
    undone: Undone = ended(shop.files.take_back(last_of(shop.editor), by="Мира"))
    assert undone.done == MANY - 2


def test_a_stopped_change_waits_for_a_decision_and_can_be_taken_back(shop: Shop) -> None:
    before = prices(shop)
    work = shop.files.change(planned_rows(shop.catalogue, IDS, TEN), by="Мира")
    at_once(work)
    work.stop()
    ended(work)
    act = shop.editor.stop_act()
    assert act is not None
    assert 0 < act.done < MANY
    assert shop.catalogue.facts().bulk_act == act
    assert ended(shop.files.take_back(last_of(shop.editor), by="Мира")) == Undone(act.done)
    assert (prices(shop), shop.catalogue.facts().bulk_act) == (before, None)


def test_taking_back_that_is_killed_is_carried_on(shop: Shop) -> None:
    before = prices(shop)
    ended(shop.files.change(planned_rows(shop.catalogue, IDS, TEN), by="Мира"))
    work: Any = shop.files.take_back(last_of(shop.editor), by="Мира")
    at_once(work)
    end_it(work)
    ended(work)
    act = shop.catalogue.facts().bulk_act
    assert act is not None
    assert (act.kind, act.whole) == (ActKind.TAKE_BACK, MANY)
    assert 0 < act.done < MANY
    done = carried_on(shop)
    assert (done.done, done.left_out) == (MANY, 0)
    assert prices(shop) == before
    assert shop.editor.last_change() is None


def test_a_cut_change_that_had_changed_nothing_leaves_the_one_before_alone(shop: Shop) -> None:
    """Taking it back does not take back the change before it."""
    ended(shop.files.change(planned_rows(shop.catalogue, IDS[:3], TEN), by="Мира"))
    stood = prices(shop)
    act = BulkAct(ActKind.CHANGE, "", "Мира", NOW, ActState.STOPPED, MANY)
    shop.editor.begin_act(act)
    refused = ended(shop.files.take_back(last_of(shop.editor), by="Мира"))
    assert isinstance(refused, NotAllowed)
    assert (prices(shop), shop.catalogue.facts().bulk_act) == (stood, act)
    shop.editor.end_act()
    assert ended(shop.files.take_back(last_of(shop.editor), by="Мира")) == Undone(3)


@pytest.mark.parametrize("commit", sampled([2, 3, 5]))
def test_a_deletion_that_is_killed_is_carried_on(shop: Shop, commit: int) -> None:
    with closing(killed(shop, commit=commit, when="after")) as files:
        ended(files.delete(shown_to_delete(shop.catalogue, shop.editor, IDS), by="Мира"))
    act = shop.catalogue.facts().bulk_act
    if act is not None:
        save_typed(shop.editor, IDS[-1], IDS[-1], {"name": "Остаје"}, by="Ана", at=NOW)
        assert carried_on(shop).left_names == ("Остаје",)
        assert [one for one in IDS if shop.catalogue.product(one) is not None] == IDS[-1:]
    else:
        assert shop.catalogue.count() in (2, MANY + 2)


@pytest.mark.parametrize("commit", sampled([4, 5, 6, 8]))
def test_an_import_that_is_killed_is_carried_on(shop: Shop, commit: int) -> None:
    rows = [f"{1000 + n};;{500 + n};;" for n in range(len(SOME))]
    rows += [f"{5000 + n};Нови {n};5;Ђ;Ново" for n in range(len(SOME))]
    sheet = shop.sheet("\n".join(["Шифра;Назив;Цена;Порез;Група", *rows]))
    plan = shop.planned(sheet)
    assert (plan.changed, plan.new) == (len(SOME), len(SOME))
    with closing(killed(shop, commit=commit, when="after")) as files:
        ended(files.carry_out(plan, name="cene.csv", by="Мира"))
    act = shop.catalogue.facts().bulk_act
    if act is not None:
        assert (act.kind, act.name, act.whole) == (ActKind.IMPORT, "cene.csv", 2 * len(SOME))
        assert carried_on(shop).done == 2 * len(SOME)
    else:
        ended(shop.files.carry_out(plan, name="cene.csv", by="Мира"))
    assert prices(shop, SOME) == [Money(500 + n) for n in range(len(SOME))]
    assert shop.catalogue.count() == MANY + len(SOME) + 2
    assert ended(shop.files.take_back(last_of(shop.editor), by="Мира")) == Undone(2 * len(SOME))
    assert (shop.catalogue.count(), prices(shop)[0]) == (MANY + 2, Money(100))


def test_a_row_of_an_import_that_somebody_changed_meanwhile_stays(shop: Shop) -> None:
    plan = shop.planned(shop.sheet("Шифра;Цена\n1000;500\n1001;501"))
    save_typed(shop.editor, IDS[0], IDS[0], {"price": "7"}, by="Ана", at=NOW)
    done = ended(shop.files.carry_out(plan, name="cene.csv", by="Мира"))
    assert counts(done) == (1, 0, 1)
    assert done.act.left_names == ("Артикал 0",)
    assert prices(shop, IDS[:2]) == [Money(7), Money(501)]


def test_rows_of_an_import_whose_article_went_or_whose_code_was_taken_are_named(shop: Shop) -> None:
    """They are no mistakes of the file, which had none when it was read."""
    plan = shop.planned(shop.sheet("Шифра;Назив;Цена;Порез\n1000;;500;\n1001;;501;\n9001;Нов;5;Ђ"))
    assert (plan.changed, plan.new, plan.bad) == (2, 1, 0)
    delete_product(shop.editor, IDS[0], by="Ана", at=NOW)
    taken = Product(id="other", name="Други", tax_label=tax.TaxLabel.E, sku=9001, price=Money(7))
    shop.editor.record(NewEdit.adding(taken, by="Ана", at=NOW))
    done = ended(shop.files.carry_out(plan, name="cene.csv", by="Мира"))
    assert counts(done) == (1, 0, 2)
    assert done.act.left_names == ("Артикал 0", "Нов")
    assert prices(shop, ["other", IDS[1]]) == [Money(7), Money(501)]


def test_two_processes_that_carry_on_make_each_row_once(shop: Shop) -> None:
    """The process of a till that was killed may still be at work when the next till begins."""
    first: Any = shop.files.change(planned_rows(shop.catalogue, IDS, TEN), by="Мира")
    at_once(first)
    with closing(CatalogueProcess(shop.data, command=child(CATALOGUE_FILES))) as files:
        second = files.carry_on()
        ended(first)
        ended(second)
    is_whole(shop)


def test_a_label_that_an_article_has_already_is_no_change(shop: Shop) -> None:
    done: ActDone = ended(
        shop.files.change(
            planned_rows(shop.catalogue, IDS[:5], LabelForAll(tax.TaxLabel.E)), by="Мира"
        )
    )
    assert done.act is not None
    assert (done.act.reached, done.act.done) == (5, 0)
    assert shop.editor.last_change() is None


def test_articles_with_other_labels_than_those_to_be_changed_keep_theirs(shop: Shop) -> None:
    ended(
        shop.files.change(
            planned_rows(shop.catalogue, IDS[:2], LabelForAll(tax.TaxLabel.A)), by="Мира"
        )
    )
    change = LabelForAll(tax.TaxLabel.DJ, instead_of=(tax.TaxLabel.A,))
    done: ActDone = ended(
        shop.files.change(planned_rows(shop.catalogue, IDS[:5], change), by="Мира")
    )
    assert done.act is not None
    assert (done.act.reached, done.act.done) == (5, 2)


@pytest.mark.long
def test_a_scan_during_the_change_is_fast(tmp_path: Path) -> None:
    many = 3_000
    with closing(filled(tmp_path, many)) as shop:
        ids = [f"a{number:05}" for number in range(many)]
        work = shop.files.change(planned_rows(shop.catalogue, ids, TEN), by="Мира")
        slowest = 0.0
        while work.result() is None:
            begun = time.monotonic()
            assert shop.catalogue.by_code(ArticleCode("1007"))
            slowest = max(slowest, time.monotonic() - begun)
            time.sleep(0.002)  # the next scan
        done = work.result()
        assert isinstance(done, ActDone)
        assert prices(shop, ids) == raised(ids)
        assert slowest < 0.2, "on a busy machine too"
