"""Every screen opens on the pruned tree, so that nothing was left out that one of them needs."""

from __future__ import annotations

import shutil
import sysconfig
from pathlib import Path

from tests.gui.crawl.scenes import SCENES
from tests.windows_installer.wine import PATIENCE, ROOT, Windows

HELPERS = ("_pytest", "iniconfig", "packaging", "pluggy", "pygments", "pytest", "py.py", "rich")
"""What scenes import of pytest: plain Python, and no part of the product."""

TESTS_OF_QT = ("QtTest.pyd", "Qt6Test.dll")
"""The scenes are posed with it; the product has none."""


def test_every_scene_opens(windows: Windows, new_setup: Path, pictures: Path) -> None:
    assert windows.setup(new_setup) == 0
    windows.compile(
        ROOT / "packaging/windows/launcher.c",
        windows.installed / "installed-python.exe",
        *("-municode", "-DSCRIPT", '-DPYTHON_DLL=L"python311.dll"'),
    )
    helpers = windows.disk / "helpers"
    site = Path(sysconfig.get_path("purelib"))
    for name in HELPERS:
        copy = shutil.copytree if (site / name).is_dir() else shutil.copyfile
        helpers.mkdir(exist_ok=True)
        copy(site / name, helpers / name)
    (wheels,) = sorted((ROOT / "build/windows/cache").glob("lib-*-????????????????"))[-1:]
    for name in TESTS_OF_QT:
        shutil.copyfile(wheels / "PySide6" / name, windows.installed / "lib/PySide6" / name)
    out = pictures / "screens"
    out.mkdir(exist_ok=True)
    script = Path(__file__).with_name("open_screens.py")
    told = windows.run(
        *("installed-python.exe", f"Z:{script}", f"Z:{ROOT}", r"C:\helpers", f"Z:{out}"),
        more={"WINEQT_QPA_PLATFORM": "offscreen"},
        seconds=6 * PATIENCE,
    )
    lines = dict(line.split(" ", 1) for line in told.stdout.splitlines() if " " in line)
    assert "Program Files" in lines["product"]
    assert lines["opened"] == str(len(SCENES)), told.stderr[-4000:]
