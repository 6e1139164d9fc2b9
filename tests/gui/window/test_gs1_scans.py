"""GS1 messages scanned in the real window, by a keyboard wedge and at a serial port."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

from pos_app.bootstrap.synchronisation.sync import run_sync
from pos_app.domain.money.money import Money
from pos_app.domain.text.instant import day_of
from pos_app.resources import folder as resources
from pos_app.selling.sale.scan import ScanPurpose
from pos_app.settings import Settings
from pos_app.wire.strict_json import dumps, loads
from tests.gui.parts import lines_of
from tests.gui.scanner.wedge import LayoutName
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BUREK, CHEESE, CHEESE_GTIN, CHEESE_WEIGHED, give_ean
from tests.sweep import each

BREAD, MILK = "08609910700134", "08609951100139"
EAN_8, UPC_A, GTIN_14 = "96385074", "036000291452", "18609951100136"
ONE_BREAD, ONE_MILK = (BREAD, "1", "58.99"), (MILK, "1", "139.99")
KINDS = {
    "EAN-13": (BREAD[1:], ONE_BREAD),
    "EAN-8": (EAN_8, (EAN_8.zfill(14), "1", "165.00")),
    "UPC-A": (UPC_A, (UPC_A.zfill(14), "1", "129.99")),
    "GTIN-14": (GTIN_14, (GTIN_14, "1", "79.99")),
    "EAN and two digits": (f"{BREAD[1:]}05", ONE_BREAD),
    "EAN and five digits": (f"{BREAD[1:]}12345", ONE_BREAD),
    "a scale's weight": (CHEESE_WEIGHED, (CHEESE_GTIN, "0.412", "370.39")),
    "a scale's price": ("2600013003500", (CHEESE_GTIN, "0.389", "350.00")),
    "GS1-128": (f"]C101{CHEESE_GTIN}3103000412", (CHEESE_GTIN, "0.412", "370.39")),
    "DataMatrix": (f"\x1d10A/7\x1d01{BREAD}", ONE_BREAD),
    "DataBar": (f"\x1d310300041201{CHEESE_GTIN}", (CHEESE_GTIN, "0.412", "370.39")),
    "brackets": (f"(01){MILK}(30)2", (MILK, "2", "279.98")),
    "Digital Link": (f"https://id.gs1.org/01/{MILK}/?17=301231", ONE_MILK),
    "past its day": (f"01{MILK}17171231", ONE_MILK),
}


def set_till(hands: Hands, **values: object) -> None:
    services = hands.shop.services
    till = services.settings.till.having(**values)
    services.settings_here.saved = services.settings.having(till=till)


def lines(hands: Hands) -> list[tuple[str | None, str, str]]:
    return [
        ((one.article.frozen.gtin or "").zfill(14), str(one.quantity), str(one.total))
        for one in hands.ticket.cart.active
    ]


@each("kind", KINDS)
@each("layout", ["us", "rs-latin", "rs-cyrillic", None])
def test_each_kind_of_code_sells_whatever_layout_the_computer_has_and_at_a_serial_port(
    anew: Anew, kind: str, layout: LayoutName | None
) -> None:
    """layout: of the computer, to whose keys the scanner's are added; None at a serial port."""
    hands, (text, sold) = anew.begin(), KINDS[kind]
    for code, ean in ((CHEESE, CHEESE_GTIN), (BUREK, EAN_8), ("2", UPC_A), ("3", GTIN_14)):
        give_ean(hands.shop.services, code, ean)
    hands.keys.layout = layout or "us"
    if layout is None:
        hands.filter.take_line(text, is_ended=True)
    else:
        hands.scan(text)
    if kind == "past its day":
        assert lines(hands) == []
        hands.press("F12", "F12")
    assert (lines(hands), hands.notice()) == ([sold], "")


def day(hands: Hands) -> date:
    return day_of(hands.shop.clock.now())


def words(hands: Hands) -> str:
    return " ".join(lines_of(hands.window))


def the_last_day_is_sold_without_a_question(hands: Hands) -> None:
    hands.scan(f"01{BREAD}17{day(hands):%y%m%d}")
    assert len(lines(hands)) == 1


def a_pack_past_its_day_is_sold_once_somebody_agrees(hands: Hands) -> None:
    """The next scan waits for the answer; Enter, which a scanner sends, is none."""
    hands.scan(f"01{BREAD}17{day(hands) - timedelta(1):%y%m%d}", MILK[1:])
    assert "Рок је истекао" in words(hands)
    assert f"{day(hands) - timedelta(1):%d.%m.%Y.}" in words(hands)
    assert lines(hands) == []
    hands.press("F12", "F12")
    assert [one[0] for one in lines(hands)] == [BREAD, MILK]


