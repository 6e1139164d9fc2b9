"""Runs a program of ours unchanged as if on another computer; needs root on Linux.

    python -m tests.e2e.other_machine server --data DIR …

Only this process sees the other name of the machine, and it keeps its pid.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

_NAME = Path("/etc/machine-id")
_BOUND = 'mount --bind "$0" /etc/machine-id && rm "$0" && exec "$@"'


def can_be_shown() -> bool:
    """Tell whether this machine has a name, and can hide it from a process."""
    unshare = shutil.which("unshare")
    if unshare is None or not _NAME.exists():
        return False
    words = [unshare, "-m", "mount", "--bind", os.devnull, str(_NAME)]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def main() -> None:
    """Become the program that the words name."""
    with tempfile.NamedTemporaryFile("w", suffix=".machine-id", delete=False) as name:
        name.write(f"{'0123456789abcdef' * 2}\n")
    product = [sys.executable, "-m", "pos_app", *sys.argv[1:]]
    os.execvp("unshare", ["unshare", "-m", "sh", "-c", _BOUND, name.name, *product])


if __name__ == "__main__":
    main()
