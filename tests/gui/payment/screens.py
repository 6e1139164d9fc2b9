"""Pictures of the payment: `python -m tests.gui.payment.screens FOLDER`.

Each state in light and dark, 1366×768 and 1024×768, and 15 mm touch size; the cart beside it is
the look's example, the panel is the real one over a real till.db.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QApplication, QWidget

from pos_app.cashier.look.fonts import load_fonts
from pos_app.cashier.look.look import Look
from pos_app.cashier.look.metrics import TouchMm, measure
from pos_app.cashier.look.style import Style
from pos_app.cashier.look.tokens import ThemeName
from pos_app.cashier.payment.faults import Place
from pos_app.cashier.payment.view import PaymentPanel
from pos_app.cashier.texts import Language, Words
from pos_app.domain.payment import PaymentMethod
from pos_app.domain.tax import TaxLabel
from pos_app.resources import folder
from pos_app.selling.basket import DocumentKind
from tests.gui.look.screens import cart_column, frame
from tests.gui.payment.shop import Shop, named

Scene = Callable[[Shop, PaymentPanel], None]


def typed(panel: PaymentPanel, keys: str) -> None:
    """Keys of the pad."""
    stage = panel._stage
    assert stage is not None
    for key in keys:
        stage.board.pad.key(key).click()


def empty(shop: Shop, panel: PaymentPanel) -> None:
    """Nothing given yet."""


def mixed(shop: Shop, panel: PaymentPanel) -> None:
    """As in the picture: card and cash, change."""
    panel._choose(PaymentMethod.CARD)
    typed(panel, "1000")
    panel._choose(PaymentMethod.CASH)
    typed(panel, "1000")


def remaining(shop: Shop, panel: PaymentPanel) -> None:
    """A card has paid a part."""
    panel._choose(PaymentMethod.CARD)
    typed(panel, "1000")


def excess(shop: Shop, panel: PaymentPanel) -> None:
    """The card exceeds the receipt."""
    panel._choose(PaymentMethod.CARD)
    typed(panel, "2000")


def scanned(shop: Shop, panel: PaymentPanel) -> None:
    """A scan during payment."""
    mixed(shop, panel)
    assert panel.model is not None
    bread = named("Хлеб ражани 400 g", "429.99")
    panel.basket_changed(shop.add(panel.model.basket, bread))


def buyer(shop: Shop, panel: PaymentPanel) -> None:
    """A buyer with a digit missing."""
    panel.open_page(Place.BUYER)
    assert panel._form is not None
    panel._form.number.set_text("10987654")


def corporate(shop: Shop, panel: PaymentPanel) -> None:
    """A corporate card, and a PIB that looks mistyped."""
    panel.open_page(Place.BUYER)
    assert panel._form is not None
    panel._form.number.set_text("123456789")
    panel._form.corporate.click()


def delivery(shop: Shop, panel: PaymentPanel) -> None:
    """The page of delivery."""
    panel.open_page(Place.DELIVERY)


def discount(shop: Shop, panel: PaymentPanel) -> None:
    """The page of the discount."""
    panel.open_page(Place.DISCOUNT)
    assert panel._form is not None
    panel._form.value.set_text("10")


def text(shop: Shop, panel: PaymentPanel) -> None:
    """The page of the text."""
    panel.open_page(Place.TEXT)
    assert panel._form is not None
    panel._form.edit.setPlainText("Хвала на поверењу.\nРекламације у року од 8 дана.")


def advance(shop: Shop, panel: PaymentPanel) -> None:
    """The page of an advance of unknown amount."""
    panel.begin(shop.basket(DocumentKind.ADVANCE))
    panel.open_page(Place.ADVANCE)
    form = panel._form
    assert form is not None
    form.amount.set_text("1000")
    form.final.chosen.emit(1)
    form.final.set_current(1)
    form.parts[TaxLabel.E].set_text("600")
    form.parts[TaxLabel.DJ].set_text("300")


def numbers(shop: Shop, panel: PaymentPanel) -> None:
    """The folded pad, opened."""
    remaining(shop, panel)
    panel._toggle_numbers()


def refused(shop: Shop, panel: PaymentPanel) -> None:
    """The cart was changed behind the panel's back."""
    assert panel.model is not None
    shop.add(panel.model.basket, named("Переца", "45.00"))
    panel._choose(PaymentMethod.CARD)
    panel._press_issue()


SCENES: tuple[Scene, ...] = (
    mixed, empty, remaining, excess, scanned, buyer, corporate, delivery, discount, text,
    advance, refused,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shape:
    """How a picture is taken."""

    name: str
    width: int
    height: int
    theme: ThemeName
    touch: TouchMm = 12
    text: int = 100
    language: Language = "sr-Cyrl"


SHAPES = (
    Shape("1366-light", 1366, 768, "light"),
    Shape("1366-dark", 1366, 768, "dark"),
    Shape("1024-light", 1024, 768, "light"),
    Shape("1024-dark-latin", 1024, 768, "dark", language="sr-Latn"),
    Shape("1024-15mm", 1024, 768, "light", touch=15),
    Shape("1024-150", 1024, 768, "light", text=150, language="en"),
)


def picture(application: QApplication, out: Path, shape: Shape, scene: Scene) -> None:
    """One state in one shape, as a PNG."""
    metrics = measure(touch_mm=shape.touch, text_percent=shape.text, width=shape.width)
    look = Look(theme=shape.theme, metrics=metrics)
    style = Style(application, look)
    with tempfile.TemporaryDirectory() as made:
        shop = Shop(Path(made))
        words = Words(shape.language)
        panel = PaymentPanel(shop.counter, words, look)
        window: QWidget = frame(look, cart_column(look, shape.width, touched=False), panel)
        window.resize(shape.width, shape.height)
        window.show()
        window.activateWindow()
        if scene is not advance:
            panel.begin(shop.basket())
        scene(shop, panel)
        for _ in range(3):
            QApplication.processEvents()
        window.grab().save(str(out / f"{scene.__name__}-{shape.name}.png"))
        window.close()
        window.deleteLater()
        shop.close()
    style.deleteLater()


def main() -> int:
    """Take the pictures."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    parser = argparse.ArgumentParser(description="Pictures of the payment.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", default="", help="name of one scene")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    application = QApplication(sys.argv[:1])
    load_fonts(folder() / "fonts")
    for shape in SHAPES:
        tight = (numbers,) if shape.touch == 15 or shape.text > 100 else ()
        for scene in (*SCENES, *tight):
            if asked.only in {"", scene.__name__}:
                picture(application, asked.out, shape, scene)
    return 0


if __name__ == "__main__":
    sys.exit(main())
