"""What a journal whose own past is in question may neither deny nor send.

Source: exactly-once.md, step 8 and "Restores, replacements, damage".
"""

from __future__ import annotations

from collections.abc import Sequence

from pos_app.fiscalization.counter import Caller, Counter
from pos_app.fiscalization.restores import RESTORED
from pos_app.fiscalization.whereabouts import Whereabouts

NOT_COMPARED = "not_compared"
"""The word of a look-up, and the code of a refusal: nothing tells yet whether this journal knows
all that the processor signed."""


def not_deniable(
    counter: Counter, found: Sequence[Whereabouts], *, epoch: str | None = None
) -> str | None:
    """Why it may not be said of a key that surely nothing was signed for it: RESTORED until a
    manager has looked, be it at what others signed, which may have been this shop before a restore
    of all its data; NOT_COMPARED until the processor was asked; None when it may be said.

    found: what is known of it here. epoch: the restore that it is newer than.
    """
    restores = counter.journal.restores
    restore = restores.restored()
    if found:
        is_old = restore is not None and any(restores.is_from_before(one.id) for one in found)
        return RESTORED if is_old else None
    if restore is not None and epoch != restore.epoch:
        return RESTORED
    if counter.journal.findings.unexplained():
        return RESTORED
    return None if counter.lane.is_compared() else NOT_COMPARED


def is_asked_first(counter: Counter, caller: Caller, found: Sequence[Whereabouts]) -> bool:
    """Whether a key that comes now is only looked up, and sent by nobody but a person's word."""
    restores = counter.journal.restores
    if found and not any(restores.is_from_before(one.id) for one in found):
        return False
    if caller.is_from_before_restore:
        return True
    restore = restores.restored()
    if restore is None or caller.epoch == restore.epoch:
        return False
    return not caller.keyless or restores.forgets_keyless()
