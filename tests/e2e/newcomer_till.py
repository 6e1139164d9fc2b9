"""A real till at whose window a newcomer sets a shop up from nothing, and sells.

    python -m tests.e2e.newcomer_till DATA GIVEN

GIVEN: JSON with the platform's `url`, `key` and `secret`, the processor's `pfx`, `password`, `pac`
and `ca`, the `printer`'s address, and `pictures`, a folder or "". A line tells of each part that
answers, and of the sale.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pos_app import log, settings
from pos_app.bootstrap.till import till
from pos_app.cashier.first_start.model import ArticleWay, ShopField
from pos_app.cashier.settings.platform_model import PlatformField
from pos_app.cashier.settings.processor_model import Entry, ProcessorKind
from pos_app.cashier.start import scripted_sale
from pos_app.cashier.window.till_window import TillWindow
from pos_app.domain.setup.printer_setup import PrinterKind, PrinterUse
from pos_app.selling.first_start import FirstStep
from tests.e2e.robot import tell
from tests.e2e.shop import PATIENCE
from tests.gui.inside import inside
from tests.gui.parts import page_in_front

SIZE = (1366, 768)
BREAD = "8600001000015"
LOOK_SECONDS = 0.05


async def until(is_so: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "it did not become so"
        await asyncio.sleep(LOOK_SECONDS)


class Newcomer:
    """Goes on at the current step in a window made anew, and leaves out the dialog for files."""

    def __init__(self, given: dict[str, str]) -> None:
        self._given = given
        self._began = time.monotonic()

    def sit_down(self, window: TillWindow) -> None:
        """Begin at a window that has just opened; a fault closes it."""
        is_new = inside(window).is_in("first_start")

        async def worked() -> None:
            try:
                await (self._set_up(window) if is_new else self._sell(window))
            except BaseException:
                window.close()
                raise

        window.tasks.start(worked(), name="a newcomer")

    async def _set_up(self, window: TillWindow) -> None:
        screen = inside(window).first_start
        if screen.model.step is None:
            screen.choice.shop_card.click()
        while inside(window).is_in("first_start") and window.isVisible():
            step = screen.model.step
            assert step is not None
            await until(lambda: screen.model.step in screen.forms and not screen.model.is_unknown)
            await self._do(screen, step)
            await until(screen.next.isEnabled)
            self._picture(window, step)
            screen.next.click()
            await until(lambda step=step: screen.model.step is not step or screen.model.is_over)  # type: ignore[misc]

    async def _do(self, screen: Any, step: FirstStep) -> None:
        model = screen.model
        form = page_in_front(screen.frame, f"first.step.{step}")
        match step:
            case FirstStep.CASHIER:
                form.name.edit.setText("Мира Мирић")
                form.cards[True].click()
            case FirstStep.PIN:
                for field in form.fields.values():
                    field.edit.setText("2468")
            case FirstStep.ARTICLES:
                await self._take_platform(form, model.platform)
            case FirstStep.STORE:
                await until(lambda: model.shop.store is not None)
                tell("store", model.shop.typed_texts[ShopField.NAME])
            case FirstStep.PROCESSOR:
                await self._take_certificate(form, model.processor)
            case FirstStep.PRINTER:
                form.cards[PrinterKind.NETWORK].click()
                form.receipt.address.edit.setText(self._given["printer"])
                printer, use = model.printer, PrinterUse.RECEIPT
                await until(lambda: use in printer.trials and not printer.running)
                tell("printer", printer.trials[use].fault or "answers")

    async def _take_platform(self, form: Any, model: Any) -> None:
        form.way.chosen.emit(tuple(ArticleWay).index(ArticleWay.PLATFORM))
        await until(lambda: model.setup is not None)
        for field in (PlatformField.URL, PlatformField.KEY, PlatformField.SECRET):
            form.platform.fields[field].edit.setText(self._given[field.name.lower()])
        await until(lambda: model.trial is not None and not model.running)
        tell("platform", model.trial.fault or "answers")

    async def _take_certificate(self, form: Any, model: Any) -> None:
        form.cards[ProcessorKind.VPFR].click()
        await model.take_file(Entry.CA, Path(self._given["ca"]))
        await model.take_file(Entry.PFX, Path(self._given["pfx"]))
        for entry in (Entry.PASSWORD, Entry.PAC):
            form.fields[entry].edit.setText(self._given[entry.value])
        form.fields[Entry.ESIR].edit.setText("1234/2.0")
        await until(lambda: model.trial is not None and not model.running)
        tell("processor", model.trial.fault or "answers")

    async def _sell(self, window: TillWindow) -> None:
        await until(lambda: window.services.server.status is not None)
        sold: list[str] = []
        script = scripted_sale.ScriptedSale(window, [BREAD])
        script.ended.connect(lambda ended: sold.append(ended.state))
        script.begin()
        await until(lambda: sold)
        self._picture(window, "sold")
        tell("sold", sold[0], window.services.cashier, round(time.monotonic() - self._began))
        window.close()

    def _picture(self, window: TillWindow, name: str) -> None:
        if folder := self._given["pictures"]:
            window.grab().save(str(Path(folder) / f"{name}.png"))


def main(words: list[str]) -> int:
    data, given = words
    log.configure()
    opened, newcomer = till.TillProgram.run, Newcomer(json.loads(given))

    def run(program: till.TillProgram) -> int:
        return opened(program, on_ready=newcomer.sit_down, size=SIZE)

    def read() -> settings.Settings:
        return settings.load(Path(data), server={"port": 0})

    till.TillProgram.run = run  # type: ignore[assignment, method-assign]
    return till.run_till(read(), reread=read)


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main(sys.argv[1:]))
