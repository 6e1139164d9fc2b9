"""The till is never slowed by its sound: without a device, with a hung or dead child, with a full
pipe."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pos_app.adapters.sound.tone_process import SpeakerFailed, play_lines
from pos_app.adapters.sound.tones import Tone, TonePlayer

HANG = "import time\nwhile True: time.sleep(60)"
NAMES: tuple[Tone, ...] = ("item", "no", "done", "attention")

Start = Callable[..., TonePlayer]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts players with a child of the test's own; all are closed at the end."""
    players: list[TonePlayer] = []

    def begin(code: str, restarts: tuple[float, ...] = ()) -> TonePlayer:
        command = (sys.executable, "-c", code)
        player = TonePlayer(command=command, folder=tmp_path, restarts=restarts)
        players.append(player)
        assert player.ready.wait(10)
        return player

    yield begin
    for player in players:
        player.close()


def wait_until(true: Callable[[], bool], seconds: float = 10) -> None:
    """Wait for a condition; fail when it does not come."""
    deadline = time.monotonic() + seconds
    turn = threading.Event()
    while not true():
        assert time.monotonic() < deadline, "it did not happen"
        turn.wait(0.01)


def until_given_up() -> None:
    """Wait until no player keeps a child any more."""
    wait_until(lambda: not any(one.name == "tones" for one in threading.enumerate()), 20)


def p99(seconds: list[float]) -> float:
    return sorted(seconds)[int(len(seconds) * 0.99)]


def timed(player: TonePlayer, count: int) -> list[float]:
    """The seconds that each of `count` calls took."""
    took = []
    for number in range(count):
        before = time.perf_counter()
        player.play(NAMES[number % 4])
        took.append(time.perf_counter() - before)
    return took


def test_a_hung_child_with_a_full_pipe_costs_nothing_and_is_ended_quickly(
    start: Start, tmp_path: Path
) -> None:
    told = tmp_path / "pid"
    player = start(f"import os\nopen({str(told)!r}, 'w').write(str(os.getpid()))\n{HANG}")
    assert p99(timed(player, 20_000)) < 0.001
    wait_until(lambda: told.exists() and bool(told.read_text()))
    child = int(told.read_text())
    before = time.monotonic()
    player.close()
    assert time.monotonic() - before < 1.5
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_a_call_that_hangs_with_the_interpreter_locked_ends_the_child() -> None:
    """The regex below never releases the interpreter, as a hung audio library does not."""
    code = (
        "import re\n"
        "from pos_app.adapters.sound.tone_process import watched\n"
        "with watched(0.3):\n"
        "    re.match('(a+)+$', 'a' * 60 + 'b')\n"
    )
    child = subprocess.run(
        (sys.executable, "-c", code), cwd=Path(__file__).parents[3], timeout=30, check=False
    )
    assert child.returncode == 1


class Noted:
    """A speaker that notes what it plays, or has no device."""

    def __init__(self, *, broken: bool = False) -> None:
        self.played: list[str] = []
        self.tried = 0
        self._broken = broken

    def play(self, file: Path) -> None:
        self.tried += 1
        if self._broken:
            raise SpeakerFailed("no device")
        self.played.append(file.stem)


def lines(*asked: tuple[str, float]) -> list[bytes]:
    """Requests as the till writes them, `seconds` ago."""
    now = time.monotonic()
    return [f"{name} {now - ago:.3f}\n".encode() for name, ago in asked]


@pytest.fixture
def tones(tmp_path: Path) -> Path:
    """A folder with two tones' files, which are empty."""
    for name in ("item", "no"):
        (tmp_path / f"{name}.wav").touch()
    return tmp_path


def test_stale_unknown_and_broken_lines_are_skipped(tones: Path) -> None:
    speaker = Noted()
    asked = lines(("item", 0.0), ("item", 5.0), ("song", 0.0), ("no", 0.1))
    play_lines(
        [*asked, b"item\n", b"item soon\n", b"\xff\xfe\n", b"\n"], folder=tones, speaker=speaker
    )
    assert speaker.played == ["item", "no"]
    missing = Noted(broken=True)
    play_lines(lines(*[("item", 0.0)] * 20), folder=tones, speaker=missing)
    assert missing.tried == 1, "a missing device is not looked for at every tone"


def test_a_program_that_can_not_be_started_is_silence(tmp_path: Path) -> None:
    player = TonePlayer(command=(str(tmp_path / "none"),), folder=tmp_path)
    until_given_up()
    player.play("item")
    player.close()
    assert not player.ready.is_set()
