"""A processor served over real HTTP, as tests hold it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import uvicorn
from starlette.applications import Starlette

from pos_app.pfr_emulator.cutting import CuttableH11
from pos_app.pfr_emulator.processor import Processor


@dataclass(frozen=True, slots=True)
class Device:
    processor: Processor
    folder: Path
    url: str
    client: httpx.Client
    control: httpx.Client

    def fault(self, **fault: Any) -> None:
        self.control.post("/faults", json=fault).raise_for_status()

    def change(self, **changes: Any) -> None:
        self.control.patch("/state", json=changes).raise_for_status()

    def sign(self, request: dict[str, Any], **headers: str) -> httpx.Response:
        return self.client.post("/api/v3/invoices", json=request, headers=headers)


class Servers:
    def __init__(self) -> None:
        self._threads: list[Thread] = []

    @contextmanager
    def serving(self, app: Starlette) -> Iterator[str]:
        """Serve an application; yields its base address. At the end stopping is requested, not
        awaited.

        The socket listens before the server runs, so callers need not wait for it. The server
        closes it.
        """
        listener = socket.create_server(("127.0.0.1", 0))
        config = uvicorn.Config(
            app, http=CuttableH11, log_config=None, lifespan="off", timeout_graceful_shutdown=2
        )
        server = uvicorn.Server(config)
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        thread.start()
        self._threads.append(thread)
        try:
            yield url
        finally:
            server.should_exit = True

    def join(self) -> None:
        for thread in self._threads:
            thread.join(10)
        assert not any(thread.is_alive() for thread in self._threads)
