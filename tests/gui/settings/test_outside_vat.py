"""A shop that leaves the system of VAT, or enters it, is asked before that is saved what its
articles get. It sells none with a label that it may not sign, and relabels them all with one act,
in the settings or in Attention."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path

import apsw
import pytest
from PySide6.QtWidgets import QAbstractButton

from pos_app.cashier.settings.cashier_form import CashierForm
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.ui.buttons import SaveButton
from pos_app.domain.money.tax import TaxLabel, TaxRates
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
from tests.gui.inside import inside
from tests.gui.parts import page_in_front
from tests.gui.patience import until
from tests.gui.settings.conftest import at_page, says
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD, MILK, RATES, Shop, copied

VAT = (TaxLabel.DJ, TaxLabel.E, TaxLabel.G)
ONLY_SAVE, SAVE_AND_CHANGE = "Само сачувај", "Сачувај и промени све у А"
LEAVE = "Остави како јесте"


@pytest.fixture
def shop(few: Path, tmp_path: Path) -> Iterator[Shop]:
    made = Shop(copied(few, tmp_path / "shop"), file_work=child(CATALOGUE_FILES))
    yield made
    made.close()


def vat_articles(hands: Hands) -> int:
    return hands.shop.services.table.labelled(VAT).count


def labelled(hands: Hands, label: TaxLabel) -> int:
    return hands.shop.services.table.labelled((label,)).count


def leave_vat(hands: Hands) -> None:
    hands.shop.services.cashier_here.saved = CashierSetup("Мира", in_vat=False)


def sold(hands: Hands) -> list[str]:
    lines = inside(hands.window).model.cart.active_lines
    return [line.article.frozen.label.value for line in lines]


def bell(hands: Hands) -> int:
    """The bell's number after a reading for it alone: the screen of Attention stays shut."""
    frame = hands.window.frame
    frame.count()
    return frame.waiting.many


def has_ended(work: FileWork) -> bool:
    return work.result() is not None


async def relabel(hands: Hands, label: TaxLabel, products: tuple[str, ...] = ()) -> int:
    """Give these articles a label, or all of them. Returns how many have it then."""
    services = hands.shop.services
    some = products or services.table.labelled(tuple(TaxLabel)).products
    rows = planned_rows(services.catalogue, some, bulk_change.LabelForAll(label))
    work = services.catalogue_files.change(rows, by="Мира")
    await until(partial(has_ended, work))
    return labelled(hands, label)


async def offer(hands: Hands, *groups: TaxRates) -> None:
    """Have the processor tell these rates."""
    hands.shop.server.rates = groups
    hands.shop.clock.go_on(20_000)
    await hands.shop.outbox.step()


def at_case(hands: Hands) -> None:
    """The case of the labels in Attention, opened anew."""
    inside(hands.window).go_home()
    inside(hands.window).open_case("tax labels")


async def relabelled_in_attention(hands: Hands, words: str, done: str) -> None:
    """Press twice: the first press asks."""
    before = hands.shop.services.editor.last_change()
    hands.tap_words(words)
    assert hands.shop.services.editor.last_change() == before
    hands.tap_words(words)
    await until(lambda: says(hands.window, hands.window.texts(f"att.{done}.done")))
    last = hands.shop.services.editor.last_change()
    assert last is not None
    assert last.kind is ChangeKind.BULK


def save_of(hands: Hands) -> SaveButton:
    save: SaveButton = page_in_front(hands.window.frame, "set.page.vat").acts.save
    return save


def can_save(hands: Hands) -> bool:
    return save_of(hands).isEnabled() and not save_of(hands).is_missing


def cards(hands: Hands) -> Mapping[bool, QAbstractButton]:
    """The two answers, by whether the shop is in the system of VAT."""
    form: CashierForm = page_in_front(hands.window.frame, "set.page.vat").form
    return form.cards


async def asked(hands: Hands, *, in_vat: bool) -> None:
    """Choose the answer, press "save", and wait for the question."""
    hands.tap(cards(hands)[in_vat])
    await until(lambda: can_save(hands))
    hands.tap(save_of(hands))
    await until(lambda: bool(hands.buttons(ONLY_SAVE)))


async def test_the_switch_waits_for_the_sale_and_for_receipts_of_confirmed_ones(
    hands: Hands,
) -> None:
    sale, kept = inside(hands.window).model, hands.shop.cashier_settings.kept
    sale.entry.enter_code(BREAD)
    sale.confirmation.pay_cash()
    (waiting,) = hands.shop.services.sales.waiting(SaleState.FROZEN, SaleState.SENDING)
    screen, page = await at_page(hands, PageName.VAT)
    model = screen.model.cashier
    model.choose(in_vat=False)
    await until(lambda: says(page, "још чека рачун с ПДВ-ом"))
    assert save_of(hands).is_missing
    await model.save()
    await hands.shop.outbox.step()
    assert hands.shop.services.sales.sale(waiting.key).state is SaleState.DONE
    model.announce()
    await until(lambda: can_save(hands))
    inside(hands.window).go_home()
    sale.entry.enter_code(BREAD)
    screen, page = await at_page(hands, PageName.VAT)
    screen.model.cashier.choose(in_vat=False)
    await until(lambda: says(page, "Продаја је у току"))
    assert save_of(hands).is_missing
    await model.save()
    assert not kept
    sale.cart.suspend_or_recall()
    model.announce()
    await until(lambda: can_save(hands))


