"""A shop that leaves the system of VAT, or enters it, is asked before that is saved what its
articles get. It sells none with a label that it may not sign, and relabels them all with one act,
in the settings or in Attention."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path

import apsw
import pytest
from PySide6.QtWidgets import QAbstractButton

from pos_app.domain.money.tax import TaxLabel, TaxRates
from pos_app.errors import DataFolderNotWritable
from pos_app.selling.catalogue import bulk_change
from pos_app.selling.catalogue.last_change import ChangeKind
from pos_app.selling.catalogue.table import TableChoice
from pos_app.selling.file_work import FileWork
from pos_app.selling.sale.cashier_setup import CashierSetup
from pos_app.selling.sale.state import SaleState
from tests.e2e.nursery import CATALOGUE_FILES, child
from tests.fakes.faulty_file import refused
from tests.fakes.inner_connection import connection_of
from tests.fakes.many_articles import planned_rows
from tests.fakes.processor_setup import ProcessorInMemory
from tests.gui.catalogue.screens import delisted
from tests.gui.inside import inside
from tests.gui.parts import lines_of
from tests.gui.patience import until
from tests.gui.settings.test_cashier import at_page, form_of
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD, MILK, RATES, Shop, copied

VAT = (TaxLabel.DJ, TaxLabel.E, TaxLabel.G)


@pytest.fixture
def shop(few: Path, tmp_path: Path) -> Iterator[Shop]:
    made = Shop(copied(few, tmp_path / "shop"), file_work=child(CATALOGUE_FILES))
    yield made
    made.close()


def vat_articles(hands: Hands) -> int:
    return hands.shop.services.table.labelled(VAT).count


def leave_vat(hands: Hands) -> None:
    hands.shop.services.cashier_here.saved = CashierSetup("Мира", in_vat=False)


def sold(hands: Hands) -> list[str]:
    lines = inside(hands.window).model.cart.active_lines
    return [line.article.frozen.label.value for line in lines]


async def test_the_switch_says_how_many_articles_it_concerns(hands: Hands) -> None:
    many = vat_articles(hands)
    assert many > 4
    screen = await at_page(hands)
    hands.tap(form_of(hands).cards[False])
    await until(lambda: any(f"{many} артик" in line for line in lines_of(screen.page)))
    assert not hands.shop.cashier_settings.kept


async def test_the_switch_waits_for_the_receipts_of_confirmed_sales(hands: Hands) -> None:
    model = inside(hands.window).model
    model.entry.enter_code(BREAD)
    model.confirmation.pay_cash()
    (sale,) = hands.shop.services.sales.waiting(SaleState.FROZEN, SaleState.SENDING)
    screen = await at_page(hands)
    hands.tap(form_of(hands).cards[False])
    await until(lambda: any("још чека рачун с ПДВ-ом" in one for one in lines_of(screen.page)))
    assert not hands.button("Сачувај").isEnabled()
    await screen.model.cashier.save()
    assert not hands.shop.cashier_settings.kept
    await hands.shop.outbox.step()
    assert hands.shop.services.sales.sale(sale.key).state is SaleState.DONE
    screen.model.cashier.announce()
    await until(hands.button("Сачувај").isEnabled)


async def test_no_article_with_a_label_of_vat_is_entered(hands: Hands) -> None:
    leave_vat(hands)
    inside(hands.window).model.entry.enter_code(BREAD)
    assert sold(hands) == []
    assert "није у систему ПДВ-а" in hands.notice()


async def test_a_held_cart_is_not_paid_before_its_labels_are_changed(hands: Hands) -> None:
    model = inside(hands.window).model
    model.entry.enter_code(BREAD)
    model.cart.suspend_or_recall()
    leave_vat(hands)
    (held,) = model.cart.suspended()
    model.cart.recall(held.id)
    assert sold(hands) == ["Е"]
    hands.press("F12")
    assert not hands.buttons("Издај рачун")
    assert "није у систему ПДВ-а" in hands.notice()
    hands.press("F4")
    model.confirmation.pay_cash()
    assert not hands.shop.services.sales.waiting()


async def test_one_act_relabels_all_and_the_held_cart_is_sold_with_it(hands: Hands) -> None:
    services, model = hands.shop.services, inside(hands.window).model
    model.entry.enter_code(BREAD)
    many = vat_articles(hands)
    leave_vat(hands)
    inside(hands.window).open_case("tax labels")
    assert inside(hands.window).waiting() == 1
    hands.tap_words("Промени све у А")
    assert vat_articles(hands) == many
    hands.tap_words("Промени све у А")
    await until(lambda: not vat_articles(hands))
    done = hands.window.texts("att.labels_of_vat.done")
    await until(lambda: done in lines_of(hands.window))
    last = services.editor.last_change()
    assert last is not None
    assert last.kind is ChangeKind.BULK
    assert last.articles >= many, "each variant is an article of its own"
    hands.press("Esc")
    model.cart.check_articles()
    assert sold(hands) == ["А"]
    model.entry.enter_code(MILK)
    assert sold(hands) == ["А", "А"]


def bell(hands: Hands) -> int:
    """The bell's number after a reading for it alone: the screen of Attention stays shut."""
    frame = hands.window.frame
    frame.count()
    return frame.waiting.many


