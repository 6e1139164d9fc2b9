"""Runs a module of the product in a nursery, for a caller that starts a command of its own:

    python -I -S in_nursery.py DOOR -m MODULE …

The life has this process's standard input, output and error. This process lasts as long as it,
passes SIGTERM on, and ends as it did. It imports next to nothing, so that it starts in 20 ms.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys


def main(door: str, *words: str) -> int:
    """Return the life's status, or die of the signal that it died of."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])  # until there is a life to end
    line = socket.socket(socket.AF_UNIX)
    line.connect(door)
    asked = json.dumps({"words": words, "env": dict(os.environ), "cwd": os.getcwd()})  # noqa: PTH109 - pathlib takes longer to import
    socket.send_fds(line, [f"{asked}\n".encode()], [1, 2, 0])
    told = line.makefile("r", encoding="utf-8")
    pid = int(told.readline())
    signal.signal(signal.SIGTERM, lambda *_: os.kill(pid, signal.SIGTERM))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
    status = int(told.readline())
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
