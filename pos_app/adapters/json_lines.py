"""Writes and reads documents that two of our programs exchange through a pipe or a file, each in a
row of JSON. A process that works for the till reports its outcome so, and ends without a word where
the till that asked is gone."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import IO, Any

from pos_app.adapters.left_alone import read_asked, write_told
from pos_app.adapters.sqlite.faults import NO_ROOM, disk_failed, disk_full
from pos_app.errors import PosError, as_members
from pos_app.wire.strict_json import dumps, loads


def write_line(stream: IO[bytes], document: object) -> None:
    stream.write(dumps(document) + b"\n")
    stream.flush()


def read_line(text_line: bytes) -> Any:
    return loads(text_line)


def read_request() -> Any:
    """Return what the till asks on standard input. The process ends where it did not ask to the
    end."""
    return read_line(read_asked())


def write_document(document: dict[str, Any]) -> None:
    """Tell the till a document. The process ends where nobody reads it: what is begun of a change
    of many articles is carried on when the till opens again."""
    write_told(dumps(document) + b"\n")


def report_outcome(work: Callable[[], dict[str, Any]]) -> int:
    """Do the work at a lower priority than the till, and report it; return the exit status."""
    if hasattr(os, "nice"):
        os.nice(5)
    try:
        write_document(work())
    except PosError as error:
        write_document({"error": as_members(error)})
        return 1
    except OSError as error:
        fault = disk_full(error) if error.errno in NO_ROOM else disk_failed(error)
        write_document({"error": as_members(fault)})
        return 1
    return 0
