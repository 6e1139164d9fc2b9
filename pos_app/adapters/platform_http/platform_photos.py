"""Photos between `catalogue.db` and a platform: those that a manager chose here, and those of the
platform that a person sees, which are few and small, and are kept for a while."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path

import apsw

from pos_app import log
from pos_app.adapters.catalogue_files.catalogue_pictures import LocalPhoto
from pos_app.adapters.platform_http.client import PlatformClient
from pos_app.adapters.sqlite.catalogue import lists
from pos_app.adapters.sqlite.catalogue.rows import FILES, SEEN
from pos_app.adapters.sqlite.catalogue.writer import open_writer
from pos_app.domain.article.product import File, Product
from pos_app.errors import NotDelivered, RemoteError
from pos_app.selling.synchronisation.catalogue_edits import photos_of

MOST_BYTES = 200_000_000
"""The limit for all photos that were brought from the platform; the oldest go first."""
_AT_ONCE = 8
PIXELS = 256
"""The requested width: a tile at 150 % on a dense screen."""
LARGEST = 4 * 1024 * 1024
"""Bytes of a photo; a larger one is left out."""
_KINDS: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", ".png"),
    (b"\xff\xd8\xff", ".jpg"),
    (b"GIF8", ".gif"),
)
"""The first bytes of a file show its kind, never its name or the platform's words."""

_log = log.get(__name__)


def fetch_pictures(
    client: PlatformClient, files: Iterable[File], *, into: Path
) -> Iterator[LocalPhoto]:
    """Bring each photo. A photo that can't be had is passed over; without a connection all further
    photos are. Raises OSError of the folder."""
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
    """Return the oldest brought photos, without which the others have at most `most` bytes."""
    seen = [(path, path.stat()) for path in folder.glob(f"{SEEN}*")]
    seen.sort(key=lambda entry: -entry[1].st_mtime)
    kept, over = 0, []
    for path, state in seen:
        kept += state.st_size
        if kept > most:
            over.append(path)
    return over


class OwnPhotos:
    """Photos that a manager chose at this till. folder: the folder of `catalogue.db`."""

    def __init__(self, connection: apsw.Connection, folder: Path) -> None:
        self._connection = connection
        self._folder = folder / FILES

    def path_of(self, file_id: str) -> Path | None:
        """Return the path of a photo that was chosen here, or None for any other."""
        name = lists.own_picture(self._connection, file_id)
        return None if name is None else self._folder / name

    def of(self, product: Product) -> dict[str, Path]:
        found = {one: self.path_of(one) for one in photos_of(product)}
        return {one: path for one, path in found.items() if path is not None}

    def kept(self, product: Product) -> dict[str, Path]:
        """Return the paths of all photos that are on this machine, the platform's too."""
        names = {one: lists.picture_name(self._connection, one) for one in photos_of(product)}
        return {one: self._folder / name for one, name in names.items() if name is not None}

    def uploaded(self, file_id: str, theirs: str) -> None:
        """Note the platform's id of a photo, so that a retry does not send it again."""
        name = lists.picture_name(self._connection, file_id)
        if name is not None and theirs:
            kept = self._folder / f"{SEEN}{name.removeprefix(SEEN)}"
            if not kept.exists():
                shutil.copyfile(self._folder / name, kept)
            lists.rename_photo(self._connection, file_id, theirs, name=kept.name)


def bring_missing(client: PlatformClient, catalogue: Path, product_ids: Sequence[str]) -> int:
    """Bring the photos of these products that are not beside `catalogue`, and return their number.
    Raises what the catalogue raises, OSError of the folder."""
    folder = catalogue.parent / FILES
    came = 0
    connection = open_writer(catalogue, durable=False)
    try:
        files = lists.missing_covers(connection, product_ids)
        for start in range(0, len(files), _AT_ONCE):  # so that the first are seen soon
            some = tuple(fetch_pictures(client, files[start : start + _AT_ONCE], into=folder))
            lists.note_pictures(connection, some)
            came += len(some)
        over = too_many(folder, most=MOST_BYTES) if came else []
        lists.forget_pictures(connection, [one.name for one in over])
        for one in over:
            one.unlink(missing_ok=True)
    finally:
        connection.close()
    return came
