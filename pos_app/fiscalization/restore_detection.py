"""A journal that was put back, replaced or cloned: how it is found, and what holds until a manager
has looked.

The journal is a chain of rows, so whoever remembers its last row and hash can tell whether this
one continues it: the till, a file beside the journal, and by its counter the processor. What was
signed after the copy was made is not known here, so until a manager closes the mark no key is
denied, and none is sent that is not provably newer.
Source: exactly-once.md, step 8 and "Restores, replacements, damage".
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pos_app import log
from pos_app.domain.server_status import JournalMark, JournalRestored
from pos_app.domain.states import RestoreFound
from pos_app.fiscalization.findings import Findings

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class LastSeen:
    """What is kept beside the journal of its last state. epoch: of its last restore, None before
    the first. machine: the mark of the computer, "" where the system has no name for itself."""

    tip: JournalMark
    epoch: str | None
    machine: str


class Restores(Protocol):
    """The part of the journal that remembers them. Errors are MachineError."""

    @property
    def tip(self) -> JournalMark: ...

    def holds(self, told: JournalMark) -> bool:
        """Whether this journal continues the one that ended so."""
        ...

    def restored(self) -> JournalRestored | None:
        """The last restore, as long as no manager has closed it."""
        ...

    def last_epoch(self) -> str | None:
        """Of the last restore, closed or not; None when there never was one."""
        ...

    def knows(self, epoch: str | None) -> bool:
        """Whether the restore of that name was found by this journal; None: before the first. A
        copy that is put back once more has forgotten that it was."""
        ...

    def is_later_known(self, epoch: str | None) -> bool:
        """Whether one was found since the one of that name; None: since before the first."""
        ...

    def is_from_before(self, request_id: str) -> bool:
        """Whether the last that is known of a request is from before the last restore, closed or
        not: what became of it since the copy was made is not known here."""
        ...

    def began_before(self, request_id: str) -> bool:
        """Whether a request was accepted before the last restore, whatever was done since."""
        ...

    def began_now(self, request_id: str) -> bool:
        """Whether a request was accepted since this server started."""
        ...

    def was_found_since(self, moment: datetime) -> bool:
        """Whether a restore was found since then, closed or not."""
        ...

    def forgets_keyless(self) -> bool:
        """Whether the last restore is so young that requests without a key may repeat what was
        signed since the copy: the time for which an answer waits for its caller is not over."""
        ...

    def mark_restored(self, why: RestoreFound, *, now: datetime) -> JournalRestored:
        """Keep that the journal, as it is now, was found to be another one."""
        ...

    def close_restored(self, *, by: str, now: datetime) -> bool:
        """A manager has looked; False when none was open."""
        ...

    def last_of_till(self, origin: str) -> tuple[int, str] | None:
        """The highest sequence number that came from a till, and its key."""
        ...

    def key_of_till(self, origin: str, sequence: int) -> str | None:
        """The key under which that sequence number came from a till."""
        ...


def may_lack_receipts(restores: Restores, findings: Findings, *, epoch: str | None = None) -> bool:
    """Whether this journal may lack what was signed, and no manager has looked: it was found to be
    an older one, or others signed, which may have been this shop before all its data were put back.

    epoch: the restore that whatever is asked about is newer than.
    """
    restore = restores.restored()
    return (restore is not None and restore.epoch != epoch) or findings.unexplained()


def found_at_start(
    restores: Restores, seen: LastSeen | None, *, machine: str, looks_whole: bool = True
) -> RestoreFound | None:
    """How the file kept beside the journal, or its own damage, shows that it is another one; None
    when it is not.

    machine: the mark of this computer. Raises MachineError.
    """
    if not looks_whole and restores.restored() is None:
        return RestoreFound.DAMAGED
    if seen is None:
        return None
    if not (restores.holds(seen.tip) and restores.knows(seen.epoch)):
        return RestoreFound.SERVER_WITNESS
    if "" not in (seen.machine, machine) and seen.machine != machine:
        return RestoreFound.OTHER_MACHINE
    return None


def continues(
    restores: Restores, told: JournalMark | None, *, epoch: str | None, now: datetime
) -> bool:
    """Whether the journal continues what a till remembers of it; if not, that is kept.

    told: None from a till that is new here. epoch: the last restore that the till knows of: what
    it remembers from before a later one is explained by that. Raises MachineError.
    """
    if told is None or (restores.holds(told) and restores.knows(epoch)):
        return True
    if not restores.is_later_known(epoch):
        found = restores.mark_restored(RestoreFound.TILL_WITNESS, now=now)
        _log.error("the journal lacks what a till remembers: restore %s", found.epoch)
    return False
