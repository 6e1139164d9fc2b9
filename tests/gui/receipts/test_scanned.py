"""The code of a paper receipt, scanned anywhere in the till, over a real server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

import pytest
from PySide6.QtWidgets import QLineEdit

from pos_app.cashier.receipts.view import ReceiptsScreen
from pos_app.cashier.refund.view import RefundScreen
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.window import screens
from pos_app.domain.article.barcodes import short_receipt_code
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.verification import decode
from pos_app.selling.people.manager_pin import DEMO_PIN
from pos_app.selling.sale.receipt_drafts import BuyerDraft
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.fakes.people_here import quick
from tests.fakes.verification_url import payload, url
from tests.gui.inside import inside
from tests.gui.parts import in_front, is_in_front, lines_of, visible_parts
from tests.gui.pictures import settle
from tests.gui.scanner.wedge import LayoutName
from tests.gui.window.real_till import RealTill
from tests.unit.domain.test_barcodes import BIRTHDAY, CARD, NAME

BREAD, MILK, COFFEE = "8609910700134", "8609951100139", "20"


def code_of(sale: Sale) -> str:
    assert sale.receipt is not None
    assert sale.receipt.verification_url is not None
    return sale.receipt.verification_url


def number_of(sale: Sale) -> str:
    return str(decode(code_of(sale)).number)


def short_code_of(sale: Sale) -> str:
    return short_receipt_code(decode(code_of(sale)).total_counter)


async def told(real: RealTill) -> None:
    """Wait until the server has answered about the scanned receipt."""
    await real.until(lambda: "Тражи се" not in real.hands.notice())


def words_on_top(real: RealTill) -> str:
    return " ".join(lines_of(real.hands.window.frame.top))


async def opened(real: RealTill, sale: Sale) -> ReceiptsScreen:
    """The screen of receipts, once it shows the receipt."""
    screen: ReceiptsScreen = in_front(real.hands.window.frame, "receipts.title")

    def is_there() -> bool:
        shown = screen.model.opened
        return shown is not None and shown.overview.number == number_of(sale)

    await real.until(is_there)
    assert screen.model.opened_by_scan
    return screen


async def a_receipt_is_told_and_the_cart_stays(real: RealTill) -> None:
    sale = await real.sold(BREAD)
    await real.scan(BREAD)
    for number, code in enumerate((code_of, short_code_of), 1):
        await real.scan(code(sale))
        await told(real)
        notice = real.hands.notice()
        assert notice.startswith(f"Рачун {number_of(sale)}: 58,99 РСД Промет продаја")
        assert ("упоредите износ и време" in notice) is (code is short_code_of)
        buttons = [real.hands.button(one) for one in ("Рефундирај", "Копија")]
        assert [one.isEnabled() for one in buttons] == [True, True]
        assert len(real.hands.rows()) == number
        await real.scan((MILK, COFFEE)[number - 1])
        assert real.hands.notice() == ""
        assert len(real.hands.rows()) == number + 1
        assert real.last().key == sale.key
    await one_of_nobody_waits_for_a_question_and_presses_nothing(real, sale)
    await a_dead_server_leaves_number_and_amount(real, sale)


async def beside_an_open_cart_it_is_copied_refunded_or_opened(real: RealTill) -> None:
    """The copy says first what it will do; the refund leads back to the cart."""
    sale = await real.sold(BREAD)
    await real.scan(BREAD)
    await real.scan(code_of(sale))
    await told(real)
    await real.tap_words("Копија")
    assert real.hands.notice().startswith("Издаје се копија рачуна")
    filled = [
        one for one in visible_parts(real.hands.window, Button) if one.kind is ButtonKind.FILLED
    ]
    assert filled == []  # Pay is
    await real.tap_words("Без копије")
    assert real.hands.notice() == ""
    assert real.last().key == sale.key
    await real.scan(code_of(sale))
    await told(real)
    await real.tap_words("Копија")
    await real.tap_words("Издај копију")
    copy = await real.ended()
    assert (copy.operation, copy.state) == (Operation.COPY, SaleState.DONE)
    assert copy.target == (sale.receipt and sale.receipt.receipt_id)
    assert real.hands.notice() == ""
    assert len(real.hands.rows()) == 1
    await real.scan(code_of(sale))
    await told(real)
    await real.tap_words("Рефундирај")
    screen = in_front(real.hands.window.frame, "refund.title")
    await real.until(lambda: screen.model.draft is not None)
    await real.press("Esc")
    assert real.hands.window.frame.is_home
    assert len(real.hands.rows()) == 1
    assert real.hands.notice() == ""
    await real.scan(short_code_of(sale))
    await told(real)
    await real.tap_words("Отвори")
    await opened(real, sale)


async def its_buyer_goes_on_the_open_cart(real: RealTill) -> None:
    await real.scan(BREAD)
    await real.scan(url(payload(buyer=b"10:109876542")))
    await told(real)
    assert "Није у дневнику ове касе" in real.hands.notice()
    assert not real.hands.button("Копија").isEnabled()
    await real.tap_words("Купац")
    stored = real.core.till.carts.open_cart(training=False)
    assert stored is not None
    for one in (inside(real.hands.window).model.cart.ticket, stored):
        assert str(BuyerDraft.of(one.typed_details).buyer()) == "10:109876542"
    assert real.hands.notice() == ""
    await a_receipt_from_elsewhere_is_refunded_by_hand_from_the_sale(real)


async def one_of_nobody_waits_for_a_question_and_presses_nothing(
    real: RealTill, sale: Sale
) -> None:
    many = len(real.hands.rows())
    await real.scan("0016")  # bananas, which are weighed
    await real.scan(code_of(sale))
    assert inside(real.hands.window).model.questions.is_asked
    await real.type("2")
    await real.press("Enter")
    await told(real)
    assert real.hands.notice().startswith(f"Рачун {number_of(sale)}")
    assert len(real.hands.rows()) == many + 1
    await real.press("Esc")
    assert real.hands.notice() == ""


async def a_dead_server_leaves_number_and_amount(real: RealTill, sale: Sale) -> None:
    real.shop.running[-1].kill()
    await real.scan(code_of(sale))
    await told(real)
    assert real.hands.notice().startswith(f"Рачун {number_of(sale)}: 58,99 РСД")
    assert "Сервер касе сада не одговара" in real.hands.notice()


async def no_layout_of_the_keyboard_changes_a_code(real: RealTill) -> None:
    """Each code comes in two parts, as on a busy machine, or by radio."""
    sale, keys = await real.sold(BREAD), real.hands.keys
    layouts: tuple[LayoutName, ...] = ("rs-latin", "rs-cyrillic")
    for keys.layout, code in zip(layouts, (short_code_of, code_of), strict=True):
        scanned = code(sale)
        await real.by_hand(partial(real.hands.scan, scanned, cut=len(scanned) // 2, pause=200))
        await told(real)
        assert real.hands.notice().startswith(f"Рачун {number_of(sale)}: 58,99 РСД")
        await real.press("Esc")
        assert real.hands.notice() == ""
    keys.layout = "us"


async def a_scanner_that_changes_letters_is_told_of(real: RealTill) -> None:
    sale = await real.sold(BREAD)
    await real.scan(code_of(sale).upper())
    assert real.hands.notice().startswith("Скенер мења величину слова")
    await real.scan(short_code_of(sale).upper())
    await told(real)
    assert real.hands.notice().startswith(f"Рачун {number_of(sale)}")


async def it_opens_the_receipt_from_any_screen(real: RealTill) -> None:
    """Also from the gate of a screen, from the open catalogue and from a refund."""
    first, last = await real.sold(BREAD), await real.sold(MILK)
    frame = real.hands.window.frame
    for name, sale, code in (
        (screens.ATTENTION, first, code_of),
        (screens.CATALOGUE, last, short_code_of),
        (screens.SETTINGS, first, short_code_of),
    ):
        await real.by_hand(frame.go_home)
        await real.by_hand(frame.open, name)
        await real.scan(code(sale))
        await opened(real, sale)
    await real.by_hand(frame.go_home)
    await real.by_hand(frame.open, screens.CATALOGUE)
    await real.type(DEMO_PIN)
    await real.press("Enter")
    await real.until(lambda: "Унесите ПИН" not in words_on_top(real))
    await real.scan(code_of(first))
    await opened(real, first)
    await real.by_hand(frame.open, screens.REFUND, screens.RefundPlace(number_of(first)))
    await real.scan(short_code_of(last))
    await opened(real, last)


async def an_identity_card_is_read_at_a_refund_and_kept_nowhere_else(real: RealTill) -> None:
    sale = await real.sold(BREAD)
    await real.scan(MILK)
    for line in (CARD, BIRTHDAY, NAME):
        await real.scan(line)
    assert real.hands.notice().startswith("Ово је лична карта")
    stored = real.core.till.carts.open_cart(training=False)
    assert stored is not None
    assert stored.missed == ()
    await real.by_hand(
        real.hands.window.frame.open, screens.REFUND, screens.RefundPlace(number_of(sale))
    )
    screen = in_front(real.hands.window.frame, "refund.title")
    for line in (CARD, BIRTHDAY, NAME):
        await real.scan(line)
    await real.until(lambda: str(screen.model.document.buyer()) == "20:008412357")
    assert screen.model.refusal is None


async def a_receipt_from_elsewhere_says_what_its_code_says(real: RealTill) -> None:
    await real.sold(BREAD)
    real.services.manager.save_pin(quick(DEMO_PIN))
    await real.by_hand(real.hands.window.frame.open, screens.SETTINGS)
    await a_refund_from_elsewhere_is_never_refunded(real)
    await real.scan(url(payload(buyer=b"11:0101990710003")))
    assert is_in_front(real.hands.window.frame, "receipts.title")
    await real.until(lambda: "8652/11389" in words_on_top(real))
    await real.until(lambda: "није у дневнику ове касе" in words_on_top(real))
    await real.until(lambda: any(one.isEnabled() for one in real.hands.buttons("Рефундирај ручно")))
    words = words_on_top(real)
    for one in ("ABCD1234-WXYZ9876-11389", "8652/11389", "1.674,72", "01.01.2024. 12:00:00"):
        assert one in words
    assert "0101990710003" not in words
    await real.type("r")
    by_hand = in_front(real.hands.window.frame, "refund.title")
    assert by_hand.head.button.spec.words == "Рачуни", "it leads back to where R was pressed"
    await give_pin(real, by_hand)
    await real.until(
        lambda: (
            "ABCD1234-WXYZ9876-11389"
            in [one.text() for one in by_hand.findChildren(QLineEdit) if one.isVisible()]
        )
    )


async def a_receipt_from_elsewhere_is_refunded_by_hand_from_the_sale(real: RealTill) -> None:
    real.services.manager.save_pin(quick(DEMO_PIN))
    await real.scan(url(payload(buyer=b"10:109876542")))
    await told(real)
    await real.tap_words("Рефундирај")
    screen = in_front(real.hands.window.frame, "refund.title")
    await give_pin(real, screen)
    assert screen.model.hand_draft is not None
    assert screen.model.hand_draft.number == "ABCD1234-WXYZ9876-11389"
    assert str(screen.model.document.buyer()) == "10:109876542"
    await real.press("Esc")
    assert real.hands.window.frame.is_home
    assert len(real.hands.rows()) == 1


async def give_pin(real: RealTill, screen: RefundScreen) -> None:
    """Type the manager's PIN at the gate of a refund by hand."""
    await real.until(lambda: screen.gate is not None and screen.gate.isVisible())
    await real.type(DEMO_PIN)
    await real.press("Enter")
    await real.until(lambda: screen.gate is None)


