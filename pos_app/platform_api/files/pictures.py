"""Makes an uploaded picture ready to be stored: upright, in sRGB, without metadata, in all sizes.

Every picture is encoded anew from its pixels, so that nothing hidden in a file is served. Sizes fit
inside their square, keep the aspect and are never larger than the original.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from io import BytesIO
from typing import Any

from PIL import Image, ImageCms

from pos_app.errors import Invalid
from pos_app.http_front.errors import InvalidPart
from pos_app.lazy_dataclass import dataclass

ORIGINAL = "original"
SIDES = (1024, 512, 256, 128, 64)
"""The sides of the squares that the sizes fit in, in pixels, the largest first."""
SIZES = (ORIGINAL, *(f"{side}x{side}" for side in reversed(SIDES)))
MOST_PIXELS = 40_000_000
LONGEST_SIDE = 16_383
JPEG, PNG, WEBP, GIF = MIMETYPES = ("image/jpeg", "image/png", "image/webp", "image/gif")
_UNTOLD = "application/octet-stream"
"""What programs send that do not tell the type of a file, as generated clients: its bytes tell."""
ENDINGS: Mapping[str, str] = {JPEG: "jpg", PNG: "png", WEBP: "webp"}
_OF_FORMAT = {"JPEG": JPEG, "MPO": JPEG, "PNG": PNG, "WEBP": WEBP, "GIF": GIF}
_OTHER_NAMES = {"image/jpg": JPEG, "image/pjpeg": JPEG}
_FAULTS = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    IndexError,
    KeyError,
    TypeError,
    struct.error,
)
_FAULTS_OF_CODECS = (*_FAULTS, zlib.error, Image.DecompressionBombError)
"""Pillow's errors for damaged files."""
_ORIENTATION = 0x0112
_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_PNG_HEAD = b"\x89PNG\r\n\x1a\n"
_MOST_PROFILE_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Picture:
    """A stored picture: for each name of SIZES its bytes."""

    mimetype: str
    sized_mimetype: str
    sizes: Mapping[str, bytes]


def given_mimetype(header: str) -> str:
    """Return the type in the header Content-Type, which may be that of any bytes. Raises Invalid
    for an unknown one."""
    mimetype = header.partition(";")[0].strip().lower()
    mimetype = _OTHER_NAMES.get(mimetype, mimetype)
    if mimetype not in {*MIMETYPES, _UNTOLD}:
        raise InvalidPart(
            "mimetype", field="Content-Type", source="headers", allowed=", ".join(MIMETYPES)
        )
    return mimetype


def read_picture(content: bytes, mimetype: str) -> Picture:
    """Read a JPEG, PNG, WebP or GIF file; a moving picture gives its first frame. mimetype: the
    sender's media type. Reading may take seconds, so it is run in a thread. Raises Invalid naming
    `file`, or the header with another type."""
    source = _opened(content)
    found = _OF_FORMAT[str(source.format)]
    if mimetype not in {found, _UNTOLD}:
        raise InvalidPart("other_mimetype", field="Content-Type", source="headers", found=found)
    _check_size(*source.size)
    try:
        source.load()
    except _FAULTS_OF_CODECS as error:
        raise _damaged(error) from error
    plain, is_untouched = _plain(source)
    kept = PNG if found == GIF else found
    sized = PNG if plain.mode == "RGBA" else JPEG
    as_sent = _without_extras(source) if is_untouched else None
    sizes = {ORIGINAL: as_sent or _encoded(plain, kept)}
    for side in SIDES:
        plain.thumbnail((side, side), Image.Resampling.LANCZOS, reducing_gap=3.0)
        sizes[f"{side}x{side}"] = _encoded(plain, sized)
    return Picture(kept, sized, sizes)


def _opened(content: bytes) -> Image.Image:
    if size := _webp_size(content):
        _check_size(*size)  # its decoder takes the memory at once
    try:
        return Image.open(BytesIO(content), formats=("JPEG", "PNG", "WEBP", "GIF"))
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _too_large() from error
    except _FAULTS_OF_CODECS as error:
        if content.startswith(_PNG_HEAD):
            raise _damaged(error) from error
        raise _no_picture("must be a JPEG, PNG, WebP or GIF picture") from error


