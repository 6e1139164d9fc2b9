"""The frame: bottom line, bell, banners, training, lines taken back from Attention, names."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication, QLabel

from pos_app.cashier.attention.cases.sale_cases import CORRECTION, ToTakeBack
from pos_app.cashier.sale import questions
from pos_app.cashier.sale.notices import ReceiptRead
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.window.frame import SETTLE_MS
from pos_app.cashier.window.till_window import TillWindow
from pos_app.domain.money.payment import PaymentMethod
from pos_app.selling.outbox.recent_doubts import YOUNG
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind
from tests.fakes.fiscal_server import Fault
from tests.fakes.receipt_files import NotingViewer
from tests.fakes.verification_url import payload, url
from tests.gui.inside import inside
from tests.gui.parts import in_front, layout_of, lines_of, pass_time
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands, seen
from tests.gui.window.shop import BREAD, MILK
from tests.integration.local_api.wires import until
from tests.sweep import each

BREAD_ROW = ["1 × Хлеб бели Сава 500 g, 58,99"]


async def confirm_bread(hands: Hands, *faults: Fault, steps: int = 12) -> None:
    """Sell bread with faults of the server, and begin the next sale."""
    hands.shop.server.faults.extend(faults)
    hands.model.entry.enter_code(BREAD)
    hands.pay("+")
    hands.model.entry.enter_code(MILK)
    await hands.shop.serve(steps)
    await seen()


async def grow_up(hands: Hands) -> None:
    """Let a doubt become so old that it calls a person."""
    hands.shop.clock.go_on(YOUNG)
    await hands.shop.serve(1)
    await seen()


async def test_the_qr_code_of_a_receipt_shows_its_facts_and_no_buyer(hands: Hands) -> None:
    hands.scan(url(payload(buyer=b"11:0101990710003")))
    assert isinstance(hands.model.context.notices[-1], ReceiptRead)
    assert hands.notice().startswith(
        "Рачун ABCD1234-WXYZ9876-11389: 1.674,72 РСД Промет продаја, 01.01.2024. 12:00."
    )
    await seen()
    assert "Није у дневнику ове касе." in hands.notice()
    assert "0101990710003" not in hands.notice()
    assert hands.rows() == []


async def test_the_bell_is_there_only_while_something_waits(hands: Hands) -> None:
    """A usual sale never rings it, and a doubt once it is old."""
    bell = hands.top.bell
    await confirm_bread(hands)
    pass_time(hands.window, SETTLE_MS)
    assert SETTLE_MS >= 500
    await confirm_bread(hands, Fault.IN_DOUBT, steps=3)
    assert not bell.isVisible()
    assert "одлук" not in hands.bottom_line()
    await grow_up(hands)
    assert bell.isVisible()
    assert "Пажња 1 ставка · 1 тражи одлуку" in hands.bottom_line()
    assert bell.accessibleName() == "Чека пажњу: 1"
    hands.tap(bell)
    assert inside(hands.window).is_in("attention")
    inside(hands.window).go_home()
    hands.shop.server.find_out(signed=True)
    await hands.shop.serve()
    await seen()
    hands.window.frame.count()
    assert not bell.isVisible()


async def test_what_waits_is_told_soon_after_the_till_opens(hands: Hands) -> None:
    """This happens by itself, but not before the till sells."""
    await confirm_bread(hands, Fault.IN_DOUBT, steps=3)
    await grow_up(hands)
    anew = UiContext(hands.window.theme, hands.window.texts)
    window = TillWindow(hands.shop.services, anew, viewer=NotingViewer())
    hands.shop.until_closed.callback(window.close)

    assert window.frame.waiting.many == 0
    await until(lambda: window.frame.waiting.many == 1)
    assert inside(window).top.bell.isVisibleTo(window)


def cancelled_to_be_corrected(hands: Hands, *, key: str = "pad plus") -> Sale:
    """A sale whose lines wait to be taken back."""
    hands.model.entry.enter_code(BREAD)
    hands.shop.pause()
    hands.press(key)
    return cancelled(hands)


def cancelled(hands: Hands) -> Sale:
    sales, now, of = hands.shop.database.sales, hands.shop.clock.now(), hands.sold().key
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


@pytest.mark.parametrize("key", ["pad -", "pad plus"])
def test_what_was_received_for_it_comes_back_too(hands: Hands, key: str) -> None:
    """A card may have been charged; cash is in the drawer."""
    take_back(hands, cancelled_to_be_corrected(hands, key=key))
    paid = hands.ticket.typed_details.paid
    received = {"pad plus": (PaymentMethod.CASH, "59.00"), "pad -": (PaymentMethod.CARD, "58.99")}
    assert [(method, str(money)) for method, money in paid] == [received[key]]
    hands.shop.pause()
    hands.press("pad -")
    assert hands.area.is_paying
    hands.press("Enter")
    last = hands.sold()
    assert [method for method, _ in last.money_taken.tendered.by_method] == [received[key][0]]


def test_a_corporate_card_takes_its_voucher_from_a_corrected_sale_too(hands: Hands) -> None:
    """What it sent back was told until the confirm, and counts as given."""
    hands.model.entry.enter_code(BREAD)
    hands.shop.pause()
    hands.press("F12", "#20", "F5", "#100000008")
    hands.tap_words("Корпоративна картица")
    hands.press("#123", "Enter", "Enter")
    take_back(hands, cancelled(hands))
    hands.shop.pause()
    hands.press("F12", "F5")
    hands.tap_words("Корпоративна картица")
    hands.press("Esc")
    assert hands.payment.tender.paid == ()
    assert hands.paying.issue.accessibleName() == "Упиши тачан износ 59,00"


HINDERS: dict[str, Callable[[Hands], object]] = {
    "Прво одговорите на питање": lambda hands: hands.model.questions.ask(questions.NextQuantity()),
    "Обука и права продаја": lambda hands: hands.model.cart.set_kind(DocumentKind.TRAINING),
}
"""What keeps the lines from being taken back, by what is told."""


@pytest.mark.parametrize("told", HINDERS)
def test_lines_that_can_not_be_taken_back_now_are_offered_again(hands: Hands, told: str) -> None:
    sale = cancelled_to_be_corrected(hands)
    HINDERS[told](hands)
    take_back(hands, sale)
    QApplication.processEvents()
    assert inside(hands.window).is_in("attention")
    said = [label.text() for label in inside(hands.window).attention.findChildren(QLabel)]
    assert any(told in text for text in said)
    assert hands.rows() == []
    assert not hands.shop.database.sales.sale(sale.key).was_shown
    assert inside(hands.window).waiting() == 1
    if hands.model.questions.is_asked:
        hands.model.questions.put_away()
    hands.model.cart.set_kind(DocumentKind.SALE)
    take_back(hands, sale)
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]


def press_issue(hands: Hands) -> None:
    """Tap Pay, then twice the big button, which rests after a press."""
    area = hands.area
    if not area.is_paying:
        hands.tap(area.sale.bar.pay)
        hands.tap(layout_of(area.payment).issue)
    hands.tap(layout_of(area.payment).issue)


WAYS_TO_PAY: dict[str, Callable[[Hands], None]] = {
    "pad plus": lambda hands: hands.press("pad plus"),
    "pad -": lambda hands: hands.press("pad -"),
    "Ctrl+Enter": lambda hands: hands.press("Ctrl+Enter"),
    "F12 Enter Enter": lambda hands: hands.press("F12", "Enter", "Enter"),
    "key of exact cash": lambda hands: hands.tap(hands.area.sale.bar.exact),
    "key of the card": lambda hands: hands.tap(hands.area.sale.bar.card),
    "finger in the payment": press_issue,
}


@each("way", WAYS_TO_PAY)
def test_training_ends_with_its_receipt(anew: Anew, way: str) -> None:
    """The next customer's goods are sold, in the cart that was left before training."""
    hands, pay = anew.begin(), WAYS_TO_PAY[way]
    hands.model.entry.enter_code(BREAD)
    hands.choose(hands.top.segment, 3)
    assert hands.rows() == []
    hands.press(f"#{MILK}", "Enter")
    hands.pad("+")
    assert [sale.kind for sale in hands.sales()] == [DocumentKind.TRAINING]
    assert hands.rows() == BREAD_ROW
    assert not hands.top.banners.kind.isVisible()
    assert hands.notice().startswith("Обука: рачун чека број 139,99")
    pay(hands)  # the receipt ended training; this press would issue a customer's receipt
    assert len(hands.sales()) == 1
    is_paying = hands.area.is_paying
    told = hands.paying.head.news_text() if is_paying else hands.notice()
    assert told.startswith("Обука је завршена: ово је права продаја")
    assert hands.shop.tones.played[-1] == "attention"
    hands.press("Enter") if is_paying else pay(hands)
    assert hands.sold().kind is DocumentKind.SALE