def the_way_back_says_where_it_leads(hands: Hands) -> None:
    """To the payment, where that stands beneath; else to the sale."""
    for way_back, is_paying in (("Продаја", False), ("Наплата", True)):
        hands.scan(MILK[1:])
        if is_paying:
            hands.press("F12")
        hands.scan(f"01{BREAD}17171231")
        assert hands.area.panel is not None
        assert hands.area.panel.head.button.accessibleName().endswith(way_back)
        hands.press("Esc")
        assert (hands.area.panel, hands.area.is_paying) == (None, is_paying)


def one_that_is_left_out_is_not_sold(hands: Hands) -> None:
    hands.scan(f"(01){BREAD}(15)171231")
    hands.tap_words("Не додај")
    assert lines(hands) == []
    hands.scan(f"(01){BREAD}(15)171231")
    hands.press("Esc")
    assert lines(hands) == []


def what_else_is_odd_about_it_is_asked_then(hands: Hands) -> None:
    """A bunch of 99 kg: first the day, then the weight."""
    give_ean(hands.shop.services, CHEESE, CHEESE_GTIN)
    hands.scan(f"01{CHEESE_GTIN}310309900017171231")
    hands.press("F12")
    assert "Количина је необично велика" in words(hands)
    assert lines(hands) == []
    hands.press("F12")
    assert [one[1] for one in lines(hands)] == ["99"]


def so_is_one_of_which_several_were_typed(hands: Hands) -> None:
    hands.press("F3", "#3", "Enter")
    hands.scan(f"01{BREAD}17171231")
    hands.press("F12")
    assert [one[1] for one in lines(hands)] == ["3"]


def by_setting_it_is_not_sold_at_all(hands: Hands) -> None:
    set_till(hands, expired_goods="refuse")
    hands.scan(f"01{BREAD}17171231")
    assert hands.notice().startswith("Хлеб бели Сава 500 g: рок је истекао 31.12.2017.")
    assert lines(hands) == []
    hands.scan(MILK[1:])
    assert [one[0] for one in lines(hands)] == [MILK]


@each("step", [
    the_last_day_is_sold_without_a_question, a_pack_past_its_day_is_sold_once_somebody_agrees,
    the_way_back_says_where_it_leads, one_that_is_left_out_is_not_sold,
    what_else_is_odd_about_it_is_asked_then, so_is_one_of_which_several_were_typed,
    by_setting_it_is_not_sold_at_all,
])  # fmt: skip
def test_a_pack_past_its_last_day(anew: Anew, step: Callable[[Hands], None]) -> None:
    hands = anew.begin()
    before = hands.shop.services.settings_here.saved
    try:
        step(hands)
    finally:
        hands.shop.services.settings_here.saved = before


def test_a_pack_past_its_day_is_asked_about_once_its_article_was_chosen(hands: Hands) -> None:
    """A platform gave the GTIN to two articles: which one is meant is asked first."""
    listed: Any = loads((resources() / "demo" / "catalogue.json").read_bytes())
    cheese = next(one for one in listed["products"] if one["sku"] == int(CHEESE))
    cheese.update(ean=BREAD[1:], updatedAt="2026-11-21T10:00:00.000Z")
    data = hands.shop.services.settings.data
    source = data / "list.json"
    source.write_bytes(dumps(listed))
    run_sync(settings=Settings(data=data), source=source, progress=lambda _: None)
    hands.scan(f"01{BREAD}17171231")
    hands.tap_words("Хлеб бели Сава")
    assert "Рок је истекао" in words(hands)
    assert lines(hands) == []
    hands.press("F12")
    assert len(lines(hands)) == 1


def test_batch_and_serial_stand_at_the_line_where_the_shop_keeps_them(hands: Hands) -> None:
    """Another batch is another line, and a piece that was scanned twice is refused."""
    set_till(hands, keep_batch=True)
    hands.scan(*(f"01{BREAD}10{batch}" for batch in ("A/7", "B", "A/7")))
    hands.scan(f"01{MILK}21S-9", f"01{MILK}21S-9")
    assert hands.notice().startswith("Млеко свеже 2,8 % 1 l са бројем S-9 је већ у корпи")
    kept = [("B", "", "1"), ("A/7", "", "2"), ("", "S-9", "1")]
    stored = hands.shop.database.carts.open_cart(training=False)
    assert stored is not None
    for ticket in (hands.ticket, stored):
        active = ticket.cart.active
        assert [
            (one.article.batch, one.article.serial, str(one.quantity)) for one in active
        ] == kept
    for row, note in zip(hands.rows(), ("серија B", "серија A/7", "бр. S-9"), strict=True):
        assert note in row
    hands.scan(MILK[1:], MILK[1:])
    assert lines(hands)[-1][1] == "2"
    hands.pay("+")
    sold = hands.shop.database.carts.cart_of(stored.id).cart.active
    assert [one.article.serial for one in sold] == ["", "", "S-9", ""]


