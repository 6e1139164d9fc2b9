"""A receipt that the system does not open is reported, whenever that turns out, with its file."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QFile
from PySide6.QtGui import QGuiApplication

from pos_app.cashier.services import file_viewer
from pos_app.cashier.services.file_viewer import DesktopViewer
from tests.gui.patience import until
from tests.gui.window.hands import Hands, SellIn, seen
from tests.gui.window.shop import BREAD, Shop

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="xdg-open is of Linux")
FILE = "/shown/receipt-1.pdf"


@pytest.fixture
def opener(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Puts a program in place of xdg-open and removes all others from the path; returns the file
    that it writes."""

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
    hands.shop.pause()
    hands.pad("+")
    await shop.serve()
    await seen()
    hands.press("F9")
    hands.tap_words("прикажи PDF: Последњи рачун")
    return hands


async def test_an_opener_that_fails_is_told_with_the_place_of_the_file_which_is_copied_by_touch(
    shop: Shop, sell_in: SellIn, opener: Callable[[str], Path]
) -> None:
    opener("exit 3")
    hands = await ask(shop, sell_in)
    await until(lambda: FILE in hands.notice().replace("\u200b", ""))
    assert hands.notice().startswith("Не може да се отвори рачун")
    assert shop.tones.played[-1] == "attention"
    hands.tap_words("Копирај путању")
    assert QGuiApplication.clipboard().text() == FILE
    assert hands.button("Копирано").isVisible()
    hands.press("Esc")
    assert hands.notice() == ""


@pytest.mark.qt_log_ignore("does not support QPlatformServices", extend=True)
async def test_a_machine_without_an_opener_says_so(
    shop: Shop, sell_in: SellIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    hands = await ask(shop, sell_in)
    await until(hands.notice)
    assert hands.notice().startswith("Не може да се отвори рачун")


async def test_what_was_opened_needs_no_words(
    shop: Shop, sell_in: SellIn, opener: Callable[[str], Path]
) -> None:
    noted, viewer = opener("exit 0"), DesktopViewer()
    hands = await ask(shop, sell_in, viewer)
    await until(lambda: not viewer.running and QFile.exists(str(noted)))
    assert noted.read_text(encoding="utf-8") == f"{FILE}\n"
    assert hands.notice() == ""


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("exit 0", "opened"),
        ("/bin/sleep 0.3\nexit 0", "opened"),
        ("exec /bin/sleep 30", "opened"),
        ("exit 3", "failed"),
        ("/bin/sleep 0.3\nexit 4", "failed"),
        ("kill -9 $$", "failed"),
    ],
)
async def test_it_is_told_once_whether_a_program_took_the_file(
    opener: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, script: str, told: str
) -> None:
    noted = opener(script)
    monkeypatch.setattr(file_viewer, "OPENS_WITHIN_MS", 1500)
    desktop, heard = DesktopViewer(), list[str]()
    desktop.show(
        Path(FILE),
        on_failed=lambda: heard.append("failed"),
        on_opened=lambda: heard.append("opened"),
    )
    assert heard == []
    await until(lambda: heard and QFile.exists(str(noted)))
    if desktop.running:
        os.kill(int(noted.with_suffix(".pid").read_text()), signal.SIGKILL)
    await until(lambda: not desktop.running)
    assert heard == [told]
