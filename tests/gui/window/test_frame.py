"""The frame: bar, banners, strip, bottom line, bell, screens over the sale, sizes, names."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLabel,
    QLineEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from pos_app.cashier.attention.cases.sale_cases import CORRECTION, ToTakeBack
from pos_app.cashier.sale import questions
from pos_app.cashier.sale.notices import LastNotice, ReceiptRead
from pos_app.cashier.services.tasks import CoreEvents
from pos_app.cashier.texts.lookup import LANGUAGES, Language
from pos_app.cashier.ui.buttons import BigButton
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.metrics import TouchMm, measure
from pos_app.cashier.ui.notice import Banner
from pos_app.cashier.ui.state import StateKind
from pos_app.cashier.ui.tokens import ThemeName
from pos_app.cashier.window.frame import SETTLE_MS
from pos_app.cashier.window.till_window import TillWindow
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.server_status import ProcessorState
from pos_app.errors import DiskFull
from pos_app.selling.outbox.recent_doubts import YOUNG
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind
from tests.fakes.fiscal_server import Fault
from tests.fakes.inner_connection import connection_of
from tests.fakes.people_here import CASHIERS_LACK
from tests.fakes.receipt_files import NotingViewer
from tests.fakes.verification_url import payload, url
from tests.gui.inside import inside
from tests.gui.parts import layout_of, only, pass_time
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands, other_program_comes, other_program_goes, seen
from tests.gui.window.shop import BREAD, MILK, Shop
from tests.integration.local_api.wires import until
from tests.sweep import each, sampled

NOBODYS = "8600999000014"


def strip(hands: Hands) -> tuple[str, str, StateKind]:
    strip, name = inside(hands.window).cart.strip, hands.window.texts("last.name")
    words, _ = strip.accessibleDescription().rsplit(". ", 1)
    return strip.accessibleName().removeprefix(f"{name} "), words, strip.kind


async def confirm_bread(hands: Hands, *faults: Fault, steps: int = 12) -> None:
    """Sell bread with faults of the server, and begin the next sale."""
    hands.shop.server.faults.extend(faults)
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.shop.pause()
    hands.pad("+")
    inside(hands.window).model.entry.enter_code(MILK)
    await hands.shop.serve(steps)
    await seen()


def attention_banners(hands: Hands) -> tuple[Banner, Banner]:
    """The banners in Attention: that another program is in front, and the sale's banner."""
    banners = inside(hands.window).attention.banners
    return banners.behind, banners.kind


async def grow_up(hands: Hands) -> None:
    """Let a doubt become so old that it calls a person."""
    hands.shop.clock.go_on(YOUNG)
    await hands.shop.serve(1)
    await seen()


# --- the last receipt ----------------------------------------------------------------------------


async def test_the_strip_waits_then_has_a_number_and_a_tick(hands: Hands) -> None:
    await confirm_bread(hands, steps=0)
    assert strip(hands)[0] == "Рачун чека број"
    assert strip(hands)[2] is StateKind.WAIT
    await hands.shop.serve()
    await seen()
    assert strip(hands) == ("ABCD1234-ABCD1234-1", "Последњи рачун · издат · 58,99", StateKind.DONE)


@pytest.mark.parametrize(
    ("fault", "state", "kind"),
    sampled(
        [
            (Fault.WAIT, SaleState.FROZEN, StateKind.WAIT),
            (Fault.IN_DOUBT, SaleState.DOUBT, StateKind.DECIDE),
            (Fault.FIX, SaleState.REFUSED, StateKind.FAILED),
        ],
        few=2,
    ),
)
async def test_the_strip_of_a_receipt_that_is_not_there(
    hands: Hands, fault: Fault, state: SaleState, kind: StateKind
) -> None:
    await confirm_bread(hands, fault, steps=2)
    if fault is Fault.IN_DOUBT:
        assert "attention" not in hands.shop.tones.played
        await grow_up(hands)
    assert inside(hands.window).model.confirmation.last is not None
    assert (inside(hands.window).model.confirmation.last.state, strip(hands)[2]) == (state, kind)
    assert ("attention" in hands.shop.tones.played) is (kind is not StateKind.WAIT)
    hands.tap(inside(hands.window).cart.strip)
    assert inside(hands.window).is_in("attention")
    hands.press("Esc")
    assert not inside(hands.window).is_in("attention")


