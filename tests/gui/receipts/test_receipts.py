"""Receipts by F7: pressed in a real window, answered by a real server."""

from __future__ import annotations

import csv
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu

from pos_app.cashier.advances.words import row_of
from pos_app.cashier.receipts.view import ReceiptsScreen
from pos_app.cashier.ui.done import DonePanel
from pos_app.cashier.ui.notice import NoticePanel
from pos_app.cashier.ui.rows import CartRow
from pos_app.cashier.window.screens import RECEIPTS, ReceiptPlace
from pos_app.cashier.words.receipt_words import short_number
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.receipt_overview import ReceiptAct, ReceiptOverview, WhyNot
from pos_app.domain.receipt.request import InvoiceType, ReceiptDelivery
from pos_app.errors import NotAllowed
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.receipts.confirm import confirm_refund
from pos_app.selling.receipts.refund_draft import RefundDraft
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind, Ticket
from tests.gui.inside import inside
from tests.gui.parts import in_front, lines_of, page_in_front, visible_parts
from tests.gui.window.real_till import RealTill

OPEN_PRICE = 449
BREAD, MILK = "8609910700134", "8609951100139"


def screen(real: RealTill) -> ReceiptsScreen:
    screen: ReceiptsScreen = in_front(real.hands.window.frame, "receipts.title")
    return screen


async def receipt(real: RealTill, sale: Sale) -> ReceiptOverview:
    assert sale.receipt is not None
    return (await real.services.receipts.receipt(sale.receipt.fiscal_number)).overview


async def is_open(real: RealTill, number: str) -> ReceiptsScreen:
    shown = screen(real)
    await real.until(
        lambda: shown.model.opened is not None and shown.model.opened.overview.number == number
    )
    return shown


async def opened(real: RealTill, sale: Sale) -> ReceiptsScreen:
    """Press F7 and scan a receipt."""
    assert sale.receipt is not None
    assert sale.receipt.verification_url is not None
    await real.press("F7")
    await real.scan(sale.receipt.verification_url)
    return await is_open(real, sale.receipt.fiscal_number)


