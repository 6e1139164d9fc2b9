"""A real till at whose window a person acts, who tells of it by lines; the window gets real clicks
and keys.

    python -m tests.e2e.people_at_till WHO DATA …

moves DATA PORT      A manager types another port into the page of the local API, saves it, and
                     reopens the till there; the second till sells.
puts-back DATA HOW   Sells, makes a backup, sells two more, and restores the backup. HOW: "whole",
                     or "killed" (the program dies when the set is about to replace the files). The
                     till that opens then tells what it has.
sets-up DATA GIVEN   Sets the till up from nothing, and sells. GIVEN: JSON with the platform's
                     `url`, `key` and `secret`, the processor's `pfx`, `password`, `pac` and `ca`,
                     the `printer`'s address, and `pictures`, a folder or "".
presses DATA ACTS    ACTS: JSON, a list of [name, argument …]: a method of `Hands`; "hand", which
                     types a number as slowly as a hand does; or "die", which ends the till by
                     SIGKILL that many milliseconds later.
watches DATA PICTURE [CASES]    Once Attention has CASES of them (1 by default), each is opened and
                     told, and the last one photographed.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any, cast

import httpx
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from pos_app import log, settings
from pos_app.adapters.backup import restoring
from pos_app.bootstrap.commands.backup import put_back
from pos_app.bootstrap.till import till
from pos_app.cashier.first_start.model import ArticleWay, ShopField
from pos_app.cashier.scanner.filter import ScanFilter
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.platform_model import PlatformField
from pos_app.cashier.settings.processor_model import Entry, ProcessorKind
from pos_app.cashier.settings.values import PORT
from pos_app.cashier.start import scripted_sale
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.field import Field
from pos_app.cashier.window.till_window import TillWindow
from pos_app.domain.setup.printer_setup import PrinterKind, PrinterUse
from pos_app.selling.backups import AskedBack
from pos_app.selling.first_start import FirstStep
from tests.e2e.shop import PATIENCE
from tests.fakes.no_tls import NO_TLS
from tests.fakes.people_here import let_in
from tests.gui.inside import inside
from tests.gui.parts import notices_in, only, page_in_front, page_shown
from tests.gui.scanner.wedge import Keyboards
from tests.gui.window.hands import Hands
from tests.gui.window.shop import Shop

SIZE = (1366, 768)
PIN = "2580"
BREAD = "8609910700134"
LOOK_SECONDS = 0.05
PAINTED_SECONDS = 0.02
BETWEEN_DIGITS_SECONDS = 0.12
GIVE_UP_MS = 120_000
SitDown = Callable[[TillWindow], None]


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


async def until(is_so: Callable[[], object], *, seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it did not become so"
        await asyncio.sleep(LOOK_SECONDS)


async def until_served(window: TillWindow) -> None:
    await until(lambda: window.services.server.status is not None)


def begin(window: TillWindow, work: Callable[[TillWindow], Coroutine[Any, Any, None]]) -> None:
    """Have the person work; a fault ends the till."""

    async def worked() -> None:
        try:
            await work(window)
        except BaseException:
            window.close()
            raise

    window.tasks.start(worked(), name="a person")


def open_with(sit_down: SitDown, data: Path, **more: Any) -> int:
    """Open each till with that person; returns the last status. more: settings, `put_back`."""
    log.configure()
    opened, asked = till.TillProgram.run, {}
    if "put_back" in more:
        asked["put_back"] = more.pop("put_back")

    def run(program: till.TillProgram) -> int:
        return opened(program, on_ready=sit_down, size=SIZE)

    till.TillProgram.run = run  # type: ignore[assignment, method-assign]

    def read() -> settings.Settings:
        return settings.load(data, **more)

    return till.run_till(read(), reread=read, **asked)


def open_page(window: TillWindow, page: PageName | None = None) -> Any:
    """Open the settings as a manager."""
    inside(window).open("settings")
    screen = inside(window).settings
    let_in(screen.model, PIN)
    if page is not None:
        screen.model.choose(page)
    return screen


async def scripted(window: TillWindow, code: str) -> str:
    """The state of a sale of that article."""
    await until_served(window)
    sold: list[str] = []
    script = scripted_sale.ScriptedSale(window, [code])
    script.ended.connect(lambda ended: sold.append(ended.state))
    script.begin()
    await until(lambda: sold)
    return sold[0]


# --- who moves the server ------------------------------------------------------------------------


async def answers(port: int) -> int:
    """The status of the server's health; 0 while nobody answers."""
    async with httpx.AsyncClient(trust_env=False, verify=NO_TLS, timeout=10) as client:
        try:
            return (await client.get(f"http://127.0.0.1:{port}/health")).status_code
        except httpx.TransportError:
            return 0


