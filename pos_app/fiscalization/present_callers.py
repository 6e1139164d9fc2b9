"""Tracks callers on this machine that sent a request without a key and are still connected.

Without a key only the connection distinguishes a repetition from a second sale. On this machine an
open connection belongs to a waiting caller: the same body from another one is a sale of its own.
Only the request of a caller that went away without its answer may be repeated. One caller gets the
receipt; while that caller is connected, no other gets it.
Source: exactly-once.md, step 1.
"""

from __future__ import annotations

import asyncio

from pos_app.fiscalization.lane.sending import CallerWaits


class PresentCallers:
    """The connected callers, by the receipt id of each caller's request."""

    def __init__(self) -> None:
        self._waits: dict[str, CallerWaits] = {}
        self._given: dict[str, str] = {}
        self._took: set[str] = set()

    def begin(self, receipt_id: str, waits: CallerWaits) -> None:
        self._waits[receipt_id] = waits

    def give(self, receipt_id: str, lost_id: str) -> None:
        """Give this caller the receipt that another one did not get."""
        if receipt_id in self._waits:
            self._given[receipt_id] = lost_id

    def given_to(self, receipt_id: str) -> str | None:
        """The lost receipt that this caller gets, also when the answer is tried again."""
        return self._given.get(receipt_id)

    def end(self, receipt_id: str) -> None:
        """Note that a caller was answered, or went away."""
        self._waits.pop(receipt_id, None)
        self._given.pop(receipt_id, None)

    def took(self, receipt_id: str) -> None:
        """Note that the caller's system has the whole answer, and the connection is open."""
        self._took.add(receipt_id)

    def settled(self, receipt_id: str) -> None:
        """Note that the delivery of that caller's answer is stored in the journal."""
        self._took.discard(receipt_id)

    async def ids(self) -> frozenset[str]:
        """The receipt ids of connected callers, of the lost receipts that these callers get, and of
        the answers that were taken, as of the moment of return."""
        # To ask a caller that ended its side takes a moment, in which others may go.
        await asyncio.gather(*(waits() for waits in tuple(self._waits.values())))
        # A caller that hangs up and asks anew does both at once: the loop has to see both.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        gone = {one for one, waits in tuple(self._waits.items()) if not await waits()}
        here = self._waits.keys() - gone
        return frozenset(
            here | {self._given[one] for one in here & self._given.keys()} | self._took
        )
