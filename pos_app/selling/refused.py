"""Sales that a ready processor refuses again and again: which of them let the next ones pass.

What keeps all sales back alike, such as a full disk, is no refusal of one of them: it is not
counted, and the order of the queue stands. Source: till.md ("A refused sale never stops the
next ones").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pos_app.domain.states import AnswerClass
from pos_app.selling.life import SaleState
from pos_app.selling.sale import NO_ROOM, Queued, Reason

STUCK_AFTER = 3
"""Refusals in a row, for one reason and by a ready processor, after which the next sales pass."""


@dataclass(frozen=True, slots=True)
class Refusals:
    """How often in a row a sale was refused for the reason of that code.

    turn: grows with each refusal of any sale, so that it tells which was tried last.
    """

    code: str
    count: int
    turn: int

    @property
    def is_stuck(self) -> bool:
        """Whether the sale lets the next ones pass."""
        return self.count >= STUCK_AFTER


class Refused:
    """The refusals of each sale that waits, by its key."""

    def __init__(self) -> None:
        self._of: dict[str, Refusals] = {}
        self._turn = 0

    def count(self, key: str, reason: Reason | None) -> None:
        """After a try. reason: why a ready processor refused it; None where that is not so.

        What only a person can cure, and a ready processor does not ask for, may never end.
        """
        if not _is_its_own(reason):
            self.forget(key)
            return
        assert reason is not None
        self._turn += 1
        known = self._of.get(key)
        count = known.count + 1 if known and known.code == reason.code else 1
        self._of[key] = Refusals(reason.code, count, self._turn)

    def forget(self, key: str) -> None:
        """It begins anew."""
        self._of.pop(key, None)

    def stuck(self) -> frozenset[str]:
        """Keys of those that let the next ones pass."""
        return frozenset(key for key, told in self._of.items() if told.is_stuck)

    def first(self, queue: Iterable[Queued]) -> Mapping[str, str]:
        """For the key of a sale that of an earlier one to be tried before it.

        Both wait for the same reason, and the earlier was not tried since the later was. Else
        whichever happens to be due when the cause is cured would be signed first.
        """
        earlier: dict[str, list[str]] = {}
        found = dict[str, str]()
        for sale in queue:
            told = self._of.get(sale.key)
            if told is None or sale.state is not SaleState.FROZEN or sale.drop_wished:
                continue
            alike = earlier.setdefault(told.code, [])
            before = next((key for key in alike if self._of[key].turn < told.turn), None)
            if before is not None:
                found[sale.key] = before
            alike.append(sale.key)
        return found


def _is_its_own(reason: Reason | None) -> bool:
    if reason is None or reason.answer_class is not AnswerClass.CURE:
        return False
    return reason.code != NO_ROOM
