"""Every screen opens on the pruned tree, so that nothing which one of them needs was left out; and
the till opens on each common size of a screen with each scaling that Windows offers for it."""

from __future__ import annotations

import shutil
import sysconfig
from pathlib import Path

import pytest
from PIL import ImageGrab

from tests.gui.crawl.scenes import SCENES
from tests.windows_installer import wine
from tests.windows_installer.test_shop import colours_on, open_shop
from tests.windows_installer.wine import Windows

HELPERS = ("_pytest", "iniconfig", "packaging", "pluggy", "pygments", "pytest", "py.py", "rich")
"""Modules of pytest that scenes import: plain Python, and no part of the product."""

TESTS_OF_QT = ("QtTest.pyd", "Qt6Test.dll")
"""The scenes are posed with them; the product has none."""

SCALINGS = {
    "1024x600": (100, 125, 150),
    "1024x768": (100, 125, 150),
    "1280x800": (100, 125, 150),
    "1366x768": (100, 125, 150, 175),
    "1920x1080": (100, 125, 150, 200, 250),
    "2560x1440": (200, 350),
}
"""Percents, also those at which the till asks for more than the screen has."""


def test_every_scene_opens(windows: Windows, new_setup: Path, pictures: Path) -> None:
    assert windows.setup(new_setup) == 0
    windows.make_python()
    helpers = windows.disk / "helpers"
    site = Path(sysconfig.get_path("purelib"))
    for name in HELPERS:
        copy = shutil.copytree if (site / name).is_dir() else shutil.copyfile
        helpers.mkdir(exist_ok=True)
        copy(site / name, helpers / name)
    (wheels,) = sorted((wine.ROOT / "build/windows/cache").glob("lib-*-????????????????"))[-1:]
    for name in TESTS_OF_QT:
        shutil.copyfile(wheels / "PySide6" / name, windows.installed / "lib/PySide6" / name)
    out = pictures / "screens"
    out.mkdir(exist_ok=True)
    script = Path(__file__).with_name("open_screens.py")
    told = windows.run(
        *("installed-python.exe", f"Z:{script}", f"Z:{wine.ROOT}", r"C:\helpers", f"Z:{out}"),
        more={"WINEQT_QPA_PLATFORM": "offscreen"},
        seconds=6 * wine.PATIENCE,
    )
    lines = dict(line.split(" ", 1) for line in told.stdout.splitlines() if " " in line)
    assert "Program Files" in lines.get("product", ""), told.stderr[-4000:]
    assert lines["opened"] == str(len(SCENES)), told.stderr[-4000:]


@pytest.mark.parametrize(
    ("size", "percent"), [(size, one) for size, each in SCALINGS.items() for one in each]
)
def test_the_till_opens_on_a_screen_of_this_size_and_scaling(
    windows: Windows, new_setup: Path, pictures: Path, size: str, percent: int
) -> None:
    """It shows its articles within the screen's four corners, and ends when it is asked to."""
    if not windows.installed.exists():
        assert windows.setup(new_setup) == 0
    if not windows.data.joinpath("settings.toml").exists():
        open_shop(windows, windows.data)
    windows.shut_down()
    usual = windows.environment["DISPLAY"]
    with wine.screen(180, size) as display:
        windows.environment["DISPLAY"] = display
        dpi = str(96 * percent // 100)
        windows.set_value(r"HKCU\Control Panel\Desktop", "LogPixels", "REG_DWORD", dpi)
        windows.shut_down()
        try:
            with windows.running("pos-app-till.exe") as till:
                wine.wait_until(lambda: colours_on(display) > 500 or till.poll() is not None)
                shown = ImageGrab.grab(xdisplay=display).convert("RGB")
                shown.save(pictures / f"till-{size}-{percent}.png")
                assert till.poll() is None
                wide, high = (int(one) for one in size.split("x"))
                corners = [(x, y) for x in (1, wide - 2) for y in (1, high - 2)]
                assert (0, 0, 0) not in [shown.getpixel(corner) for corner in corners]
                assert windows.run("pos-app.exe", "stop").returncode == 0
                assert till.wait(wine.PATIENCE) == 0
        finally:
            windows.shut_down()
            windows.environment["DISPLAY"] = usual