def a_kind_of_document_is_told_on_the_sale_and_training_everywhere(hands: Hands) -> None:
    frame = hands.window.frame
    for kind, is_told in ((1, False), (3, True)):
        hands.choose(hands.top.segment, kind)
        assert hands.top.banners.kind.isVisible()
        hands.press("F7")
        receipts = in_front(frame, "receipts.title")
        assert receipts.banners.kind.isVisible() is is_told
        hands.press("Esc")


def after_training_over_no_sale_the_next_one_is_paid_at_once(hands: Hands) -> None:
    hands.choose(hands.top.segment, 3)
    hands.model.entry.enter_code(MILK)
    hands.pad("+")
    hands.model.entry.enter_code(BREAD)
    hands.pay("+")
    assert hands.sold().kind is DocumentKind.SALE


def the_word_after_training_is_forgotten_with_its_cart(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.choose(hands.top.segment, 3)
    hands.model.entry.enter_code(MILK)
    hands.pad("+")
    hands.press("F6", "F6", "Enter")
    hands.pay("+")
    assert hands.sold().kind is DocumentKind.SALE


def the_key_of_a_screen_leaves_a_question_alone(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.press("F3")
    hands.shop.tones.played.clear()
    hands.press("F8")
    assert isinstance(hands.model.questions.question, questions.LineQuantity)
    assert (hands.shop.tones.played, hands.notice()) == (["no"], "")


def a_question_while_paying_comes_back_to_the_payment(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.press("F12", "#500")
    hands.scan("0016")
    assert hands.area.panel is not None
    hands.press("#2", "Enter")
    model = hands.payment
    assert hands.area.is_paying
    assert (str(model.due), str(model.tender.payments.cash)) == ("438.97", "500.00")


def the_qr_code_of_a_receipt_fills_the_buyer_while_paying(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.press("F5")
    assert hands.area.is_paying
    hands.scan(url(payload(buyer=b"10:109876542")))
    model = hands.payment
    assert str(model.buyer.buyer()) == "10:109876542"
    assert hands.model.context.notices == ()


@each("act", [
    after_training_over_no_sale_the_next_one_is_paid_at_once,
        a_kind_of_document_is_told_on_the_sale_and_training_everywhere,
    the_word_after_training_is_forgotten_with_its_cart, the_key_of_a_screen_leaves_a_question_alone,
    a_question_while_paying_comes_back_to_the_payment,
    the_qr_code_of_a_receipt_fills_the_buyer_while_paying,
])  # fmt: skip
def test_steps_between_the_screens(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())


def counts(hands: Hands) -> list[str]:
    """The counts of waiting cases at bell, bottom line and Attention."""
    told = said(hands).split(" · Каталог")[0].split(" · Усклађено")[0]
    queue = " · ".join(told.split(" · ")[2:])
    inside(hands.window).open("attention")
    _, *waits = lines_of(inside(hands.window).attention.head)
    inside(hands.window).go_home()
    return [hands.top.bell.spec.words, queue, *waits]


def said(hands: Hands) -> str:
    """The bottom line as a screen reader reads it."""
    return hands.window.status.accessibleDescription()


async def test_bell_bottom_line_and_attention_tell_one_count(hands: Hands) -> None:
    """Not only sales of this till wait: here corrected lines wait too."""
    await confirm_bread(hands, Fault.FIX)
    refused = hands.sold()
    corrected = cancelled_to_be_corrected(hands)
    inside(hands.window).waiting()
    words = "2 ставке · 2 траже одлуку"
    assert counts(hands) == ["2", f"Пажња {words}", words]
    take_back(hands, corrected)
    await seen()
    words = "1 ставка · 1 тражи одлуку"
    inside(hands.window).waiting()
    assert counts(hands) == ["1", f"Пажња {words}", words]
    inside(hands.window).open("attention")
    await seen()
    sales, now = hands.shop.database.sales, hands.shop.clock.now()
    sales.request_cancel(refused.key, reason="x", at=now)
    sales.move(refused.key, SaleState.CANCELLING, at=now)
    sales.move(refused.key, SaleState.CANCELLED, at=now)
    inside(hands.window).attention.room.changed.emit()  # as at the end of each act there
    await seen()
    assert counts(hands) == ["0", "Ред празан"]
