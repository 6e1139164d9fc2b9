"""Other folders; a disk that is too small; a person who cancels; a Windows that sets no rights."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.windows_installer import wine
from tests.windows_installer.test_pages import desktop, startup
from tests.windows_installer.test_shop import PARTS, menu
from tests.windows_installer.wine import Windows

DATA = r"C:\Продавница\Подаци"


@pytest.fixture
def small_disk(windows: Windows) -> Iterator[Path]:
    """Drive E: with room for a third of the program; needs root."""
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
    assert (windows.setup(new_setup, r"/D=E:\pos-app"), list(small_disk.iterdir())) == (4, [])
    assert not windows.data.exists()


def test_who_cancels_or_has_no_rights_changes_nothing(windows: Windows, new_setup: Path) -> None:
    assert (windows.person("cancel", new_setup), windows.person("user", new_setup, "/S")) == (1, 2)
    assert not windows.installed.exists()
    assert not windows.data.exists()


@pytest.fixture
def old_windows(windows: Windows) -> Iterator[None]:
    windows.become("win7")
    yield
    windows.become("win10")


@pytest.mark.usefixtures("old_windows")
def test_an_older_windows_is_refused_in_the_language_that_was_chosen(
    windows: Windows, new_setup: Path
) -> None:
    """The words come before the first page, where NSIS itself speaks Windows's own language."""
    said = windows.disk / "said.txt"
    for language, words in (("latin", "Potreban je Windows 10"), ("english", "Windows 10 (ver")):
        assert windows.person(language, new_setup) == 6
        assert said.read_text(encoding="utf-16-le").startswith(words)
        said.unlink()
    assert windows.setup(new_setup, "/NOICONS") == 6
    assert not said.exists()
    assert not windows.installed.exists()
    assert not windows.data.exists()


@pytest.mark.parametrize("folder", ["C:\\", "Q:\\shop", "C:/shop", "shop"])
def test_a_data_folder_is_a_whole_path_on_a_drive_that_is_there(
    windows: Windows, new_setup: Path, folder: str
) -> None:
    assert windows.setup(new_setup, f"/DATA={folder}") == 5
    assert not windows.installed.exists()


def test_where_the_data_folder_can_not_be_made_nothing_is_left(
    windows: Windows, new_setup: Path
) -> None:
    """Nor is it opened with Windows."""
    (windows.disk / "file").write_text("in the way")
    assert windows.setup(new_setup, "/AUTOSTART", r"/DATA=C:\file\shop") == 20
    assert not windows.installed.exists()
    assert not any(link(windows).exists() for link in (menu, desktop, startup))
    assert windows.registry(wine.SOFTWARE, "Version") is None


def test_switches_that_are_quoted_whole_are_read(windows: Windows, new_setup: Path) -> None:
    """The switches come as deployment tools give them."""
    words = ("/S", "/NOICONS", r"/DATA=C:\shop data", r"/D=C:\own place\pos-app")
    assert windows.person("quote", new_setup, *words) == 0
    usual, windows.installed = windows.installed, windows.disk / "own place" / "pos-app"
    assert {path.name for path in windows.installed.iterdir()} == PARTS
    assert {path.name for path in (windows.disk / "shop data").iterdir()} >= {"journal", "till"}
    assert windows.registry(wine.SOFTWARE, "Data") == r"C:\shop data"
    assert not windows.data.exists()
    assert not menu(windows).exists()
    assert windows.person("quote", new_setup, "/S", r"/DATA=C:\other") == 5
    assert windows.person("quote", windows.installed / "uninstall.exe", "/S") == 0
    wine.wait_until(lambda: not windows.installed.exists())
    assert (
        windows.quietly("reg", "delete", wine.SOFTWARE, "/f", "/reg:64") == 0
    )  # else its data stay known
    windows.installed = usual


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


def test_its_own_data_folder_is_taken_however_it_is_written(
    windows: Windows, new_setup: Path
) -> None:
    assert windows.setup(new_setup, "/DATA=c:\\продавница\\x\\..\\подаци\\") == 0
    assert windows.registry(wine.SOFTWARE, "Data") == DATA


def test_it_is_removed_from_other_folders(windows: Windows) -> None:
    other = windows.disk / "Програми" / "туђе.txt"
    words = ("/S", r"_?=C:\Програми\pos-app")
    assert windows.person("user", windows.installed / "uninstall.exe", *words) == 2
    assert {path.name for path in windows.installed.iterdir()} == PARTS
    assert windows.setup(windows.installed / "uninstall.exe") == 0
    wine.wait_until(lambda: not windows.installed.exists())
    assert other.read_text(encoding="utf-8") == "остаје"
    assert (windows.disk / "Продавница/Подаци/journal/journal.db").is_file()


def test_installed_again_it_opens_the_shop_of_the_other_folder(
    windows: Windows, new_setup: Path
) -> None:
    windows.installed = windows.disk / "Program Files" / "pos-app"
    assert (windows.setup(new_setup), windows.registry(wine.SOFTWARE, "Data")) == (0, DATA)
    assert f'--data "{DATA}"'.encode("utf-16-le") in menu(windows).read_bytes()
    assert not windows.data.exists()


@pytest.fixture
def no_rights(windows: Windows) -> Iterator[Path]:
    """A Windows whose icacls refuses; yields that icacls."""
    icacls = windows.disk / "windows" / "system32" / "icacls.exe"
    kept = icacls.with_suffix(".kept")
    icacls.rename(kept)
    windows.compile(Path(__file__).parent / "helpers" / "refuses.c", icacls, "-municode")
    usual = windows.environment["WINEDLLOVERRIDES"]
    windows.environment["WINEDLLOVERRIDES"] = f"{usual};icacls.exe=n"
    yield icacls
    windows.environment["WINEDLLOVERRIDES"] = usual
    kept.replace(icacls)


def test_where_windows_sets_no_rights_all_is_installed_and_says_so(
    windows: Windows, new_setup: Path, no_rights: Path
) -> None:
    downloads = windows.disk / "Downloads"
    downloads.mkdir()
    setup = Path(shutil.copy(new_setup, downloads))
    shutil.copy(no_rights, downloads)  # a foreign one, which is not used
    assert windows.setup(setup) == 30
    told = (windows.installed / "setup.log").read_text(encoding="utf-16")
    assert f'icacls "{DATA}" /inheritance:r' in told
    assert "5 Access is denied." in told
    assert not (downloads / "icacls.exe.asked").exists()
    assert windows.run("pos-app.exe", "check", "--data", DATA).returncode == 0


def test_once_the_rights_are_set_nothing_is_told(windows: Windows, new_setup: Path) -> None:
    assert windows.setup(new_setup) == 0
    assert not (windows.installed / "setup.log").exists()
