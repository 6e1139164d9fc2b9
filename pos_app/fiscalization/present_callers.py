"""Who sent a request without a key from this machine and is still connected.

Without a key nothing but the connection tells a repetition from a second sale. On this machine a
connection that stands belongs to a caller that waits: the same body from another one is a sale of
its own. Only the request of a caller that went away without its answer may be meant again.
Source: exactly-once.md, step 1.
"""

from __future__ import annotations

import asyncio

from pos_app.fiscalization.lane.sending import CallerWaits


class PresentCallers:
    """By the id of the receipt that each is told."""

    def __init__(self) -> None:
        self._waits: dict[str, CallerWaits] = {}
        self._took: set[str] = set()

    def begin(self, receipt_id: str, waits: CallerWaits) -> None:
        self._waits[receipt_id] = waits

    def end(self, receipt_id: str) -> None:
        """It was answered, or went away."""
        self._waits.pop(receipt_id, None)

    def took(self, receipt_id: str) -> None:
        """A caller's system has the whole answer, and its line stands."""
        self._took.add(receipt_id)

    def settled(self, receipt_id: str) -> None:
        """Whether that caller has the answer is known, and lies in the journal."""
        self._took.discard(receipt_id)

    async def ids(self) -> frozenset[str]:
        """Of those that are connected, or took their answers, when this returns."""
        # A caller that hangs up and asks anew does both at once: the loop is to see both.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        gone = {one for one, waits in tuple(self._waits.items()) if not await waits()}
        return frozenset((self._waits.keys() - gone) | self._took)
