"""What a journal whose own past is in question may neither deny nor send.

Source: exactly-once.md, step 8 and "Restores, replacements, damage".
"""

from __future__ import annotations

from collections.abc import Sequence

from pos_app.domain.states import AnswerClass
from pos_app.fiscalization.counter import Caller, Counter
from pos_app.fiscalization.ports import Reason
from pos_app.fiscalization.restores import RESTORED, Restore
from pos_app.fiscalization.whereabouts import Whereabouts

PERHAPS_SIGNED_BEFORE = Reason(
    AnswerClass.UNKNOWN,
    RESTORED,
    "It may have been signed before the journal was restored; the processor has not told of it.",
)


def can_deny(counter: Counter, found: Sequence[Whereabouts]) -> bool:
    """Whether it may be said of a key that surely nothing was signed for it.

    found: what is known of it here.
    """
    if not found:
        return not counter.lane.is_past_in_question()
    return not _is_older(found, counter.journal.restores.restored())


def is_asked_first(counter: Counter, caller: Caller, found: Sequence[Whereabouts]) -> bool:
    """Whether a key that comes now is only looked up, and sent by nobody but a person's word."""
    restore = counter.journal.restores.restored()
    if found and not _is_older(found, restore):
        return False
    if caller.is_from_before_restore:
        return True
    return restore is not None and caller.epoch != restore.epoch


def _is_older(found: Sequence[Whereabouts], restore: Restore | None) -> bool:
    return restore is not None and any(one.changed_at < restore.since for one in found)
