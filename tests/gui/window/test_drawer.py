"""The drawer opens for cash, at the confirm, and by F10; nobody waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import apsw
import pytest

from pos_app import errors
from pos_app.cashier.sale.notices import Bug, NotDone
from pos_app.cashier.sale.server_acts import SHOW_MS
from pos_app.documents.blocks import Document
from pos_app.selling.sale.ticket import DocumentKind
from pos_app.selling.server.drawer_openings import OpeningOutcome
from pos_app.settings import PrinterSettings
from tests.fakes.faulty_file import refused
from tests.fakes.inner_connection import connection_of
from tests.gui.inside import inside
from tests.gui.parts import layout_of, pass_time
from tests.gui.window.hands import Hands, seen
from tests.gui.window.shop import MILK, Shop
from tests.sweep import sampled

WIRED = PrinterSettings(kind="network", address="10.0.0.7", drawer="pin2")
NO_DRAWER = PrinterSettings(kind="network", address="10.0.0.7")
BREAD = "8609910700134"


class SlowPapers:
    """The port ServerReceiptPrinter of a slow printer."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.keys: list[str] = []
        self.free = asyncio.Event()
        self.fault: errors.RemoteError | None = None

    async def print(self, paper: Document, *, key: str, on_a4: bool = False) -> None:
        raise AssertionError(key)

    async def open_drawer(self, *, key: str, by: str) -> None:
        self.keys.append(key)
        self.opened.append(by)
        await self.free.wait()
        if self.fault is not None:
            raise self.fault


@pytest.fixture
def papers() -> SlowPapers:
    return SlowPapers()


def wired(shop: Shop, papers: SlowPapers, printer: PrinterSettings) -> Shop:
    settings = shop.services.settings.having(printer=printer)
    shop.services = replace(shop.services, receipt_printer=papers, started_with=settings)
    return shop


@pytest.mark.parametrize(
    "kind", sampled([DocumentKind.ADVANCE, DocumentKind.PROFORMA, *DocumentKind], few=2)
)
async def test_it_opens_for_what_a_customer_pays(
    shop: Shop, sell_in: Callable[[Shop], Hands], papers: SlowPapers, kind: DocumentKind
) -> None:
    hands = sell_in(wired(shop, papers, WIRED))
    inside(hands.window).model.cart.set_kind(kind)
    hands.scan(BREAD)
    hands.shop.pause()
    hands.pad("+")
    await seen()
    paid = kind in (DocumentKind.SALE, DocumentKind.ADVANCE)
    assert papers.opened == ["Касир 3"] * paid
    papers.free.set()
    await hands.window.tasks.close()


@pytest.mark.parametrize(
    ("printer", "key", "times"),
    [(WIRED, "+", 1), (WIRED, "-", 0), (NO_DRAWER, "+", 0)],
    ids=["cash", "card", "no drawer"],
)
async def test_it_opens_for_cash_where_there_is_one(
    shop: Shop,
    sell_in: Callable[[Shop], Hands],
    papers: SlowPapers,
    printer: PrinterSettings,
    key: str,
    times: int,
) -> None:
    hands = sell_in(wired(shop, papers, printer))
    hands.scan(BREAD)
    hands.shop.pause()
    hands.pad(key)
    hands.scan(BREAD)  # the next sale begins, whatever the printer does
    await seen()
    assert len(hands.rows()) == 1
    assert papers.opened == ["Касир 3"] * times
    assert kept(hands) == [], "it is no opening by hand"
    papers.free.set()
    await hands.window.tasks.close()


async def test_a_drawer_that_stays_shut_is_no_trouble_of_the_sale(
    shop: Shop, sell_in: Callable[[Shop], Hands], papers: SlowPapers
) -> None:
    papers.fault = errors.NotDelivered(what="The local server can't be reached.")
    papers.free.set()
    hands = sell_in(wired(shop, papers, WIRED))
    hands.scan(BREAD)
    hands.shop.pause()
    hands.pad("+")
    await seen()
    assert papers.opened == ["Касир 3"]
    assert hands.rows() == []
    assert inside(hands.window).model.confirmation.last is not None
    await hands.window.tasks.close()


