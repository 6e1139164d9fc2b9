"""A shop that leaves the system of VAT is told how many articles that concerns, sells none of them
with a label of VAT, and relabels them all with one act in Attention."""

from __future__ import annotations

from functools import partial

from pos_app.domain.tax import TaxLabel
from pos_app.selling.catalogue import bulk_change
from pos_app.selling.catalogue.last_change import ChangeKind
from pos_app.selling.file_work import FileWork
from pos_app.selling.sale.cashier_setup import CashierSetup
from pos_app.selling.sale.state import SaleState
from tests.gui.inside import inside
from tests.gui.parts import lines_of
from tests.gui.patience import until
from tests.gui.settings.test_cashier import at_page, form_of
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD, MILK

VAT = (TaxLabel.DJ, TaxLabel.E, TaxLabel.G)


def vat_articles(hands: Hands) -> int:
    return hands.shop.services.table.labelled(VAT).articles


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
    assert last.articles >= many, "with products that have variants"
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
        work = services.catalogue_files.change(products, change, by="Мира")
        await until(partial(has_ended, work))
        assert bell(hands) == rings


async def test_a_shop_in_vat_sells_articles_without_it_and_is_not_asked_about_them(
    hands: Hands,
) -> None:
    leave_vat(hands)
    inside(hands.window).open_case("tax labels")
    hands.tap_words("Промени све у А")
    hands.tap_words("Промени све у А")
    await until(lambda: not vat_articles(hands))
    done = hands.window.texts("att.labels_of_vat.done")
    await until(lambda: done in lines_of(hands.window))
    hands.shop.services.cashier_here.saved = CashierSetup("Мира", in_vat=True)
    assert [one for one in inside(hands.window).cases() if one.id == "tax labels"] == []
    hands.press("Esc")
    inside(hands.window).model.entry.enter_code(BREAD)
    assert sold(hands) == ["А"]
