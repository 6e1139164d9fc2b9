"""Logging for every program: one line for each event on standard error, plain or JSON.

Logs name fields and identifiers, never bodies, tokens or personal numbers. Unprintable signs are
escaped, so that no foreign text writes a line or commands a terminal. Extra fields go in
`extra={"fields": {...}}` and are written beside the message.
"""

from __future__ import annotations

import faulthandler
import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from pos_app.characters import escaped

MOST_BYTES = 8 * 1024 * 1024
"""The largest size of a till's log and of its server's log: some 50,000 lines."""


REQUEST_ID: ContextVar[str] = ContextVar("request id", default="")
"""The id of the present request, which each of its log lines has as `request`."""


class _JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line.update(_fields_of(record))
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return escaped(json.dumps(line, ensure_ascii=False, default=str))


class _PlainFormatter(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        fields = _fields_of(record)
        record.message, record.asctime = record.getMessage(), self.formatTime(record)
        fields_text = "".join(f" {name}={value}" for name, value in fields.items())
        text_line = escaped(self.formatMessage(record) + fields_text)
        trace = self.formatException(record.exc_info) if record.exc_info else ""
        # Indented: text quoted by an exception never looks like a line of its own.
        return "\n".join((text_line, *(f"    {escaped(row)}" for row in trace.splitlines())))


def _fields_of(record: logging.LogRecord) -> dict[str, object]:
    fields: dict[str, object] = getattr(record, "fields", {})
    request_id = REQUEST_ID.get()
    return {**fields, "request": request_id} if request_id else fields


class _Bounded(logging.StreamHandler[TextIO]):
    def __init__(self, stream: TextIO, most_bytes: int) -> None:
        super().__init__(stream)
        self._most_bytes: int | None = most_bytes

    def emit(self, record: logging.LogRecord) -> None:
        super().emit(record)
        if self._most_bytes is None:
            return
        try:
            keep_newest(self.stream.fileno(), self._most_bytes)
        except OSError:  # the stream is no file that can be shortened
            self._most_bytes = None


def keep_newest(file: int, most_bytes: int = MOST_BYTES) -> None:
    """Shorten a file longer than `most_bytes` to its newest lines, at most half as many bytes.
    file: a descriptor that reads and appends. Raises OSError for any other."""
    size = os.fstat(file).st_size
    if size <= most_bytes:
        return
    os.lseek(file, size - most_bytes // 2, os.SEEK_SET)
    newest = os.read(file, most_bytes // 2)
    os.ftruncate(file, 0)
    os.lseek(file, 0, os.SEEK_SET)
    os.write(file, newest[newest.find(b"\n") + 1 :])


def configure(
    *,
    level: str = "INFO",
    as_json: bool = False,
    stream: TextIO | None = None,
    most_bytes: int | None = None,
) -> None:
    """Send all logs of this process to `stream` (default: standard error). most_bytes: the limit
    where the stream is a file that is read and appended to; older lines are deleted."""
    stream = stream or sys.stderr
    handler = _Bounded(stream, most_bytes) if most_bytes else logging.StreamHandler(stream)
    handler.setFormatter(_JsonFormatter() if as_json else _PlainFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for noisy in ("httpx", "httpcore", "uvicorn", "asyncio", "fontTools", "fpdf", "qasync"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


@contextmanager
def kept_in(file: Path) -> Iterator[None]:
    """Write all logs of this process also to a file, which keeps the newest MOST_BYTES; a crash of
    Python or Qt leaves its stack there. Without such a file a warning is logged, and the program
    goes on."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        stream = file.open("a+", encoding="utf-8")
    except OSError as error:
        get(__name__).warning("no log is kept in a file: %s", error)
        yield
        return
    handler, root = _Bounded(stream, MOST_BYTES), logging.getLogger()
    handler.setFormatter(_PlainFormatter())
    is_ours = not faulthandler.is_enabled()
    with stream:
        root.addHandler(handler)
        if is_ours:
            faulthandler.enable(stream)
        try:
            yield
        finally:
            if is_ours:
                faulthandler.disable()
            root.removeHandler(handler)


def get(name: str) -> logging.Logger:
    return logging.getLogger(name)
