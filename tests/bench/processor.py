"""The development processor in a process of its own, telling how long it had each receipt.

    python -m tests.bench.processor --data DIR --port N --control-port N

It is `pos-app processor`. Beyond its protocol, `GET /bench/times` on its port tells the
milliseconds of every invoice since it was asked last, from the first byte to the last: what is left
of a receipt's time is the server's own.
"""

from __future__ import annotations

import json
import sys
import time

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from pos_app import __main__ as command_line
from pos_app.bootstrap import development_processor
from pos_app.pfr_emulator.app import create_app
from pos_app.pfr_emulator.processor import Processor

TIMES = "/bench/times"
_INVOICES = "/api/v3/invoices"


class Timed:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._times: list[float] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == TIMES:
            told, self._times = self._times, []
            await Response(json.dumps(told), media_type="application/json")(scope, receive, send)
            return
        began = time.perf_counter()
        await self._app(scope, receive, send)
        if scope["path"] == _INVOICES:
            self._times.append((time.perf_counter() - began) * 1000)


def timed_app(processor: Processor) -> ASGIApp:
    return Timed(create_app(processor))


if __name__ == "__main__":
    development_processor.create_app = timed_app  # type: ignore[assignment,attr-defined]
    sys.exit(command_line.main(["processor", *sys.argv[1:]]))
