"""The development processor in a process of its own, telling how long it had each receipt.

    python -m tests.bench.processor --data DIR --port N --control-port N

It is served as `pos-app processor` serves it. Beyond its protocol, `GET /bench/times` on its port
tells the milliseconds of every invoice since it was asked last, from the first byte to the last:
what is left of a receipt's time is the server's own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from pathlib import Path

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from pos_app import log
from pos_app.adapters.http_server.serving import serve, stop_on_signals
from pos_app.pfr_emulator.app import create_app
from pos_app.pfr_emulator.control import create_control_app
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


async def run(folder: Path, *, port: int, control_port: int) -> None:
    stop = asyncio.Event()
    processor = Processor.open(folder=folder / "processor")
    try:
        with stop_on_signals(stop):
            await asyncio.gather(
                serve(
                    create_control_app(processor),
                    host="127.0.0.1",
                    port=control_port,
                    ready=lambda _: None,
                    stop=stop,
                ),
                serve(
                    Timed(create_app(processor)),
                    host="127.0.0.1",
                    port=port,
                    ready=lambda address: print(address, flush=True),
                    stop=stop,
                ),
            )
    finally:
        processor.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--control-port", type=int, required=True)
    given = parser.parse_args()
    log.configure(level="WARNING")
    asyncio.run(run(given.data, port=given.port, control_port=given.control_port))


if __name__ == "__main__":
    main()