@pytest.mark.parametrize(
    ("fault", "told", "state"),
    sampled(
        [
            (
                errors.Refused(what="x"),
                "Фиока се није отворила Продаја је сачувана.",
                "није се отворила",
            ),
            (
                errors.NotDelivered(what="x"),
                "Фиока се није отворила: сервер није",
                "није се отворила",
            ),
            (
                errors.OutcomeUnknown(what="x"),
                "Не зна се да ли се фиока отворила",
                "можда се није отворила",
            ),
        ]
    ),
    ids=["refused", "not delivered", "unknown"],
)
async def test_a_drawer_that_stays_shut_is_told_once_and_stands_below_until_it_opens(
    shop: Shop,
    sell_in: Callable[[Shop], Hands],
    papers: SlowPapers,
    fault: errors.RemoteError,
    told: str,
    state: str,
) -> None:
    papers.fault = fault
    papers.free.set()
    hands = sell_in(wired(shop, papers, WIRED))
    await sell_bread(hands)
    assert hands.notice().startswith(told)
    assert shop.tones.played[-1] == "attention"
    assert f"Фиока {state}" in hands.window.status.accessibleDescription()
    hands.press("Esc")
    await sell_bread(hands)
    assert hands.notice() == ""
    assert f"Фиока {state}" in hands.window.status.accessibleDescription()
    papers.fault = None
    hands.press("F10")
    await seen()
    assert "Фиока" not in hands.window.status.accessibleDescription()
    papers.fault = fault
    await sell_bread(hands)
    assert hands.notice().startswith(told)
    papers.fault = None
    await sell_bread(hands)
    assert hands.notice() == ""  # it opened
    await hands.window.tasks.close()


