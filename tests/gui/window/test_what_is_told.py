"""What a cashier is told of a code."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLineEdit

from pos_app.cashier.ui.labels import AmountLabel
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.cashier.window.screens import CATALOGUE, REPORTS, SETTINGS
from pos_app.selling.sale.scan import ScanPurpose
from tests.fakes.people_here import quick
from tests.gui.parts import notices_in, only
from tests.gui.pictures import settle
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BANANA, BREAD, CHEESE_WEIGHED, Shop
from tests.gui.window.test_held_till import held
from tests.sweep import each

BREAD_EAN, MILK_EAN, UNKNOWN = "8609910700134", "8609951100139", "8600999000014"
ASKS = "1 код није додат"


def _begun(hands: Hands) -> None:
    """Scan a bread, and a code that no article has."""
    hands.scan(BREAD_EAN, UNKNOWN)
    hands.press("Esc")
    hands.shop.pause()


def _missed(hands: Hands) -> list[str]:
    return [one.code for one in hands.ticket.missed]


def each_payment_key_asks_once(hands: Hands) -> None:
    for key in "+-":
        _begun(hands)
        hands.pad(key)
        assert (hands.rows() != [], hands.shop.tones.played[-1]) == (True, "attention")
        assert hands.notice().startswith(ASKS)
        hands.press("Esc")
        hands.pad(key)
        assert hands.rows() == []
    assert len(hands.sales()) == 2


def one_more_code_is_asked_about_again_and_the_next_sale_begins_without(hands: Hands) -> None:
    _begun(hands)
    hands.pad("+")
    hands.scan("8600999000021")
    hands.pay("+")
    assert hands.notice().startswith("2 кода нису додата")
    hands.pad("+")
    assert hands.shop.till.carts.cart_of(hands.sold().cart_id).missed == ()
    hands.scan(BREAD_EAN)
    hands.pay("+")
    assert len(hands.sales()) == 2


def what_was_misread_and_scanned_again_is_not_missed(hands: Hands) -> None:
    hands.model.entry.misread(BREAD_EAN[:9])
    hands.scan(BREAD_EAN)
    assert (hands.notice(), _missed(hands)) == ("", [])
    hands.pay("+")
    assert hands.sale()


def what_else_was_scanned_since_settles_nothing(hands: Hands) -> None:
    """Three packs lay in the bag, and one scan of something else made the till forget them."""
    address = "https://shop.rs/gtin/08609951101730"
    hands.scan("lot-0016", cut=6, pause=100)
    hands.keys.now += 6_000
    hands.scan("0108609951101730172712311", address, BREAD_EAN, UNKNOWN)
    codes = ["lot-0016", "0108609951101730172712311", address, UNKNOWN]
    assert _missed(hands) == codes
    assert "Још 3 кода нису додата" in hands.notice()
    hands.press("Esc", "Esc")
    hands.scan("lot-0017")
    assert "Још 4 кода нису додата" in hands.notice()
    hands.pay("+")
    assert hands.notice().startswith("5 кодова није додато")


def what_was_misread_and_left_is_asked_about(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.scan("lot-0016", cut=6, pause=100)
    hands.pay("+")
    assert hands.notice().startswith(ASKS)


def the_payment_shows_it_and_keeps_what_was_typed(hands: Hands) -> None:
    hands.scan(BREAD_EAN)
    hands.press("F12", "#200")
    before = hands.payment.tender
    hands.scan(UNKNOWN)
    assert UNKNOWN in hands.paying.head.news_text()
    assert (hands.payment.tender, hands.shop.tones.played[-1]) == (before, "no")
    hands.press("Esc", "F12")
    assert ASKS in hands.paying.head.news_text()
    hands.press("Enter")
    assert hands.sold().money_taken.tendered.cash == before.payments.cash


def the_parts_of_one_broken_scan_are_one(hands: Hands) -> None:
    for cut, pause in ((4, 40), (5, 400), (6, 520), (7, 640)):
        hands.scan(BREAD_EAN)
        hands.scan("lot-00160", cut=cut, pause=pause)
        assert _missed(hands) == ["lot-00160"], (cut, pause)
        assert "lot-00160" in hands.notice()
        assert len(hands.model.context.notices) == 1
        hands.press("Esc")
        hands.model.cart.void("test")
        hands.press("Esc")
        hands.keys.now += 3_000


def two_broken_scans_are_two(hands: Hands) -> None:
    hands.scan(BREAD_EAN)
    for code in ("lot-0016", "lot-0017"):
        hands.keys.now += 1_000
        hands.scan(code, cut=6, pause=500)
    assert _missed(hands) == ["lot-0016", "lot-0017"]


def what_was_misread_and_is_nobody_s_when_scanned_again_is_one(hands: Hands) -> None:
    hands.model.entry.misread(UNKNOWN[2:])
    hands.scan(UNKNOWN)
    assert _missed(hands) == [UNKNOWN]


def the_paper_of_a_receipt_is_no_goods(hands: Hands) -> None:
    hands.scan("https://suf.purs.gov.rs/v/?vl=A1VFNE")
    assert hands.shop.tones.played[-1] == "no"
    assert _missed(hands) == []


def it_goes_aside_with_the_cart_and_comes_back(hands: Hands) -> None:
    _begun(hands)
    hands.press("F6")
    hands.scan(MILK_EAN)
    hands.pay("+")
    before = hands.sold()
    hands.press("F6", "Enter")
    hands.pad("+")
    assert hands.sale() == before
    assert hands.notice().startswith(ASKS)


def it_stays_where_the_last_line_is_removed(hands: Hands) -> None:
    """Its goods lie on the belt still, with others that the customer takes or without any."""
    hands.scan(BREAD_EAN, UNKNOWN)
    for _ in range(2):
        hands.press("Del")
        assert (_missed(hands), hands.gtins()) == ([UNKNOWN], [])
        assert UNKNOWN in hands.notice()
        hands.tap_cart("restore", 0)
    hands.press("Del", "Esc")
    hands.scan(MILK_EAN)
    hands.pay("+")
    assert hands.notice().startswith(ASKS)
    hands.press("Del")
    assert not hands.notice().startswith(ASKS), "nothing is paid"
    hands.scan(BREAD_EAN)
    hands.pay("+")
    assert hands.notice().startswith(ASKS), "the next cart is asked about anew"


@each(
    "act",
    [
        each_payment_key_asks_once, it_stays_where_the_last_line_is_removed,
        one_more_code_is_asked_about_again_and_the_next_sale_begins_without,
        what_was_misread_and_scanned_again_is_not_missed, what_was_misread_and_left_is_asked_about,
        what_else_was_scanned_since_settles_nothing,
        the_payment_shows_it_and_keeps_what_was_typed, the_parts_of_one_broken_scan_are_one,
        two_broken_scans_are_two, what_was_misread_and_is_nobody_s_when_scanned_again_is_one,
        the_paper_of_a_receipt_is_no_goods, it_goes_aside_with_the_cart_and_comes_back,
    ],
)  # fmt: skip
def test_what_becomes_of_it(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())


@pytest.mark.parametrize("is_typed", [False, True])
def test_it_outlives_a_restart(hands: Hands, shop: Shop, sell_in: SellIn, is_typed: bool) -> None:
    hands.scan(BREAD_EAN)
    if is_typed:
        hands.press("#99887", "Enter")
    else:
        with held(hands):  # it is stored later where another program holds the file
            hands.scan("lot-0016", cut=6, pause=100)
        hands.keys.now += 1_000
        hands.scan(UNKNOWN)
    again = sell_in(shop)
    again.keys.now = hands.keys.now + 1_000
    assert _missed(again) == (["99887"] if is_typed else ["lot-0016", UNKNOWN])
    again.pay("+")
    assert again.sale() is None
    assert again.notice().startswith(ASKS if is_typed else "2 кода нису додата")
    again.press("Esc")
    again.pad("+")
    assert again.sale()


VOIDED = "Скинуто: Хлеб бели Сава 500 g"
ONE_BREAD = ["1 × Хлеб бели Сава 500 g, 58,99"]
PRICE, VOID = "1", "2"
MODES = {PRICE: "Цена?", VOID: "Скини артикал"}
"""Keys of the menu, and the mode that each begins."""


def choose(hands: Hands, key: str) -> None:
    hands.press("F9", f"#{key}")


def void(hands: Hands, code: str) -> None:
    choose(hands, VOID)
    hands.scan(code)


def test_what_tells_of_the_cart_leaves_when_the_cart_has_changed(hands: Hands) -> None:
    """By a scan, and by a row that is put back: an empty cart, and one that was dropped."""
    for brings_back in (lambda: hands.scan(BREAD_EAN), lambda: hands.tap_cart("restore", 0)):
        hands.model.cart.ask_void()
        assert hands.notice().startswith("Корпа је празна")
        brings_back()
        assert (len(hands.rows()), hands.notice()) == (1, "")
        hands.tap_cart("remove", 0)
    hands.scan(BREAD_EAN)
    hands.model.cart.void("проба")
    assert hands.notice().startswith("Корпа је одбачена")
    hands.scan(BREAD_EAN)
    assert hands.notice() == ""


def bar(hands: Hands) -> str:
    """The bar of the mode as a screen reader reads it, "" without one."""
    shown = hands.area.sale.mode
    return shown.accessibleName() if shown.isVisible() else ""


def edge(hands: Hands) -> str:
    sale = hands.area.sale
    return sale.grab().toImage().pixelColor(QPoint(1, sale.height() // 2)).name()


def ended_by(*keys: str) -> Callable[[Hands], None]:
    def end(hands: Hands) -> None:
        for key in keys:
            hands.press(key)

    return end


ENDS: dict[str, tuple[Callable[[Hands], None], str]] = {
    "its scan": (lambda hands: hands.scan(BREAD_EAN), ""),
    "the menu": (lambda hands: hands.tap_words("Назад на продају"), "2"),
    "Esc": (ended_by("Esc"), "2"),
    "the payment": (ended_by("F12", "Esc"), "2"),
    "the end of the cart": (ended_by("pad plus"), "1"),
    "another cart": (ended_by("F6"), "1"),
}
"""What ends a mode, and the pieces of bread once another one is scanned after it."""


@each(("key", "end"), zip(cycle(MODES), ENDS, strict=False))
def test_a_mode_has_a_bar_and_a_colour_until_it_ends(anew: Anew, key: str, end: str) -> None:
    hands = anew.begin()
    hands.scan(BREAD_EAN)
    assert bar(hands) == ""
    plain = edge(hands)
    choose(hands, key)
    assert bar(hands).startswith(MODES[key])
    assert "артик" in bar(hands)
    assert bar(hands).endswith("Esc")
    assert edge(hands) != plain
    hands.shop.pause()
    does, pieces = ENDS[end]
    does(hands)
    assert (bar(hands), edge(hands)) == ("", plain)
    assert hands.model.cart.purpose is ScanPurpose.ADD
    if pieces:
        hands.scan(BREAD_EAN)
        assert [row.split(" ")[0] for row in hands.rows()] == [pieces]


def test_what_leaves_a_mode_as_it_is(hands: Hands) -> None:
    hands.scan(BREAD_EAN, UNKNOWN)
    choose(hands, PRICE)
    price = edge(hands)
    choose(hands, PRICE)  # its key in the menu leaves it
    choose(hands, VOID)
    assert edge(hands) != price
    hands.scan(UNKNOWN)
    assert bar(hands).startswith("Скини артикал")
    hands.press("#sir", "Esc")
    assert (bar(hands), hands.rows()) == ("", ONE_BREAD)
    assert hands.notice()


@each(
    ("code", "price", "told"),
    [(BREAD_EAN, "58,99", "58,99 РСД за ком"), (CHEESE_WEIGHED, "370,39", "899,00 за kg")],
)
def test_a_price_that_was_asked_for_is_large(anew: Anew, code: str, price: str, told: str) -> None:
    hands = anew.begin()
    choose(hands, PRICE)
    hands.scan(code)
    panel = hands.area.sale.notices.panel
    assert panel is not None
    amount = only(panel, AmountLabel)
    assert amount.text() == price
    assert amount.shown_px() == hands.window.theme.metrics.type_px(TypeStep.TOTAL)
    assert told in hands.notice()
    hands.press("Esc")
    assert (hands.notice(), hands.rows()) == ("", [])


def each_storno_is_said_with_what_stays_and_takes_the_place_of_the_one_before(hands: Hands) -> None:
    for _ in range(3):
        hands.scan(BREAD_EAN)
    for stays in ("У корпи остаје 2 ком.", "У корпи остаје 1 ком.", "Више није у корпи."):
        void(hands, BREAD_EAN)
        assert hands.notice().startswith(f"{VOIDED}, 1 ком, 58,99 {stays}")
        (notice,) = hands.model.context.notices
        assert notice.level is NoticeKind.DONE


def it_goes_with_the_next_act(hands: Hands) -> None:
    for after in ("item", "F6", "Esc", "pad plus"):
        hands.scan(BREAD_EAN, BREAD_EAN)
        void(hands, BREAD_EAN)
        assert hands.notice()
        hands.shop.pause()
        hands.scan(MILK_EAN) if after == "item" else hands.press(after)
        assert hands.notice() == "", after
    assert hands.sale()


def a_sale_that_was_dropped_is_said_with_its_amount(hands: Hands) -> None:
    hands.scan(BREAD_EAN)
    hands.press("F9")
    hands.tap_words("са разлогом: Одбаци корпу")
    hands.tap_words("Купац је одустао")
    if hands.area.panel is not None:
        hands.tap_words("Одбаци корпу")
    assert hands.rows() == []
    assert hands.notice().startswith("Корпа је одбачена 58,99 РСД није наплаћено.")
    hands.scan(MILK_EAN)
    assert hands.notice() == ""


def codes_behind_a_code_are_told_as_codes_and_once(hands: Hands) -> None:
    hands.scan(BREAD_EAN)
    for number, told in enumerate(("", "Још 1 код није додат", "Још 2 кода нису додата")):
        hands.scan(f"L0T-{number}")
        assert not told or f" · {told} " in hands.notice()
    hands.pay("+")
    told = "3 кода нису додата: L0T-0, L0T-1, L0T-2 Ништа није наплаћено. Додајте оно што недостаје"
    assert hands.notice().startswith(told)


@each("act", [
    each_storno_is_said_with_what_stays_and_takes_the_place_of_the_one_before,
    it_goes_with_the_next_act, a_sale_that_was_dropped_is_said_with_its_amount,
    codes_behind_a_code_are_told_as_codes_and_once,
])  # fmt: skip
def test_what_is_said(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())


def _weight(hands: Hands) -> None:
    hands.model.entry.enter_code(BANANA)
    hands.type("1,2")


PANELS: dict[str, Callable[[Hands], object]] = {
    "weight": _weight,
    "weight, while paying": lambda hands: (hands.press("F12"), _weight(hands)),
    "quantity": lambda hands: hands.press("F3", "#1,2"),
    "discount": lambda hands: hands.press("F4", "#1,2"),
}


def _said(hands: Hands) -> str:
    """The news on the panel, "" for none."""
    panel = hands.area.panel
    assert panel is not None
    if panel.notice is None:
        return ""
    assert panel.notice.isVisible()
    return panel.notice.accessibleName()


@each("opened", PANELS)
def test_a_misread_is_said_on_the_panel_and_typed_text_is_untouched(
    anew: Anew, opened: str
) -> None:
    """The sale shows it until it was read."""
    hands = anew.begin()
    hands.scan(BREAD_EAN, UNKNOWN)
    hands.shop.clock.go_on(10_000)
    PANELS[opened](hands)
    panel = hands.area.panel
    assert panel is not None
    before, focus = panel.entries(), hands.window.focusWidget()
    assert _said(hands) == "", "what was told long ago is not said again"
    hands.scan("lot-0016", cut=6, pause=500)  # it goes on, and is said once
    assert "lot-0016" in _said(hands)
    assert "Још 1 код није додат" in _said(hands)
    assert hands.shop.tones.played[-1] == "no"
    assert hands.area.panel is panel
    assert (panel.entries(), hands.window.focusWidget()) == (before, focus)
    hands.type("5")
    assert panel.entries() == {**before, "text": before["text"] + "5"}
    hands.keys.now += 1_000
    hands.scan("lot-0017", cut=6, pause=100)
    assert "lot-0017" in _said(hands)
    assert "Још 2 кода нису додата" in _said(hands)
    hands.press("Esc")
    if not hands.area.is_paying:
        assert "lot-0017" in hands.notice()


def a_list_says_it_too(hands: Hands) -> None:
    hands.press("F9")
    hands.scan("lot-0016", cut=6, pause=100)
    assert "lot-0016" in _said(hands)


def a_question_right_after_an_unknown_code_does_not_hide_it(hands: Hands) -> None:
    """Both are entered at once: the next question would cover the words about the code."""
    hands.scan(UNKNOWN)
    hands.window.on_scan(BANANA)
    assert UNKNOWN in _said(hands)
    hands.scan("8600999000021", BREAD_EAN)
    hands.window.on_scan(BANANA)
    hands.press("#1,2", "Enter")
    assert hands.model.questions.is_asked
    assert "8600999000021" in _said(hands)
    hands.window.change(language="en")
    assert "8600999000021" in _said(hands)


def scans_wait_visibly_while_a_question_is_open(hands: Hands) -> None:
    hands.model.entry.enter_code(BANANA)
    hands.type("1,2")
    hands.scan(BREAD_EAN, MILK_EAN)
    assert hands.rows() == []
    assert tuple(code.text for code in hands.model.entry.waiting) == (BREAD_EAN, MILK_EAN)
    settle()
    assert hands.area.panel is not None
    assert notices_in(hands.area.panel)[-1] == "2 скена чекају Биће додато чим одговорите"
    hands.press("Enter")
    assert [row.split(" ")[0] for row in hands.rows()] == ["1,200", "1", "1"]


def dropped(hands: Hands) -> None:
    hands.press("F9")
    hands.tap_words("са разлогом: Одбаци корпу")
    hands.press("1", "Enter")


@each(
    "act",
    [
        a_list_says_it_too,
        a_question_right_after_an_unknown_code_does_not_hide_it,
        scans_wait_visibly_while_a_question_is_open,
    ],
)
def test_what_covers_it_says_it(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())


@each("screen", [CATALOGUE, REPORTS, SETTINGS])
@each("typed", ["", "1111"])
def test_a_scan_where_a_pin_is_asked_for_is_no_pin(anew: Anew, screen: str, typed: str) -> None:
    """A short EAN and a message that the till knows were eight digits of a wrong PIN."""
    hands = anew.begin()
    hands.shop.services.manager.save_pin(quick("2580"))
    for code, rows in ((f"]d201{MILK_EAN.zfill(14)}", 1), ("86091428", 2), ("96385074", 2)):
        hands.window.frame.open(screen)
        hands.type(typed)
        hands.scan(code)
        assert (len(hands.rows()), hands.window.frame.is_home) == (rows, code != "96385074")
    assert _missed(hands) == ["96385074"]
    dots = hands.window.focusWidget()
    assert isinstance(dots, QLineEdit)
    assert dots.text() == typed
