"""Who sent a request without a key from this machine and is still connected.

Without a key nothing but the connection tells a repetition from a second sale. On this machine a
connection that stands belongs to a caller that waits: the same body from another one is a sale of
its own. Only the request of a caller that went away without its answer may be meant again, and its
receipt is told to one caller: who is told it on a connection that stands keeps it from the others.
Source: exactly-once.md, step 1.
"""

from __future__ import annotations

import asyncio

from pos_app.fiscalization.lane.sending import CallerWaits


class PresentCallers:
    """By the id of the receipt that each is told."""

    def __init__(self) -> None:
        self._waits: dict[str, CallerWaits] = {}
        self._told: dict[str, str] = {}
        self._took: set[str] = set()

    def begin(self, receipt_id: str, waits: CallerWaits) -> None:
        self._waits[receipt_id] = waits

    def tell(self, receipt_id: str, lost_id: str) -> None:
        """This caller is told the receipt that another one did not get."""
        if receipt_id in self._waits:
            self._told[receipt_id] = lost_id

    def told_to(self, receipt_id: str) -> str | None:
        """The lost receipt that this caller is told, also where that is tried again."""
        return self._told.get(receipt_id)

    def end(self, receipt_id: str) -> None:
        """It was answered, or went away."""
        self._waits.pop(receipt_id, None)
        self._told.pop(receipt_id, None)

    def took(self, receipt_id: str) -> None:
        """A caller's system has the whole answer, and its line stands."""
        self._took.add(receipt_id)

    def settled(self, receipt_id: str) -> None:
        """Whether that caller has the answer is known, and lies in the journal."""
        self._took.discard(receipt_id)

    async def ids(self) -> frozenset[str]:
        """Of those that are connected, are told to one that is, or were taken; as it returns."""
        # A caller that hangs up and asks anew does both at once: the loop is to see both.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        gone = {one for one, waits in tuple(self._waits.items()) if not await waits()}
        here = self._waits.keys() - gone
        return frozenset(here | {self._told[one] for one in here & self._told.keys()} | self._took)