async def a_refund_from_elsewhere_is_never_refunded(real: RealTill) -> None:
    await real.scan(url(payload(transaction_type=1)))
    screen = in_front(real.hands.window.frame, "receipts.title")
    await real.until(lambda: "није у дневнику ове касе" in words_on_top(real))
    assert not real.hands.button("Рефундирај ручно").isEnabled()
    await real.type("r")
    assert real.hands.window.frame.top is screen
    assert "Ручно се рефундира само" in words_on_top(real)


async def a_question_that_nobody_waits_for_leaves_the_line_to_the_next(real: RealTill) -> None:
    """A cashier who leaves the screen, or scans on, cancels a question at any moment of it."""
    number = number_of(await real.sold(BREAD))
    receipts = real.services.receipts
    for moment in range(0, 60, 3):
        question = asyncio.create_task(receipts.receipt(number))
        for _ in range(moment):
            await asyncio.sleep(0)
        question.cancel()
        await asyncio.gather(question, return_exceptions=True)
    assert (await receipts.receipt(number)).overview.number == number


async def that_a_scan_opened_it_is_told_until_another_row_is_opened(real: RealTill) -> None:
    """A short number is to be compared with the paper."""
    first, last = await real.sold(BREAD), await real.sold(MILK)
    await real.press("F7")
    screen = in_front(real.hands.window.frame, "receipts.title")
    await real.until(lambda: screen.model.opened is not None and not screen.model.is_asking)
    assert screen.model.opened is not None
    assert screen.model.opened.overview.number == number_of(last)
    for sale, code in ((first, code_of), (last, short_code_of)):
        await real.scan(code(sale))
        await opened(real, sale)
        await real.until(lambda: "отворен скенирањем" in words_on_top(real))
        settle()  # a new notice is seen once it is laid out
        said = "упоредите износ и време" in words_on_top(real)
        assert said is (code is short_code_of)
        await real.press("Up" if sale is first else "Down")
        await real.until(lambda: "отворен скенирањем" not in words_on_top(real))


