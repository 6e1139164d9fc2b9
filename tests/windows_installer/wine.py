"""A Windows for the tests: a prefix of wine, with parts that wine 8 lacks compiled from `shims/`.

Source: windows.md, "Wine, as a test bed".
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
import tomllib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import ImageGrab

ROOT = Path(__file__).parents[2]
PROGRAM = "/usr/lib/wine/wine64"
PATIENCE = 600.0
"""Seconds that anything may take: a busy machine is ten times as slow."""
SHIMS = {"icuuc": "icuuc", "bcryptprimitives": "bcryptprimitives", "windows_ui": "windows.ui"}
"""Sources, each with the name of its library."""
SOFTWARE = r"HKLM\Software\pos-app"
BEFORE = tomllib.loads((ROOT / "packaging/windows/before.toml").read_text(encoding="utf-8"))
UNHEARD: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
OLD_VERSION: str = BEFORE["version"]
UNINSTALL = r"HKLM\Software\Microsoft\Windows\CurrentVersion\Uninstall\pos-app"


class Windows:
    """One computer: its disk C: is `disk`; programs run as an administrator."""

    def __init__(self, prefix: Path, display: str) -> None:
        self.disk = prefix / "drive_c"
        self.installed = self.disk / "Program Files" / "pos-app"
        self.data = self.disk / "ProgramData" / "pos-app"
        # Wine hides variables of Qt from its programs, except those in this form.
        self.environment = os.environ | {
            "WINEPREFIX": str(prefix),
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree=;mshtml=;winedbg.exe=",  # a crash ends it, unasked
            "DISPLAY": display,
            "WINEQT_LOGGING_RULES": "qt.qpa.*=false",
        }
        self.environment.pop("QT_QPA_PLATFORM", None)

    def setup(self, file: Path, *words: str, seconds: float = 2 * PATIENCE) -> int:
        """Run an installer silently; returns its exit code. Its output goes nowhere: the service
        would inherit a pipe, which would never end.

        The last word may be /D=… or _?=…, which NSIS wants without quotes also with spaces; so it
        is given in pieces, which wine joins.
        """
        *words_before, last = ("/S", *words)
        return self.quietly(str(file), *words_before, *last.split(" "), seconds=seconds)

    def quietly(self, *words: str, seconds: float = PATIENCE) -> int:
        """Run a program whose output goes nowhere; returns its exit code."""
        return subprocess.run(
            [PROGRAM, *words], env=self.environment, timeout=seconds, check=False, **UNHEARD
        ).returncode

    def begun(self, *words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen([PROGRAM, *words], env=self.environment, **UNHEARD)

    def set_value(self, key: str, name: str, kind: str, value: str) -> None:
        """Write a value of the registry, of programs of 64 bits."""
        words = ("add", key, "/v", name, "/t", kind, "/d", value, "/f", "/reg:64")
        assert self.quietly("reg", *words) == 0

    def make_python(self) -> None:
        """Make `installed-python.exe`, which runs a script in the installed tree."""
        self.compile(
            ROOT / "packaging/windows/launcher.c",
            self.installed / "installed-python.exe",
            *("-municode", "-DSCRIPT", '-DPYTHON_DLL=L"python311.dll"'),
        )

    def uninstall(self, *words: str) -> int:
        """Remove the product silently; returns the exit code. It runs a copy of the uninstaller, as
        docs/install/windows.md says: the installed one ends at once and continues as its own
        copy."""
        copy = self.disk / "uninstall.exe"
        shutil.copyfile(self.installed / "uninstall.exe", copy)
        place = str(self.installed.relative_to(self.disk)).replace("/", "\\")
        try:
            return self.setup(copy, *words, f"_?=C:\\{place}")
        finally:
            copy.unlink()

    def person(self, does: str, file: Path, *words: str) -> int:
        """Run an installer as `helpers/person.c` says; returns its exit code."""
        program = self.disk / "person.exe"
        source = Path(__file__).parent / "helpers" / "person.c"
        self.compile(source, program, "-municode", "-finput-charset=UTF-8")
        return self.quietly(str(program), does, "Z:" + str(file).replace("/", "\\"), *words)

    def walk(
        self,
        file: Path,
        *words: str,
        language: str,
        ticks: str = "",
        photo: Path | None = None,
        meanwhile: Callable[[], object] = lambda: None,
    ) -> tuple[int, list[str]]:
        """Go through an installer as `person.c` says; its exit code, and each page's words."""
        pages = self.disk / "pages"
        shutil.rmtree(pages, ignore_errors=True)
        said: list[str] = []
        with ThreadPoolExecutor(1) as other:
            ended = other.submit(self.person, f"walk={language},{ticks}", file, *words)
            while not ended.done():
                page = pages / f"{len(said) + 1}.txt"
                if page.exists():
                    if photo is not None:
                        grabbed = ImageGrab.grab(xdisplay=self.environment["DISPLAY"])
                        grabbed.save(f"{photo}-{page.stem}.png")
                    if not said:
                        meanwhile()
                    said.append(page.read_text(encoding="utf-8"))
                    page.unlink()
                time.sleep(0.1)
        return ended.result(), said

    def run(
        self, *words: str, seconds: float = PATIENCE, more: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run an installed program to its end. Its output is a pipe: with a file it would die."""
        return subprocess.run(
            [PROGRAM, str(self.installed / words[0]), *words[1:]],
            env=self.environment | (more or {}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=seconds,
            check=False,
        )

    @contextmanager
    def running(self, *words: str) -> Iterator[subprocess.Popen[bytes]]:
        """An installed program that goes on by itself; it is ended at the end."""
        program = self.begun(str(self.installed / words[0]), *words[1:])
        try:
            yield program
        finally:
            if program.poll() is None:
                folder = words[words.index("--data") :] if "--data" in words else ()
                self.run("pos-app.exe", "stop", "--wait", "300", *folder)
                try:
                    program.wait(60)
                except subprocess.TimeoutExpired:
                    program.kill()
                    program.wait()

    def registry(self, key: str, name: str) -> str | None:
        """A text, a number as "0x1", or None; by a file, since `reg` prints no Cyrillic."""
        file = self.disk / "told.reg"
        self.quietly("reg", "export", key, r"C:\told.reg", "/y", "/reg:64")
        told = file.read_text(encoding="utf-16") if file.exists() else ""
        file.unlink(missing_ok=True)
        found = re.search(rf'^"{re.escape(name)}"=(?:dword:(\w+)|"(.*)")\r?$', told, re.MULTILINE)
        if found is None:
            return None
        return hex(int(found[1], 16)) if found[1] else found[2].replace("\\\\", "\\")

    def become(self, version: str) -> None:
        """Be another Windows, in wine's words: "win10", "win7"."""
        assert self.quietly("winecfg", "/v", version) == 0
        self.shut_down()

    def shut_down(self) -> None:
        subprocess.run(["/usr/lib/wine/wineserver", "-k"], env=self.environment, check=False)
        subprocess.run(
            ["/usr/lib/wine/wineserver", "-w"], env=self.environment, check=False, timeout=PATIENCE
        )

    def compile(self, source: Path, target: Path, *flags: str) -> None:
        words = ["x86_64-w64-mingw32-gcc", "-O1", "-s", *flags, "-o", str(target), str(source)]
        subprocess.run([*words, "-ladvapi32"], check=True)


def new_windows(prefix: Path, display: str) -> Windows:
    shutil.rmtree(prefix, ignore_errors=True)
    prefix.parent.mkdir(parents=True, exist_ok=True)
    made = Windows(prefix, display)
    assert made.quietly("wineboot", "--init") == 0
    made.become("win10")
    for source, name in SHIMS.items():
        target = made.disk / "windows" / "system32" / f"{name}.dll"
        made.compile(Path(__file__).parent / "shims" / f"{source}.c", target, "-shared")
    return made


@contextmanager
def screen(number: int, size: str = "1366x768") -> Iterator[str]:
    """An invisible screen; yields its name for DISPLAY."""
    name = f":{number}"
    server = subprocess.Popen(
        ["Xvfb", name, "-screen", "0", f"{size}x24", "-nolisten", "tcp"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(Path(f"/tmp/.X11-unix/X{number}").exists)
        yield name
    finally:
        server.terminate()
        server.wait()


def stays(is_so: Callable[[], bool], *, seconds: float) -> None:
    """Raises AssertionError when it is not so all the time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert is_so()
        time.sleep(0.2)


def wait_until(is_so: Callable[[], bool]) -> None:
    """Raises AssertionError when it is not so within PATIENCE."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, f"not within {PATIENCE} s"
        time.sleep(0.2)
