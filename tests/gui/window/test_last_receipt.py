"""F9 shows the last receipt as its customer sees it, or says why it can't."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pos_app import errors
from pos_app.cashier.sale.last_sale import last_facts
from pos_app.cashier.sale.server_acts import SHOW_MS
from pos_app.cashier.ui.labels import AmountLabel
from pos_app.selling.sale.ticket import DocumentKind
from tests.fakes.fiscal_server import Fault
from tests.fakes.receipt_files import NotingViewer
from tests.gui.crawl.painted import painted_by
from tests.gui.inside import inside
from tests.gui.parts import only, pass_time
from tests.gui.payment.shop import CASHIER
from tests.gui.window.hands import Hands, seen
from tests.gui.window.shop import BREAD, MILK, Shop
from tests.sweep import sampled

KINDS = [DocumentKind.SALE, DocumentKind.PROFORMA, DocumentKind.TRAINING]


async def sell(hands: Hands, kind: DocumentKind = DocumentKind.SALE, *faults: Fault) -> None:
    hands.shop.server.faults.extend(faults)
    if kind is not DocumentKind.SALE:
        inside(hands.window).set_kind(kind)
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.shop.pause()
    hands.pad("+")
    await hands.shop.serve()
    await seen()


def choose(hands: Hands) -> None:
    hands.press("F9")
    hands.tap_words("прикажи PDF: Последњи рачун")


def press_strip(hands: Hands) -> None:
    hands.scan(MILK)
    hands.tap(inside(hands.window).cart.strip)
    hands.tap_words("Прикажи рачун")


@pytest.fixture
def viewer() -> NotingViewer:
    return NotingViewer()


async def test_one_that_the_server_can_t_read_is_told_as_issued(
    shop: Shop, sell_in: Callable[..., Hands], viewer: NotingViewer
) -> None:
    shop.server.damaged = True
    hands = sell_in(shop, viewer=viewer)
    await sell(hands, DocumentKind.SALE, Fault.ANSWER_LOST)
    assert shop.tones.played[-1] == "attention"
    last = inside(hands.window).model.confirmation.last
    assert last is not None
    facts = last_facts(last, hands.window.texts)
    assert (facts.number, facts.state) == ("ABCD1234-ABCD1234-1", "издат, нечитљив")
    hands.scan(MILK)
    hands.tap(inside(hands.window).cart.strip)
    told = hands.notice()
    assert told.startswith("Рачун ABCD1234-ABCD1234-1 ")
    assert "сервер не може да га прочита. Позовите подршку" in told


@pytest.mark.parametrize("kind", sampled(reversed(KINDS)))
async def test_the_last_document_of_any_kind_is_shown(
    shop: Shop, sell_in: Callable[..., Hands], viewer: NotingViewer, kind: DocumentKind
) -> None:
    hands = sell_in(shop, viewer=viewer)
    await sell(hands, kind)
    if kind is DocumentKind.TRAINING:  # training's last receipt is shown in training
        hands.press("Esc")
        inside(hands.window).set_kind(kind)
    choose(hands)
    await seen()
    assert shop.receipt_files.asked == [("receipt-1", CASHIER)]
    assert viewer.files == [Path("/shown/receipt-1.pdf")]
    assert (hands.notice(), inside(hands.window).model.questions.question) == ("", None)


async def test_by_touch_from_the_strip(
    shop: Shop, sell_in: Callable[..., Hands], viewer: NotingViewer
) -> None:
    hands = sell_in(shop, viewer=viewer)
    await sell(hands)
    press_strip(hands)
    await seen()
    assert viewer.files == [Path("/shown/receipt-1.pdf")]
    assert hands.notice() == ""


async def test_a_proforma_is_called_no_receipt(
    shop: Shop, sell_in: Callable[..., Hands], viewer: NotingViewer
) -> None:
    hands = sell_in(shop, viewer=NotingViewer(opens=False))
    await sell(hands, DocumentKind.PROFORMA)
    hands.scan(MILK)
    hands.tap(inside(hands.window).cart.strip)
    hands.tap_words("Прикажи предрачун")
    await seen()
    assert hands.notice().startswith("Не може да се отвори предрачун ")
    inside(hands.window).model.context.dismiss()
    shop.receipt_files.fault = errors.NotDelivered(what="away")
    choose(hands)
    await seen()
    assert hands.notice().startswith("Сада не може да се прикаже предрачун: сервер")


async def test_without_a_program_for_it_the_notice_says_where_the_file_is(
    shop: Shop, sell_in: Callable[..., Hands]
) -> None:
    hands = sell_in(shop, viewer=NotingViewer(opens=False))
    await sell(hands)
    choose(hands)
    await seen()
    assert hands.notice().endswith(
        "Сачуван је. Позовите подршку и прочитајте: /\u200bshown/\u200breceipt-1.pdf"
    )


FAILURES = (
    (errors.Refused(what="x"), "Сервер није дао рачун за приказ Издат је и сачуван."),
    (
        errors.Unreadable(what="x", number="A-B-1"),
        "Рачун је издат, али сервер не може да га прочита Важи под својим бројем;",
    ),
    (errors.NotDelivered(what="x"), "Сада не може да се прикаже рачун: сервер није доступан"),
    (errors.OutcomeUnknown(what="x"), "Сервер није послао рачун за приказ"),
    (
        errors.DataFolderNotWritable(what="x", path="/shown"),
        "Каса не може да уписује своје податке",
    ),
)


async def test_each_way_to_fail_is_said_in_words(
    shop: Shop, sell_in: Callable[..., Hands], viewer: NotingViewer
) -> None:
    hands = sell_in(shop, viewer=viewer)
    await sell(hands)
    for fault, told in FAILURES:
        shop.receipt_files.fault = fault
        choose(hands)
        await seen()
        assert hands.notice().startswith(told), fault
        hands.press("Esc")
        assert hands.notice() == ""
    assert viewer.files == []


async def test_what_takes_long_shows_that_it_runs_while_the_next_sale_begins(
    shop: Shop, sell_in: Callable[..., Hands], viewer: NotingViewer
) -> None:
    shop.receipt_files.free.clear()
    hands = sell_in(shop, viewer=viewer)
    await sell(hands)
    choose(hands)
    pass_time(hands.window, SHOW_MS)
    assert hands.notice().startswith("Припрема се рачун за приказ")
    hands.scan(MILK)
    assert len(hands.rows()) == 1
    shop.receipt_files.free.set()
    await seen()
    assert hands.notice() == ""
    assert len(viewer.files) == 1


async def test_before_there_is_one_it_is_said(
    shop: Shop, sell_in: Callable[..., Hands], viewer: NotingViewer
) -> None:
    hands = sell_in(shop, viewer=viewer)
    choose(hands)
    assert hands.notice().startswith("Још нема рачуна на овој каси")
    await sell(hands, DocumentKind.SALE, Fault.FIX)
    choose(hands)
    assert hands.notice().startswith("Последњи рачун још није издат Продаја је сачувана.")
    assert shop.receipt_files.asked == []


async def test_change_that_was_given_out_is_never_large_again(
    shop: Shop, sell_in: Callable[..., Hands], viewer: NotingViewer
) -> None:
    hands = sell_in(shop, viewer=viewer)
    window = hands.window

    def shown() -> tuple[bool, bool]:
        """Whether the large change and the strip are visible."""
        return not only(inside(window).cart.large, AmountLabel).isHidden(), not inside(
            window
        ).cart.strip.isHidden()

    async def sold(article: str) -> None:
        hands.type(article)
        hands.press("Enter")
        hands.type("200")
        hands.pad("+")
        await shop.serve()
        await seen()

    await sold(BREAD)
    assert shown() == (True, False)
    hands.type(MILK)
    hands.press("Enter")
    hands.press("F6")
    assert (hands.rows(), shown()) == ([], (False, True))
    inside(window).set_kind(DocumentKind.TRAINING)
    await sold(BREAD)
    inside(window).set_kind(DocumentKind.TRAINING)
    hands.type(MILK)
    hands.press("Enter")
    inside(window).set_kind(DocumentKind.SALE)
    await seen()
    assert (hands.rows(), shown()) == ([], (False, True))


async def test_the_counter_of_its_number_is_there_in_large_type(
    shop: Shop, sell_in: Callable[..., Hands], viewer: NotingViewer
) -> None:
    """People identify a receipt by the last part of its number."""
    hands = sell_in(shop, viewer=viewer, width=1024, text=150)
    await sell(hands, DocumentKind.SALE)
    hands.scan(MILK)
    texts, _ = painted_by(inside(hands.window).cart.strip)
    (number,) = (one.words for one in texts if "ABCD1234" in one.words)
    assert number.startswith("…")
    assert number.endswith("1234-1")
