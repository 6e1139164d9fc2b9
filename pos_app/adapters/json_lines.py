"""What two programs of ours tell each other through a pipe or a file: a line of JSON each."""

from __future__ import annotations

from typing import IO, Any

from pos_app.wire.strict_json import dumps, loads


def write_line(stream: IO[bytes], document: object) -> None:
    """One document, at once."""
    stream.write(dumps(document) + b"\n")
    stream.flush()


def read_line(line: bytes) -> Any:
    """The document in a line that `write_line` wrote."""
    return loads(line)
