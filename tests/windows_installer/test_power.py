"""The power goes while an upgrade is under way, and the shop opens before setup runs again."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.windows_installer.test_shop import (
    PARTS,
    answers,
    open_shop,
    receipt,
    receipts,
    tree,
)
from tests.windows_installer.wine import PATIENCE, PROGRAM, SOFTWARE, Windows, wait_until


def upgrade_once_copied(windows: Windows, setup: Path, *words: str) -> subprocess.Popen[bytes]:
    """An upgrade under way, of which all files are copied and nothing is compiled."""
    begun = subprocess.Popen(
        [PROGRAM, str(setup), "/S", *words],
        env=windows.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    aside = windows.installed / "old" / "uninstall.exe"
    wait_until(lambda: aside.exists() and (windows.installed / "uninstall.exe").exists())
    return begun


def test_an_upgrade_loses_the_power_once_its_files_are_copied(
    windows: Windows, old_setup: Path, new_setup: Path
) -> None:
    assert windows.setup(old_setup) == 0
    open_shop(windows, windows.data)
    begun = upgrade_once_copied(windows, new_setup)
    windows.shut_down()
    begun.wait(PATIENCE)
    assert {path.name for path in windows.installed.iterdir()} == PARTS | {"old"}


def test_setup_leaves_the_half_version_whole_while_its_till_is_open(
    windows: Windows, new_setup: Path
) -> None:
    before = tree(windows.installed)
    with windows.running("pos-app-till.exe") as till:
        wait_until(lambda: answers(windows.data))
        assert windows.setup(new_setup) == 10
        assert tree(windows.installed) == before
        assert till.poll() is None
        receipt(windows, "after-setup-left-it-open")
    assert receipts(windows.data) == 1


def test_once_the_till_is_closed_setup_brings_the_upgrade_to_its_end(
    windows: Windows, new_setup: Path
) -> None:
    assert windows.setup(new_setup) == 0
    assert {path.name for path in windows.installed.iterdir()} == PARTS
    version = windows.run("pos-app.exe", "--version").stdout.split()[1]
    assert windows.registry(SOFTWARE, "Version") == version
    with windows.running("pos-app-till.exe"):
        wait_until(lambda: answers(windows.data))
        receipt(windows, "after-the-whole-upgrade")
    assert receipts(windows.data) == 2


def test_an_upgrade_that_fails_leaves_the_new_version_whole_while_its_till_is_open(
    windows: Windows, new_setup: Path
) -> None:
    """The till is opened by its icon while setup compiles, so that the data can't be upgraded."""
    begun = upgrade_once_copied(windows, new_setup)
    with windows.running("pos-app-till.exe") as till:
        assert begun.wait(PATIENCE) == 10
        before = tree(windows.installed)
        assert {path.name for path in windows.installed.iterdir()} == PARTS | {"old"}
        wait_until(lambda: answers(windows.data))
        receipt(windows, "under-a-setup-that-failed")
        assert till.poll() is None
        assert tree(windows.installed) == before
    assert receipts(windows.data) == 3
    assert windows.setup(new_setup) == 0
    assert {path.name for path in windows.installed.iterdir()} == PARTS


def test_an_upgrade_that_fails_closes_the_till_of_the_new_version_where_it_may(
    windows: Windows, new_setup: Path
) -> None:
    before = tree(windows.installed)
    begun = upgrade_once_copied(windows, new_setup, "/CLOSE")
    with windows.running("pos-app-till.exe") as till:
        assert begun.wait(PATIENCE) == 20
        assert till.wait(PATIENCE) == 0
    assert tree(windows.installed) == before
    wait_until(lambda: answers(windows.data))  # what was closed is open again
    assert windows.run("pos-app.exe", "stop").returncode == 0
