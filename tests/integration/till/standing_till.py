"""The till as a program in the midst of something: `… standing_till FOLDER WHAT`.

WHAT: `idle`, `cart` (an article is in it), `payment` (and it is being paid), or work of `WORKS`,
whose process stands still (SIGSTOP) until somebody lets it go on. Once that is so it prints
`stands` with the total and the loaded libraries of `LATER`, or with the number of that process, and
at its end `ended` with its status. With `cart` it prints `reads GS1` once that is loaded.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from pos_app import settings
from pos_app.bootstrap.till.till import TillProgram
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.window.screens import RECEIPTS
from pos_app.cashier.window.till_window import TillWindow
from pos_app.domain.receipt.receipt_list import ReceiptQuery
from pos_app.selling.people.manager_pin import DEMO_PIN
from tests.fakes.people_here import let_in
from tests.gui.inside import inside
from tests.gui.patience import until

LATER = {"biip", "fpdf", "h11", "httpx", "pydantic", "pydantic_core"}
"""The libraries that a first scan must not wait for."""


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


async def reads_gs1() -> None:
    await until(lambda: "biip.gs1_messages" in sys.modules)
    say("reads GS1")


def backup(window: TillWindow, _: Path) -> None:
    inside(window).open("settings")
    model = inside(window).settings.model
    let_in(model, DEMO_PIN)
    model.choose(PageName.BACKUP)
    model.backup.begin()


def articles(window: TillWindow, path: Path) -> None:
    inside(window).open("catalogue")
    let_in(inside(window).catalogue.model, DEMO_PIN)
    inside(window).catalogue.files.export_to(path)


def receipts(window: TillWindow, path: Path) -> None:
    window.frame.open(RECEIPTS)
    room: Any = window.frame.room(RECEIPTS)
    export = window.services.receipt_export
    room.exporting.begin(export.export(ReceiptQuery(), path, by_lines=False), path)


WORKS: dict[str, tuple[str, Callable[[TillWindow, Path], None]]] = {
    "backup": ("backup_work", backup),
    "articles": ("catalogue_files", articles),
    "receipts": ("receipt_export", receipts),
}
"""The last word of the module that does it, and how a person begins it; the file is FOLDER.xlsx."""


def held(module: str) -> int | None:
    """Hold the process of that module, a child of this one; return its number, None before it
    runs."""
    for children in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):  # a thread or a process that has just ended
            for child in children.read_text("ascii").split():
                if module.encode() in Path(f"/proc/{child}/cmdline").read_bytes():
                    os.kill(int(child), signal.SIGSTOP)
                    return int(child)
    return None


def main(arguments: list[str]) -> int:
    folder, what = arguments

    async def work(window: TillWindow) -> None:
        module, begin = WORKS[what]
        found: list[int | None] = []
        try:
            await until(lambda: window.services.server.status is not None)
            begin(window, Path(f"{folder}.xlsx"))
            await until(lambda: found.append(held(module)) or found[-1])
            say("stands", found[-1])
        except BaseException:
            window.close()
            raise

    def on_ready(window: TillWindow) -> None:
        if what in ("cart", "payment"):
            inside(window).model.entry.enter_code("20")
        if what == "payment":
            inside(window).work_area.pay()
        if what in WORKS:
            window.tasks.start(work(window), name="work")
            return
        say("stands", inside(window).model.cart.total, *LATER & sys.modules.keys())
        if what == "cart":
            window.tasks.start(reads_gs1(), name="GS1")

    status = TillProgram(settings.load(Path(folder))).run(on_ready=on_ready, size=(1366, 768))
    say("ended", status)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
