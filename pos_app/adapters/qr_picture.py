"""Draws QR codes as pictures: the law's GIF for answers, black and white for paper.

Sources: fiscal.md 4: GIF89a, error correction L, byte mode, 4 px a module, no quiet zone.
"""

from __future__ import annotations

from io import BytesIO

# segno and the GIF module are loaded with the program. They would be loaded for the first picture,
# when an upgrade may already have removed their files.
import segno  # noqa: F401
from PIL import GifImagePlugin, Image

from pos_app.documents.qr_code import Symbol, code
from pos_app.errors import MachineError

GIF_MODULE_PX = 4

_BLACK_IS_0 = bytes.maketrans(b"01", b"\xff\x00")


def draw_gif(text: str) -> bytes:
    """Draw the code as a receipt's answer carries it; equal texts give equal bytes. Raises Invalid,
    and MachineError where the drawing library is not whole."""
    drawn = code(text)
    out = BytesIO()
    try:
        picture = draw_image(drawn, module_px=GIF_MODULE_PX)
        # Without a feature that only GIF89a has, Pillow writes the older GIF87a.
        picture.save(out, GifImagePlugin.GifImageFile.format, comment=b"QR")
    except (ImportError, LookupError, OSError, SyntaxError, ValueError) as error:
        raise MachineError("picture", why=error) from error
    return out.getvalue()


def draw_image(code: Symbol, *, module_px: int) -> Image.Image:
    """Draw the code black on white: one bit a pixel, `module_px` pixels a module, no quiet zone."""
    pixels = code.modules.translate(_BLACK_IS_0)
    small = Image.frombytes("L", (code.side, code.side), pixels)
    side = code.side * module_px
    return small.resize((side, side), Image.Resampling.NEAREST).convert(
        "1", dither=Image.Dither.NONE
    )
