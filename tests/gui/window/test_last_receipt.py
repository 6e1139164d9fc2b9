"""F9 shows the last receipt as its customer sees it, or says why it can't."""

from __future__ import annotations

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
from tests.gui.window.hands import Hands, SellIn, seen
from tests.gui.window.shop import BREAD, MILK, Shop

KINDS = [DocumentKind.PROFORMA, DocumentKind.SALE, DocumentKind.TRAINING]


async def sell(hands: Hands, kind: DocumentKind = DocumentKind.SALE, *faults: Fault) -> None:
    hands.shop.server.faults.extend(faults)
    if kind is not DocumentKind.SALE:
        inside(hands.window).set_kind(kind)
    hands.model.entry.enter_code(BREAD)
    hands.shop.pause()
    hands.pad("+")
    await hands.shop.serve()
    await seen()


def choose(hands: Hands) -> None:
    hands.press("F9")
    hands.tap_words("прикажи PDF: Последњи рачун")


def press_strip(hands: Hands) -> None:
    hands.scan(MILK)
    hands.tap(hands.cart.strip)
    hands.tap_words("Прикажи рачун")


@pytest.fixture
def viewer() -> NotingViewer:
    return NotingViewer()


@pytest.fixture
def till(shop: Shop, sell_in: SellIn, viewer: NotingViewer) -> Hands:
    return sell_in(shop, viewer=viewer, width=1024, text=150)


async def test_the_last_document_of_any_kind_is_shown(till: Hands, viewer: NotingViewer) -> None:
    """By its key and by touch from the strip; before there is one, that is said. People identify it
    by the last part of its number."""
    shown = till.shop.receipt_files.asked
    choose(till)
    assert till.notice().startswith("Још нема рачуна на овој каси")
    for number, kind in enumerate(KINDS):
        till.press("Esc")
        await sell(till, kind)
        if kind is DocumentKind.TRAINING:  # training's last receipt is shown in training
            till.press("Esc")
            inside(till.window).set_kind(kind)
        choose(till)
        await seen()
        assert shown[-1] == (f"receipt-{number + 1}", CASHIER)
        assert viewer.files[-1] == Path(f"/shown/receipt-{number + 1}.pdf")
        assert (till.notice(), till.model.questions.question) == ("", None)
    inside(till.window).set_kind(DocumentKind.SALE)
    press_strip(till)
    await seen()
    assert (len(viewer.files), till.notice()) == (4, "")
    texts, _ = painted_by(till.cart.strip)
    (words,) = (one.words for one in texts if "1234-" in one.words)
    assert words.startswith("…")
    assert words.endswith("1234-2")


async def test_one_that_the_server_can_t_read_is_told_as_issued(hands: Hands) -> None:
    shop = hands.shop
    shop.server.damaged = True
    await sell(hands, DocumentKind.SALE, Fault.ANSWER_LOST)
    assert shop.tones.played[-1] == "attention"
    last = hands.sold()
    facts = last_facts(last, hands.window.texts)
    assert (facts.number, facts.state) == ("ABCD1234-ABCD1234-1", "издат, нечитљив")
    hands.scan(MILK)
    hands.tap(hands.cart.strip)
    told = hands.notice()
    assert told.startswith("Рачун ABCD1234-ABCD1234-1 ")
    assert "сервер не може да га прочита. Позовите подршку" in told


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


async def test_each_way_to_fail_is_said_in_words(till: Hands, viewer: NotingViewer) -> None:
    await sell(till)
    for fault, told in FAILURES:
        till.shop.receipt_files.fault = fault
        choose(till)
        await seen()
        assert till.notice().startswith(told), fault
        till.press("Esc")
        assert till.notice() == ""
    till.shop.receipt_files.fault = None
    till.shop.receipt_files.free.clear()
    choose(till)
    pass_time(till.window, SHOW_MS)
    assert till.notice().startswith("Припрема се рачун за приказ")
    till.scan(MILK)
    assert len(till.rows()) == 1, "the next sale begins meanwhile"
    assert viewer.files == []
    till.shop.receipt_files.free.set()
    await seen()
    assert (till.notice(), len(viewer.files)) == ("", 1)
    await sell(till, DocumentKind.SALE, Fault.FIX)
    choose(till)
    assert till.notice().startswith("Последњи рачун још није издат Продаја је сачувана.")


async def test_without_a_program_for_it_the_notice_says_where_the_file_is(
    shop: Shop, sell_in: SellIn
) -> None:
    hands = sell_in(shop, viewer=NotingViewer(opens=False))
    await sell(hands, DocumentKind.PROFORMA)
    choose(hands)
    await seen()
    assert hands.notice().startswith("Не може да се отвори предрачун "), "it is called no receipt"
    assert hands.notice().endswith(
        "Сачуван је. Позовите подршку и прочитајте: /\u200bshown/\u200breceipt-1.pdf"
    )


async def test_change_that_was_given_out_is_never_large_again(hands: Hands) -> None:
    window, shop = hands.window, hands.shop

    def shown() -> tuple[bool, bool]:
        """Whether the large change and the strip are visible."""
        return not only(hands.cart.large, AmountLabel).isHidden(), not inside(
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
