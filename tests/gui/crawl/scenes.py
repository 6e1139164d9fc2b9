"""Every scene of the till by room and name, and its shapes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from zlib import crc32

from PySide6.QtWidgets import QApplication, QWidget

from pos_app.cashier.texts.lookup import LANGUAGES, Language
from pos_app.cashier.ui.metrics import TouchMm
from pos_app.cashier.ui.tokens import ThemeName
from tests.gui import pictures
from tests.gui.advances import screens as advances
from tests.gui.attention import screens as attention
from tests.gui.catalogue import screens as catalogue
from tests.gui.closing import screens as closing
from tests.gui.correction import screens as correction
from tests.gui.customer_display import screens as customer_display
from tests.gui.exchange import screens as exchange
from tests.gui.first_start import screens as first_start
from tests.gui.payment import screens as payment
from tests.gui.receipts import screens as receipts
from tests.gui.refund import screens as refund
from tests.gui.reports import screens as reports
from tests.gui.settings import screens as settings
from tests.gui.shift import screens as shift
from tests.gui.sign_in import screens as sign_in
from tests.gui.ui.components import components
from tests.gui.window import screens as window

SIZES = ((1024, 768), (1366, 768), (1920, 1080))
TOUCHES: tuple[tuple[TouchMm, int], ...] = ((9, 100), (12, 100), (15, 100), (15, 150))
"""Touch sizes with the text sizes: the usual one, and the extremes of both."""
WRITTEN: Language = "sr-Cyrl"
"""The language of scenes whose words are fixed in the code."""


def _shape(
    language: Language,
    theme: ThemeName,
    size: tuple[int, int],
    touch_text: tuple[TouchMm, int],
    *,
    as_list: bool,
) -> pictures.Shape:
    touch, text = touch_text
    large = "" if text == 100 else f"-{text}%"
    name = f"{language}-{theme}-{size[0]}x{size[1]}-{touch}mm{large}"
    return pictures.Shape(name, *size, theme, touch, text, language, as_list)


SHARES = 32
"""Parts into which the scenes are divided, so that a test looks at one of them."""


@dataclass(frozen=True, slots=True)
class Scene:
    room: str
    name: str
    posed: pictures.Posed
    languages: tuple[Language, ...] = LANGUAGES
    as_list: bool = False
    """Whether the picker is a list; otherwise it shows tiles."""
    touch_text: tuple[tuple[TouchMm, int], ...] = TOUCHES

    @property
    def title(self) -> str:
        return f"{self.room}-{self.name}{'-list' if self.as_list else ''}"

    def shapes(self) -> list[pictures.Shape]:
        """Every shape in the light theme. The dark one changes colours and moves nothing, as a test
        holds, so that each size is seen in it once."""
        light = product(self.languages, SIZES, self.touch_text)
        dark = zip(SIZES, self.touch_text, strict=False)
        return [
            *(
                _shape(one, "light", size, touch, as_list=self.as_list)
                for one, size, touch in light
            ),
            *(_shape(WRITTEN, "dark", size, touch, as_list=self.as_list) for size, touch in dark),
        ]

    def share(self) -> pictures.Shape:
        """The scene's one shape of a share: it differs from scene to scene and is the same in each
        run."""
        shapes = self.shapes()
        return shapes[crc32(self.title.encode()) % len(shapes)]

    def is_in_share(self, number: int) -> bool:
        """Whether the scene belongs to the share with that number, from 0."""
        return crc32(self.title.encode()[::-1]) % SHARES == number


@contextmanager
def _look_posed(application: QApplication, shape: pictures.Shape, _: str) -> Iterator[QWidget]:
    with pictures.styled(application, pictures.look_of(shape)) as look:
        made = components(look)
        made.setMinimumWidth(GALLERY_WIDTH)
        pictures.open_window(made, shape)
        pictures.settle()
        yield made
        pictures.let_go(made)


USUAL_TEXT = TOUCHES[:3]
"""A sheet of examples folds nothing: the till's own screens show the effect of large type."""

GALLERY_WIDTH = 1100
"""Of the sheet of components, which stand side by side on no screen."""

LISTED = ("sale", "search", "removed", "keyboard")
"""Scenes of the sale whose picker is looked at as a list too."""

SCENES: tuple[Scene, ...] = (
    *(Scene("sale", name, window.posed) for name in window.SCENES),
    *(Scene("sale", name, window.posed, as_list=True) for name in LISTED),
    *(Scene("payment", name, payment.posed) for name in payment.SCENES),
    *(Scene("attention", name, attention.posed) for name in attention.SCENES),
    *(Scene("receipts", name, receipts.posed) for name in receipts.SCENES),
    *(Scene("refund", name, refund.posed) for name in refund.SCENES),
    *(Scene("correction", name, correction.posed) for name in correction.SCENES),
    *(Scene("exchange", name, exchange.posed) for name in exchange.SCENES),
    *(Scene("shift", name, shift.posed) for name in shift.SCENES),
    *(Scene("sign_in", name, sign_in.posed) for name in sign_in.SCENES),
    *(Scene("closing", name, closing.posed) for name in closing.SCENES),
    *(Scene("advances", name, advances.posed) for name in advances.SCENES),
    *(Scene("reports", name, reports.posed) for name in reports.SCENES),
    *(Scene("catalogue", name, catalogue.posed) for name in catalogue.SCENES),
    *(Scene("settings", name, settings.posed) for name in settings.SCENES),
    *(Scene("first_start", name, first_start.posed) for name in first_start.SCENES),
    *(
        Scene("display", name, customer_display.posed, touch_text=TOUCHES[:1])
        for name in customer_display.SCENES
    ),
    Scene("look", "components", _look_posed, (WRITTEN,), touch_text=USUAL_TEXT),
)
