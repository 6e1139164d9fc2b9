"""Standard output and error that outlive who reads them: `pos-app sync | head` goes on, as does a
server whose till was killed; and say what they can to a reader who does not take all letters."""

from __future__ import annotations

import errno
import io
import sys
from typing import Any, TextIO

_NO_READER = frozenset({errno.EPIPE, errno.EINVAL})
"""What POSIX and Windows say of a pipe that nobody reads any more."""


def outlive_readers() -> None:
    """From now on what this process prints to a reader that is gone goes nowhere."""
    sys.stdout, sys.stderr = _lasting(sys.stdout), _lasting(sys.stderr)


def _lasting(stream: TextIO) -> TextIO:
    """The same stream; one that is no file of this process, or a terminal, as it is."""
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