PIECE, PACK = f"01{MILK}21S1", f"01{CHEESE_GTIN}310300041221S1"
ONE = ("Млеко свеже 2,8 % 1 l са бројем S1 је један комад", "Скенирајте сваки комад")
TWICE = ("Млеко свеже 2,8 % 1 l са бројем S1 је већ у корпи", "укуцајте шифру артикла")
ONE_PACK = ("са бројем S1 је један комад", "Скенирајте сваки комад")


def put_back_by_menu(hands: Hands) -> None:
    hands.press("F9")
    hands.tap_words("1 ставка: Врати уклоњено")
    hands.press("Enter")


@each(
    ("act", "scanned", "told"),
    [
        (lambda hands: (hands.press("#3*"), hands.scan(PIECE)), (), ONE),
        (lambda hands: (hands.press("#2*"), hands.scan(PACK)), (), ONE_PACK),
        (lambda hands: hands.scan(f"{PIECE}\x1d3012"), (), ONE),
        (lambda hands: hands.press("F3", "#3", "Enter"), (PIECE,), ONE),
        (lambda hands: hands.press("F3", "#0,5", "Enter"), (PIECE,), ONE),
        (lambda hands: hands.tap_cart("plus", 0), (PIECE,), ONE),
        (lambda hands: hands.scan(PIECE, PIECE), (PIECE,), TWICE),
        (lambda hands: (hands.press("Del"), hands.scan(PIECE), put_back_by_menu(hands)),
         (BREAD[1:], PIECE), TWICE),
        (lambda hands: (hands.press("Del"), hands.scan(PIECE), hands.press("F6", "F6", "Enter"),
                        put_back_by_menu(hands)), (BREAD[1:], PIECE), TWICE),
    ],
)  # fmt: skip
def test_what_has_a_serial_number_is_one_piece(
    anew: Anew, act: Callable[[Hands], object], scanned: tuple[str, ...], told: tuple[str, str]
) -> None:
    hands = anew.begin()
    give_ean(hands.shop.services, CHEESE, CHEESE_GTIN)
    set_till(hands, keep_batch=True)
    hands.scan(*scanned)
    before = [one for one in pieces(hands) if one[1]]
    act(hands)
    assert all(words in hands.notice() for words in told), hands.notice()
    assert [one for one in pieces(hands) if one[1]] == before


@each(
    ("holds", "cart"),
    [(("Ctrl+F6", "#Ana", "Enter"), "Ana"), (("F6",), r"\d\d\.\d\d\.\d{4}\. \d\d:\d\d")],
)
def test_a_piece_in_a_held_cart_is_refused(anew: Anew, holds: tuple[str, ...], cart: str) -> None:
    """The held cart is told by its name, else by when it was held."""
    hands, told = anew.begin(), rf"са бројем S1 је у остављеној корпи \({cart}\)"
    set_till(hands, keep_batch=True)
    hands.scan(BREAD[1:], PIECE)
    hands.press(*holds)
    hands.scan(PIECE)
    assert (re.search(told, hands.notice()) is not None, pieces(hands)) == (True, [])
    hands.press("Esc", "F6", "Enter", "Del", "F6")
    hands.scan(PIECE)
    assert pieces(hands) == [("", "S1", "1")], "the held cart has it no more"
    hands.press(*holds, "F6", "Enter")
    put_back_by_menu(hands)
    assert (re.search(told, hands.notice()) is not None, len(pieces(hands))) == (True, 1)


def test_the_weight_of_a_piece_is_changed(hands: Hands) -> None:
    set_till(hands, keep_batch=True)
    give_ean(hands.shop.services, CHEESE, CHEESE_GTIN)
    hands.scan(PACK)
    hands.press("F3", "#0,4", "Enter")
    assert pieces(hands) == [("", "S1", "0.400")]


def test_a_piece_that_was_taken_off_can_be_put_back(hands: Hands) -> None:
    """The cart ended with it, and its batch and serial number come back too."""
    set_till(hands, keep_batch=True)
    hands.scan(f"01{MILK}10A\x1d21S1")
    hands.press("Del")
    hands.tap_cart("restore", 0)
    assert pieces(hands) == [("A", "S1", "1")]


