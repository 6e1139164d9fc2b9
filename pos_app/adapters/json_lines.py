"""Documents that two programs of ours exchange through a pipe or a file, each in a row of JSON."""

from __future__ import annotations

from typing import IO, Any

from pos_app.wire.strict_json import dumps, loads


def write_line(stream: IO[bytes], document: object) -> None:
    stream.write(dumps(document) + b"\n")
    stream.flush()


def read_line(line: bytes) -> Any:
    return loads(line)