def _damaged(error: Exception) -> Invalid:
    """Return the error of a damaged picture. Only the words of Pillow's error show that a PNG has
    too much text."""
    if isinstance(error, ValueError) and "MAX_TEXT" in str(error):
        most = "1 MB a piece and 64 MB in all, unpacked, are the most"
        return _no_picture(f"has too much text in it: {most}")
    return _no_picture("is damaged or cut off")


def _webp_size(content: bytes) -> tuple[int, int] | None:
    """Return width and height from the head of a WebP file, or None for another file."""
    if content[:4] != b"RIFF" or content[8:12] != b"WEBP" or len(content) < 30:
        return None
    match content[12:16]:
        case b"VP8X":
            wide, high = content[24:27], content[27:30]
            return 1 + int.from_bytes(wide, "little"), 1 + int.from_bytes(high, "little")
        case b"VP8L":
            bits = int.from_bytes(content[21:25], "little")
            return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        case _:
            wide, high = content[26:28], content[28:30]
            return (
                int.from_bytes(wide, "little") & 0x3FFF,
                int.from_bytes(high, "little") & 0x3FFF,
            )


def _check_size(width: int, height: int) -> None:
    if width * height > MOST_PIXELS or max(width, height) > LONGEST_SIDE:
        raise _too_large()


def _plain(source: Image.Image) -> tuple[Image.Image, bool]:
    """Return the picture as RGB or RGBA in sRGB, upright, and whether it was so already."""
    orientation = _orientation(source)
    profile = source.info.get("icc_profile")
    plain = _in_srgb(source, profile) if profile else source
    is_untouched = plain is source and orientation not in _UPRIGHT and not profile
    if plain.mode.startswith("I"):  # it has 16 bits
        plain = plain.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    has_alpha = plain.mode in {"RGBA", "LA", "PA", "RGBa", "La"} or "transparency" in plain.info
    mode = "RGBA" if has_alpha else "RGB"
    if plain.mode != mode:  # an equal mode would be copied for nothing
        plain = plain.convert(mode)
    if has_alpha and plain.getchannel("A").getextrema() == (255, 255):
        plain = plain.convert("RGB")
    if orientation in _UPRIGHT:
        plain = plain.transpose(_UPRIGHT[orientation])
    plain.info.clear()
    return plain, is_untouched


def _orientation(source: Image.Image) -> Any:
    try:
        return source.getexif().get(_ORIENTATION, 1)
    except _FAULTS_OF_CODECS:
        return 1


def _in_srgb(source: Image.Image, profile: bytes) -> Image.Image:
    """Convert the picture to sRGB; it stays as it is with a useless profile."""
    if len(profile) > _MOST_PROFILE_BYTES or source.mode not in {"RGB", "RGBA", "CMYK", "L"}:
        return source
    mode = "RGBA" if source.mode == "RGBA" else "RGB"
    try:
        known = ImageCms.ImageCmsProfile(BytesIO(profile))
        made = ImageCms.profileToProfile(
            source, known, ImageCms.createProfile("sRGB"), outputMode=mode
        )
    except (ImageCms.PyCMSError, *_FAULTS):
        return source
    return source if made is None else made


def _without_extras(source: Image.Image) -> bytes | None:
    """Return the same pixels without metadata, where the format can hold them as they are."""
    if source.format == "PNG":
        return _png(source)
    if source.format == "JPEG" and source.mode in {"RGB", "L"}:
        out = BytesIO()
        source.save(out, "JPEG", quality="keep", exif=b"", icc_profile=None, comment=b"")
        return out.getvalue()
    return None


def _png(picture: Image.Image) -> bytes:
    """Encode the same colours. No chunk of the file is kept: other data may follow the pixels in
    one, or stand in the last one."""
    transparency = picture.info.get("transparency")
    picture.info = {} if transparency is None else {"transparency": transparency}
    return _encoded(picture, PNG)


def _encoded(picture: Image.Image, mimetype: str) -> bytes:
    out = BytesIO()
    if mimetype == JPEG:
        picture.save(out, "JPEG", quality=88, optimize=True, progressive=True)
    elif mimetype == WEBP:
        picture.save(out, "WEBP", quality=92)
    else:
        picture.save(out, "PNG", compress_level=4)
    return out.getvalue()


def _no_picture(words: str) -> Invalid:
    return Invalid("words", field="file", words=words)


def _too_large() -> Invalid:
    return _no_picture(
        f"must have no more than {MOST_PIXELS // 1_000_000} million pixels"
        f" and sides of at most {LONGEST_SIDE}"
    )
