"""The file that keeps the last change of many articles: `catalogue/last-change.jsonl`.

The first line tells what was done, each further one what became of an article or which categories
were made. It is written before the change is committed, so a till that is killed meanwhile can take
back all that was made; a change that came to nothing is taken back as one that is as it was.
"""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from pos_app.adapters.data_folder import CATALOGUE
from pos_app.adapters.json_lines import read_line, write_line
from pos_app.adapters.sqlite.faults import NO_ROOM, disk_failed, disk_full
from pos_app.selling.catalogue.last_change import ChangedArticle, ChangeKind, LastChange

NAME = "last-change.jsonl"


def last_change_file(data: Path) -> Path:
    """Where it lies in a data folder."""
    return data / CATALOGUE.parent / NAME


class ChangeFile:
    """A change that is being made: the port `selling.catalogue.last_change.ChangeLog`. It takes the
    place of the one before it once anything of it is kept."""

    def __init__(self, path: Path, *, kind: ChangeKind, name: str, by: str, at: datetime) -> None:
        self._path = path
        self._head = {"kind": kind.value, "name": name, "by": by, "at": at.isoformat()}
        self._file: io.FileIO | None = None

    def keep(self, changed: Sequence[ChangedArticle], categories: Mapping[str, str]) -> None:
        if not changed and not categories:
            return
        lines: list[object] = [
            [one.product_id, one.article_id, None if one.before is None else dict(one.before),
             dict(one.after)]
            for one in changed
        ]  # fmt: skip
        if categories:
            lines.append({"categories": dict(categories)})
        try:
            self._write(lines)
        except OSError as error:
            raise (disk_full if error.errno in NO_ROOM else disk_failed)(error) from error

    def _write(self, lines: Sequence[object]) -> None:
        """All of them or none."""
        if self._file is None:
            self._file = self._path.open("wb", buffering=0)
        file, whole, begun = self._file, self._file.tell(), io.BytesIO()
        for line in lines if whole else (self._head, *lines):
            write_line(begun, line)
        try:
            rest = memoryview(begun.getvalue())
            while rest:
                rest = rest[file.write(rest) :]
            os.fsync(file.fileno())
        except OSError:
            with contextlib.suppress(OSError):
                file.truncate(whole)
                file.seek(whole)
            raise

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def read_last_change(path: Path) -> LastChange | None:
    """What was done last; None where nothing can be taken back."""
    head, lines = None, 0
    for line in _lines(path):
        if head is None:
            head = line
        lines += isinstance(line, list)
    if head is None or not lines:
        return None
    kind, at = ChangeKind(head["kind"]), datetime.fromisoformat(head["at"])
    return LastChange(kind, head["name"], head["by"], at, lines)


def changed_articles(path: Path) -> tuple[list[ChangedArticle], dict[str, str]]:
    """What became of the articles, the last one first, and the categories that were made."""
    found: list[ChangedArticle] = []
    categories: dict[str, str] = {}
    for line in _lines(path):
        if isinstance(line, list):
            found.append(ChangedArticle(*line))
        elif "categories" in line:
            categories |= line["categories"]
    return found[::-1], categories


def _lines(path: Path) -> Iterator[Any]:
    """All whole lines: the last one of a till that was killed may be cut."""
    try:
        with path.open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    return
                yield read_line(line)
    except FileNotFoundError:
        return
