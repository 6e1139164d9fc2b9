"""Product photos in the catalogue's folder of files: those of a list, and those a manager chose."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from io import BytesIO
from pathlib import Path

from pos_app import log
from pos_app.domain.article.product import File
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass

LARGEST = 20 * 1024 * 1024
"""Bytes of a photo."""
SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif"})

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class LocalPhoto:
    """A photo on this machine. name: its file, named by its content."""

    file_id: str
    name: str
    size: int
    digest: bytes


def copy_pictures(files: Iterable[File], *, beside: Path, into: Path) -> Iterator[LocalPhoto]:
    """Copy each photo whose "original" is a path beside the list; others are passed over.

    A path that leads out of that folder is never followed. The number of missing photos is logged.
    Raises OSError of the target folder.
    """
    into.mkdir(parents=True, exist_ok=True)
    missing: list[str] = []
    for file in files:
        address = dict(file.urls).get("original", "")
        if not address or ":" in address:
            continue
        content = _content(address, beside)
        if content is None:
            missing.append(address)
            continue
        digest = blake2b(content, digest_size=16).digest()
        name = digest.hex() + Path(address).suffix.lower()
        _write(into / name, content)
        yield LocalPhoto(file.id, name, len(content), digest)
    if missing:
        values = {"count": len(missing), "first": missing[0]}
        _log.warning("photos of the list are not beside it, or no photos", extra={"fields": values})


def _content(address: str, beside: Path) -> bytes | None:
    """Return the photo when it is a readable file of a known kind within that folder."""
    if "\\" in address or "\0" in address:
        return None
    path = (beside / address).resolve()
    inside = path.is_relative_to(beside.resolve()) and path.suffix.lower() in SUFFIXES
    try:
        if inside and path.is_file() and path.stat().st_size <= LARGEST:
            return path.read_bytes()
    except OSError as error:
        _log.debug("a photo can't be read: %s", error)
    return None


def is_as_noted(photo: LocalPhoto, folder: Path) -> bool:
    """Tell whether its file has the noted content. Raises FileNotFoundError, other OSError."""
    content = (folder / photo.name).read_bytes()
    return blake2b(content, digest_size=16).digest() == photo.digest


def _write(path: Path, content: bytes) -> None:
    """Write the photo beside and rename it: no reader sees half a photo, no full disk keeps a
    part. A damaged file of its name is replaced."""
    if path.exists() and path.read_bytes() == content:
        return
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_bytes(content)
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


# --- a photo that a manager chose ----------------------------------------------------------------

LONGEST_SIDE = 1024
"""Pixels to which a photo is made smaller; a tile shows 300."""
MOST_PIXELS = 60_000_000


def keep_photo(source: Path, *, file_id: str, into: Path) -> LocalPhoto:
    """Make a photo small enough, and put it beside the others. Raises Invalid for no photo."""
    from PIL import Image, ImageOps  # noqa: PLC0415 - 40 ms, and only a manager chooses photos

    try:
        if source.stat().st_size > LARGEST:
            raise Invalid("picture_large.bytes")
        with Image.open(source) as opened:
            if opened.width * opened.height > MOST_PIXELS:
                raise Invalid("picture_large.pixels")
            upright = ImageOps.exif_transpose(opened)
            has_holes = "A" in upright.getbands() or "transparency" in upright.info
            photo = upright.convert("RGBA" if has_holes else "RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise Invalid("no_picture") from error
    photo.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    made, suffix = BytesIO(), ".png" if has_holes else ".jpg"
    photo.save(made, "PNG" if has_holes else "JPEG", quality=88)
    content = made.getvalue()
    digest = blake2b(content, digest_size=16).digest()
    into.mkdir(parents=True, exist_ok=True)
    name = digest.hex() + suffix
    _write(into / name, content)
    return LocalPhoto(file_id, name, len(content), digest)