async def test_an_issued_receipt_tells_its_facts_when_pressed(hands: Hands) -> None:
    await confirm_bread(hands)
    hands.tap(inside(hands.window).cart.strip)
    assert isinstance(inside(hands.window).model.context.notices[-1], LastNotice)
    assert hands.notice().startswith("Рачун ABCD1234-ABCD1234-1 58,99 РСД, 20.11.2026.")


async def test_a_notice_of_a_receipt_shows_the_number_once_it_is_there(hands: Hands) -> None:
    await confirm_bread(hands, steps=0)
    last = inside(hands.window).model.confirmation.last
    assert last is not None
    inside(hands.window).model.context.notify(LastNotice(last))
    assert hands.notice().startswith("Рачун чека број 58,99 РСД")
    await hands.shop.serve()
    await seen()
    assert hands.notice().startswith("Рачун ABCD1234-ABCD1234-1 58,99 РСД, 20.11.2026.")


def test_the_empty_cart_shows_the_last_change_large(hands: Hands) -> None:
    assert inside(hands.window).cart.large.isVisible()
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.type("100")
    hands.pad("+")
    assert inside(hands.window).cart.large.accessibleName().startswith("Кусур 41,00")
    assert not inside(hands.window).cart.strip.isVisible()
    inside(hands.window).model.entry.enter_code(MILK)
    assert not inside(hands.window).cart.large.isVisible()
    assert inside(hands.window).cart.strip.isVisible()


# --- bottom line and bell ------------------------------------------------------------------------


def said(hands: Hands) -> str:
    """The bottom line as a screen reader reads it."""
    return hands.window.status.accessibleDescription()


async def test_the_bottom_line_follows_the_server(hands: Hands) -> None:
    assert said(hands).startswith("Сервер се проверава")
    await hands.shop.serve(3)
    await seen()
    assert said(hands).startswith("Сервер ради · Процесор спреман, Л-ПФР · Ред празан · Усклађено")
    hands.shop.server.processor = ProcessorState.AWAY
    hands.shop.clock.go_on(10_000)
    await hands.shop.serve(3)
    await seen()
    assert "Процесор није доступан" in said(hands)
    assert said(hands).endswith("Рачуни се за сада не издају; продаје чекају у реду")


async def test_the_bell_is_there_only_while_something_waits(hands: Hands, qtbot: QtBot) -> None:
    assert not inside(hands.window).top.bell.isVisible()
    await confirm_bread(hands, Fault.IN_DOUBT, steps=3)
    assert not inside(hands.window).top.bell.isVisible()
    assert "одлук" not in said(hands)
    await grow_up(hands)
    assert inside(hands.window).top.bell.isVisible()
    assert "Пажња 1 ставка · 1 тражи одлуку" in said(hands)
    assert inside(hands.window).top.bell.accessibleName() == "Чека пажњу: 1"
    hands.tap(inside(hands.window).top.bell)
    assert inside(hands.window).is_in("attention")
    inside(hands.window).go_home()
    hands.shop.server.find_out(signed=True)
    await hands.shop.serve()
    await seen()
    hands.window.frame.count()
    assert not inside(hands.window).top.bell.isVisible()


async def test_what_waits_is_told_soon_after_the_till_opens(hands: Hands) -> None:
    """This happens by itself, but not before the till sells: loading Attention takes a tenth of a
    start."""
    await confirm_bread(hands, Fault.IN_DOUBT, steps=3)
    await grow_up(hands)
    anew = UiContext(hands.window.theme, hands.window.texts)
    window = TillWindow(hands.shop.services, anew, viewer=NotingViewer())
    hands.shop.until_closed.callback(window.close)

    assert window.frame.waiting.many == 0
    await until(lambda: window.frame.waiting.many == 1)
    assert inside(window).top.bell.isVisibleTo(window)


