"""The real xcb platform: native scan codes and time stamps of a real X server."""

from __future__ import annotations

import json
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from tests.gui.scanner.wedge import PAD_PLACES
from tests.gui.scanner.x11 import ENTER, XKeyboard, x_server
from tests.proofs import Proof
from tests.sweep import sampled

pytestmark = [
    pytest.mark.alone,
    pytest.mark.skipif(
        shutil.which("Xvfb") is None, reason="no Xvfb here: the xcb platform can't be tried"
    ),
]

ROOT = Path(__file__).parents[3]
PROGRAM = Path(__file__).with_name("x11_program.py")
EAN = "8600123456789"
PROVED = "8609920500236"  # its last digit is a check digit
URL = "https://suf.purs.gov.rs/v/?vl=AzyZY00+/=_-" + "QyZ9" * 100
LAYOUTS = {"us": ["us"], "rs-latin": ["rs", "-variant", "latin"], "rs-cyrillic": ["rs"]}
F9, F12, HOME, DELETE = 67, 88, 102, 111

Told = dict[str, object]


class Program:
    """The program under test and its messages so far."""

    def __init__(self, child: subprocess.Popen[str]) -> None:
        self._lines: queue.Queue[str] = queue.Queue()
        self.told: list[Told] = []
        assert child.stdout is not None
        self._stdout = child.stdout
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        for line in self._stdout:
            self._lines.put(line)

    def until(self, seen: Callable[[Told], object]) -> None:
        """Read messages until `seen` holds for one; fails after 60 s without any."""
        while True:
            self.told.append(json.loads(self._lines.get(timeout=60)))
            if seen(self.told[-1]):
                return

    def join(self) -> None:
        """Let the reader finish after the program's end."""
        self._reader.join(20)
        self._stdout.close()


@pytest.fixture(scope="module")
def keyboard() -> Iterator[XKeyboard]:
    with x_server() as server:
        yield server


@contextmanager
def program(keyboard: XKeyboard, *options: str) -> Iterator[Program]:
    child = subprocess.Popen(
        [sys.executable, str(PROGRAM), *options],
        env={**keyboard.environment(), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    running = Program(child)
    try:
        running.until(lambda told: "ready" in told)
        yield running
    finally:
        child.terminate()
        child.wait(20)
        running.join()


@pytest.mark.parametrize("layout", sampled(reversed(LAYOUTS)))
def test_scans_typing_and_the_pad_under_the_users_layout(keyboard: XKeyboard, layout: str) -> None:
    """Without Num Lock the server reports KP_End and so on."""
    keyboard.layout(*LAYOUTS[layout])
    with program(keyboard) as till:
        for code in (EAN, URL, "zy/-Y_'[]{}\\|", "80000000008"):
            keyboard.scan(code)
            till.until({"scan": code}.__eq__)
        keyboard.tap(F12, gap=100, hold=60)
        till.until(lambda told: told == {"fired": "F12"})
        assert [told for told in till.told if "scan" not in told][1:] == [{"fired": "F12"}]
        for place in (*(PAD_PLACES[digit] for digit in "1234567890"), PAD_PLACES["."]):
            keyboard.tap(place, gap=100, hold=60)
        till.until(lambda told: told == {"text": "1234567890."})
        keyboard.tap(HOME, gap=100, hold=60)
        keyboard.tap(DELETE, gap=100, hold=60)
        till.until(lambda told: told == {"text": "234567890."})
        keyboard.key(PAD_PLACES["6"], down=True, gap=100)
        till.until(lambda told: told == {"text": "666234567890."})
        keyboard.key(PAD_PLACES["6"], down=False, gap=0)


def test_a_scan_into_an_open_menu(keyboard: XKeyboard) -> None:
    keyboard.layout("rs")
    with program(keyboard, "--menu") as till:
        keyboard.scan(EAN)
        till.until(lambda told: "scan" in told)
        assert till.told[1:] == [{"scan": EAN}]


def test_a_stall_splits_no_scan_and_joins_no_typing(keyboard: XKeyboard) -> None:
    """The loop stands still while a scan and then typed keys arrive."""
    keyboard.layout("rs")
    with program(keyboard) as till:
        keyboard.tap(F9, gap=0, hold=1)
        till.until(lambda told: "stalled" in told)
        keyboard.scan("zy-" + EAN, gap=12)
        for place in (35, 38, 18, 48):
            keyboard.tap(place, gap=60, hold=10)
        keyboard.tap(ENTER, gap=60, hold=10)
        till.until(lambda told: "fired" in told)
        assert till.told[2:] == [
            {"scan": "zy-" + EAN},
            *({"text": "хлеб"[: 1 + at]} for at in range(4)),
            {"fired": "Return"},
        ]
    with program(keyboard) as till:
        keyboard.tap(F9, gap=0, hold=1)
        till.until(lambda told: "stalled" in told)
        keyboard.scan(URL, gap=1)  # longer than the stall
        till.until(lambda told: "scan" in told)
        assert till.told[2:] == [{"scan": URL}]


@pytest.mark.faults
def test_scans_that_pause_on_the_wire(keyboard: XKeyboard, times: int, proof: Proof) -> None:
    """Real keys of a real server, with pauses anywhere, also while the loop stands still."""
    keyboard.layout("rs")
    chance = Random(8)
    with program(keyboard) as till:
        keyboard.scan(PROVED)
        till.until(lambda told: "scan" in told)
        for _ in range(max(5, times // 5)):
            if chance.random() < 0.3:
                keyboard.tap(F9, gap=0, hold=1)
                till.until(lambda told: "stalled" in told)
            pauses = {chance.randrange(2, 14): chance.randrange(40, 400) for _ in range(2)}
            keyboard.scan(PROVED, pauses=pauses)
            till.until(lambda told: "scan" in told or "misread" in told)
            proof.count(signed=till.told[-1] == {"scan": PROVED})
        said = [told for told in till.told[1:] if "stalled" not in told]
        assert said == [{"scan": PROVED}] * len(said)
