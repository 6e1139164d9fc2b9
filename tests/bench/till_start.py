"""One start of the till, with the moments on its way.

    python -m tests.bench.till_start --data DIR --code EAN

It prints one line of JSON: seconds of the monotonic clock, which all processes share, and of
the processor.
"""

from __future__ import annotations

import time

FIRST_LINE = time.monotonic()


def main() -> None:
    """Start the till as its command line does, scan once, close it."""
    moments = {"python": FIRST_LINE}
    import argparse
    import json
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
    moments["settings"] = time.monotonic()
    with programs.loading():
        from tests.bench import screen
        from tests.bench.started_till import StartedTill

    screen.use(given.data.parent)

    moments["imported"] = time.monotonic()
    StartedTill(shop, moments, code=given.code).start()
    print("moments", json.dumps(moments), flush=True)


if __name__ == "__main__":
    main()
