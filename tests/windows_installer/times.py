"""Prints how long an installation, a first receipt and the window take, on a machine that does
nothing else.

.venv/bin/python -m tests.windows_installer.times build/windows/test/new-setup.exe
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from PIL import ImageGrab

from tests.bench.machine import measure as reference
from tests.windows_installer import wine
from tests.windows_installer.test_shop import colours_on, open_shop

PAIRS = 5
POS_APP = (sys.executable, "-m", "pos_app")


def main() -> None:
    setup = Path(sys.argv[1]).absolute()
    prefix = wine.ROOT / "build" / "windows" / "wine-times"
    with wine.screen(179) as display, tempfile.TemporaryDirectory() as temporary:
        windows = wine.new_windows(prefix, display)
        try:
            windows.switch_on()
            measure(windows, setup, display, Path(temporary))
        finally:
            windows.shut_down()
            shutil.rmtree(prefix, ignore_errors=True)


def measure(windows: wine.Windows, setup: Path, display: str, folder: Path) -> None:
    print("cpu ms, fsync ms, load:", reference(folder), flush=True)
    tell("the installer, from its start to its end", took(lambda: install(windows, setup)))
    tell("from there to the first receipt", took(lambda: installed_demo(windows, "first")))
    tell("the checkout's first receipt", took(lambda: own_demo(folder / "first")))
    for number in range(PAIRS):
        print("cpu ms, fsync ms, load:", reference(folder), flush=True)
        name = f"demo-{number}"
        tell("a demo's receipt, installed", took(lambda: installed_demo(windows, name)))  # noqa: B023
        tell("a demo's receipt, checkout", took(lambda: own_demo(folder / name)))  # noqa: B023
    open_shop(windows, windows.disk / "till")
    prepare(folder / "till")
    for _ in range(PAIRS):
        tell("the till's window, installed", installed_till(windows, display))
        tell("the till's window, checkout", own_till(folder / "till", display))


def tell(what: str, seconds: float) -> None:
    print(f"{what}: {seconds:.1f} s", flush=True)


def took(work: Callable[[], None]) -> float:
    begun = time.monotonic()
    work()
    return time.monotonic() - begun


def install(windows: wine.Windows, setup: Path) -> None:
    assert windows.setup(setup) == 0


def installed_demo(windows: wine.Windows, name: str) -> None:
    told = windows.run(
        *("pos-app.exe", "demo", "--data", f"C:\\{name}"), more={"WINEQT_QPA_PLATFORM": "offscreen"}
    )
    assert told.returncode == 0, told.stderr


def own_demo(data: Path) -> None:
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    words = (*POS_APP, "demo", "--data", str(data))
    subprocess.run(words, cwd=wine.ROOT, env=environment, check=True, capture_output=True)


def prepare(data: Path) -> None:
    words = (*POS_APP, "demo", "--prepare", "--data", str(data))
    subprocess.run(words, cwd=wine.ROOT, check=True, capture_output=True)
    with (data / "settings.toml").open("a", encoding="utf-8") as file:
        file.write("\n[server]\nport = 0\n")


def installed_till(windows: wine.Windows, display: str) -> float:
    wine.wait_until(lambda: colours_on(display) < 10)
    begun = time.monotonic()
    with windows.running("pos-app-till.exe", "--data", r"C:\till"):
        return seconds_until_shown(begun, display)


def own_till(data: Path, display: str) -> float:
    environment = os.environ | {"QT_QPA_PLATFORM": "xcb", "DISPLAY": display}
    wine.wait_until(lambda: colours_on(display) < 10)
    begun = time.monotonic()
    quiet = subprocess.DEVNULL
    words = (*POS_APP, "till", "--data", str(data))
    till = subprocess.Popen(words, cwd=wine.ROOT, env=environment, stdout=quiet, stderr=quiet)
    try:
        return seconds_until_shown(begun, display)
    finally:
        stop = (*POS_APP, "stop", "--wait", "20", "--data", str(data))
        subprocess.run(stop, cwd=wine.ROOT, check=True, capture_output=True)
        with suppress(subprocess.TimeoutExpired):
            till.wait(wine.PATIENCE)


def seconds_until_shown(begun: float, display: str) -> float:
    """Seconds until the screen shows the sale: its tiles alone have some hundreds of colours."""
    wine.wait_until(lambda: colours_on(display) > 500)
    seconds = time.monotonic() - begun
    ImageGrab.grab(xdisplay=display).save(wine.ROOT / "build" / "windows" / "shown.png")
    return seconds


if __name__ == "__main__":
    main()