async def test_a_usual_sale_never_rings_the_bell(hands: Hands) -> None:
    shown: list[bool] = []
    show = inside(hands.window).top.show_waiting
    inside(hands.window).top.show_waiting = lambda count: (shown.append(count > 0), show(count))[1]  # type: ignore[method-assign]
    await confirm_bread(hands)
    pass_time(hands.window, SETTLE_MS)
    assert SETTLE_MS >= 500
    assert not any(shown)


def the_bottom_line_opens_attention(hands: Hands) -> None:
    hands.tap(hands.window.status)
    assert inside(hands.window).is_in("attention")
    assert not inside(hands.window).top.isVisible()
    hands.tap(hands.window.status)
    hands.press("Esc")
    assert not inside(hands.window).is_in("attention")
    assert inside(hands.window).work_area.sale.search.search.edit.hasFocus()


def cancelled_to_be_corrected(hands: Hands, *, key: str = "pad plus") -> Sale:
    """A sale whose lines wait to be taken back."""
    sales, now = hands.shop.database.sales, hands.shop.clock.now()
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.shop.pause()
    hands.press(key)
    assert inside(hands.window).model.confirmation.last is not None
    of = inside(hands.window).model.confirmation.last.key
    sales.request_cancel(of, reason=CORRECTION, at=now)
    sales.move(of, SaleState.CANCELLING, at=now)
    return sales.move(of, SaleState.CANCELLED, at=now)


def take_back(hands: Hands, sale: Sale) -> None:
    inside(hands.window).open("attention")
    attention = inside(hands.window).attention
    attention.refresh()
    case = next(one for one in attention.model.cases if one.id == sale.key)
    assert isinstance(case, ToTakeBack)
    attention.room.take_back(case.sale)


@pytest.mark.long
def test_a_refused_sale_becomes_the_open_cart(hands: Hands) -> None:
    sale = cancelled_to_be_corrected(hands)
    take_back(hands, sale)
    assert not inside(hands.window).is_in("attention")
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]
    assert inside(hands.window).waiting() == 0


@pytest.mark.parametrize("key", ["pad -", "pad plus"])
def test_what_was_received_for_it_comes_back_too(hands: Hands, key: str) -> None:
    """A card may have been charged; cash is in the drawer."""
    take_back(hands, cancelled_to_be_corrected(hands, key=key))
    paid = inside(hands.window).model.cart.ticket.typed_details.paid
    received = {"pad plus": (PaymentMethod.CASH, "59.00"), "pad -": (PaymentMethod.CARD, "58.99")}
    assert [(method, str(money)) for method, money in paid] == [received[key]]
    hands.shop.pause()
    hands.press("pad -")
    assert inside(hands.window).work_area.is_paying
    hands.press("Enter")
    last = inside(hands.window).model.confirmation.last
    assert last is not None
    assert [method for method, _ in last.money_taken.tendered.by_method] == [received[key][0]]


def ask_quantity(hands: Hands) -> None:
    inside(hands.window).model.questions.ask(questions.NextQuantity())


def begin_training(hands: Hands) -> None:
    inside(hands.window).model.cart.set_kind(DocumentKind.TRAINING)


@pytest.mark.parametrize(
    ("hinder", "told"),
    [(ask_quantity, "Прво одговорите на питање"), (begin_training, "Обука и права продаја")],
)
def test_lines_that_can_not_be_taken_back_now_are_offered_again(
    hands: Hands, hinder: Callable[[Hands], None], told: str
) -> None:
    sale = cancelled_to_be_corrected(hands)
    hinder(hands)
    take_back(hands, sale)
    QApplication.processEvents()
    assert inside(hands.window).is_in("attention")
    said = [label.text() for label in inside(hands.window).attention.findChildren(QLabel)]
    assert any(told in text for text in said)
    assert hands.rows() == []
    assert not hands.shop.database.sales.sale(sale.key).was_shown
    assert inside(hands.window).waiting() == 1
    if inside(hands.window).model.questions.is_asked:
        inside(hands.window).model.questions.put_away()
    inside(hands.window).model.cart.set_kind(DocumentKind.SALE)
    take_back(hands, sale)
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]


