"""The till as a program in the midst of something: `… standing_till FOLDER WHAT`.

WHAT: `idle`, `cart` (an article is in it), `payment` (and it is being paid). Once that is so it
prints `stands` with the total and the loaded libraries of `LATER`, and at its end `ended` with its
status.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pos_app import settings
from pos_app.bootstrap.till.till import TillProgram
from pos_app.cashier.window import TillWindow
from tests.gui.inside import inside

LATER = {"fpdf", "h11", "httpx", "pydantic", "pydantic_core"}
"""The libraries that a first scan must not wait for."""


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def main(arguments: list[str]) -> int:
    folder, what = arguments

    def on_ready(window: TillWindow) -> None:
        if what in ("cart", "payment"):
            inside(window).model.entry.enter_code("20")
        if what == "payment":
            inside(window).work_area.pay()
        say("stands", inside(window).model.cart.total, *LATER & sys.modules.keys())

    status = TillProgram(settings.load(Path(folder))).run(on_ready=on_ready, size=(1366, 768))
    say("ended", status)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