def has_ended(work: FileWork) -> bool:
    return work.result() is not None


async def test_the_bell_counts_them_anew_once_articles_were_changed(hands: Hands) -> None:
    services = hands.shop.services
    leave_vat(hands)
    assert bell(hands) == 1
    for label, rings in ((TaxLabel.A, 0), (TaxLabel.DJ, 1), (TaxLabel.A, 0)):
        products = services.table.labelled(tuple(TaxLabel)).products
        change = bulk_change.LabelForAll(label)
        work = services.catalogue_files.change(
            planned_rows(services.catalogue, products, change), by="Мира"
        )
        await until(partial(has_ended, work))
        assert bell(hands) == rings


async def without_vat(hands: Hands) -> int:
    """The number of articles, once each has the label А."""
    services = hands.shop.services
    products = services.table.labelled(tuple(TaxLabel)).products
    change = bulk_change.LabelForAll(TaxLabel.A)
    work = services.catalogue_files.change(
        planned_rows(services.catalogue, products, change), by="Мира"
    )
    await until(partial(has_ended, work))
    return services.table.labelled((TaxLabel.A,)).count


def labelled(hands: Hands, label: TaxLabel) -> int:
    return hands.shop.services.table.labelled((label,)).count


async def offer(hands: Hands, *groups: TaxRates) -> None:
    """Have the processor tell these rates."""
    hands.shop.server.rates = groups
    await hands.shop.outbox.step()


async def test_a_shop_in_vat_sells_articles_without_it_and_is_not_asked_about_them(
    hands: Hands,
) -> None:
    """А is also for what VAT does not apply to; the others have labels of VAT."""
    services = hands.shop.services
    (product, *_) = services.table.labelled((TaxLabel.E,)).products
    rows = planned_rows(services.catalogue, (product,), bulk_change.LabelForAll(TaxLabel.A))
    work = services.catalogue_files.change(rows, by="М")
    await until(partial(has_ended, work))
    assert vat_articles(hands)
    assert labelled(hands, TaxLabel.A)
    assert [one for one in inside(hands.window).cases() if one.id == "tax labels"] == []


def save_of(hands: Hands) -> QAbstractButton:
    (save,) = (one for one in hands.buttons("Сачувај") if one.accessibleName() == "Сачувај")
    return save


async def asked(hands: Hands, *, in_vat: bool) -> None:
    """Choose the answer, press "save", and wait for the question."""
    hands.tap(form_of(hands).cards[in_vat])
    await until(lambda: save_of(hands).isEnabled())
    hands.tap(save_of(hands))
    await until(lambda: bool(hands.buttons("Само сачувај")))


async def test_the_switch_asks_before_anything_is_saved(hands: Hands) -> None:
    many, kept = vat_articles(hands), hands.shop.cashier_settings.kept
    screen = await at_page(hands)
    await asked(hands, in_vat=False)
    assert any(f"{many} артик" in line for line in lines_of(screen.page))
    assert not save_of(hands).isEnabled(), "the question stands first"
    hands.press("Enter")
    assert not kept
    hands.tap_words("Назад")
    assert not kept
    assert screen.model.cashier.in_vat is False, "what was chosen stays"
    await asked(hands, in_vat=False)
    hands.tap_words("Само сачувај")
    await until(lambda: bool(kept))
    assert kept == [CashierSetup("Касир 3", in_vat=False)]
    assert vat_articles(hands) == many
    await until(lambda: not hands.buttons("Само сачувај"))


async def test_a_saved_switch_says_where_the_labels_are_changed(hands: Hands) -> None:
    many = vat_articles(hands)
    screen = await at_page(hands)
    await asked(hands, in_vat=False)
    hands.tap_words("Само сачувај")
    await until(lambda: "Пажња" in " ".join(lines_of(screen.page)))
    told = " ".join(lines_of(screen.page))
    assert "Пре чувања" not in told
    assert f"{many} артик" in told


