"""Writes a file at a path that a person chose, perhaps on a drive that may be pulled out."""

from __future__ import annotations

import contextlib
from pathlib import Path

from pos_app.errors import Invalid


def write_whole(to: Path, content: bytes) -> None:
    """Write the whole file or nothing. Raises Invalid (kind file_unwritten)."""
    begun = to.with_name(f"{to.name}.part")
    try:
        begun.write_bytes(content)
        begun.replace(to)
    except OSError as error:
        with contextlib.suppress(OSError):
            begun.unlink(missing_ok=True)
        raise unwritten(error) from error


def unwritten(error: OSError) -> Invalid:
    return Invalid("file_unwritten", why=error.strerror)
