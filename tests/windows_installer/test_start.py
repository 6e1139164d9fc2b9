"""A till that ends before its first window says so, with the facts for support."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pos_app import __version__
from tests.windows_installer import test_shop
from tests.windows_installer.wine import PATIENCE, Windows, wait_until

TILL = "pos-app-till.exe"
KEPT = "Потврђене продаје су сачуване."
LOG = r"C:\ProgramData\pos-app\logs\till.log"
DIES = {
    "a module with an error": (
        "app/pos_app/cashier/start/app.py",
        b"raise RuntimeError\n",
        "0x00000001",
    ),
    "a library that is damaged": ("lib/PySide6/Qt6Widgets.dll", b"MZ" * 9999, "0x00000001"),
    "a crash": (
        "app/pos_app/cashier/start/app.py",
        b"import faulthandler\nfaulthandler._read_null()\n",
        "0xC0000005",
    ),
}
"""A damaged file of the program, its content then, and the exit code of the till."""


@contextmanager
def changed(file: Path, content: bytes | None) -> Iterator[None]:
    """A file of an installed program and its byte code are replaced, or missing."""
    aside = [(file, file.with_suffix(".aside"))]
    compiled = file.parent.glob(f"__pycache__/{file.stem}.*.pyc") if file.suffix == ".py" else ()
    aside += [(one, one.with_suffix(".aside")) for one in compiled]
    for one, kept in aside:
        one.rename(kept)
    if content is not None:
        file.write_bytes(content)
    try:
        yield
    finally:
        for one, kept in aside:
            kept.replace(one)


def start(windows: Windows, *words: str, does: str = "read") -> tuple[int, str]:
    """Start the till by its icon until it has ended; its exit code, and message boxes' words."""
    told = windows.disk / "told.txt"
    told.unlink(missing_ok=True)
    code = windows.person(does, windows.installed / TILL, *words)
    return code, told.read_text(encoding="utf-8") if told.exists() else ""


@pytest.fixture(scope="module", autouse=True)
def _installed(windows: Windows, new_setup: Path) -> None:
    assert windows.setup(new_setup) == 0
    test_shop.open_shop(windows, windows.data)


def test_a_till_that_opens_says_nothing_nor_does_the_second_start(
    windows: Windows, display: str
) -> None:
    with test_shop.open_till(windows) as till:
        wait_until(lambda: test_shop.colours_on(display) > 500)
        assert start(windows) == (0, "")
        test_shop.receipt(windows, "of-a-till-that-opens")
        assert (windows.run("pos-app.exe", "stop").returncode, till.wait(PATIENCE)) == (0, 0)
    assert test_shop.receipts(windows.data) == 1


@pytest.mark.parametrize("how", DIES)
def test_a_till_that_dies_says_so_with_what_support_asks_for(windows: Windows, how: str) -> None:
    file, content, code = DIES[how]
    with changed(windows.installed / file, content):
        ended, told = start(windows)
    assert ended & 0xFF == int(code, 16) & 0xFF
    assert told.startswith(f"Каса се није отворила. {KEPT}")
    assert f"{code}, pos-app {__version__}" in told
    assert told.endswith(LOG)
    assert start(windows, "--help") == (0, "")


def test_a_runtime_that_is_missing_is_named(windows: Windows) -> None:
    with changed(windows.installed / "python" / "python311.dll", None):
        ended, told = start(windows)
    assert ended == 1
    assert "python311.dll" in told
    assert f"0x0000007E, pos-app {__version__}" in told  # no such module, in Windows' numbers


@pytest.mark.parametrize(
    ("language", "words"),
    [("sr-Latn", "Kasa se nije otvorila. Potvrđene"), ("en", "The till did not open. Confirmed")],
)
def test_it_is_said_in_the_language_of_the_till(
    windows: Windows, language: str, words: str
) -> None:
    shop = windows.disk / "Продавница 2"
    shop.mkdir(exist_ok=True)
    (shop / "settings.toml").write_text(f'[till]\nlanguage = "{language}"\n', encoding="utf-8")
    with changed(windows.installed / "app/pos_app/__main__.py", b"nonsense =\n"):
        _, told = start(windows, "--data", r"C:\Продавница 2")
    assert told.startswith(words)
    assert told.endswith("C:\\Продавница 2\\logs\\till.log")


def test_what_the_till_says_in_its_own_words_is_not_said_twice(windows: Windows) -> None:
    shop = windows.disk / "broken"
    shop.mkdir()
    (shop / "settings.toml").write_text("[till]\nlanguage = 7\n", encoding="utf-8")
    assert start(windows, "--data", r"C:\broken", does="close") == (1, "")
