"""A processor used before, for doubts that began there; the first question connects to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from pos_app.adapters.pfr.client import PfrClient
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.setup.processor import PfrStatus
from pos_app.errors import MachineError, NotDelivered
from pos_app.fiscalization.ports import SignReply


class EarlierProcessor:
    """Implements Processor. connect: returns the client; it may wait for a process that opens a
    certificate, so it is called in a thread; after a MachineError the next question calls it
    again."""

    def __init__(self, connect: Callable[[], PfrClient]) -> None:
        self._connect = connect
        self._connecting: asyncio.Task[PfrClient] | None = None

    async def close(self) -> None:
        task, self._connecting = self._connecting, None
        if task is not None:
            task.cancel()
            (found,) = await asyncio.gather(task, return_exceptions=True)
            if isinstance(found, PfrClient):
                await found.close()

    async def status(self) -> PfrStatus:
        return await (await self._client()).status()

    async def sign(self, document: FiscalDocument, *, pfr_request_id: str) -> SignReply:
        client = await self._client()
        return await client.sign(document, pfr_request_id=pfr_request_id)

    async def find(self, pfr_request_id: str) -> SignedReceipt | None:
        return await (await self._client()).find(pfr_request_id)

    async def _client(self) -> PfrClient:
        """Return the connected client. Raises NotDelivered. A caller that gives up does not stop
        the connecting for the next one."""
        if self._connecting is None:
            self._connecting = asyncio.create_task(asyncio.to_thread(self._connect))
        task = self._connecting
        await asyncio.wait({task})
        try:
            return task.result()
        except MachineError as error:
            if self._connecting is task:
                self._connecting = None
            raise NotDelivered(what=error.what) from error
