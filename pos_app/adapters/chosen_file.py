"""Writes a file at a path that a person chose, perhaps on a drive that may be pulled out."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Iterator
from pathlib import Path

from pos_app.errors import Invalid

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
_NO_FOLDER = (errno.ENOENT, errno.ENOTDIR)
_NO_RIGHT = (errno.EACCES, errno.EPERM, errno.EROFS)
_HELD_BY_ANOTHER = (32, 33)
"""The errors of Windows for a file that another program has open, or has locked."""


def write_whole(to: Path, content: bytes) -> None:
    """Write the whole file or nothing. Raises Invalid (see `unwritten`)."""
    with whole(to) as begun:
        begun.write_bytes(content)


@contextlib.contextmanager
def whole(to: Path, begun: Path | None = None) -> Iterator[Path]:
    """Give the path of a file to be written within; it gets its name once it is whole. begun: the
    path that the caller wants for it, in the same folder. Raises Invalid (see `unwritten`); then a
    file that was there is as it was."""
    begun = begun or to.with_name(f"{to.name}.part")
    try:
        yield begun
        begun.replace(to)
    except BaseException as error:
        with contextlib.suppress(OSError):
            begun.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise unwritten(error, to) from error
        raise


def unwritten(error: OSError, path: Path) -> Invalid:
    """Say which file could not be written, and why: its folder is gone (file_unwritten), the disk
    is full, there is no right, another program has it open, or what the system says."""
    at = str(path)
    if error.errno in _NO_ROOM:
        return Invalid("file_no_room", path=at)
    if getattr(error, "winerror", None) in _HELD_BY_ANOTHER or error.errno == errno.ETXTBSY:
        return Invalid("file_in_use", path=at)
    if error.errno in _NO_FOLDER:
        return Invalid("file_unwritten", path=at)
    if error.errno in _NO_RIGHT:
        return Invalid("file_no_right", path=at)
    return Invalid("file_failed", path=at, why=error.strerror or str(error))