# --- kinds and banners ---------------------------------------------------------------------------


def test_kinds_have_banners_and_come_back_to_sale(hands: Hands) -> None:
    top = inside(hands.window).top
    assert not top.banners.kind.isVisible()
    hands.choose(top.segment, 2)
    assert inside(hands.window).model.cart.ticket.kind is DocumentKind.PROFORMA
    assert top.banners.kind.accessibleName() == "Предрачун: није фискални рачун"
    assert top.banners.kind.isVisible()
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.pad("+")
    assert top.segment.current() == 0
    assert not top.banners.kind.isVisible()


async def test_practice_is_told_beside_every_kind(hands: Hands) -> None:
    hands.shop.server.not_fiscal = True
    await hands.shop.serve()
    top = inside(hands.window).top
    icons = {1: "hand-coins", 2: "file-text", 3: "graduation-cap", 0: "graduation-cap"}
    for number, icon in icons.items():
        hands.choose(top.segment, number)
        assert top.banners.kind.accessibleName().startswith("Вежба")
        assert top.banners.kind.banner_text.icon == icon
        inside(hands.window).open("attention")
        assert attention_banners(hands)[1].banner_text == top.banners.kind.banner_text
        inside(hands.window).go_home()


def training_has_its_own_cart(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.choose(inside(hands.window).top.segment, 3)
    assert hands.rows() == []
    assert inside(hands.window).top.banners.kind.accessibleName().startswith("Обука")
    hands.choose(inside(hands.window).top.segment, 0)
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]


def press_payment(hands: Hands) -> None:
    """Press Enter in the payment to take the exact amount over, and Enter again to issue."""
    for key in ("F12", "Enter", "Enter"):
        hands.press(key)


def press_issue(hands: Hands) -> None:
    """Tap Pay, then twice the big button, which rests after a press."""
    area = inside(hands.window).work_area
    if not area.is_paying:
        hands.tap(area.sale.bar.pay)
        hands.tap(layout_of(area.payment).issue)
    hands.tap(layout_of(area.payment).issue)


WAYS_TO_PAY: dict[str, Callable[[Hands], None]] = {
    "pad plus": lambda hands: hands.press("pad plus"),
    "pad -": lambda hands: hands.press("pad -"),
    "Ctrl+Enter": lambda hands: hands.press("Ctrl+Enter"),
    "F12 Enter Enter": press_payment,
    "key of exact cash": lambda hands: hands.tap(inside(hands.window).work_area.sale.bar.exact),
    "key of the card": lambda hands: hands.tap(inside(hands.window).work_area.sale.bar.card),
    "finger in the payment": press_issue,
}


@pytest.mark.parametrize("way", sampled(reversed(WAYS_TO_PAY)))
def test_training_ends_with_its_receipt(hands: Hands, way: str) -> None:
    """The next customer's goods are sold, in the cart that was left before training."""
    pay = WAYS_TO_PAY[way]
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.choose(inside(hands.window).top.segment, 3)
    hands.type(MILK)
    hands.press("Enter")
    hands.pad("+")
    assert [sale.kind for sale in hands.shop.database.sales.last(9)] == [DocumentKind.TRAINING]
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]
    assert not inside(hands.window).top.banners.kind.isVisible()
    assert hands.notice().startswith("Обука: рачун чека број 139,99")
    pay(hands)  # the receipt ended training; this press would issue a customer's receipt
    assert len(hands.shop.database.sales.last(9)) == 1
    area = inside(hands.window).work_area
    told = layout_of(area.payment).head.news_text() if area.is_paying else hands.notice()
    assert told.startswith("Обука је завршена: ово је права продаја")
    assert hands.shop.tones.played[-1] == "attention"
    if area.is_paying:
        hands.press("Enter")
    else:
        pay(hands)
    assert hands.shop.database.sales.last(1)[0].kind is DocumentKind.SALE


