"""Pictures as callers send them, and pictures as nobody should send them."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO

from PIL import Image

MARK = "Кнез Михаилова 6, GPS 44.8"
"""Metadata that must not be served."""
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
HTML = b"<!doctype html><script>alert(1)</script>"


def picture(
    kind: str,
    *,
    size: tuple[int, int] = (300, 200),
    mode: str = "RGB",
    orientation: int = 0,
    frames: int = 1,
) -> bytes:
    """Return a file of that format, red in its upper left quarter, with metadata."""
    drawn = Image.new("RGBA", size, (0, 0, 255, 255) if mode != "RGBA" else (0, 0, 255, 0))
    drawn.paste((255, 0, 0, 255), (0, 0, size[0] // 2, size[1] // 2))
    image = drawn.convert(mode if mode != "I;16" else "L").convert(mode)
    exif = Image.Exif()
    exif[0x010E] = MARK
    if orientation:
        exif[0x0112] = orientation
    out = BytesIO()
    more = [Image.new(mode, size)] * (frames - 1)
    if kind in {"JPEG", "WEBP", "PNG"}:
        image.save(out, kind, exif=exif.tobytes(), quality=90)
    else:
        image.save(out, kind, save_all=frames > 1, append_images=more, comment=MARK)
    return out.getvalue()


def opened(content: bytes) -> Image.Image:
    image = Image.open(BytesIO(content))
    image.load()
    return image


def with_text(png: bytes, size: int, *, at_end: bool = False) -> bytes:
    """Return a PNG with that many letters of packed text, before its pixels or after them."""
    text = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"A" * size, 9))
    at = -12 if at_end else 33
    return png[:at] + text + png[at:]


def chunk(kind: bytes, data: bytes) -> bytes:
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def png_of(width: int, height: int) -> bytes:
    """Return a file of some hundred bytes whose header states that many pixels."""
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    pixels = zlib.compress(b"\0" * 100_000, 9)
    parts = chunk(b"IHDR", head), chunk(b"IDAT", pixels), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def gif_of(width: int, height: int) -> bytes:
    screen = b"GIF89a" + struct.pack("<HH", width, height) + b"\x80\0\0\0\0\0\xff\xff\xff"
    frame = b"," + struct.pack("<HHHH", 0, 0, width, height) + b"\0\x02\x02D\x01\0;"
    return screen + frame


def webp_of(width: int, height: int) -> bytes:
    """Return only the header of a file, with a canvas of that size."""
    sides = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    body = b"WEBPVP8X" + struct.pack("<I", 10) + b"\0\0\0\0" + sides
    return b"RIFF" + struct.pack("<I", len(body)) + body