def moves(data: Path, typed_port: str) -> int:
    port, tills = int(typed_port), list[TillWindow]()

    async def move(window: TillWindow) -> None:
        await until_served(window)
        open_page(window, PageName.API)
        page = await page_shown(window.frame, "set.page.api")
        before = window.services.keeper.port
        only(page.form.rows[PORT], Field).edit.setText(typed_port)
        await until(page.acts.save.isEnabled)
        page.acts.save.click()
        await until(page.reopen.isVisible)
        addresses = page.addresses
        await until(lambda: addresses.isVisible() and addresses.port_at_start == port)
        say("saved", before, await answers(before), await answers(port))
        page.reopen.click()

    async def sell(window: TillWindow) -> None:
        state = await scripted(window, BREAD)
        say("sold", state, window.services.keeper.port, await answers(port))
        window.close()

    def sit_down(window: TillWindow) -> None:
        begin(window, sell if tills else move)
        tills.append(window)

    return open_with(sit_down, data)


# --- who puts a set back -------------------------------------------------------------------------


def puts_back(data: Path, how: str) -> int:
    goes_on, tills = restoring.go_on, list[TillWindow]()

    def die(data: Path) -> Path | None:
        if how == "killed":
            say("dies")
            os.kill(os.getpid(), signal.SIGKILL)
        return goes_on(data)

    def told(data: Path, asked: AskedBack, tell: Callable[[int, int], None]) -> None:
        shown = [one.accessibleName() for one in QApplication.topLevelWidgets() if one.isVisible()]
        say("meanwhile", *shown)
        put_back(data, asked, tell)

    def sit_down(window: TillWindow) -> None:
        """A till that was killed, and is opened once more, is looked at too."""
        is_new = not tills and not window.services.sales.last(1)
        tills.append(window)
        begin(window, _sell_and_put_back if is_new else _look)

    restoring.go_on = die
    return open_with(sit_down, data, put_back=told)


async def _sell(window: TillWindow) -> None:
    services = window.services

    def last() -> int:
        return max((one.sequence for one in services.sales.last(1)), default=0)

    await until_served(window)
    scripted_sale.scan(window, BREAD)
    await asyncio.sleep(0.5)  # exact payment takes no key just after a scan
    before = last()
    scripted_sale.press_cash(window)
    await until(lambda: last() > before and not any(services.sales.counts().values()))
    say("sold", services.sales.last(1)[0].state)


async def _sell_and_put_back(window: TillWindow) -> None:
    def page() -> QWidget:
        """It is another widget once the screen was made anew."""
        return inside(window).settings.page

    def put_backs() -> list[QAbstractButton]:
        buttons = window.findChildren(QAbstractButton)
        named = [one for one in buttons if one.accessibleName().startswith("Враћање")]
        return [one for one in named if one.isVisible()]

    await _sell(window)
    model = open_page(window, PageName.BACKUP).model.backup
    await until(lambda: model.here is not None)
    model.begin()
    await until(lambda: model.is_made and model.sets and model.is_idle)
    inside(window).go_home()
    for _ in range(2):
        await _sell(window)
    open_page(window)
    await until(lambda: page().isVisible() and model.is_idle and not model.is_outdated)
    await until(put_backs)
    put_backs()[0].click()
    await until(lambda: page().findChildren(BigButton))
    say("asks", notices_in(page())[-1].replace("\n", " "))
    page().findChildren(BigButton)[-1].click()


async def _look(window: TillWindow) -> None:
    def cases() -> list[str]:
        return [one.kind for one in inside(window).cases()]

    await until_served(window)
    await until(lambda: "restored" in cases())
    say("has", len(window.services.sales.last(9)), "cases", *cases())
    window.close()


# --- who sets up a shop --------------------------------------------------------------------------


