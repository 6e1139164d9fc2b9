"""Words confirm a storno, or the end of a sale without a receipt; a bar and a colour show the
meaning of the next code."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle

from PySide6.QtCore import QPoint, QRect

from pos_app.cashier.ui.labels import AmountLabel
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.selling.sale.scan import ScanPurpose
from tests.gui.parts import only
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands, SellIn, seen
from tests.gui.window.shop import BREAD, CHEESE_WEIGHED, Shop
from tests.sweep import each

BREAD_EAN, MILK_EAN, UNKNOWN = "8609910700134", "8609951100139", "8600999000014"
VOIDED = "Скинуто: Хлеб бели Сава 500 g"
ONE_BREAD = ["1 × Хлеб бели Сава 500 g, 58,99"]
PRICE, VOID = "1", "2"
MODES = {PRICE: "Цена?", VOID: "Скини артикал"}
"""Keys of the menu, and the mode that each begins."""


def choose(hands: Hands, key: str) -> None:
    hands.press("F9")
    hands.type(key)


def void(hands: Hands, code: str) -> None:
    choose(hands, VOID)
    hands.scan(code)


# --- the mode ------------------------------------------------------------------------------------


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
    hands.scan(BREAD_EAN)
    hands.scan(UNKNOWN)
    choose(hands, PRICE)
    price = edge(hands)
    choose(hands, PRICE)  # its key in the menu leaves it
    choose(hands, VOID)
    assert edge(hands) != price
    hands.scan(UNKNOWN)
    assert bar(hands).startswith("Скини артикал")
    hands.type("sir")
    hands.press("Esc")
    assert (bar(hands), hands.rows()) == ("", ONE_BREAD)
    assert hands.notice()


async def test_it_stands_above_the_keyboard_beside_pay(shop: Shop, sell_in: SellIn) -> None:
    hands = sell_in(shop, width=1024)
    hands.scan(BREAD_EAN)
    choose(hands, VOID)
    hands.window.typing.open()
    await seen()
    window, sale = hands.window, hands.area.sale
    for part in (sale.mode, sale.search, sale.bar.pay, hands.cart.total):
        assert part.isVisible()
        assert window.rect().contains(QRect(part.mapTo(window, QPoint(0, 0)), part.size()))
    assert sale.mode.geometry().bottom() < sale.search.geometry().top()


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


# --- what was voided -----------------------------------------------------------------------------


def each_storno_is_said_with_what_stays_and_takes_the_place_of_the_one_before(hands: Hands) -> None:
    for _ in range(3):
        hands.scan(BREAD_EAN)
    for stays in ("У корпи остаје 2 ком.", "У корпи остаје 1 ком.", "Више није у корпи."):
        void(hands, BREAD_EAN)
        assert hands.notice().startswith(f"{VOIDED}, 1 ком, 58,99 {stays}")
        (notice,) = hands.model.context.notices
        assert notice.level is NoticeKind.INFO


def a_tile_that_is_voided_by_touch_is_said_too(hands: Hands) -> None:
    hands.tap_article(BREAD)
    hands.press("F9")
    hands.tap_words("један комад мање, скенирањем: Скини артикал")
    hands.tap_article(BREAD)
    assert hands.notice().startswith(VOIDED)


def a_storno_of_what_is_not_in_the_cart_is_said(hands: Hands) -> None:
    hands.scan(BREAD_EAN)
    void(hands, MILK_EAN)
    assert "Млеко свеже" in hands.notice()
    assert hands.rows() == ONE_BREAD


def it_goes_with_the_next_act(hands: Hands) -> None:
    for after in ("item", "F6", "Esc", "pad plus"):
        hands.scan(BREAD_EAN)
        hands.scan(BREAD_EAN)
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
    hands.shop.pause()
    hands.pad("+")
    assert hands.notice().startswith("3 кода нису додата Ништа није наплаћено.")


def other_notices_are_told_as_such(hands: Hands) -> None:
    hands.scan("L0T-1")
    hands.window.frame.home.show_bug(KeyError("one"))
    hands.window.frame.home.show_bug(ValueError("another"))
    assert " · Још 2 обавештења " in hands.notice()


@each(
    "act",
    [
        each_storno_is_said_with_what_stays_and_takes_the_place_of_the_one_before,
        a_tile_that_is_voided_by_touch_is_said_too,
        a_storno_of_what_is_not_in_the_cart_is_said,
        it_goes_with_the_next_act,
        a_sale_that_was_dropped_is_said_with_its_amount,
        codes_behind_a_code_are_told_as_codes_and_once,
        other_notices_are_told_as_such,
    ],
)
def test_what_is_said(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())
