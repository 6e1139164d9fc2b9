"""The page of the scanner by real keys of a scanner and of a hand: a trial scan sells nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.serial_scanner import SerialScanner
from pos_app.cashier.scanner.serial_line import SerialScans
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.scanner_page import ScanHere
from pos_app.cashier.settings.values import ValuePage
from pos_app.cashier.ui.field import Field
from pos_app.domain.article.barcodes import check_digit
from pos_app.selling.people.rights import Role
from tests.fakes.people_here import quick
from tests.fakes.verification_url import payload, url
from tests.gui.inside import inside
from tests.gui.parts import only, page_in_front
from tests.gui.patience import until
from tests.gui.settings.conftest import at_page, says, told
from tests.gui.settings.conftest import written as settings_of
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BANANA_WEIGHED, CHEESE, CHEESE_GTIN, give_ean
from tests.sweep import sampled

MILK = "8609910700134"
NOWHERE = "8600123450144"
PREFIX = "scanner.prefix"


@pytest.fixture
def wired(hands: Hands) -> Hands:
    """Connect the filter as the program does."""
    services, window = hands.shop.services, hands.window
    services.scanner_here.control = hands.filter
    window.settings_taken.connect(lambda: hands.filter.configure(services.settings.scanner))
    return hands


async def at_trial(hands: Hands) -> ScanHere:
    await at_page(hands, PageName.SCANNER)
    panel: ScanHere = page_in_front(hands.window.frame, "set.scan.title")
    return panel


async def begun(hands: Hands) -> ScanHere:
    panel = await at_trial(hands)
    hands.tap(panel.button)
    await until(lambda: inside(hands.window).settings.model.scanner.is_on)
    return panel


def sent(hands: Hands, code: str, **how: object) -> None:
    """Scan a code, and wait in silence after it."""
    hands.keys.window = hands.window.windowHandle()
    hands.keys.now += 2000
    hands.keys.scan(code, **how)  # type: ignore[arg-type]
    hands.filter.decide_now()


def written(hands: Hands) -> dict[str, object]:
    return settings_of(hands.shop).get("scanner", {})


async def test_what_is_scanned_here_is_told_and_not_sold(wired: Hands) -> None:
    """A badge is named, and its code is shown to nobody; typing is no scanner."""
    give_ean(wired.shop.services, CHEESE, CHEESE_GTIN)
    panel = await begun(wired)
    wired.type("123456")
    await until(lambda: "куцала је рука" in told(panel))
    assert not panel.save_button.isVisible()
    sent(wired, MILK, gap=6)
    await until(lambda: "артикал: " in told(panel))
    for words in (MILK, "6 ms", "Enter", "одговарају овом скенеру"):
        assert words in told(panel)
    assert not panel.save_button.isVisible()
    wired.shop.services.people.add("Мира", Role.MANAGER, pin=quick("1357"), badge="TAJNA-77")
    for code, words in (
        (BANANA_WEIGHED, "вага, 1,560 kg"),
        (NOWHERE, "контролна цифра је исправна"),
        (NOWHERE[:-1] + "7", "била би 4"),
        ("R/113892", "бројач 11389"),
        (f"]E0{MILK}", "Искључите то на скенеру (AIM)."),
        (f"]d2010{MILK}10LOT", "Каса их разуме"),
        (f"]C1010{MILK}", "Каса их разуме"),
        (f"\x1d310300041201{CHEESE_GTIN}", "вага, 0,412 kg: Сир"),
        (f"01{CHEESE_GTIN}3104004123", "артикал: Сир"),  # no receipt has such a quantity
        ("TAJNA-77", "значка: Мира"),
    ):
        sent(wired, code)
        await until(partial(says, panel, words))
    assert "TAJNA" not in told(panel)
    assert inside(wired.window).is_in("settings")
    assert wired.rows() == []
    wired.press("Esc")
    assert inside(wired.window).is_in("settings")
    sent(wired, MILK)
    await until(lambda: len(wired.rows()) == 1)
    assert not inside(wired.window).is_in("settings")


def label(digits: str) -> str:
    return digits + check_digit(digits)


def layouts_of(hands: Hands) -> list[str]:
    group: Any = settings_of(hands.shop)["scales"]
    return list(group["layouts"])


async def test_a_label_that_no_layout_of_the_shop_reads_is_offered_one(wired: Hands) -> None:
    """What was said of it at the sale is said no more once it is sold there."""
    taught, other = label("020013000412"), label("020013000500")
    for code in (other, taught):
        sent(wired, code)
    assert wired.notice().startswith(f"Нема артикла са кодом {taught}")
    panel = await begun(wired)
    sent(wired, taught)
    await until(panel.labels.isVisible)
    wired.tap_words("Сир млади домаћи · 0,412 kg")
    await until(partial(says, panel, "вага, 0,412 kg"))
    assert "02AAAAGGGGGG" in layouts_of(wired)
    inside(wired.window).go_home()
    sent(wired, taught)
    await until(lambda: len(wired.rows()) == 1)
    assert wired.notice().startswith(f"Нема артикла са кодом {other}")
    assert [one.code for one in wired.ticket.missed] == [other]
    sent(wired, other)
    assert (wired.notice(), wired.ticket.missed) == ("", ())
    assert wired.shop.till.carts.cart_of(wired.ticket.id).missed == ()


async def taken_over(hands: Hands, panel: ScanHere, **values: object) -> None:
    """Press the key that saves what fits the tried scan."""
    await until(panel.save_button.isVisible)
    hands.tap(panel.save_button)
    await until(panel.save_button.isHidden)
    await until(lambda: written(hands) == values)


async def test_prefix_suffix_and_a_slow_scanner_are_taken_over_by_one_key(wired: Hands) -> None:
    """A field that is chosen ends the trial, and takes what is typed."""
    panel = await begun(wired)
    wired.keys.window = wired.window.windowHandle()
    wired.keys.scan(MILK[:6], suffix="none")
    wired.keys.now += 56  # a pause longer than allowed
    wired.keys.scan(MILK[6:])
    wired.filter.decide_now()
    await until(lambda: "60 ms" in told(panel))
    await taken_over(wired, panel, gap_ms=75)
    sent(wired, MILK, prefix="%", suffix="tab", gap=28)
    await until(lambda: "боље: %" in told(panel))
    assert "боље: Tab" in told(panel)
    await taken_over(wired, panel, gap_ms=75, prefix="%", suffix="tab")
    sent(wired, MILK, prefix="%", suffix="tab", gap=28)
    await until(lambda: "одговарају овом скенеру" in told(panel))
    field = only(page_in_front(wired.window.frame, "set.page.scanner").form.rows[PREFIX], Field)
    field.edit.setFocus()
    field.edit.end(False)
    wired.type("x")
    assert field.text() == "%x"
    await until(lambda: not inside(wired.window).settings.model.scanner.is_on)
    inside(wired.window).go_home()
    sent(wired, MILK, prefix="%", suffix="tab", gap=28)
    await until(lambda: len(wired.rows()) == 1)


@pytest.mark.deadline(120)
@pytest.mark.parametrize("layout", sampled(["german", "sr-latin"]))
async def test_a_scanner_set_to_another_keyboard_is_found_out_by_a_receipt(
    wired: Hands, layout: str
) -> None:
    code = url(payload())
    panel = await begun(wired)
    sent(wired, code, set_to=layout)
    await until(panel.save_button.isVisible)
    wired.tap(panel.save_button)
    await until(panel.save_button.isHidden)
    # Both layouts have the signs of this code at the same positions.
    await until(lambda: written(wired).get("layout") in ("sr-latin", "german"))
    sent(wired, code, set_to=layout)
    await until(lambda: "фискални рачун" in told(panel))


@dataclass
class Serial:
    """A scanner at a serial port: the port's other end, as the kernel provides it."""

    path: Path
    end: int

    def send(self, code: bytes) -> None:
        os.write(self.end, code)