def test_after_training_over_no_sale_the_next_one_is_paid_at_once(hands: Hands) -> None:
    hands.choose(inside(hands.window).top.segment, 3)
    inside(hands.window).model.entry.enter_code(MILK)
    hands.pad("+")
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.shop.pause()
    hands.pad("+")
    assert hands.shop.database.sales.last(1)[0].kind is DocumentKind.SALE


def test_the_word_after_training_is_forgotten_with_its_cart(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.choose(inside(hands.window).top.segment, 3)
    inside(hands.window).model.entry.enter_code(MILK)
    hands.pad("+")
    hands.press("F6")
    hands.press("F6")
    hands.press("Enter")
    hands.shop.pause()
    hands.pad("+")
    assert hands.shop.database.sales.last(1)[0].kind is DocumentKind.SALE


def test_a_digit_is_one_of_the_reasons_to_drop_a_sale(hands: Hands) -> None:
    hands.type(BREAD)
    hands.press("Enter")
    inside(hands.window).model.cart.ask_void()
    hands.type("4")
    hands.press("Enter")
    assert hands.rows() != []
    hands.press("Backspace")
    hands.type("2")
    assert hands.rows() != []
    hands.press("Enter")
    assert hands.rows() == []
    reason = connection_of(hands.shop.database.sales).execute(
        "SELECT reason FROM carts WHERE state = 'dropped'"
    )
    assert reason.get == "Купац нема новца"


def the_kind_changes_during_payment(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.press("F12")
    hands.choose(inside(hands.window).top.segment, 1)
    model = inside(hands.window).work_area.payment.model
    assert model is not None
    assert model.is_advance
    hands.choose(inside(hands.window).top.segment, 3)
    assert hands.rows() == []
    assert not inside(hands.window).work_area.is_paying


def test_a_shop_that_is_not_fiscal_says_so(shop_data: Path, sell_in: Callable[..., Hands]) -> None:
    shop = Shop(shop_data, not_fiscal=True)
    hands = sell_in(shop)
    assert inside(hands.window).top.banners.kind.isVisible()
    assert inside(hands.window).top.banners.kind.accessibleName() == "Вежба: рачуни нису фискални"
    for kind in (DocumentKind.ADVANCE, DocumentKind.PROFORMA, DocumentKind.TRAINING):
        inside(hands.window).model.cart.set_kind(kind)
        assert inside(hands.window).top.banners.kind.isVisible()
        assert "фискал" in inside(hands.window).top.banners.kind.accessibleName()
    hands.window.close()
    shop.close()


async def test_a_server_that_practises_says_so(hands: Hands) -> None:
    assert not inside(hands.window).top.banners.kind.isVisible()
    hands.shop.server.not_fiscal = True
    await hands.shop.serve(3)
    await seen()
    assert inside(hands.window).top.banners.kind.accessibleName() == "Вежба: рачуни нису фискални"
    assert inside(hands.window).top.banners.kind.isVisible()


@pytest.mark.parametrize(
    ("banner", "width"),
    sampled(
        product(
            [
                (
                    DocumentKind.ADVANCE,
                    True,
                    "Вежба, рачуни нису фискални · Аванс: роба се издаје касније",
                ),
                (DocumentKind.SALE, True, "Вежба: рачуни нису фискални"),
                (DocumentKind.TRAINING, False, "Обука: ништа се не продаје, рачун није фискални"),
                (DocumentKind.PROFORMA, False, "Предрачун: није фискални рачун"),
            ],
            [1024, 1366],
        )
    ),
)
def test_practice_is_told_beside_another_program_in_front(
    shop_data: Path,
    sell_in: Callable[..., Hands],
    banner: tuple[DocumentKind, bool, str],
    width: int,
) -> None:
    kind, practice, told = banner
    shop = Shop(shop_data, not_fiscal=practice)
    hands = sell_in(shop, width=width)
    top, window = inside(hands.window).top, hands.window
    inside(window).set_kind(kind)
    inside(window).model.entry.enter_code(BREAD)
    other_program_comes()
    QApplication.processEvents()
    both = (top.banners.behind, top.banners.kind)
    assert [one.accessibleName() for one in both] == [
        "Други програм је испред: скенирање не стиже у касу",
        told,
    ]
    assert all(one.isVisible() and one.height() >= one.sizeHint().height() for one in both)
    assert not top.banners.behind.geometry().intersects(top.banners.kind.geometry())
    assert (window.width(), window.height()) == (width, 768)
    window.change(language="en")
    top = inside(window).top  # made again
    assert top.banners.behind.accessibleName().startswith("Another program is in front")
    other_program_goes()
    assert (top.banners.behind.isVisible(), top.banners.kind.isVisible()) == (False, True)
    window.close()
    shop.close()


def it_says_so_when_another_program_is_in_front(hands: Hands) -> None:
    other_program_comes()
    behind = inside(hands.window).top.banners.behind
    assert behind.isVisible()
    assert behind.accessibleName().startswith("Други програм је испред")
    other_program_goes()
    assert not behind.isVisible()


@pytest.mark.long
def test_attention_says_too_that_another_program_is_in_front(hands: Hands) -> None:
    """A scan sells from there as well."""
    window = hands.window
    inside(window).open("attention")
    other_program_comes()
    assert attention_banners(hands)[0].isVisible()
    window.change(language="en")
    behind = attention_banners(hands)[0]
    assert behind.isVisible()
    assert behind.accessibleName().startswith("Another program is in front")
    other_program_goes()
    assert not behind.isVisible()


@pytest.mark.long
def test_practice_is_told_in_attention_too(hands: Hands) -> None:
    window = hands.window
    inside(window).open("attention")
    assert not attention_banners(hands)[1].isVisible()
    inside(window).go_home()
    inside(window).set_kind(DocumentKind.TRAINING)
    inside(window).open("attention")
    banner = attention_banners(hands)[1]
    assert banner.isVisible()
    assert banner.accessibleName() == "Обука: ништа се не продаје, рачун није фискални"
    window.change(language="en")
    banner = attention_banners(hands)[1]
    assert banner.isVisible()
    assert banner.accessibleName().startswith("Training")
    inside(window).go_home()
    inside(window).set_kind(DocumentKind.SALE)
    inside(window).open("attention")
    assert not attention_banners(hands)[1].isVisible()


@pytest.mark.long
async def test_a_server_that_practises_says_so_in_attention(hands: Hands) -> None:
    inside(hands.window).open("attention")
    hands.shop.server.not_fiscal = True
    await hands.shop.serve(3)
    await seen()
    banner = attention_banners(hands)[1]
    assert (banner.isVisible(), banner.accessibleName()) == (True, "Вежба: рачуни нису фискални")


# --- keys of other screens ----------------------------------------------------------------------


def the_key_of_a_screen_leaves_a_question_alone(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.press("F3")
    hands.shop.tones.played.clear()
    hands.press("F8")
    assert isinstance(inside(hands.window).model.questions.question, questions.LineQuantity)
    assert (hands.shop.tones.played, hands.notice()) == (["no"], "")


@each(
    "act",
    [
        the_bottom_line_opens_attention,
        training_has_its_own_cart,
        the_kind_changes_during_payment,
        it_says_so_when_another_program_is_in_front,
        the_key_of_a_screen_leaves_a_question_alone,
    ],
)
def test_acts_that_sell_nothing(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())


def texts_in(screen: QWidget) -> list[str]:
    return [label.text() for label in screen.findChildren(QLabel) if label.isVisible()]


def test_the_till_is_closed_from_the_menu_and_the_cart_is_kept(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    closed: list[bool] = []
    hands.window.closed.connect(lambda: closed.append(True))
    hands.press("F9")
    hands.tap_words("корпа остаје сачувана: Затвори касу")
    assert closed == [True]
    assert hands.shop.till.carts.open_cart(training=False) == inside(hands.window).model.cart.ticket


def a_question_while_paying_comes_back_to_the_payment(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.press("F12")
    hands.type("500")
    hands.scan("0016")
    assert inside(hands.window).work_area.panel is not None
    hands.type("2")
    hands.press("Enter")
    model = inside(hands.window).work_area.payment.model
    assert model is not None
    assert inside(hands.window).work_area.is_paying
    assert (str(model.due), str(model.tender.payments.cash)) == ("438.97", "500.00")


def test_a_cashier_can_not_train(shop_data: Path, sell_in: Callable[..., Hands]) -> None:
    shop = Shop(shop_data, forbids=CASHIERS_LACK)
    hands = sell_in(shop)
    hands.choose(inside(hands.window).top.segment, 3)
    assert inside(hands.window).top.segment.current() == 0
    assert hands.notice().startswith("Ово не смете на овој каси")
    hands.window.close()
    shop.close()


# --- receipts, payment, faults -------------------------------------------------------------------


async def test_the_qr_code_of_a_receipt_shows_its_facts_and_no_buyer(hands: Hands) -> None:
    hands.scan(url(payload(buyer=b"11:0101990710003")))
    assert isinstance(inside(hands.window).model.context.notices[-1], ReceiptRead)
    assert hands.notice().startswith(
        "Рачун ABCD1234-WXYZ9876-11389: 1.674,72 РСД Промет продаја, 01.01.2024. 12:00."
    )
    await seen()
    assert "Није у дневнику ове касе." in hands.notice()
    assert "0101990710003" not in hands.notice()
    assert hands.rows() == []


def the_qr_code_of_a_receipt_fills_the_buyer_while_paying(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.press("F5")
    assert inside(hands.window).work_area.is_paying
    hands.scan(url(payload(buyer=b"10:109876542")))
    model = inside(hands.window).work_area.payment.model
    assert model is not None
    assert str(model.buyer.buyer()) == "10:109876542"
    assert inside(hands.window).model.context.notices == ()


def pay_and_issue_stand_at_the_same_corner(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    corners = []
    for key in ("", "F12", "F3"):
        if key:
            hands.press(key)
        QApplication.processEvents()
        big = [one for one in hands.window.findChildren(BigButton) if one.isVisible()]
        assert len(big) == 1
        corner = big[0].mapTo(hands.window, big[0].rect().bottomRight())
        corners.append((corner.toTuple(), big[0].height()))
        hands.press("Esc")
    assert corners == [((1353, 721), 76)] * 3


def a_discount_on_the_receipt_from_payment_is_in_the_cart(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.press("F12")
    hands.press("F4")
    hands.type("10")
    hands.press("Enter")
    assert hands.total() == "Укупно 53,09 РСД"


def test_an_expected_error_is_told_and_a_bug_is_told_as_a_bug(hands: Hands) -> None:
    only(hands.window, CoreEvents).storage_failed.emit(DiskFull(what="The disk is full."))
    QApplication.processEvents()
    assert hands.notice().startswith("Нема места на диску Што је раније потврђено, сачувано је")
    hands.window.frame.home.show_bug(KeyError("x"))
    assert hands.notice().startswith("Догодила се грешка у програму")
    hands.press("Esc")
    assert hands.notice().startswith("Нема места на диску")  # nobody had read it yet
    hands.press("Esc")
    assert hands.notice() == ""


def test_the_best_sellers_count_what_was_sold(hands: Hands) -> None:
    water = hands.shop.row("30")
    assert water.product_id not in {row.product_id for row in hands.shop.catalogue.favourites()}
    inside(hands.window).model.entry.enter_code("30")
    hands.pad("+")
    pass_time(hands.window, SETTLE_MS)
    assert water.product_id in {row.product_id for row in hands.shop.catalogue.favourites()}


# --- sizes and names -----------------------------------------------------------------------------

OPEN: list[Callable[[Hands], object]] = [
    lambda hands: None,
    lambda hands: hands.window.on_scan(NOBODYS),
    lambda hands: inside(hands.window).model.questions.ask(questions.More()),
    lambda hands: inside(hands.window).model.questions.ask(questions.KeysOfScreen()),
    lambda hands: inside(hands.window).model.questions.ask(questions.NewArticle(NOBODYS)),
    lambda hands: hands.press("F3"),
    lambda hands: hands.press("F4"),
    lambda hands: hands.press("F12"),
    lambda hands: hands.choose(inside(hands.window).top.segment, 3),
]


@pytest.mark.parametrize(("language", "touch"), sampled(product(LANGUAGES, [12, 9])))
def test_everything_fits_into_1024_by_768(hands: Hands, touch: TouchMm, language: Language) -> None:
    hands.window.change(metrics=measure(touch_mm=touch, width=1024), language=language)
    for opened in OPEN:
        inside(hands.window).model.entry.enter_code(BREAD)
        opened(hands)
        hands.window.resize(1024, 768)
        QApplication.processEvents()
        least = hands.window.minimumSizeHint()
        assert (least.width() <= 1024, least.height() <= 768) == (True, True), least
        for _ in range(4):
            hands.press("Esc")
        hands.choose(inside(hands.window).top.segment, 0)


def every_control_has_a_name_and_every_label_is_plain(hands: Hands) -> None:
    seen = 0
    for opened in OPEN:
        inside(hands.window).model.entry.enter_code(BREAD)
        opened(hands)
        kinds = (QAbstractButton, QLineEdit, QAbstractItemView)
        controls = [one for kind in kinds for one in hands.window.findChildren(kind)]
        visible = [one for one in controls if one.isVisible()]
        assert [one for one in visible if not one.accessibleName()] == []
        labels = hands.window.findChildren(QLabel)
        assert {one.textFormat() for one in labels} <= {Qt.TextFormat.PlainText}
        seen += len(visible)
        for _ in range(4):
            hands.press("Esc")
        hands.choose(inside(hands.window).top.segment, 0)
    assert seen > 150


def the_whole_sale_can_be_reached_with_tab(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    reached = set()
    for _ in range(60):
        hands.press("Tab")
        focus = hands.window.focusWidget()
        assert focus is not None
        reached.add(focus.accessibleName() or type(focus).__name__)
    for name in (
        "Претрага артикала",
        "Артикли",
        "Омиљено",
        "Количина",
        "Наплата 58,99",
        "Стање касе",
        "Ставке у корпи",
        "Врста продаје: Продаја",
    ):
        assert any(one.startswith(name) for one in reached), name


@each(
    "act",
    [
        a_question_while_paying_comes_back_to_the_payment,
        the_qr_code_of_a_receipt_fills_the_buyer_while_paying,
        pay_and_issue_stand_at_the_same_corner,
        a_discount_on_the_receipt_from_payment_is_in_the_cart,
        every_control_has_a_name_and_every_label_is_plain,
        the_whole_sale_can_be_reached_with_tab,
    ],
)
def test_further_acts_that_sell_nothing(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())


def test_the_theme_changes_at_once(hands: Hands) -> None:
    themes: tuple[ThemeName, ...] = ("dark", "light")
    for name in themes:
        hands.window.change(theme=name)
        theme, image = hands.window.theme, hands.window.grab().toImage()
        assert image.pixelColor(510, 300).name().upper() == theme.palette.bg
        assert image.pixelColor(200, 500).name().upper() == theme.palette.surface


class Strays(QObject):
    """Notes widgets that were shown as windows of their own."""

    def __init__(self, window: QWidget) -> None:
        super().__init__()
        self._window = window
        self.names: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        shown = event.type() is QEvent.Type.Show and watched is not self._window
        if shown and isinstance(watched, QWidget) and watched.isWindow():
            self.names.append(f"{type(watched).__name__} {watched.accessibleName()}")
        return False


@pytest.mark.parametrize("panels", sampled([OPEN[2::6], OPEN]))
def test_no_panel_opens_a_window_of_its_own(
    hands: Hands, qapp: QApplication, panels: list[Callable[[Hands], object]]
) -> None:
    """Such a window takes the keyboard away, if only for a moment."""
    strays = Strays(hands.window)
    qapp.installEventFilter(strays)
    for opened in panels:
        inside(hands.window).model.entry.enter_code(BREAD)
        opened(hands)
        hands.window.change(language="en" if hands.window.texts.language != "en" else "sr-Cyrl")
        for _ in range(4):
            hands.press("Esc")
        hands.choose(inside(hands.window).top.segment, 0)
    qapp.removeEventFilter(strays)
    assert strays.names == []
