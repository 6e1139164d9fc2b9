"""Copying product photos that lie beside a list into the catalogue's folder of files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from pos_app import log
from pos_app.domain.product import File

LARGEST = 20 * 1024 * 1024
"""Bytes of a photo; a larger one is left out."""
SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif"})

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class Picture:
    """A photo that lies here. name: its file, named by what is in it."""

    file_id: str
    name: str
    size: int
    digest: bytes


def copy_pictures(files: Iterable[File], *, beside: Path, into: Path) -> Iterator[Picture]:
    """Copy each photo whose "original" is a path beside the list; others are passed over.

    A path that leads out of that folder is never followed. Raises OSError of the target folder.
    """
    into.mkdir(parents=True, exist_ok=True)
    for file in files:
        source = _source(file, beside)
        if source is None:
            continue
        try:
            content = source.read_bytes()
        except OSError as error:
            _log.warning("a photo can't be read", extra={"fields": {"file": file.id, "why": error}})
            continue
        digest = blake2b(content, digest_size=16).digest()
        name = digest.hex() + source.suffix.lower()
        _write(into / name, content)
        yield Picture(file.id, name, len(content), digest)


def _source(file: File, beside: Path) -> Path | None:
    """The photo's path, when it is a file of a known kind within that folder."""
    address = dict(file.urls).get("original", "")
    if not address or ":" in address or "\\" in address or "\0" in address:
        return None
    path = (beside / address).resolve()
    inside = path.is_relative_to(beside.resolve()) and path.suffix.lower() in SUFFIXES
    return path if inside and path.is_file() and path.stat().st_size <= LARGEST else None


def _write(path: Path, content: bytes) -> None:
    """Written beside and renamed: no reader sees half a photo."""
    if path.exists() and path.stat().st_size == len(content):
        return
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_bytes(content)
    draft.replace(path)