def pieces(hands: Hands) -> list[tuple[str, str, str]]:
    return [
        (one.article.batch, one.article.serial, str(one.quantity))
        for one in hands.ticket.cart.active
    ]


@each(
    ("code", "left", "told"),
    [
        (f"01{BREAD}10A", [("B", "", "2"), ("", "S1", "1"), ("C", "S2", "1")], "серија A, 1 ком"),
        (f"01{MILK}21S1", [("A", "", "1"), ("B", "", "2"), ("C", "S2", "1")], "бр. S1, 1 ком"),
        (f"01{MILK}21S2", [("A", "", "1"), ("B", "", "2"), ("", "S1", "1")], "бр. S2, 1 ком"),
        (MILK[1:], [("A", "", "1"), ("B", "", "2"), ("", "S1", "1")], "Млеко свеже 2,8 % 1 l, 1"),
        (f"01{MILK}10C", None, "Млеко свеже 2,8 % 1 l, серија C није у корпи"),
        (f"01{MILK}10D\x1d21S1", None, "Млеко свеже 2,8 % 1 l, серија D, бр. S1 није у корпи"),
        (f"3*01{BREAD}10B", None, "У корпи нема толико: Хлеб бели Сава 500 g, серија B"),
    ],
)
def test_a_scan_takes_off_its_own_batch_or_piece(
    anew: Anew, code: str, left: list[tuple[str, str, str]] | None, told: str
) -> None:
    hands = anew.begin()
    set_till(hands, keep_batch=True)
    hands.scan(*(f"01{BREAD}10{one}" for one in "ABB"))
    hands.scan(f"01{MILK}21S1", f"01{MILK}10C\x1d21S2")
    before = pieces(hands)
    times, _, code = code.rpartition("*")
    hands.press(*([f"#{times}*"] if times else []))
    hands.model.entry.set_purpose(ScanPurpose.TAKE_OFF)
    hands.scan(code)
    assert told in hands.notice()
    assert pieces(hands) == (before if left is None else left)


@pytest.mark.parametrize(("choice", "asks"), [("catalogue", False), ("ask", True)])
def test_an_issue_with_its_supplement_has_the_price_that_the_shop_wants(
    hands: Hands, choice: str, *, asks: bool
) -> None:
    """The next scan waits until the price is typed."""
    set_till(hands, edition_price=choice)
    hands.scan(f"{BREAD[1:]}05", MILK[1:])
    assert len(lines(hands)) == (0 if asks else 2)
    if asks:
        hands.press("#120", "Enter")
    assert hands.ticket.cart.active[0].price == Money("120" if asks else "58.99")
    assert [one[0] for one in lines(hands)] == [BREAD, MILK]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("]d210A7\x1d21S9", "Са ове ознаке се не види артикал"),
        (f"01{BREAD}10A7\x1d1726", "Код 8609910700134 је погрешно прочитан"),
        (f"01{CHEESE_GTIN}3103", f"Код {CHEESE_GTIN} је погрешно прочитан"),
        (f"01{BREAD}17260231", "Са ове ознаке се не види артикал"),
        (f"https://example.com/gtin/{BREAD}", "Ово није код артикла"),
        ("(01)08600123450199", "Нема артикла са кодом 8600123450199"),
        ("(01)08600123450198", "Код 8600123450198 је погрешно прочитан"),
        (f"01{CHEESE_GTIN}3104004123", "Сир млади домаћи: ознака каже 0,4123 kg, а количина има"),
        (f"01{CHEESE_GTIN}3105000001", "Сир млади домаћи: ознака каже 0,00001 kg, а количина има"),
        (f"01{CHEESE_GTIN}3923012345", "Сир млади домаћи: ознака каже 12,345 РСД, а износ има"),
        (
            f"01{CHEESE_GTIN}3920{'9' * 15}",
            f"Сир млади домаћи: ознака каже {'9' * 15} РСД, а износ",
        ),
    ],
)
def test_what_sells_nothing_says_why_and_what_to_do(hands: Hands, text: str, said: str) -> None:
    give_ean(hands.shop.services, CHEESE, CHEESE_GTIN)
    hands.scan(text)
    assert hands.ticket.cart.total == Money.ZERO
    assert hands.notice().startswith(said)
    assert re.search("укуцајте|Скенирајте|Унесите", hands.notice(), re.IGNORECASE)
    assert hands.shop.tones.played[-1] == "no"
