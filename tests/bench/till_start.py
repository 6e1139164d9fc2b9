"""One start of the till, as its command line does it, to its first scan in the cart.

    python -m tests.bench.till_start --data DIR --code EAN

It prints the seconds of the monotonic clock, which all processes share, once the code is in the
cart of the painted window. It loads nothing that a till does not load itself.
"""

from __future__ import annotations


def main() -> None:
    import argparse
    import time
    from pathlib import Path

    from pos_app import __main__ as command_line
    from pos_app import log, settings
    from pos_app.bootstrap import programs

    assert command_line.main is not None  # loaded, as by `pos-app`, before it knows its program
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--code", required=True)
    given = parser.parse_args()
    log.configure(level="WARNING")
    shop = settings.load(given.data)
    with programs.loading():
        from PySide6.QtCore import QTimer

        from pos_app.bootstrap.till.till import TillProgram
        from pos_app.cashier.sale.sale_screen import SaleRoom
        from pos_app.cashier.start import scripted_sale
        from pos_app.cashier.window.till_window import TillWindow
        from tests.bench import screen

    def scan(window: TillWindow) -> None:
        scripted_sale.scan(window, given.code)
        scanned = time.monotonic()
        room = window.frame.home_room
        assert isinstance(room, SaleRoom)
        if any(one.article.frozen.gtin == given.code for one in room.model.cart.ticket.cart.active):
            print("scanned", scanned, flush=True)
        window.close()

    screen.use(given.data.parent)
    # The events that show the window, its first paint among them, come before a timer of zero.
    TillProgram(shop).run(
        on_ready=lambda window: QTimer.singleShot(0, window, lambda: scan(window)), size=screen.SIZE
    )


if __name__ == "__main__":
    main()
