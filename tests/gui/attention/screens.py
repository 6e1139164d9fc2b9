"""Pictures of Attention: `python -m tests.gui.attention.screens FOLDER`."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from PySide6.QtWidgets import QApplication, QVBoxLayout
from qasync import QEventLoop

from pos_app.cashier.attention.view import AttentionScreen
from pos_app.cashier.look.fonts import load_fonts
from pos_app.cashier.look.look import Look
from pos_app.cashier.look.metrics import measure
from pos_app.cashier.look.panel import Ground
from pos_app.cashier.look.status import StatusLine
from pos_app.cashier.look.style import Style
from pos_app.cashier.tasks import Tasks
from pos_app.cashier.texts import Words
from pos_app.resources import folder
from tests.gui.attention import cases
from tests.gui.look.examples import WELL
from tests.gui.payment.screens import SHAPES, Shape
from tests.gui.payment.shop import Shop

Scene = Callable[[Shop, AttentionScreen], Awaitable[None]]


async def empty(shop: Shop, screen: AttentionScreen) -> None:
    """All is well."""


async def doubt(shop: Shop, screen: AttentionScreen) -> None:
    """As in the picture: one doubt, two sales behind it."""
    await cases.solved(shop)
    await cases.doubtful(shop)
    await cases.waiting(shop, "1236.00", "359.98")


async def refused(shop: Shop, screen: AttentionScreen) -> None:
    """The server refused a sale."""
    await cases.refused(shop)


async def waits(shop: Shop, screen: AttentionScreen) -> None:
    """The server is away."""
    shop.server.running = False
    cases.sold(shop, "1236.00")
    await cases.settle(shop)


async def server(shop: Shop, screen: AttentionScreen) -> None:
    """The server can't be started, and a sale waits for it."""
    await waits(shop, screen)
    shop.outbox.tell_server_fault(cases.newer_journal())


async def stranger(shop: Shop, screen: AttentionScreen) -> None:
    """Another till's server answers in its place."""
    shop.server.stranger = "other_install"
    await cases.settle(shop)


async def alarms(shop: Shop, screen: AttentionScreen) -> None:
    """A late receipt, and receipts of others."""
    await cases.alarmed(shop, cases.late_receipt(shop), cases.foreign_traffic(shop))


async def foreign(shop: Shop, screen: AttentionScreen) -> None:
    """Receipts of others."""
    await cases.alarmed(shop, cases.foreign_traffic(shop))


async def callers(shop: Shop, screen: AttentionScreen) -> None:
    """Nothing waits, and a page was refused; its line is pressed."""
    shop.doubts.refused = cases.refused_callers(shop)
    await cases.settle(shop)
    screen.refresh()
    await asyncio.sleep(0.05)
    screen._choose(screen._model.rows[0].id)


async def quiet(shop: Shop, screen: AttentionScreen) -> None:
    """Nothing waits, and a page was refused."""
    shop.doubts.refused = cases.refused_callers(shop)
    await cases.settle(shop)


async def lines(shop: Shop, screen: AttentionScreen) -> None:
    """The items of the sale in doubt."""
    await doubt(shop, screen)
    screen.refresh()
    assert screen.case is not None
    screen.case.toggle_lines()


async def done(shop: Shop, screen: AttentionScreen) -> None:
    """What was solved today."""
    await doubt(shop, screen)
    screen.refresh()
    screen._toggle_solved()


async def wrong(shop: Shop, screen: AttentionScreen) -> None:
    """Half a QR code, and a manager without a name."""
    await doubt(shop, screen)
    screen.refresh()
    screen.receipt_scanned("https://suf.purs.gov.rs/v/?vl=AAAA")
    guide = screen._doubt_guide()
    assert guide is not None
    guide.declare.click()


SCENES: tuple[Scene, ...] = (
    doubt,
    empty,
    refused,
    waits,
    server,
    stranger,
    alarms,
    foreign,
    callers,
    quiet,
    lines,
    done,
    wrong,
)


async def picture(out: Path, shape: Shape, scene: Scene) -> None:
    """One state in one shape, as a PNG."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    metrics = measure(touch_mm=shape.touch, text_percent=shape.text, width=shape.width)
    look = Look(theme=shape.theme, metrics=metrics)
    style = Style(application, look)
    errors: list[BaseException] = []
    tasks = Tasks(on_error=errors.append, on_bug=errors.append)
    with tempfile.TemporaryDirectory() as made:
        shop = Shop(Path(made))
        words = Words(shape.language)
        screen = AttentionScreen(shop.counter, words, look, tasks)
        window = Ground(look, colour="bg")
        column = QVBoxLayout(window)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        status = StatusLine(look, name="Стање")
        status.set_status(WELL, "Продаја ради · фискализација чека одлуку")
        column.addWidget(screen, 1)
        column.addWidget(status)
        window.resize(shape.width, shape.height)
        window.show()
        window.activateWindow()
        await scene(shop, screen)
        screen.refresh()
        for _ in range(6):
            await asyncio.sleep(0.01)
        window.activateWindow()
        await asyncio.sleep(0.02)
        screen.setFocus()
        await asyncio.sleep(0.02)
        window.grab().save(str(out / f"{scene.__name__}-{shape.name}.png"))
        window.close()
        await tasks.close()
        window.deleteLater()
        shop.close()
    assert not errors, errors
    style.deleteLater()


def main() -> int:
    """Take the pictures."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    parser = argparse.ArgumentParser(description="Pictures of Attention.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", default="", help="name of one scene")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    application = QApplication(sys.argv[:1])
    load_fonts(folder() / "fonts")
    loop = QEventLoop(application)
    asyncio.set_event_loop(loop)
    with loop:
        for shape in SHAPES:
            for scene in SCENES:
                if asked.only in {"", scene.__name__}:
                    loop.run_until_complete(picture(asked.out, shape, scene))
    return 0


if __name__ == "__main__":
    sys.exit(main())
