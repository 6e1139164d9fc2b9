"""The power fails during an upgrade, and the shop opens before setup runs again."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from pos_app.adapters.data_folder.upgrade_mark import BACKUPS
from tests.windows_installer import test_shop, wine
from tests.windows_installer.wine import Windows


def upgrade_once_copied(windows: Windows, setup: Path, *words: str) -> subprocess.Popen[bytes]:
    """An upgrade under way, of which all files are copied and nothing is compiled."""
    begun = windows.begun(str(setup), "/S", *words)
    aside = windows.installed / "old" / "uninstall.exe"
    wine.wait_until(lambda: aside.exists() and (windows.installed / "uninstall.exe").exists())
    return begun


def test_an_upgrade_loses_the_power_once_its_files_are_copied(
    windows: Windows, old_setup: Path, new_setup: Path
) -> None:
    assert windows.setup(old_setup) == 0
    test_shop.open_shop(windows, windows.data)
    begun = upgrade_once_copied(windows, new_setup)
    windows.shut_down()
    begun.wait(wine.PATIENCE)
    assert {path.name for path in windows.installed.iterdir()} == test_shop.PARTS | {"old"}


def test_setup_leaves_the_half_version_whole_while_its_till_is_open(
    windows: Windows, new_setup: Path
) -> None:
    before = test_shop.tree(windows.installed)
    with test_shop.open_till(windows) as till:
        assert (windows.setup(new_setup), test_shop.tree(windows.installed)) == (10, before)
        assert till.poll() is None
        test_shop.receipt(windows, "after-setup-left-it-open")
    assert test_shop.receipts(windows.data) == 1


def test_once_the_till_is_closed_setup_brings_the_upgrade_to_its_end(
    windows: Windows, new_setup: Path
) -> None:
    assert windows.setup(new_setup) == 0
    assert {path.name for path in windows.installed.iterdir()} == test_shop.PARTS
    version = windows.run("pos-app.exe", "--version").stdout.split()[1]
    assert windows.registry(wine.SOFTWARE, "Version") == version
    with test_shop.open_till(windows):
        test_shop.receipt(windows, "after-the-whole-upgrade")
    assert test_shop.receipts(windows.data) == 2


def test_an_upgrade_that_fails_leaves_the_new_version_whole_while_its_till_is_open(
    windows: Windows, new_setup: Path
) -> None:
    """The till is opened by its icon while setup compiles, so that the data can't be upgraded."""
    begun = upgrade_once_copied(windows, new_setup)
    with windows.running("pos-app-till.exe") as till:
        assert begun.wait(wine.PATIENCE) == 10
        before = test_shop.tree(windows.installed)
        assert {path.name for path in windows.installed.iterdir()} == test_shop.PARTS | {"old"}
        wine.wait_until(lambda: test_shop.answers(windows.data))
        test_shop.receipt(windows, "under-a-setup-that-failed")
        assert till.poll() is None
        assert test_shop.tree(windows.installed) == before
    assert (test_shop.receipts(windows.data), windows.setup(new_setup)) == (3, 0)
    assert {path.name for path in windows.installed.iterdir()} == test_shop.PARTS


def opened_while_it_is_prepared(
    windows: Windows, old_setup: Path, new_setup: Path, *, lets_copy: bool = True
) -> int:
    """The exit code of an upgrade that closes a new till opened before the data's upgrade."""
    if windows.installed.exists():
        assert windows.uninstall("/CLOSE") == 0
        shutil.rmtree(windows.data)
    assert windows.setup(old_setup) == 0
    test_shop.open_shop(windows, windows.data)
    if not lets_copy:
        (windows.data / BACKUPS).write_text("a file")
    begun = upgrade_once_copied(windows, new_setup, "/CLOSE", "/RESTART")
    with windows.running("pos-app-till.exe") as till:
        code = begun.wait(wine.PATIENCE)
        assert till.wait(wine.PATIENCE) == 0
    return code


def test_an_upgrade_closes_the_till_of_the_new_version_where_it_may_and_is_done(
    windows: Windows, old_setup: Path, new_setup: Path
) -> None:
    assert opened_while_it_is_prepared(windows, old_setup, new_setup) == 0
    assert {path.name for path in windows.installed.iterdir()} == test_shop.PARTS
    assert windows.registry(wine.SOFTWARE, "Version") != wine.OLD_VERSION
    assert (windows.data / BACKUPS).is_dir()
    wine.wait_until(lambda: test_shop.answers(windows.data))  # the closed till is open again
    test_shop.receipt(windows, "after-it-was-closed-for-the-upgrade")
    assert windows.run("pos-app.exe", "stop").returncode == 0


def test_over_databases_that_the_new_version_opened_the_old_one_does_not_come_back(
    windows: Windows, old_setup: Path, new_setup: Path
) -> None:
    assert opened_while_it_is_prepared(windows, old_setup, new_setup, lets_copy=False) == 32
    assert {path.name for path in windows.installed.iterdir()} == test_shop.PARTS | {"setup.log"}
    assert windows.registry(wine.SOFTWARE, "Version") != wine.OLD_VERSION
    wine.wait_until(lambda: test_shop.answers(windows.data))
    test_shop.receipt(windows, "in-the-version-that-stayed")
    assert windows.run("pos-app.exe", "stop").returncode == 0
    (windows.data / BACKUPS).unlink()
    assert windows.setup(new_setup) == 0  # with copies this time
    assert {path.name for path in windows.installed.iterdir()} == test_shop.PARTS
