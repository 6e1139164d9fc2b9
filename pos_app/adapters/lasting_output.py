"""Makes standard output and error outlive their readers: `pos-app sync | head` goes on, as does a
server whose till was killed. A reader that does not take all letters gets escapes."""

from __future__ import annotations

import errno
import io
import sys
from typing import Any, TextIO

_NO_READER = frozenset({errno.EPIPE, errno.EINVAL})
"""The errors of POSIX and Windows for a pipe that nobody reads any more."""


def outlive_readers() -> None:
    """Let this process drop what it prints to a reader that is gone."""
    sys.stdout, sys.stderr = _lasting(sys.stdout), _lasting(sys.stderr)


def _lasting(stream: TextIO) -> TextIO:
    """Return a stream that outlives its reader; a terminal, or a stream that is no file of this
    process, is returned unchanged."""
    if type(stream) is not io.TextIOWrapper or stream.isatty():
        return stream
    stream.flush()
    return io.TextIOWrapper(
        io.BufferedWriter(_Lasting(stream.fileno(), "wb", closefd=False)),
        encoding=stream.encoding,
        errors="backslashreplace",
        line_buffering=stream.line_buffering or stream.write_through,
    )


class _Lasting(io.FileIO):
    def write(self, content: Any, /) -> int:
        try:
            return super().write(content)
        except OSError as error:
            if error.errno not in _NO_READER:
                raise
            return len(content)  # a view of bytes
