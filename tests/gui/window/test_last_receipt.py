"""The last sale: told as issued where it can't be read, or with why it can't be opened."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication

from pos_app.cashier.sale.last_sale import last_facts
from pos_app.cashier.services.file_viewer import DesktopViewer
from pos_app.cashier.ui.state import StateKind
from pos_app.selling.sale.ticket import DocumentKind
from tests.fakes.fiscal_server import Fault
from tests.fakes.receipt_files import NotingViewer
from tests.gui.inside import inside
from tests.gui.parts import lines_of
from tests.gui.patience import until
from tests.gui.window.hands import Hands, SellIn, seen
from tests.gui.window.shop import BREAD, MILK, Shop


async def sell(hands: Hands, kind: DocumentKind = DocumentKind.SALE, *faults: Fault) -> None:
    hands.shop.server.faults.extend(faults)
    if kind is not DocumentKind.SALE:
        inside(hands.window).set_kind(kind)
    hands.model.entry.enter_code(BREAD)
    hands.pay("+")
    await hands.shop.serve()
    await seen()


@pytest.fixture
def viewer() -> NotingViewer:
    return NotingViewer()


@pytest.fixture
def till(shop: Shop, sell_in: SellIn, viewer: NotingViewer) -> Hands:
    return sell_in(shop, viewer=viewer, width=1024, text=150)


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


def told(hands: Hands) -> tuple[str, StateKind, bool]:
    """The strip's words, its kind, and whether it has its own ground and button."""
    strip = hands.cart.strip
    assert strip.isVisible()
    words, _ = strip.accessibleDescription().rsplit(". ", 1)
    return words, strip.kind, strip.calls


of_linux = pytest.mark.skipif(sys.platform != "linux", reason="xdg-open is of Linux")
FILE = "/shown/receipt-1.pdf"


@pytest.fixture
def opener(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Puts a program in place of xdg-open, alone on the path; returns the file that it writes."""

    def install(script: str) -> Path:
        programs, noted = tmp_path / "programs", tmp_path / "noted"
        programs.mkdir()
        program = programs / "xdg-open"
        program.write_text(
            f'#!/bin/sh\necho $$ > {noted}.pid\necho "$1" > {noted}\n{script}\n', encoding="utf-8"
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(programs))
        return noted

    return install


async def ask(shop: Shop, sell_in: SellIn, viewer: DesktopViewer | None = None) -> Hands:
    """Show the last receipt, at a till that opens it with the system's own program."""
    hands = sell_in(shop, viewer=viewer or DesktopViewer())
    hands.model.entry.enter_code(BREAD)
    hands.pay("+")
    await shop.serve()
    await seen()
    hands.press("F9")
    hands.tap_words("прикажи PDF: Последњи рачун")
    return hands


@of_linux
async def test_an_opener_that_fails_is_told_with_the_place_of_the_file_which_is_copied_by_touch(
    shop: Shop, sell_in: SellIn, opener: Callable[[str], Path]
) -> None:
    opener("exit 3")
    hands = await ask(shop, sell_in)
    await until(lambda: hands.notice().startswith("Не може да се отвори рачун"))
    assert "receipt-1.pdf" in hands.notice()
    assert not any(FILE in line for line in (hands.notice(), *lines_of(hands.window)))
    hands.tap_words("Детаљи")
    assert FILE in lines_of(hands.window)
    assert shop.tones.played[-1] == "attention"
    hands.tap_words("Копирај путању")
    assert QGuiApplication.clipboard().text() == FILE
    assert hands.button("Копирано").isVisible()
    hands.press("Esc")
    assert hands.notice() == ""