@pytest.mark.deadline(120)
async def test_nothing_with_a_label_of_vat_is_sold_until_one_act_relabels_all(hands: Hands) -> None:
    """The bell counts such articles anew whenever some were changed."""
    services, model = hands.shop.services, inside(hands.window).model
    many = vat_articles(hands)
    model.entry.enter_code(BREAD)
    model.cart.suspend_or_recall()
    leave_vat(hands)
    model.entry.enter_code(BREAD)
    assert sold(hands) == []
    assert "није у систему ПДВ-а" in hands.notice()
    (held,) = model.cart.suspended()
    model.cart.recall(held.id)
    assert sold(hands) == ["Е"]
    hands.press("F12")
    assert not hands.buttons("Издај рачун")
    assert "није у систему ПДВ-а" in hands.notice()
    model.confirmation.pay_cash()
    assert not services.sales.waiting()
    assert bell(hands) == 1
    at_case(hands)
    assert inside(hands.window).waiting() == 1
    await relabelled_in_attention(hands, "Промени све у А", "labels_of_vat")
    assert not vat_articles(hands)
    last = services.editor.last_change()
    assert last is not None
    assert last.articles >= many, "each variant is an article of its own"
    hands.press("Esc")
    model.cart.check_articles()
    assert sold(hands) == ["А"]
    model.entry.enter_code(MILK)
    assert sold(hands) == ["А", "А"]
    for label, rings in ((TaxLabel.A, 0), (TaxLabel.DJ, 1), (TaxLabel.A, 0)):
        await relabel(hands, label)
        assert bell(hands) == rings


async def test_the_switch_asks_where_the_catalogue_can_t_be_read(hands: Hands) -> None:
    """Nobody knows then whether articles have labels that do not fit."""
    kept = hands.shop.cashier_settings.kept
    _, page = await at_page(hands, PageName.VAT)
    for done, in_vat in enumerate((False, True)):
        with refused(connection_of(hands.shop.table), apsw.IOError("disk I/O error")):
            await asked(hands, in_vat=in_vat)
            assert says(page, "Каталог не може да се прочита")
            assert not says(page, "0 артик")
            assert not hands.buttons(SAVE_AND_CHANGE)
            hands.tap_words(LEAVE)
            assert len(kept) == done
            await asked(hands, in_vat=in_vat)
            hands.tap_words(ONLY_SAVE)
            await until(lambda: len(kept) == done + 1)  # noqa: B023
            await until(lambda: not hands.buttons(ONLY_SAVE))
    assert [one.in_vat for one in kept] == [False, True]


@pytest.mark.deadline(120)
async def test_a_shop_in_vat_is_told_of_articles_without_it_only_where_all_are(
    hands: Hands,
) -> None:
    """А is also for what VAT does not apply to."""
    (product, *_) = hands.shop.services.table.labelled((TaxLabel.E,)).products
    assert await relabel(hands, TaxLabel.A, (product,))
    assert vat_articles(hands)
    assert "tax labels" not in [one.id for one in inside(hands.window).cases()]
    many = await relabel(hands, TaxLabel.A)
    assert many == hands.shop.services.table.count(TableChoice()), "as the table counts its rows"
    await offer(hands)
    at_case(hands)
    assert not hands.buttons("Сви у Ђ")
    assert says(hands.window, hands.window.texts("att.labels_outside_vat.untold"))
    await offer(hands, replace(RATES, percent={"Ђ": Decimal(22), "А": Decimal(0)}))
    at_case(hands)
    assert hands.buttons("Сви у Ђ 22\u00a0%")
    assert not hands.buttons("Сви у Е 10\u00a0%")
    assert not hands.buttons("Сви у Г 0\u00a0%")
    await offer(hands, RATES)
    assert bell(hands) == 0, "goods that VAT does not apply to are lawfully all that it sells"
    at_case(hands)
    assert says(hands.window, f"{many} артик")
    await relabelled_in_attention(hands, "Сви у Ђ 20\u00a0%", "labels_outside_vat")
    assert labelled(hands, TaxLabel.DJ) == many
    await until(lambda: "tax labels" not in [one.id for one in inside(hands.window).cases()])


@pytest.mark.deadline(120)
async def test_who_enters_vat_chooses_the_label_before_it_is_saved(hands: Hands) -> None:
    """A switch that concerns no article tells of no question."""
    many = await relabel(hands, TaxLabel.A)
    await offer(hands, RATES)
    screen, page = await at_page(hands, PageName.VAT)
    hands.tap(page.form.cards[False])
    await until(lambda: can_save(hands))
    assert not says(page, "Пре чувања")
    hands.tap_words("Одбаци измене")
    inside(hands.window).go_home()
    leave_vat(hands)
    screen, page = await at_page(hands, PageName.VAT)
    await asked(hands, in_vat=True)
    assert says(page, f"{many} артик")
    assert not hands.buttons("Сви у А")
    offered = [f"Сачувај и промени све у {one}\u00a0%" for one in ("Ђ 20", "Е 10", "Г 0")]
    assert [words for words in offered if hands.buttons(words)] == offered
    hands.tap_words(offered[1])
    await until(lambda: labelled(hands, TaxLabel.E) == many)
    await until(lambda: not screen.model.cashier.running)
    assert hands.shop.cashier_settings.kept == [CashierSetup("Мира", in_vat=True)]
    assert bell(hands) == 0
