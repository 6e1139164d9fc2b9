"""A person's decisions at the server, over HTTP. Source: platform-contract.md 3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from pos_app import wire
from pos_app.adapters.api_client import exchange
from pos_app.domain.receipt.server_status import ReceiptInDoubt
from pos_app.errors import Invalid
from pos_app.selling.server.answers import Issued

_ASK_SECONDS = 5.0
_ACT_SECONDS = 25.0
"""The server answers within 20 s (platform-contract.md 2.9)."""


class DoubtHttp:
    """Implements ServerDecisions over HTTP, and also stops a server that was left running."""

    def __init__(self, api: exchange.LocalApi) -> None:
        self._api = api

    async def doubts(self) -> Sequence[ReceiptInDoubt]:
        reply = await self._api.ask("/till/doubts", seconds=_ASK_SECONDS)
        return exchange.records_of(ReceiptInDoubt, reply)

    async def look_again(self, receipt_id: str) -> Issued | str:
        return await self._act(receipt_id, "lookup", {})

    async def declare_absent(self, receipt_id: str, *, by: str) -> Issued | str:
        return await self._act(receipt_id, "absent", {"by": by})

    async def declare_found(
        self, receipt_id: str, *, verification_url: str, by: str
    ) -> Issued | str:
        body = wire.server.found_body(verification_url=verification_url, by=by)
        return await self._act(receipt_id, "found", body)

    async def pair_again(self, receipt_id: str, *, by: str) -> Issued | str:
        return await self._act(receipt_id, "again", {"by": by})

    async def reverse_pair(self, receipt_id: str, *, by: str) -> Issued | str:
        return await self._act(receipt_id, "reverse", {"by": by})

    async def see_alarm(self, alarm_id: int, *, by: str) -> None:
        await self._send_decision(f"/till/alarms/{alarm_id}/seen", by)

    async def close_restored(self, *, by: str) -> None:
        await self._send_decision("/till/restored/close", by)

    async def accept_element(self, uid: str, *, by: str) -> None:
        body = {"uid": uid, "by": by}
        exchange.checked(await self._api.send("/till/element", body, seconds=_ACT_SECONDS))

    async def reopen(self, *, by: str) -> None:
        await self._send_decision("/till/reopen", by)

    async def move(self, port: int) -> None:
        """Move a server that no till started to the port of its settings. Raises as `stop`."""
        body = {"by": "till", "port": port}
        exchange.checked(await self._api.send("/till/reopen", body, seconds=_ASK_SECONDS))

    async def stop(self) -> None:
        """Ask the server to stop. Raises Refused, NotDelivered, OutcomeUnknown."""
        exchange.checked(await self._api.send("/till/stop", {}, seconds=_ASK_SECONDS))

    async def _send_decision(self, path: str, by: str) -> None:
        exchange.checked(await self._api.send(path, {"by": by}, seconds=_ASK_SECONDS))

    async def _act(self, receipt_id: str, act: str, body: Mapping[str, object]) -> Issued | str:
        path = f"/till/doubts/{quote(receipt_id, safe='')}/{act}"
        reply = exchange.checked(await self._api.send(path, body, seconds=_ACT_SECONDS))
        if reply.state is not None:
            return reply.state
        try:
            return Issued(*wire.receipt.receipt_from_json(reply.body))
        except Invalid as error:
            raise exchange.no_sense(error) from error