def plugged_in(path: Path) -> Serial:
    """path: a fixed name, as a rule of the system gives a scanner."""
    master, slave = os.openpty()
    path.unlink(missing_ok=True)
    path.symlink_to(os.ttyname(slave))
    os.close(slave)
    return Serial(path, master)


@pytest.fixture
def line(wired: Hands) -> Iterator[SerialScanner]:
    """Connect the serial scanner as the program does."""
    services, reader = wired.shop.services, SerialScanner()
    scans = SerialScans(reader, wired.filter, services.scanner_here)
    wired.window.settings_taken.connect(lambda: scans.follow(services.settings.scanner))
    yield reader
    scans.stop()
    reader.close()


async def test_a_scanner_at_a_serial_port_sells_and_is_found_again(
    wired: Hands, line: SerialScanner, tmp_path: Path
) -> None:
    here, port = wired.shop.services.scanner_here, tmp_path / "scanner"
    panel = await at_trial(wired)
    page = page_in_front(wired.window.frame, "set.page.scanner")
    model = inside(wired.window).settings.model
    model.values[ValuePage.SCANNER].type("scanner.port", str(port))
    await until(page.acts.save.isEnabled)
    wired.tap(page.acts.save)
    await until(lambda: here.fault == "away")
    page.refresh()
    await until(lambda: "ту ништа није прикључено" in told(panel))
    scanner = plugged_in(port)
    await until(lambda: here.fault == "")
    wired.tap(panel.button)
    scanner.send(MILK.encode() + b"\r\n")
    await until(lambda: "преко серијског прикључка" in told(panel))
    assert wired.rows() == []
    wired.press("Esc")
    wired.press("Esc")
    scanner.send(MILK.encode() + b"\r\n")
    await until(lambda: len(wired.rows()) == 1)
    os.close(scanner.end)
    await until(lambda: here.fault == "away")
    scanner = plugged_in(port)
    await until(lambda: here.fault == "")
    scanner.send(b"8609951100139")  # this scanner sends no end of line
    await until(lambda: len(wired.rows()) == 2)
    scanner.send(bytes(range(0x80, 0xC8)) + b"\r")  # its speed is another than the port's
    await until(lambda: wired.notice().startswith("Скенер је послао нечитљиве знаке"))
    assert "брзина скенера можда није тачна" in wired.notice()
    scanner.send(b"7" * 3_000 + b"\r")
    await until(lambda: len(wired.ticket.missed) == 2)
    assert "Још 1 код није додат" in wired.notice()
    assert wired.notice().startswith("Скенер је послао нечитљиве знаке")
    scanner.send(b"\x02]d20108609951100139302\x1d10A/7\x1d17301231\x03\r")  # a DataMatrix of two
    await until(lambda: wired.rows()[-1].startswith("3 × Млеко"))
    os.close(scanner.end)
