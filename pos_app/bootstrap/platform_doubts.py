"""Receipts of certificate mode that may exist, and a person's answers, by command line.

The signers are asked, which run; what they do is what a till's Attention does.
Source: exactly-once.md, step 12.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from pos_app.adapters.signer_client import SignerClient
from pos_app.errors import Invalid, NotDelivered, NotFound, OutcomeUnknown
from pos_app.settings import Settings
from pos_app.wire.server import found_said

_OK = 200


@dataclass(frozen=True, slots=True)
class Doubt:
    """One receipt of an element, as the routes of a till tell it."""

    uid: str
    told: Mapping[str, Any]

    def members(self) -> dict[str, Any]:
        return {"uid": self.uid, **self.told}

    def line(self) -> str:
        told = self.told
        words = f"{told['state']}  {told['since']}  {told['total']}  {told['reason']}"
        return f"{self.uid}  {told['receiptId']}  {words}".rstrip()


async def list_doubts(settings: Settings) -> list[Doubt]:
    """Raises NotDelivered where no signer answers."""
    found: list[Doubt] = []
    async with _signers(settings) as signers:
        for number in range(settings.platform_server.signers):
            state = await signers.state(number)
            for uid in sorted(left.uid for left in state.left if left.doubts):
                status, told = await signers.ask_as_till(uid, "GET", "/till/doubts")
                found += [Doubt(uid, each) for each in _read(status, told)]
    return found


async def look_up(settings: Settings, uid: str, receipt_id: str) -> Mapping[str, Any]:
    """Have the V-PFR asked once more, where the element's certificate is open. Raises NotFound,
    NotDelivered where no signer answers."""
    return await _told(settings, uid, receipt_id, "lookup", {})


async def say_absent(
    settings: Settings, uid: str, receipt_id: str, *, by: str
) -> Mapping[str, Any]:
    """There is no such receipt. Raises Invalid where there is one, NotFound,
    NotDelivered where no signer answers."""
    return await _told(settings, uid, receipt_id, "absent", {"by": by})


async def say_found(
    settings: Settings, uid: str, receipt_id: str, *, url: str, by: str
) -> Mapping[str, Any]:
    """Here is its paper. Raises Invalid where it is another's, NotFound,
    NotDelivered where no signer answers."""
    body = found_said(verification_url=url, by=by)
    return await _told(settings, uid, receipt_id, "found", body)


async def _told(
    settings: Settings, uid: str, receipt_id: str, act: str, body: Mapping[str, str]
) -> Mapping[str, Any]:
    path = f"/till/doubts/{receipt_id}/{act}"
    async with _signers(settings) as signers:
        answered = await signers.ask_as_till(uid, "POST", path, json.dumps(body).encode())
    told: Mapping[str, Any] = _read(*answered)
    return told


def _read(status: int, content: bytes) -> Any:
    told = json.loads(content)
    if status == _OK:
        return told
    words = str(told.get("message") or f"HTTP {status}")
    raise NotFound(words) if status == 404 else Invalid(words, field="")


@asynccontextmanager
async def _signers(settings: Settings) -> AsyncIterator[SignerClient]:
    number = settings.platform_server.signers
    if not number:
        raise _away()
    client = SignerClient(settings.data, signers=number)
    try:
        yield client
    except (NotDelivered, OutcomeUnknown) as error:
        raise _away() from error
    finally:
        await client.close()


def _away() -> NotDelivered:
    return NotDelivered(
        "The signers of this platform do not answer.",
        safe="Nothing was changed.",
        do="Start the platform with its signers, on this machine, and try again.",
    )