async def _menu(real: RealTill) -> QMenu:
    await real.until(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


async def _chosen_in_the_dialog(real: RealTill, file: Path, *, offers: str = "") -> None:
    window = real.hands.window
    await real.until(lambda: bool(window.findChildren(QFileDialog)))
    chooser = window.findChildren(QFileDialog)[0]
    assert offers in "".join(chooser.selectedFiles())
    await real.by_hand(chooser.fileSelected.emit, str(file))
    chooser.close()
    await real.until(lambda: not window.findChildren(QFileDialog))


async def a_pdf_is_saved_where_somebody_says_and_the_list_as_a_sheet(
    real: RealTill, folder: Path
) -> None:
    """The sheet has a row for each item."""
    sold = await real.sold(BREAD)
    shown = await opened(real, sold)
    await real.until(lambda: shown.model.can_act)
    assert sold.receipt is not None
    file, nowhere = folder / "racun.pdf", folder / "none" / "racun.pdf"
    for target, told in ((file, "Сачувано"), (nowhere, "не може")):
        await real.type("d")
        menu = await _menu(real)
        assert menu.activeAction().text() == "Отвори"
        await real.by_hand(QTest.keyClick, menu, Qt.Key.Key_Down)
        await real.by_hand(QTest.keyClick, menu, Qt.Key.Key_Return)
        await _chosen_in_the_dialog(real, target, offers=sold.receipt.fiscal_number)
        await real.until(lambda: told in " ".join(lines_of(shown.opened)))  # noqa: B023
        assert visible_parts(shown.opened, NoticePanel)
        assert not visible_parts(shown.opened, DonePanel), "nothing was issued"
    assert file.read_bytes().startswith(b"%PDF-")
    assert not nowhere.parent.exists()
    sheet, key = folder / "racuni.csv", shown.side.filters.export_button
    await real.by_hand(QTest.mouseClick, key, Qt.MouseButton.LeftButton)
    menu = await _menu(real)
    entry = next(one for one in menu.actions() if one.text() == "Ред за сваку ставку")
    await real.by_hand(entry.trigger)
    await _chosen_in_the_dialog(real, sheet)
    await real.until(lambda: shown.room.exporting.came is not None)
    rows = list(csv.reader(sheet.read_text(encoding="utf-8-sig").splitlines(), delimiter=";"))
    assert rows[1][9] == "Хлеб бели Сава 500 g/ком"
    assert (rows[0][-1], rows[1][-1]) == ("Категорија", "Пекара")
    assert len(rows) - 1 > shown.side.rows.rowCount(), "some receipts have two items"
    await real.tap_words("У реду")
    await real.until(lambda: shown.room.exporting.came is None)


def cart(real: RealTill) -> Ticket:
    ticket: Ticket = inside(real.hands.window).model.cart.ticket
    return ticket


async def the_same_items_come_beside_what_is_in_the_cart(real: RealTill) -> None:
    sold = await real.sold(BREAD, BREAD, MILK)
    told = await receipt(real, sold)
    await real.scan(MILK)
    await opened(real, sold)
    await real.type("a")
    assert real.hands.window.frame.is_home
    lines = cart(real).cart.active
    assert [str(line.quantity) for line in lines] == ["2", "2"]
    names = {line.article.frozen.printed_name for line in lines}
    assert names == {line.name for line in told.lines}
    inside(real.hands.window).model.cart.void("test")
    what_costs_nothing_is_asked_about(real, told)
    what_is_not_sold_any_more_is_told(real, told)
    inside(real.hands.window).model.cart.void("test")


def what_costs_nothing_is_asked_about(real: RealTill, told: ReceiptOverview) -> None:
    """As after a scan; the other lines are in the cart meanwhile."""
    free = replace(told.lines[0], sku=OPEN_PRICE, gtin=None, unit_price=Money.ZERO)
    for is_agreed in (False, True):
        real.hands.window.frame.home.sell_again(replace(told, lines=(free, told.lines[1])))
        assert [line.article.sku for line in cart(real).cart.active] == [told.lines[1].sku]
        asked = page_in_front(real.hands.window.frame, "sure.title")
        real.hands.press("F12" if is_agreed else "Esc")
        assert not asked.isVisible()
        assert len(cart(real).cart.active) == 1 + is_agreed
        inside(real.hands.window).model.cart.void("test")


def what_is_not_sold_any_more_is_told(real: RealTill, told: ReceiptOverview) -> None:
    gone = replace(told.lines[0], sku=987654, gtin=None, name="Кифла/ком")
    home = real.hands.window.frame.home
    home.sell_again(replace(told, lines=(gone, told.lines[1])))
    assert [line.article.sku for line in cart(real).cart.active] == [told.lines[1].sku]
    assert real.hands.notice().startswith("Није више у каталогу: Кифла")
    for other in (replace(told, lines=(gone,)), replace(told, invoice_type=InvoiceType.TRAINING)):
        with pytest.raises(NotAllowed):
            home.sell_again(other)
    assert len(cart(real).cart.active) == 1


async def offered(real: RealTill) -> tuple[Sale, ReceiptOverview]:
    inside(real.hands.window).set_kind(DocumentKind.PROFORMA)
    sale = await real.sold(BREAD, MILK)
    offer = await receipt(real, sale)
    assert offer.invoice_type is InvoiceType.PROFORMA
    return sale, offer


async def a_proforma_becomes_the_sale_that_it_offers(real: RealTill) -> None:
    proforma, offer = await offered(real)
    await real.scan(BREAD)  # somebody else's cart is suspended meanwhile, with what was received
    await real.press("F12", "#500", "Esc")
    await opened(real, proforma)
    await real.type("a")
    assert real.hands.window.frame.is_home
    put_aside = "Отворена корпа је остављена: 58,99 РСД Примљено за њу: Готовина 500,00"
    assert real.hands.notice().replace("\n", " ").startswith(put_aside), real.hands.notice()
    assert cart(real).kind is DocumentKind.SALE
    assert cart(real).cart.total == offer.total
    assert len(inside(real.hands.window).model.cart.suspended()) == 1
    sale = await real.sold()
    told = await receipt(real, sale)
    assert (told.invoice_type, told.total) == (InvoiceType.NORMAL, offer.total)
    assert (told.refers_to, told.referent_time) == (offer.number, offer.time)
    await real.press("F6")
    held = page_in_front(real.hands.window.frame, "ask.held")
    assert "примљено 500,00" in " ".join(one.accessibleName() for one in held.buttons)
    await real.press("Esc")
    assert [line.name for line in told.lines] == [line.name for line in offer.lines]
    await opened(real, proforma)
    await real.type("a")
    await real.press("F12", "Enter", "Enter")  # the page of the payment keeps it too
    await real.until(lambda: real.last().key != sale.key)
    told = await receipt(real, await real.ended())
    assert (told.invoice_type, told.refers_to) == (InvoiceType.NORMAL, offer.number)


async def a_proforma_keeps_its_discount(real: RealTill) -> None:
    """It is a discount of the opened line, which another quantity has too."""
    await real.type("3*3")
    await real.press("Enter", "F12", "F4")
    await real.type("10")
    await real.press("Enter", "Esc", "Ctrl+3", "F12", "Enter")
    await real.until(lambda: real.last().total == Money("215.97"))
    await opened(real, await real.ended())
    await real.type("a")
    for quantity, total in (("3", "215.97"), ("4", "287.96"), ("3", "215.97")):
        await real.press("F3", f"#{quantity}", "Enter")
        rows = real.hands.cart.list.rows
        words = cast("CartRow", rows.data(rows.index(0), Qt.ItemDataRole.UserRole))
        lowered = (words.old_unit_price, words.unit_price, words.discount)
        assert lowered == ("79,99", "71,99", "−10\N{NO-BREAK SPACE}%")
        assert cart(real).cart.total == Money(total)
    assert (await receipt(real, await real.sold())).total == Money("215.97")


async def a_proforma_becomes_an_advance_on_what_it_offers(real: RealTill) -> None:
    """An advance refers to nothing: its text names the proforma, and F8 shows it."""
    proforma, offer = await offered(real)
    await opened(real, proforma)
    await real.type("p")
    assert real.hands.window.frame.is_home
    assert cart(real).kind is DocumentKind.ADVANCE
    assert cart(real).cart.total == offer.total
    assert "По предрачуну" in " ".join(lines_of(real.hands.window))
    await real.press("F12")
    await real.type("100")
    await real.press("Enter", "Enter")
    told = await receipt(real, await real.ended())
    assert (told.invoice_type, told.total) == (InvoiceType.ADVANCE, Money(100))
    assert told.refers_to is None
    assert told.additional_text.splitlines()[0] == f"По предрачуну {offer.number}"
    assert told.advance is not None
    assert told.advance.remaining == offer.total - Money(100)
    [listed] = (await real.services.receipts.advances()).advances
    assert (listed.proforma, listed.total) == (offer.number, offer.total)
    await real.press("F8")
    top = in_front(real.hands.window.frame, "adv.title")
    await real.until(lambda: bool(top.model.matches))
    row = row_of(top.model.matches[0], real.hands.window.texts, now=offer.time, untouched_days=None)
    assert f"предрачун {short_number(offer.number)} · " in row.spoken


async def wrongly_refunded(real: RealTill) -> tuple[ReceiptOverview, Sale, ReceiptsScreen]:
    """A sale, its refund that should not have been, and the screen with the refund."""
    sold = await real.sold(BREAD)
    told = await receipt(real, sold)
    confirm_refund(
        till=real.services.till,
        draft=RefundDraft.whole(told),
        delivery=ReceiptDelivery(),
        buyer=BuyerId.parse("10:101234567"),
        cashier="Мира",
        in_whole_dinars=True,
    )
    real.core.outbox.wake()
    await real.until(lambda: real.last().key != sold.key)
    refund = await real.ended()
    assert refund.receipt is not None
    await real.until(lambda: bool(real.services.server.status.seller_pib))
    number = refund.receipt.fiscal_number
    await real.by_hand(real.hands.window.frame.open, RECEIPTS, ReceiptPlace(number))
    return told, refund, await is_open(real, number)


async def undone(real: RealTill, told: ReceiptOverview, refund: Sale, top: ReceiptsScreen) -> None:
    """Press R, which says first what it does, then Enter."""
    await real.type("r")
    assert (real.last().key, decisions(real)) == (refund.key, 0)
    await real.until(lambda: not top.opened.acts.main.rests)
    await real.press("Enter")
    await real.until(lambda: real.last().key != refund.key)
    assert decisions(real) == 1
    assert (await real.ended()).state is SaleState.DONE
    sold = (await real.services.receipts.receipt(told.number)).overview
    assert sold.why_not(ReceiptAct.REFUND) is None
    assert (await receipt(real, refund)).why_not(ReceiptAct.UNDO) is WhyNot.UNDONE


async def it_is_undone_by_two_keys(real: RealTill) -> None:
    await undone(real, *await wrongly_refunded(real))


async def it_is_undone_once_a_processor_signs(real: RealTill) -> None:
    """While none signs nothing is issued, and there is no row of a decision."""
    told, refund, top = await wrongly_refunded(real)
    real.shop.change(unreachable=["status", "invoices", "lookup"])
    await real.until(lambda: real.services.server.signs_nothing)
    await real.type("r")
    await real.until(lambda: not top.opened.acts.main.rests)
    await real.press("Enter")
    assert "Ово се издаје само док раде" in " ".join(lines_of(top))
    assert (real.last().key, decisions(real)) == (refund.key, 0)
    real.shop.change(unreachable=[])
    await real.until(lambda: not real.services.server.signs_nothing)
    await undone(real, told, refund, top)


def decisions(real: RealTill) -> int:
    since, until = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
    rows = real.services.acts.acts(since=since, until=until)
    return sum(one.done is NotedAct.DECISION for one in rows)


@pytest.mark.qt_log_ignore("This plugin does not support")  # pop-ups on the offscreen platform
@pytest.mark.deadline(120)
async def test_receipts_at_one_till(real: RealTill, tmp_path: Path) -> None:
    await real.walk(
        the_same_items_come_beside_what_is_in_the_cart,
        it_is_undone_by_two_keys,
        partial(a_pdf_is_saved_where_somebody_says_and_the_list_as_a_sheet, folder=tmp_path),
    )


@pytest.mark.deadline(120)
async def test_proformas_at_one_till(real: RealTill) -> None:
    await real.walk(
        a_proforma_becomes_the_sale_that_it_offers,
        a_proforma_keeps_its_discount,
        a_proforma_becomes_an_advance_on_what_it_offers,
    )


@pytest.mark.long
@pytest.mark.deadline(180)
async def test_a_refund_is_undone_once_a_processor_signs(real: RealTill) -> None:
    await real.walk(it_is_undone_once_a_processor_signs)
