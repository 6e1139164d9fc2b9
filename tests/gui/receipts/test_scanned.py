"""The code of a paper receipt, scanned anywhere in the till, over a real server."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pos_app.cashier.receipts.view import ReceiptsScreen
from pos_app.cashier.refund.view import RefundScreen
from pos_app.cashier.screens import ATTENTION, CATALOGUE, REFUND, SETTINGS, RefundPlace
from pos_app.domain.barcodes import short_receipt_code
from pos_app.domain.operations import Operation
from pos_app.domain.verification import decode
from pos_app.selling.manager_pin import DEMO_PIN
from pos_app.selling.sale.receipt_drafts import BuyerDraft
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.gui.inside import inside
from tests.gui.parts import lines_of
from tests.gui.window.real_till import RealTill
from tests.unit.domain.test_verification import payload, url

BREAD, MILK = "8609910700134", "8609951100139"


def code_of(sale: Sale) -> str:
    assert sale.receipt is not None
    assert sale.receipt.verification_url is not None
    return sale.receipt.verification_url


def number_of(sale: Sale) -> str:
    return str(decode(code_of(sale)).number)


def short_code_of(sale: Sale) -> str:
    return short_receipt_code(decode(code_of(sale)).total_counter)


async def told(real: RealTill) -> None:
    """The server has said what it knows of the receipt that was scanned."""
    await real.until(lambda: "Тражи се" not in real.hands.notice())


def words_on_top(real: RealTill) -> str:
    return " ".join(lines_of(real.hands.window.frame.top))


async def opened(real: RealTill, sale: Sale) -> ReceiptsScreen:
    """The screen of receipts, once it shows that one."""
    screen = real.hands.window.frame.top
    assert isinstance(screen, ReceiptsScreen)
    await real.until(lambda: screen.model.opened is not None)
    assert screen.model.opened is not None
    assert screen.model.opened.overview.number == number_of(sale)
    assert screen.model.opened_by_scan
    return screen


# --- at the sale ---------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [code_of, short_code_of])
async def test_a_receipt_is_told_and_the_cart_stays(
    real: RealTill, code: Callable[[Sale], str]
) -> None:
    async with real.at_work():
        sale = await real.sold(BREAD)
        real.hands.scan(BREAD)
        real.hands.scan(code(sale))
        await told(real)
        assert real.hands.notice().startswith(f"Рачун {number_of(sale)}: 58,99 РСД Промет продаја")
        assert [real.hands.button(one).isEnabled() for one in ("Рефундирај", "Копија")] == [
            True, True
        ]  # fmt: skip
        assert len(real.hands.rows()) == 1
        real.hands.scan(MILK)
        assert real.hands.notice() == ""
        assert len(real.hands.rows()) == 2
        assert real.last().key == sale.key


async def test_its_copy_says_first_what_it_will_do(real: RealTill) -> None:
    async with real.at_work():
        sale = await real.sold(BREAD)
        real.hands.scan(BREAD)
        real.hands.scan(code_of(sale))
        await told(real)
        real.hands.tap_words("Копија")
        assert real.hands.notice().startswith("Издаје се копија рачуна")
        assert real.last().key == sale.key
        real.hands.tap_words("Издај копију")
        copy = await real.ended()
        assert (copy.operation, copy.state) == (Operation.COPY, SaleState.DONE)
        assert copy.target == (sale.receipt and sale.receipt.receipt_id)
        assert real.hands.notice() == ""
        assert len(real.hands.rows()) == 1


async def test_its_refund_leads_back_to_the_open_cart(real: RealTill) -> None:
    async with real.at_work():
        sale = await real.sold(BREAD)
        real.hands.scan(MILK)
        real.hands.scan(code_of(sale))
        await told(real)
        real.hands.tap_words("Рефундирај")
        screen = real.hands.window.frame.top
        assert isinstance(screen, RefundScreen)
        await real.until(lambda: screen.model.draft is not None)
        real.hands.press("Esc")
        assert real.hands.window.frame.is_home
        assert len(real.hands.rows()) == 1
        assert real.hands.notice() == ""


async def test_it_is_opened_among_all_receipts(real: RealTill) -> None:
    async with real.at_work():
        sale = await real.sold(BREAD)
        real.hands.scan(short_code_of(sale))
        await told(real)
        real.hands.tap_words("Отвори")
        await opened(real, sale)


async def test_its_buyer_goes_on_the_open_cart(real: RealTill) -> None:
    async with real.at_work():
        real.hands.scan(BREAD)
        real.hands.scan(url(payload(buyer=b"10:109876542")))
        await told(real)
        assert "Није у дневнику ове касе" in real.hands.notice()
        assert not real.hands.button("Копија").isEnabled()
        real.hands.tap_words("Купац")
        stored = real.core.till.carts.open_cart(training=False)
        assert stored is not None
        for one in (inside(real.hands.window).model.cart.ticket, stored):
            assert str(BuyerDraft.of(one.typed_details).buyer()) == "10:109876542"
        assert real.hands.notice() == ""


async def test_a_receipt_of_nobody_waits_for_a_question_and_presses_nothing(
    real: RealTill,
) -> None:
    async with real.at_work():
        sale = await real.sold(BREAD)
        real.hands.scan("0016")  # bananas, which are weighed
        real.hands.scan(code_of(sale))
        assert inside(real.hands.window).model.questions.is_asked
        real.hands.type("2")
        real.hands.press("Enter")
        await told(real)
        assert real.hands.notice().startswith(f"Рачун {number_of(sale)}")
        assert len(real.hands.rows()) == 1


async def test_a_dead_server_leaves_number_and_amount(real: RealTill) -> None:
    async with real.at_work():
        sale = await real.sold(BREAD)
        real.shop.running[-1].kill()
        real.hands.scan(code_of(sale))
        await told(real)
        assert real.hands.notice().startswith(f"Рачун {number_of(sale)}: 58,99 РСД")
        assert "Сервер касе сада не одговара" in real.hands.notice()


# --- on the other screens ------------------------------------------------------------------------


@pytest.mark.parametrize("name", [ATTENTION, CATALOGUE, SETTINGS])
@pytest.mark.parametrize("code", [code_of, short_code_of])
async def test_it_opens_the_receipt_from_any_screen(
    real: RealTill, name: str, code: Callable[[Sale], str]
) -> None:
    async with real.at_work():
        sale = await real.sold(BREAD)
        real.hands.window.frame.open(name)
        real.hands.scan(code(sale))
        await opened(real, sale)


async def test_it_opens_the_receipt_from_the_open_catalogue_and_from_a_refund(
    real: RealTill,
) -> None:
    async with real.at_work():
        sale = await real.sold(BREAD)
        real.hands.window.frame.open(CATALOGUE)
        real.hands.type(DEMO_PIN)
        real.hands.press("Enter")
        assert "Унесите ПИН" not in words_on_top(real)
        real.hands.scan(code_of(sale))
        await opened(real, sale)
        real.hands.window.frame.open(REFUND, RefundPlace(number_of(sale)))
        real.hands.scan(short_code_of(sale))
        await opened(real, sale)


async def test_a_receipt_from_elsewhere_says_what_its_code_says(real: RealTill) -> None:
    async with real.at_work():
        await real.sold(BREAD)
        real.hands.window.frame.open(SETTINGS)
        real.hands.scan(url(payload(buyer=b"11:0101990710003")))
        screen = real.hands.window.frame.top
        assert isinstance(screen, ReceiptsScreen)
        await real.until(lambda: screen.model.foreign is not None)
        words = words_on_top(real)
        for one in ("ABCD1234-WXYZ9876-11389", "8652/11389", "1.674,72", "01.01.2024. 12:00:00"):
            assert one in words
        assert "0101990710003" not in words
        real.hands.tap_words("Рефундирај ручно")
        assert isinstance(real.hands.window.frame.top, RefundScreen)


async def test_a_refund_from_elsewhere_is_never_refunded(real: RealTill) -> None:
    async with real.at_work():
        real.hands.window.frame.open(SETTINGS)
        real.hands.scan(url(payload(transaction_type=1)))
        screen = real.hands.window.frame.top
        assert isinstance(screen, ReceiptsScreen)
        await real.until(lambda: screen.model.foreign is not None)
        assert not real.hands.button("Рефундирај ручно").isEnabled()
        assert "се не рефундирају" in words_on_top(real)
