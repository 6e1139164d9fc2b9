"""Sales that a ready processor refuses again and again: which of them let the next ones pass.

What keeps all sales back alike, such as a full disk, is no refusal of one of them: it is not
counted, and the order of the queue stays. Source: till.md ("A refused sale never stops the
next ones").
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

from pos_app.domain.states import AnswerClass
from pos_app.selling.sale import NO_ROOM, PendingReason

STUCK_AFTER = 3
"""Refusals in a row, for one reason and by a ready processor, after which the next sales pass."""


@dataclass(frozen=True, slots=True)
class _Refusals:
    """How often in a row a sale was refused for the reason of that code."""

    sequence: int
    code: str
    count: int


class RepeatedRefusals:
    """The refusals of each sale that waits, by its key."""

    def __init__(self) -> None:
        self._of: dict[str, _Refusals] = {}
        self._alike: dict[str, dict[str, int]] = {}
        """By code: sequences by key, the one that was tried longest ago first."""

    def count(self, key: str, sequence: int, reason: PendingReason | None) -> None:
        """After a try. reason: why a ready processor refused it; None where that is not so.

        What only a person can cure, and a ready processor does not ask for, may never end.
        """
        known = self._of.get(key)
        self.forget(key)
        if not _is_its_own(reason):
            return
        assert reason is not None
        count = known.count + 1 if known and known.code == reason.code else 1
        self._of[key] = _Refusals(sequence, reason.code, count)
        self._alike.setdefault(reason.code, {})[key] = sequence

    def forget(self, key: str) -> None:
        """Start counting anew."""
        if (told := self._of.pop(key, None)) is not None:
            del self._alike[told.code][key]

    def is_stuck(self, key: str) -> bool:
        """Whether it lets the next ones pass."""
        told = self._of.get(key)
        return told is not None and told.count >= STUCK_AFTER

    def first(self, key: str) -> str:
        """The key of an earlier sale to be tried before this one, else its own.

        Both wait for the same reason, and the earlier was not tried since the later was. Else
        whichever happens to be due when the cause is cured would be signed first.
        """
        told = self._of.get(key)
        if told is None:
            return key
        tried_before = takewhile(lambda one: one[0] != key, self._alike[told.code].items())
        earlier = [(sequence, one) for one, sequence in tried_before if sequence < told.sequence]
        return min(earlier)[1] if earlier else key


def _is_its_own(reason: PendingReason | None) -> bool:
    if reason is None or reason.answer_class is not AnswerClass.CURE:
        return False
    return reason.code != NO_ROOM
