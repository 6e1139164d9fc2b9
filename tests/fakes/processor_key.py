"""One signing key for the processors of all tests: making one takes longer than most tests."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from pos_app.pfr_emulator.seal import KEY_FILE, open_key


@cache
def made_key() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        open_key(Path(folder))
        return (Path(folder) / KEY_FILE).read_bytes()


def give_key(folder: Path) -> None:
    """Give that key to the processor in this folder, if it has none yet."""
    path = folder / KEY_FILE
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_bytes(made_key())