async def test_a_switch_that_concerns_no_article_tells_of_no_question(hands: Hands) -> None:
    await without_vat(hands)
    screen = await at_page(hands)
    hands.tap(form_of(hands).cards[False])
    await until(lambda: save_of(hands).isEnabled())
    assert "Пре чувања" not in " ".join(lines_of(screen.page))


@pytest.mark.parametrize("in_vat", [False, True])
async def test_the_switch_asks_where_the_catalogue_can_t_be_read(
    hands: Hands, in_vat: bool
) -> None:
    """Nobody knows then whether articles have labels that do not fit."""
    if in_vat:
        leave_vat(hands)
    kept = hands.shop.cashier_settings.kept
    screen = await at_page(hands)
    unread = apsw.IOError("disk I/O error")
    with refused(connection_of(hands.shop.table), unread):
        await asked(hands, in_vat=in_vat)
        assert not kept
        told = " ".join(lines_of(screen.page))
        assert "Каталог не може да се прочита" in told
        assert "0 артик" not in told
        assert not hands.buttons("Сачувај и промени све у А")
        hands.tap_words("Назад")
        assert not kept
        await asked(hands, in_vat=in_vat)
        hands.tap_words("Само сачувај")
        await until(lambda: bool(kept))
    assert [one.in_vat for one in kept] == [in_vat]


async def test_a_question_stays_while_another_act_runs(hands: Hands) -> None:
    kept = hands.shop.cashier_settings.kept
    screen = await at_page(hands)
    await asked(hands, in_vat=False)
    model, ends = screen.model.cashier, asyncio.Event()
    other = asyncio.create_task(model.act("load", ends.wait))
    await until(lambda: bool(model.running))
    hands.tap_words("Само сачувај")
    for _ in range(20):
        await asyncio.sleep(0)
    assert not kept
    assert hands.buttons("Само сачувај"), "the answer was not taken, so it is still asked"
    assert hands.window.texts("set.running.load") in lines_of(screen.page)
    ends.set()
    await other
    hands.tap_words("Само сачувај")
    await until(lambda: bool(kept))
    await until(lambda: not hands.buttons("Само сачувај"))


async def test_a_question_goes_with_what_it_asked_about(hands: Hands) -> None:
    screen = await at_page(hands)
    for end in (
        lambda: hands.tap(form_of(hands).cards[True]),
        lambda: hands.tap_words("Одбаци измене"),
        lambda: hands.press("Esc"),
    ):
        await asked(hands, in_vat=False)
        end()
        assert not screen.model.cashier.asked
        await until(lambda: not hands.buttons("Само сачувај"))
        if not screen.isVisible():
            screen = await at_page(hands)
    assert not hands.shop.cashier_settings.kept


async def test_the_switch_saves_and_relabels_all_with_one_press(hands: Hands) -> None:
    services, kept = hands.shop.services, hands.shop.cashier_settings.kept
    many = vat_articles(hands)
    screen = await at_page(hands)
    await asked(hands, in_vat=False)
    hands.tap_words("Сачувај и промени све у А")
    await until(lambda: not vat_articles(hands))
    await until(lambda: not screen.model.cashier.running)
    assert kept == [CashierSetup("Касир 3", in_vat=False)]
    last = services.editor.last_change()
    assert last is not None
    assert last.kind is ChangeKind.BULK
    assert last.articles >= many
    assert bell(hands) == 0


async def test_the_switch_asks_again_where_other_articles_are_concerned(hands: Hands) -> None:
    """A synchronisation changes them while the question stands: the number is seen first."""
    many = vat_articles(hands)
    screen = await at_page(hands)
    await asked(hands, in_vat=False)
    delisted(hands.shop, MILK)
    now = vat_articles(hands)
    assert now != many
    hands.tap_words("Сачувај и промени све у А")
    await until(lambda: any(f"{now} артик" in one for one in lines_of(hands.window)))
    assert not hands.shop.cashier_settings.kept
    assert vat_articles(hands) == now
    await until(lambda: not screen.model.cashier.running)
    hands.tap_words("Само сачувај")
    await until(lambda: len(hands.shop.cashier_settings.kept) == 1)
    await until(lambda: not screen.model.cashier.running)


async def test_nothing_is_relabelled_where_the_switch_was_not_saved(hands: Hands) -> None:
    many = vat_articles(hands)
    screen = await at_page(hands)
    await asked(hands, in_vat=False)
    hands.shop.cashier_settings.refuses = DataFolderNotWritable(what="no", path="/x")
    hands.tap_words("Сачувај и промени све у А")
    await until(lambda: screen.model.cashier.failure is not None)
    assert vat_articles(hands) == many
    assert hands.shop.services.in_vat


