"""Logging for every program: one line an event on standard error, plain or JSON.

Logs name fields and identifiers, never bodies, tokens or personal numbers.
What can't be printed is escaped, so that no foreign word writes a line or commands a terminal.
Extra fields go in `extra={"fields": {...}}` and are written beside the message.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import TextIO

from pos_app.signs import escaped


class _JsonLine(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line.update(getattr(record, "fields", {}))
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return escaped(json.dumps(line, ensure_ascii=False, default=str))


class _PlainLine(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, object] = getattr(record, "fields", {})
        record.message, record.asctime = record.getMessage(), self.formatTime(record)
        told = "".join(f" {name}={value}" for name, value in fields.items())
        line = escaped(self.formatMessage(record) + told)
        trace = self.formatException(record.exc_info) if record.exc_info else ""
        # Indented: what an exception quotes never looks like a line of its own.
        return "\n".join((line, *(f"    {escaped(row)}" for row in trace.splitlines())))


def configure(*, level: str = "INFO", as_json: bool = False, stream: TextIO | None = None) -> None:
    """Send all logs of this process to `stream` (default: standard error)."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(_JsonLine() if as_json else _PlainLine())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for noisy in ("httpx", "httpcore", "uvicorn", "asyncio", "fontTools", "fpdf", "qasync"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


def get(name: str) -> logging.Logger:
    """The logger of a module; `name` is the module's `__name__`."""
    return logging.getLogger(name)
