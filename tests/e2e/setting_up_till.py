"""A till that a person sets up from nothing and then sells at: `… setting_up_till FOLDER GIVEN`.

GIVEN: JSON with the platform's `url`, `key` and `secret`, the processor's `pfr`, `pfx`, `password`,
`pac` and `ca`, the `printer`'s address, and `pictures`, a folder or "". The real window receives
the typed texts and key presses; only the system's dialog for files is left out. Each step that was
tried prints a line with its result, and the sale one with its state and the seconds since the
window was first shown. A window that was made anew continues at the current step.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from pos_app.cashier.first_start.model import ArticleWay, ShopField
from pos_app.cashier.first_start.view import FirstStartScreen
from pos_app.cashier.settings.platform_model import PlatformField
from pos_app.cashier.settings.processor_model import Entry, ProcessorKind
from pos_app.cashier.start.scripted_sale import ScriptedSale
from pos_app.cashier.window.till_window import TillWindow
from pos_app.domain.setup.printer_setup import PrinterKind, PrinterUse
from pos_app.selling.first_start import FirstStep
from tests.e2e.at_window import begin, open_with, say, until
from tests.gui.inside import inside
from tests.gui.parts import page_in_front


class Person:
    def __init__(self, given: dict[str, str]) -> None:
        self._given = given
        self._began = time.monotonic()

    def sit_down(self, window: TillWindow) -> None:
        begin(window, self._set_up if inside(window).is_in("first_start") else self._sell)

    async def _set_up(self, window: TillWindow) -> None:
        screen = inside(window).first_start
        assert screen is not None
        if screen.model.step is None:
            screen.choice.shop_card.click()
        while inside(window).is_in("first_start") and window.isVisible():
            step = screen.model.step
            assert step is not None
            await until(lambda: screen.model.step in screen.forms and not screen.model.is_unknown)
            match step:
                case FirstStep.CASHIER:
                    self._say_who(screen)
                case FirstStep.PIN:
                    self._choose_pin(screen)
                case FirstStep.ARTICLES:
                    await self._take_platform(screen)
                case FirstStep.STORE:
                    await until(lambda: screen.model.shop.store is not None)
                    say("store", screen.model.shop.typed_texts[ShopField.NAME])
                case FirstStep.PROCESSOR:
                    await self._take_certificate(screen)
                case FirstStep.PRINTER:
                    await self._take_printer(screen)
            await until(screen.next.isEnabled)
            self._picture(window, step)
            screen.next.click()
            await self._leaves(screen, step)

    async def _leaves(self, screen: FirstStartScreen, step: FirstStep) -> None:
        await until(lambda: screen.model.step is not step or screen.model.is_over)

    def _say_who(self, screen: FirstStartScreen) -> None:
        form = page_in_front(screen.frame, "first.step.cashier")
        form.name.edit.setText("Мира Мирић")
        form.cards[True].click()

    def _choose_pin(self, screen: FirstStartScreen) -> None:
        form = page_in_front(screen.frame, "first.step.pin")
        for field in form.fields.values():
            field.edit.setText("2468")

    async def _take_platform(self, screen: FirstStartScreen) -> None:
        form = page_in_front(screen.frame, "first.step.articles")
        model = screen.model.platform
        form.way.chosen.emit(tuple(ArticleWay).index(ArticleWay.PLATFORM))
        await until(lambda: model.setup is not None)
        typed = {PlatformField.URL: "url", PlatformField.KEY: "key", PlatformField.SECRET: "secret"}
        for field, name in typed.items():
            form.platform.fields[field].edit.setText(self._given[name])
        await until(lambda: model.trial is not None and not model.running)
        assert model.trial is not None
        say("platform", model.trial.fault or "answers")

    async def _take_certificate(self, screen: FirstStartScreen) -> None:
        form = page_in_front(screen.frame, "first.step.processor")
        model = screen.model.processor
        form.cards[ProcessorKind.VPFR].click()
        await model.take_file(Entry.CA, Path(self._given["ca"]))
        await model.take_file(Entry.PFX, Path(self._given["pfx"]))
        for entry in (Entry.PASSWORD, Entry.PAC):
            form.fields[entry].edit.setText(self._given[entry.value])
        form.fields[Entry.ESIR].edit.setText("1234/2.0")
        await until(lambda: model.trial is not None and not model.running)
        assert model.trial is not None
        say("processor", model.trial.fault or "answers")

    async def _take_printer(self, screen: FirstStartScreen) -> None:
        form = page_in_front(screen.frame, "first.step.printer")
        model = screen.model.printer
        form.cards[PrinterKind.NETWORK].click()
        form.receipt.address.edit.setText(self._given["printer"])
        await until(lambda: PrinterUse.RECEIPT in model.trials and not model.running)
        say("printer", model.trials[PrinterUse.RECEIPT].fault or "answers")

    async def _sell(self, window: TillWindow) -> None:
        services = window.services
        await until(lambda: services.server.status is not None)
        sold: list[str] = []
        script = ScriptedSale(window, ["8600001000015"])
        script.ended.connect(lambda ended: sold.append(ended.state))
        script.begin()
        await until(lambda: sold)
        self._picture(window, "sold")
        seconds = round(time.monotonic() - self._began)
        say("sold", sold[0], services.cashier, seconds)
        window.close()

    def _picture(self, window: TillWindow, name: str) -> None:
        if folder := self._given["pictures"]:
            window.grab().save(str(Path(folder) / f"{name}.png"))


def main(words: list[str]) -> int:
    person = Person(json.loads(words[1]))
    return open_with(person.sit_down, Path(words[0]), server={"port": 0})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
