"""GS1 messages in the real window: a pack past its day, a piece in a held cart, a batch that
goes."""

from __future__ import annotations

import re
from typing import Any

from pos_app.bootstrap.synchronisation.sync import run_sync
from pos_app.resources import folder as resources
from pos_app.selling.sale.scan import ScanPurpose
from pos_app.settings import Settings
from pos_app.wire.strict_json import dumps, loads
from tests.gui.parts import lines_of
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import CHEESE
from tests.sweep import each

BREAD, MILK = "08609910700134", "08609951100139"


def set_till(hands: Hands, **values: object) -> None:
    services = hands.shop.services
    till = services.settings.till.having(**values)
    services.settings_here.saved = services.settings.having(till=till)


def lines(hands: Hands) -> list[tuple[str | None, str, str]]:
    return [
        ((one.article.frozen.gtin or "").zfill(14), str(one.quantity), str(one.total))
        for one in hands.ticket.cart.active
    ]


def words(hands: Hands) -> str:
    return " ".join(lines_of(hands.window))


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


PIECE = f"01{MILK}21S1"


def put_back_by_menu(hands: Hands) -> None:
    hands.press("F9")
    hands.tap_words("1 ставка: Врати уклоњено")
    hands.press("Enter")


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
