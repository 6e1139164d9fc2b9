"""The process that plays tones: `python -m pos_app.adapters.sound.tone_process FOLDER`.

It reads lines "name seconds" from standard input, the seconds on the machine's monotonic clock, and
plays FOLDER/name.wav. It ends when its input closes. A line older than `STALE` is skipped, so
that nothing is played late after the audio server hung. Each call of the audio library is watched:
when it hangs, which it does with the interpreter locked, the watch ends this process from outside
the interpreter, and the till starts another.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

if sys.platform == "win32":
    import winsound
else:
    import miniaudio

STALE = 1.0
"""Seconds after which a tone is not worth playing."""
HANGS = 5.0
"""Seconds after which a call into the audio library counts as hung."""
RETRY = 30.0
"""Seconds before a missing sound device is looked for again."""
LONGEST_LINE = 64


class Speaker(Protocol):
    """Plays one file. Raises SpeakerFailed when that is impossible."""

    def play(self, file: Path) -> None: ...


class SpeakerFailed(Exception):
    """There is no sound device, or it does not take the tone."""


class MiniaudioSpeaker:
    """Linux and macOS: one device, opened at the first tone and stopped between tones."""

    def __init__(self) -> None:
        self._device: miniaudio.PlaybackDevice | None = None
        self._sounds: dict[Path, miniaudio.DecodedSoundFile] = {}

    def play(self, file: Path) -> None:
        try:
            if file not in self._sounds:
                self._sounds[file] = miniaudio.decode_file(str(file), nchannels=1)
            sound = self._sounds[file]
            if self._device is None:
                self._device = miniaudio.PlaybackDevice(
                    nchannels=1, sample_rate=sound.sample_rate, buffersize_msec=40
                )
            self._device.stop()
            self._device.start(miniaudio.stream_raw_pcm_memory(sound.samples, 1, 2))
        except miniaudio.MiniaudioError as error:
            self._device = None
            raise SpeakerFailed(str(error)) from error


class WindowsSpeaker:
    """Windows: the system plays the file by itself."""

    def play(self, file: Path) -> None:
        if sys.platform == "win32":
            flags = winsound.SND_FILENAME | winsound.SND_ASYNC | winsound.SND_NODEFAULT
            try:
                winsound.PlaySound(str(file), flags)
            except RuntimeError as error:
                raise SpeakerFailed(str(error)) from error


@contextmanager
def watched(seconds: float) -> Iterator[None]:
    """End this process when the body takes longer. It works while the interpreter is locked by a
    hung call, because the watch is a thread of C."""
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        faulthandler.dump_traceback_later(seconds, exit=True, file=nowhere)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()


def play_lines(
    text_lines: Iterable[bytes], *, folder: Path, speaker: Speaker, hangs: float = HANGS
) -> None:
    """Play the tones that the lines name; unknown names and broken lines are skipped."""
    files = {file.stem: file for file in folder.glob("*.wav")}
    silent_until = 0.0
    for text_line in text_lines:
        name, _, asked_at = (
            text_line[:LONGEST_LINE].decode("ascii", "replace").strip().partition(" ")
        )
        now = time.monotonic()
        if name not in files or now < silent_until or not _fresh(asked_at, now):
            continue
        try:
            with watched(hangs):
                speaker.play(files[name])
        except SpeakerFailed:
            silent_until = now + RETRY


def _fresh(asked_at: str, now: float) -> bool:
    try:
        return now - float(asked_at) < STALE
    except ValueError:
        return False


def main() -> int:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is meant for the till
    speaker: Speaker = WindowsSpeaker() if sys.platform == "win32" else MiniaudioSpeaker()
    lines = iter(sys.stdin.buffer.readline, b"")
    play_lines(lines, folder=Path(sys.argv[1]), speaker=speaker)
    os._exit(0)  # a hung audio thread would keep the interpreter from ending


if __name__ == "__main__":
    sys.exit(main())
