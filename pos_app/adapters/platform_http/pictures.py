"""Brings photos of the platform when a person sees their product: small, few, kept for a while.

The first bytes of a file show its kind, never its name or the platform's words.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path

from pos_app import log
from pos_app.adapters.catalogue_files.catalogue_pictures import LocalPhoto
from pos_app.adapters.platform_http.client import PlatformClient
from pos_app.adapters.sqlite.catalogue.rows import SEEN
from pos_app.domain.product import File
from pos_app.errors import NotDelivered, RemoteError

PIXELS = 256
"""The requested width: a tile at 150 % on a dense screen."""
LARGEST = 4 * 1024 * 1024
"""Bytes of a photo; a larger one is left out."""
_KINDS: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", ".png"),
    (b"\xff\xd8\xff", ".jpg"),
    (b"GIF8", ".gif"),
)

_log = log.get(__name__)


def fetch_pictures(
    client: PlatformClient, files: Iterable[File], *, into: Path
) -> Iterator[LocalPhoto]:
    """Bring each photo. One that can't be had is passed over; without a connection the rest is too.

    Raises OSError of the folder.
    """
    into.mkdir(parents=True, exist_ok=True)
    for file in files:
        address = file.url(PIXELS)
        if address is None:
            continue
        try:
            content = client.fetch(address, most=LARGEST)
        except NotDelivered:
            return
        except RemoteError as error:
            _log.warning("a photo can't be had", extra={"fields": {"file": file.id, "why": error}})
            continue
        suffix = _suffix(content)
        if suffix is None:
            _log.warning("a photo is none", extra={"fields": {"file": file.id}})
            continue
        digest = blake2b(content, digest_size=16).digest()
        name = f"{SEEN}{digest.hex()}{suffix}"
        draft = into / f".{name}.{os.getpid()}"
        draft.write_bytes(content)
        draft.replace(into / name)
        yield LocalPhoto(file.id, name, len(content), digest)


def _suffix(content: bytes) -> str | None:
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return ".webp"
    return next((suffix for begin, suffix in _KINDS if content.startswith(begin)), None)


def too_many(folder: Path, *, most: int) -> list[Path]:
    """Return the photos that were brought longest ago, without which the others have at most so
    many bytes."""
    seen = [(path, path.stat()) for path in folder.glob(f"{SEEN}*")]
    seen.sort(key=lambda one: -one[1].st_mtime)
    kept, over = 0, []
    for path, state in seen:
        kept += state.st_size
        if kept > most:
            over.append(path)
    return over
