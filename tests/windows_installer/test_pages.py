"""The pages of the installer: their words, and the parts that are chosen, added and kept."""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from pathlib import Path

from PIL import ImageGrab

from pos_app import __version__
from pos_app.settings import load
from tests.windows_installer import test_shop, wine
from tests.windows_installer.wine import Windows

FOLDER = r"C:\Program Files\pos-app"
UNTICKED, TICKED, FIXED = "1", "2", "5"
"""The states of a part in the list, in the numbers of NSIS' pictures."""
ICONS, AUTOSTART, SERVICE = "012"


def desktop(windows: Windows) -> Path:
    return windows.disk / "users/Public/Desktop/pos-app.lnk"


def startup(windows: Windows) -> Path:
    return test_shop.menu(windows).parent / "StartUp" / "pos-app.lnk"


def parts(page: str) -> list[str]:
    return [line.rpartition(" ")[2] for line in page.splitlines() if line.startswith("part ")]


def test_a_first_installation_tells_what_comes_where_before_it_asks(
    windows: Windows, new_setup: Path, pictures: Path
) -> None:
    photo = pictures / "setup-first"
    code, pages = windows.walk(new_setup, language="english", ticks=AUTOSTART, photo=photo)
    assert code == 0
    plan, components, folder, last = pages
    assert f"{__version__}, installed on this computer for the first time." in plan
    assert "the local server, which issues fiscal receipts" in plan
    assert FOLDER in plan
    assert test_shop.DATA in plan
    assert parts(components) == [TICKED, TICKED, UNTICKED]  # the second one by this person
    assert FOLDER in folder
    assert "Open the till" in last
    assert {path.name for path in windows.installed.iterdir()} == test_shop.PARTS
    assert test_shop.menu(windows).is_file()
    assert startup(windows).read_bytes() == test_shop.menu(windows).read_bytes()


def test_the_till_opens_in_the_language_of_the_setup(
    windows: Windows, pictures: Path, display: str
) -> None:
    assert load(windows.data).till.language == "en"
    with windows.running("pos-app-till.exe"):
        wine.wait_until((windows.data / "first-start.json").is_file)
        wine.wait_until(lambda: test_shop.colours_on(display) > 100)
        ImageGrab.grab(xdisplay=display).save(pictures / "first-start-en.png")


def test_run_again_it_adds_and_takes_away_what_a_person_ticks(
    windows: Windows, new_setup: Path, pictures: Path
) -> None:
    """Another language of setup changes nothing in a shop that has one."""
    photo = pictures / "setup-again"
    again = windows.walk(new_setup, language="latin", ticks=AUTOSTART + SERVICE, photo=photo)
    assert again[0] == 0
    plan, components, _ = again[1]
    assert f"{__version__} is installed already, and is installed again." in plan
    assert "button: &Install" in components
    assert parts(components) == [TICKED, UNTICKED, TICKED]
    assert not startup(windows).exists()
    assert test_shop.menu(windows).is_file()
    assert windows.registry(wine.SOFTWARE, "Service") == "0x1"
    assert load(windows.data).till.language == "en"


def test_a_service_that_is_there_stays_ticked(windows: Windows, new_setup: Path) -> None:
    code, (plan, components, _) = windows.walk(new_setup, language="english", ticks=SERVICE)
    assert code == 0
    assert "The server runs as a service of Windows." in plan
    assert parts(components) == [TICKED, UNTICKED, FIXED]
    assert windows.registry(wine.SOFTWARE, "Service") == "0x1"


def test_run_again_without_a_window_it_adds_what_its_switches_say(
    windows: Windows, new_setup: Path
) -> None:
    """It takes nothing away, and does not restore a part that a person took away."""
    test_shop.menu(windows).unlink()
    desktop(windows).unlink()
    assert windows.setup(new_setup) == 0
    assert not test_shop.menu(windows).exists()
    assert not startup(windows).exists()
    assert windows.setup(new_setup, "/AUTOSTART") == 0
    assert startup(windows).is_file()
    assert not test_shop.menu(windows).exists()
    assert windows.person("quote", new_setup, "/S", "/ICONS") == 0
    assert test_shop.menu(windows).is_file()
    assert desktop(windows).is_file()
    assert windows.setup(new_setup, "/NOICONS") == 0
    assert test_shop.menu(windows).is_file()
    assert startup(windows).is_file()


def test_the_uninstaller_takes_the_parts_away(windows: Windows) -> None:
    assert windows.uninstall() == 0
    assert not any(link(windows).exists() for link in (test_shop.menu, desktop, startup))


def test_without_a_window_the_till_speaks_as_it_always_did_at_first(
    windows: Windows, old_setup: Path, new_setup: Path
) -> None:
    shutil.rmtree(windows.data)
    assert windows.setup(new_setup, "/NOICONS") == 0
    assert not (windows.data / "settings.toml").exists()
    assert (windows.uninstall(), windows.setup(old_setup)) == (0, 0)
    test_shop.open_shop(windows, windows.data)


def test_who_cancels_an_upgrade_finds_the_till_open_again(
    windows: Windows, new_setup: Path
) -> None:
    with test_shop.open_till(windows) as till:
        code, pages = windows.walk(new_setup, language="latin", ticks="x")
        assert till.wait(wine.PATIENCE) == 0
    assert code == 1
    assert f"{wine.OLD_VERSION} → {__version__}" in pages[0]
    wine.wait_until(lambda: test_shop.answers(windows.data))
    assert windows.run("pos-app.exe", "stop").returncode == 0
    assert windows.registry(wine.SOFTWARE, "Version") == wine.OLD_VERSION


def test_an_upgrade_tells_both_versions_and_keeps_the_parts(
    windows: Windows, new_setup: Path, pictures: Path
) -> None:
    """A till that is opened while the first page is read is closed like one from before."""
    desktop(windows).unlink()
    said = windows.disk / "said.txt"
    said.unlink(missing_ok=True)
    photo = pictures / "setup-upgrade"
    with ExitStack() as opened:
        code, pages = windows.walk(
            new_setup,
            language="cyrillic",
            photo=photo,
            meanwhile=lambda: opened.enter_context(test_shop.open_till(windows)),
        )
    assert code == 0
    assert said.read_text(encoding="utf-16-le").startswith("Каса је отворена.")
    plan, _ = pages  # and the last one
    assert f"{wine.OLD_VERSION} → {__version__}. Пречице и сервис остају како јесу." in plan
    assert test_shop.DATA in plan
    assert "button: Инсталирај" in plan
    assert windows.registry(wine.SOFTWARE, "Version") == __version__
    assert test_shop.menu(windows).is_file()
    assert not desktop(windows).exists()
    assert not startup(windows).exists()


def test_an_upgrade_that_fails_opens_nothing_with_windows(
    windows: Windows, new_setup: Path
) -> None:
    with test_shop.broken_journal(windows):
        assert windows.setup(new_setup, "/AUTOSTART") == 20
    assert not startup(windows).exists()