class Newcomer:
    """Goes on at the current step in a window made anew, and leaves out the dialog for files."""

    def __init__(self, given: dict[str, str]) -> None:
        self._given = given
        self._began = time.monotonic()

    def sit_down(self, window: TillWindow) -> None:
        begin(window, self._set_up if inside(window).is_in("first_start") else self._sell)

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
                say("store", model.shop.typed_texts[ShopField.NAME])
            case FirstStep.PROCESSOR:
                await self._take_certificate(form, model.processor)
            case FirstStep.PRINTER:
                form.cards[PrinterKind.NETWORK].click()
                form.receipt.address.edit.setText(self._given["printer"])
                printer, use = model.printer, PrinterUse.RECEIPT
                await until(lambda: use in printer.trials and not printer.running)
                say("printer", printer.trials[use].fault or "answers")

    async def _take_platform(self, form: Any, model: Any) -> None:
        form.way.chosen.emit(tuple(ArticleWay).index(ArticleWay.PLATFORM))
        await until(lambda: model.setup is not None)
        for field in (PlatformField.URL, PlatformField.KEY, PlatformField.SECRET):
            form.platform.fields[field].edit.setText(self._given[field.name.lower()])
        await until(lambda: model.trial is not None and not model.running)
        say("platform", model.trial.fault or "answers")

    async def _take_certificate(self, form: Any, model: Any) -> None:
        form.cards[ProcessorKind.VPFR].click()
        await model.take_file(Entry.CA, Path(self._given["ca"]))
        await model.take_file(Entry.PFX, Path(self._given["pfx"]))
        for entry in (Entry.PASSWORD, Entry.PAC):
            form.fields[entry].edit.setText(self._given[entry.value])
        form.fields[Entry.ESIR].edit.setText("1234/2.0")
        await until(lambda: model.trial is not None and not model.running)
        say("processor", model.trial.fault or "answers")

    async def _sell(self, window: TillWindow) -> None:
        state = await scripted(window, "8600001000015")
        self._picture(window, "sold")
        say("sold", state, window.services.cashier, round(time.monotonic() - self._began))
        window.close()

    def _picture(self, window: TillWindow, name: str) -> None:
        if folder := self._given["pictures"]:
            window.grab().save(str(Path(folder) / f"{name}.png"))


def sets_up(data: Path, given: str) -> int:
    return open_with(Newcomer(json.loads(given)).sit_down, data, server={"port": 0})


# --- who presses keys ----------------------------------------------------------------------------


def presses(data: Path, acts: str) -> int:
    def sit_down(window: TillWindow) -> None:
        begin(window, lambda window: _press(window, json.loads(acts)))

    return open_with(sit_down, data)


async def _press(window: TillWindow, acts: list[list[Any]]) -> None:
    scanner = window.findChild(ScanFilter)
    assert scanner is not None
    hands = Hands(window, cast(Shop, None), scanner, Keyboards())
    for name, *arguments in acts:
        if name == "die":
            QTimer.singleShot(arguments[0], lambda: os.kill(os.getpid(), signal.SIGKILL))
        elif name == "hand":
            for digit in str(arguments[0]):
                await _act(window, partial(hands.type, digit))
                await asyncio.sleep(BETWEEN_DIGITS_SECONDS)
        else:
            await _act(window, partial(getattr(hands, name), *arguments))
        await asyncio.sleep(PAINTED_SECONDS)  # Qt paints, and the loop's callbacks run


async def _act(window: TillWindow, act: Callable[[], None]) -> None:
    """Press outside of every task: QTest lets the loop run within it."""
    done = asyncio.get_running_loop().create_future()

    def run() -> None:
        try:
            act()
        except BaseException as error:
            done.set_exception(error)
            raise
        done.set_result(None)

    QTimer.singleShot(0, window, run)
    await done


# --- who watches ---------------------------------------------------------------------------------


def watches(data: Path, picture: str, cases: str = "1") -> int:
    many = int(cases)

    async def watch(window: TillWindow) -> None:
        QTimer.singleShot(GIVE_UP_MS, window, window.close)
        here = inside(window)
        await until(lambda: max(here.waiting(), len(here.cases())) >= many, seconds=GIVE_UP_MS)
        inside(window).open("attention")
        for case in [one.id for one in inside(window).attention.model.cases][:many]:
            await asyncio.sleep(LOOK_SECONDS)
            inside(window).attention.choose(case)
            view = inside(window).attention.case_view
            assert view is not None
            say("case", notices_in(view)[0])
        window.grab().save(picture)
        window.close()

    return open_with(lambda window: begin(window, watch), data)


def main(words: list[str]) -> int:
    who, data, *more = words
    ways: dict[str, Callable[..., int]] = {
        "moves": moves,
        "puts-back": puts_back,
        "sets-up": sets_up,
        "presses": presses,
        "watches": watches,
    }
    return ways[who](Path(data), *more)


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main(sys.argv[1:]))