async def test_who_enters_vat_chooses_the_label_before_it_is_saved(hands: Hands) -> None:
    many = await without_vat(hands)
    await offer(hands, RATES)
    leave_vat(hands)
    screen = await at_page(hands)
    await asked(hands, in_vat=True)
    assert any(f"{many} артик" in line for line in lines_of(screen.page))
    assert not hands.buttons("Сви у А")
    offered = [f"Сачувај и промени све у {one}\u00a0%" for one in ("Ђ 20", "Е 10", "Г 0")]
    assert [words for words in offered if hands.buttons(words)] == offered
    hands.tap_words(offered[1])
    await until(lambda: labelled(hands, TaxLabel.E) == many)
    await until(lambda: not screen.model.cashier.running)
    assert hands.shop.cashier_settings.kept == [CashierSetup("Мира", in_vat=True)]
    assert bell(hands) == 0


async def test_attention_tells_that_a_shop_in_vat_sells_nothing_with_vat(hands: Hands) -> None:
    many = await without_vat(hands)
    assert many == hands.shop.services.table.count(TableChoice()), "as the table counts its rows"
    await offer(hands, RATES)
    assert bell(hands) == 0, "goods that VAT does not apply to are lawfully all that it sells"
    assert "tax labels" in [one.id for one in inside(hands.window).cases()]
    inside(hands.window).open_case("tax labels")
    assert any(f"{many} артик" in line for line in lines_of(hands.window))
    hands.tap_words("Сви у Ђ 20\u00a0%")
    assert labelled(hands, TaxLabel.A) == many, "it is asked first"
    hands.tap_words("Сви у Ђ 20\u00a0%")
    done = hands.window.texts("att.labels_outside_vat.done")
    await until(lambda: done in lines_of(hands.window))
    assert labelled(hands, TaxLabel.DJ) == many
    last = hands.shop.services.editor.last_change()
    assert last is not None
    assert last.kind is ChangeKind.BULK
    await until(lambda: "tax labels" not in [one.id for one in inside(hands.window).cases()])


async def test_no_label_is_offered_that_the_processor_does_not_have(hands: Hands) -> None:
    await without_vat(hands)
    await offer(hands, replace(RATES, percent={"Ђ": Decimal(22), "А": Decimal(0)}))
    inside(hands.window).open_case("tax labels")
    assert hands.buttons("Сви у Ђ 22\u00a0%")
    assert not hands.buttons("Сви у Е 10\u00a0%")
    assert not hands.buttons("Сви у Г 0\u00a0%")


async def test_what_the_processor_does_not_tell_is_not_guessed(hands: Hands) -> None:
    await without_vat(hands)
    await offer(hands)
    inside(hands.window).open_case("tax labels")
    assert not hands.buttons("Сви у Ђ 20\u00a0%")
    told = hands.window.texts("att.labels_outside_vat.untold")
    assert any(told in line for line in lines_of(hands.window))


SANDBOX = {"F": Decimal(11), "A": Decimal(9), "C": Decimal(0)}
"""Labels in Latin letters, of which C is the one for who is not in VAT."""


async def test_the_label_that_the_processor_has_for_who_is_not_in_vat_is_taken(
    hands: Hands,
) -> None:
    setup = hands.shop.services.processor_setup
    assert isinstance(setup, ProcessorInMemory)
    setup.told = replace(setup.told, label_map={"Ђ": "F"})
    await offer(hands, TaxRates(RATES.valid_from, SANDBOX, outside_vat=("C",)))
    leave_vat(hands)
    inside(hands.window).open_case("tax labels")
    assert any("има ознаку C" in line for line in lines_of(hands.window))
    hands.tap_words("Промени све у А")
    hands.tap_words("Промени све у А")
    done = hands.window.texts("att.labels_of_vat.done")
    await until(lambda: done in lines_of(hands.window))
    assert not vat_articles(hands)
    assert [one.label_map for one in setup.changes] == [{"Ђ": "F", "А": "C"}]


@pytest.mark.parametrize("outside", [(), ("C", "B")])
async def test_no_label_for_who_is_not_in_vat_is_guessed(
    outside: tuple[str, ...], hands: Hands
) -> None:
    many = vat_articles(hands)
    await offer(hands, TaxRates(RATES.valid_from, SANDBOX, outside_vat=outside))
    leave_vat(hands)
    inside(hands.window).open_case("tax labels")
    assert not hands.buttons("Промени све у А")
    assert any("F A C" in line for line in lines_of(hands.window))
    assert vat_articles(hands) == many
