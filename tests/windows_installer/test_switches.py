"""Other folders, with Cyrillic names; a disk that is too small; who cancels or has no rights."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.windows_installer.test_shop import PARTS
from tests.windows_installer.wine import Windows, wait_until

DATA = r"C:\Продавница\Подаци"


@pytest.fixture
def small_disk(windows: Windows) -> Iterator[Path]:
    """E:, with room for a third of the program; needs root."""
    place = windows.disk.parent / "small"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=50m", "none", str(place)], check=True)
    drive = windows.disk.parent / "dosdevices" / "e:"
    drive.symlink_to(place)
    yield place
    drive.unlink()
    subprocess.run(["umount", str(place)], check=True)


def test_a_disk_that_is_too_small_is_left_as_it_is(
    windows: Windows, new_setup: Path, small_disk: Path
) -> None:
    assert windows.setup(new_setup, r"/D=E:\pos-app") == 4
    assert list(small_disk.iterdir()) == []
    assert not windows.data.exists()


def test_who_cancels_or_has_no_rights_changes_nothing(windows: Windows, new_setup: Path) -> None:
    assert windows.person("cancel", new_setup) == 1
    assert windows.person("user", new_setup, "/S") == 2
    assert not windows.installed.exists()
    assert not windows.data.exists()


def test_other_folders_with_cyrillic_names(windows: Windows, new_setup: Path) -> None:
    other = windows.disk / "Програми" / "туђе.txt"
    other.parent.mkdir()
    other.write_text("остаје", encoding="utf-8")
    assert windows.setup(new_setup, f"/DATA={DATA}", r"/D=C:\Програми") == 0
    windows.installed = other.parent / "pos-app"
    assert {path.name for path in windows.installed.iterdir()} == PARTS
    told = windows.run(
        *("pos-app.exe", "demo", "--data", DATA), more={"WINEQT_QPA_PLATFORM": "offscreen"}
    )
    assert told.returncode == 0, told.stderr
    assert (windows.disk / "Продавница/Подаци/offscreen/receipt.pdf").is_file()
    words = ("/S", r"_?=C:\Програми\pos-app")
    assert windows.person("user", windows.installed / "uninstall.exe", *words) == 2
    assert {path.name for path in windows.installed.iterdir()} == PARTS
    assert windows.setup(windows.installed / "uninstall.exe") == 0
    wait_until(lambda: not windows.installed.exists())
    assert other.read_text(encoding="utf-8") == "остаје"
    assert (windows.disk / "Продавница/Подаци/journal/journal.db").is_file()
