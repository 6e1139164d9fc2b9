"""Drawing QR codes: for answers as the law's GIF, for paper as modules.

Source: fiscal.md 4: GIF89a, error correction L, byte mode, 4 px a module, no quiet zone.
"""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from pos_app.adapters.qr_symbol import Symbol, symbol

GIF_MODULE_PX = 4

_BLACK_IS_0 = bytes.maketrans(b"01", b"\xff\x00")


def code(text: str) -> Symbol:
    """The modules of a text's code, without a quiet zone.

    Raises Invalid for an empty text and for one that no code can hold (2,953 bytes).
    """
    return symbol(text.encode())


def draw_gif(text: str) -> bytes:
    """The code as a receipt's answer carries it; equal texts give equal bytes. Raises Invalid."""
    picture = draw_image(code(text), module_px=GIF_MODULE_PX)
    out = BytesIO()
    # Without something that only GIF89a has, Pillow writes the older GIF87a.
    picture.save(out, "GIF", comment=b"QR")
    return out.getvalue()


def draw_image(code: Symbol, *, module_px: int) -> Image.Image:
    """Black and white, one bit a pixel, `module_px` pixels a module, no quiet zone."""
    pixels = code.modules.translate(_BLACK_IS_0)
    small = Image.frombytes("L", (code.side, code.side), pixels)
    side = code.side * module_px
    return small.resize((side, side), Image.Resampling.NEAREST).convert(
        "1", dither=Image.Dither.NONE
    )