async def sell_bread(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.shop.pause()
    hands.pad("+")
    await seen()


# --- by hand -------------------------------------------------------------------------------------


def kept(hands: Hands) -> list[tuple[str, OpeningOutcome]]:
    """The openings without a sale: the cashier and the outcome of each."""
    found = hands.shop.database.drawer.openings(since=datetime(2000, 1, 1, tzinfo=UTC))
    return [(one.cashier, one.outcome) for one in found]


def press_f10(hands: Hands) -> None:
    hands.press("F10")


def choose_in_more(hands: Hands) -> None:
    hands.press("F9")
    hands.tap_words("без продаје: Отвори фиоку")


def press_f10_while_paying(hands: Hands) -> None:
    hands.press("F12")
    hands.press("F10")


@pytest.mark.parametrize("ask", [press_f10, choose_in_more, press_f10_while_paying])
async def test_it_opens_by_hand_and_that_is_kept(
    shop: Shop, sell_in: Callable[[Shop], Hands], papers: SlowPapers, ask: Callable[[Hands], None]
) -> None:
    hands = sell_in(wired(shop, papers, WIRED))
    hands.scan(BREAD)
    ask(hands)
    await seen()
    assert papers.opened == ["Касир 3"]
    assert kept(hands) == [("Касир 3", OpeningOutcome.ASKED)]
    papers.free.set()
    await seen()
    assert kept(hands) == [("Касир 3", OpeningOutcome.OPENED)]
    assert (len(hands.rows()), hands.notice()) == (1, "")
    ask(hands)
    await seen()
    assert len(set(papers.keys)) == len(papers.keys) == 2  # one for each press
    await hands.window.tasks.close()


@pytest.mark.parametrize(
    ("fault", "outcome", "told"),
    [
        (
            errors.Refused(what="x"),
            OpeningOutcome.SHUT,
            "Фиока се није отворила Корпа није промењена. Проверите",
        ),
        (
            errors.NotDelivered(what="x"),
            OpeningOutcome.SHUT,
            "Фиока се није отворила: сервер није доступан",
        ),
        (
            errors.OutcomeUnknown(what="x"),
            OpeningOutcome.UNKNOWN,
            "Не зна се да ли се фиока отворила",
        ),
    ],
    ids=["refused", "not delivered", "unknown"],
)
async def test_the_three_ways_to_stay_shut_are_told_and_kept(
    shop: Shop,
    sell_in: Callable[[Shop], Hands],
    papers: SlowPapers,
    fault: errors.RemoteError,
    outcome: OpeningOutcome,
    told: str,
) -> None:
    papers.fault = fault
    papers.free.set()
    hands = sell_in(wired(shop, papers, WIRED))
    hands.press("F10")
    await seen()
    assert hands.notice().startswith(told)
    assert kept(hands) == [("Касир 3", outcome)]


async def test_what_takes_long_shows_that_it_runs_and_a_second_press_asks_nothing(
    shop: Shop, sell_in: Callable[[Shop], Hands], papers: SlowPapers
) -> None:
    hands = sell_in(wired(shop, papers, WIRED))
    hands.press("F10")
    pass_time(hands.window, SHOW_MS)
    assert hands.notice().startswith("Фиока се отвара")
    hands.press("F10")
    hands.scan(MILK)
    await seen()
    assert (papers.opened, len(hands.rows())) == (["Касир 3"], 1)
    papers.free.set()
    await seen()
    assert hands.notice() == ""
    await hands.window.tasks.close()


async def test_while_paying_it_is_said_that_it_runs_and_no_longer(
    shop: Shop, sell_in: Callable[[Shop], Hands], papers: SlowPapers
) -> None:
    hands = sell_in(wired(shop, papers, WIRED))
    hands.scan(MILK)
    hands.window.frame.home.show_bug(ValueError("x"))  # unread, and no words about the payment
    hands.press("F12")
    quiet = said_in_payment(hands)
    hands.press("F10")
    pass_time(hands.window, SHOW_MS)
    assert said_in_payment(hands).startswith("Фиока се отвара")
    papers.free.set()
    await seen()
    assert said_in_payment(hands) == quiet


async def test_what_the_payment_said_since_stays(
    shop: Shop, sell_in: Callable[[Shop], Hands], papers: SlowPapers
) -> None:
    hands = sell_in(wired(shop, papers, WIRED))
    hands.scan(MILK)
    press_f10_while_paying(hands)
    pass_time(hands.window, SHOW_MS)
    hands.scan(MILK)
    said = said_in_payment(hands)
    assert not said.startswith("Фиока се отвара")
    papers.free.set()
    await seen()
    assert said_in_payment(hands) == said


async def test_that_it_runs_takes_no_unread_notice_away(
    shop: Shop, sell_in: Callable[[Shop], Hands], papers: SlowPapers
) -> None:
    hands = sell_in(wired(shop, papers, WIRED))
    hands.window.frame.home.show_bug(ValueError("x"))
    unread = inside(hands.window).model.context.notices
    hands.press("F10")
    pass_time(hands.window, SHOW_MS)
    assert hands.notice().startswith("Фиока се отвара")
    papers.free.set()
    await seen()
    assert inside(hands.window).model.context.notices == unread


async def test_a_failure_is_told_once_however_often_it_is_tried(
    shop: Shop, sell_in: Callable[[Shop], Hands], papers: SlowPapers
) -> None:
    hands = sell_in(wired(shop, papers, WIRED))
    hands.window.frame.home.show_bug(ValueError("x"))
    papers.free.set()
    faults = (
        errors.Refused(what="once"),
        errors.Refused(what="twice"),
        errors.OutcomeUnknown(what="thrice"),
    )
    for fault in faults:
        papers.fault = fault
        hands.press("F10")
        await seen()
    bug, last = inside(hands.window).model.context.notices
    assert (bug, last) == (Bug("ValueError"), NotDone("drawer", faults[-1]))


def said_in_payment(hands: Hands) -> str:
    layout = layout_of(inside(hands.window).work_area.payment)
    return layout.head.news_text()


def test_without_a_drawer_it_is_said_whom_to_call(
    shop: Shop, sell_in: Callable[[Shop], Hands], papers: SlowPapers
) -> None:
    hands = sell_in(wired(shop, papers, NO_DRAWER))
    hands.press("F10")
    assert hands.notice().startswith("Фиока није подешена")
    assert "позовите подршку да је подеси" in hands.notice()
    assert (papers.opened, kept(hands)) == ([], [])


async def test_a_till_that_can_t_keep_it_opens_nothing(
    shop: Shop, sell_in: Callable[[Shop], Hands], papers: SlowPapers
) -> None:
    hands = sell_in(wired(shop, papers, WIRED))
    with refused(connection_of(shop.database.sales), apsw.FullError("full")):
        hands.press("F10")
        await seen()
    assert hands.notice().startswith("Нема места на диску")
    assert papers.opened == []


@pytest.mark.logs_error(
    r"opening 1 of the drawer: (opened|shut|unknown), which is not kept: The disk took no more data"
)
@pytest.mark.parametrize(
    ("fault", "told"),
    sampled(
        [
            (None, ""),
            (errors.Refused(what="x"), "Фиока се није отворила"),
            (errors.OutcomeUnknown(what="x"), "Не зна се да ли се фиока отворила"),
        ],
        few=2,
    ),
    ids=["opened", "refused", "unknown"],
)
async def test_what_became_of_it_is_told_though_it_can_t_be_kept(
    shop: Shop,
    sell_in: Callable[[Shop], Hands],
    papers: SlowPapers,
    fault: errors.RemoteError | None,
    told: str,
) -> None:
    papers.fault = fault
    hands = sell_in(wired(shop, papers, WIRED))
    hands.press("F10")
    await seen()
    with refused(connection_of(shop.database.sales), apsw.FullError("full")):
        papers.free.set()
        await seen()
    assert hands.notice().startswith(told)
    assert (hands.notice() == "") == (told == "")
    assert kept(hands) == [("Касир 3", OpeningOutcome.ASKED)]  # it may have opened


def test_a_question_that_scans_wait_for_keeps_the_drawer_shut(
    shop: Shop, sell_in: Callable[[Shop], Hands], papers: SlowPapers
) -> None:
    hands = sell_in(wired(shop, papers, WIRED))
    hands.scan(BREAD)
    hands.press("F3")
    hands.press("F10")
    assert papers.opened == []
