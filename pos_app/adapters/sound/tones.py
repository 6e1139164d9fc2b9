"""The till's four tones, played by a process of their own.

A hung audio server blocks the caller inside the audio library for ever, so the till only writes a
line into a pipe that never blocks; the child (`tone_process`) does the rest. Without a sound
device, or with a hung or dead child, the till stays quiet and goes on.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Literal

from pos_app import installed, log, resources
from pos_app.errors import MachineError

if sys.platform == "win32":
    import ctypes
    import msvcrt

_log = log.get(__name__)

Tone = Literal["item", "no", "done", "attention"]

RESTARTS = (1.0, 5.0, 30.0)
"""Seconds to wait before each new start of a child that died. If the last new child dies too, no
more tones are played."""
GRACE = 0.3
"""Seconds that the child gets to leave by itself."""
REAP = 1.0
CHILD = installed.command("pos_app.adapters.sound.tone_process")


class TonePlayer:
    """Plays tones. `play` returns at once, whatever the child does, and never raises.

    `command` starts the child; the folder of the tones is appended to it. `restarts` are the pauses
    before new starts, in seconds.
    """

    def __init__(
        self,
        *,
        command: Sequence[str] | None = None,
        folder: Path | None = None,
        restarts: Sequence[float] = RESTARTS,
    ) -> None:
        tones = folder or resources.folder() / "tones"
        self._command = (*(command or CHILD), str(tones))
        self._restarts = tuple(restarts)
        self._lock = threading.Lock()
        self._pipe: IO[bytes] | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._closing = threading.Event()
        self.ready = threading.Event()
        """Set while there is a child to write to."""
        self._keeper = threading.Thread(target=self._keep_running, name="tones", daemon=True)
        self._keeper.start()

    def play(self, name: Tone) -> None:
        """Ask for a tone. Without a child, or when its pipe is full, no tone is played."""
        text_line = f"{name} {time.monotonic():.3f}\n".encode()
        with self._lock:
            if self._pipe is None:
                return
            try:
                self._pipe.write(text_line)  # a hung child's full pipe takes nothing
            except OSError:  # the child died, and the keeper starts another
                return

    def close(self) -> None:
        """End the child: it leaves when its pipe closes, and is killed when it hangs."""
        self._closing.set()
        child = self._child
        self._drop_pipe()
        if child is not None:
            _end(child)
        self._keeper.join(GRACE + REAP)

    def _keep_running(self) -> None:
        """Start the child, and again when it died, as often as allowed."""
        for pause in (0.0, *self._restarts):
            if self._closing.wait(pause):
                return
            child = self._start()
            if child is None:
                return
            child.wait()
            self._drop_pipe()
            if not self._closing.is_set():
                fields = {"status": child.returncode}
                _log.warning("the tone process ended", extra={"fields": fields})

    def _start(self) -> subprocess.Popen[bytes] | None:
        try:
            installed.check_own()
            child = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except (OSError, MachineError) as error:
            reason = error.strerror if isinstance(error, OSError) else error.what
            _log.warning("no tones", extra={"fields": {"reason": reason}})
            return None
        assert child.stdin is not None
        never_block(child.stdin.fileno())
        with self._lock:
            self._child = child
            self._pipe = child.stdin
        self.ready.set()
        if self._closing.is_set():  # it was closed while the child started
            self._drop_pipe()
            _end(child)
        return child

    def _drop_pipe(self) -> None:
        self.ready.clear()
        with self._lock:
            pipe, self._pipe = self._pipe, None
        if pipe is not None:
            pipe.close()


def _end(child: subprocess.Popen[bytes]) -> None:
    """Wait a moment for a child to leave, then kill it; never wait for long."""
    try:
        child.wait(GRACE)
    except subprocess.TimeoutExpired:
        child.kill()
        try:
            child.wait(REAP)
        except subprocess.TimeoutExpired:
            _log.warning("the tone process can't be ended", extra={"fields": {"pid": child.pid}})


def never_block(pipe: int) -> None:
    """Make writes to a pipe fail instead of waiting when it is full. Before Python 3.12
    `os.set_blocking` is missing on Windows, so its system call is made here."""
    if sys.platform == "win32":
        mode = ctypes.c_ulong(1)  # PIPE_NOWAIT
        handle = ctypes.c_void_p(msvcrt.get_osfhandle(pipe))
        ctypes.windll.kernel32.SetNamedPipeHandleState(handle, ctypes.byref(mode), None, None)
    else:
        os.set_blocking(pipe, False)