async def the_cart_is_dropped(real: RealTill) -> None:
    model = inside(real.hands.window).model
    await real.by_hand(model.cart.void, "test")
    while model.context.notices:
        await real.by_hand(model.context.dismiss)


async def walked(real: RealTill, *steps: Callable[[RealTill], Awaitable[None]]) -> None:
    """Each step begins with an empty cart and without a notice."""
    await real.walk(*(one for step in steps for one in (step, the_cart_is_dropped)))


@pytest.mark.deadline(120)
async def test_receipts_that_are_scanned_at_one_till(real: RealTill) -> None:
    """The last step kills the server."""
    await walked(
        real,
        it_opens_the_receipt_from_any_screen,
        that_a_scan_opened_it_is_told_until_another_row_is_opened,
        beside_an_open_cart_it_is_copied_refunded_or_opened,
        an_identity_card_is_read_at_a_refund_and_kept_nowhere_else,
        a_question_that_nobody_waits_for_leaves_the_line_to_the_next,
        no_layout_of_the_keyboard_changes_a_code,
        a_scanner_that_changes_letters_is_told_of,
        its_buyer_goes_on_the_open_cart,
        a_receipt_from_elsewhere_says_what_its_code_says,
        a_receipt_is_told_and_the_cart_stays,
    )
