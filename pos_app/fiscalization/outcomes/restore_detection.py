"""A journal that was put back, replaced or cloned is detected here, and marked until a manager has
looked.

The journal is a chain of rows. So a witness that remembers the last row and its hash can tell
whether a journal continues that row. The witnesses are the till, a file beside the journal, and, by
its counter, the processor. A journal that was put back does not know the receipts that were signed
after the copy was made. So until a manager closes the mark no key is denied, and only keys that are
provably newer are sent.
Source: exactly-once.md, step 8 and "Restores, replacements, damage".
"""

from __future__ import annotations

from datetime import datetime

from pos_app import log
from pos_app.domain.receipt.server_status import JournalMark
from pos_app.domain.receipt.states import RestoreFound
from pos_app.fiscalization.ports import Findings, LaneJournal, Restores
from pos_app.lazy_dataclass import dataclass

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class LastSeen:
    """The last state of the journal, kept in a file beside the journal. epoch: the journal's last
    restore, None before the first. machine: the mark of the computer, "" if the system has none."""

    tip: JournalMark
    epoch: str | None
    machine: str


def may_lack_receipts(restores: Restores, findings: Findings, *, epoch: str | None = None) -> bool:
    """Whether this journal may lack signed receipts, and no manager has looked yet: it was found to
    be an older journal, or others signed, who may have been this shop before all its data were put
    back.

    epoch: the last restore before the key or sale in question. The till has the same rule without
    it, `domain.server_status.ServerStatus.may_lack_receipts`; a change of one is a change of both.
    """
    restore = restores.restored()
    return (restore is not None and restore.epoch != epoch) or findings.unexplained()


def may_lack_acts(journal: LaneJournal, chain: str | None, *, besides: str | None = None) -> bool:
    """Whether this journal may lack what was done with the receipts of a chain: a refund, a copy, a
    payment on an advance or its closing. Nothing is lacking of receipts that are all newer than the
    reason to doubt the journal.

    chain: the chain, or None for a receipt that the journal does not have. besides: a command whose
    own receipts are left out.
    """
    restores, findings = journal.restores, journal.findings
    if not may_lack_receipts(restores, findings):
        return False
    links = () if chain is None else journal.chain(chain).links
    ids = [link.id for link in links if link.is_signed and link.command_id != besides]
    is_restored = restores.restored() is not None
    return not ids or any(
        (is_restored and restores.is_from_before(request_id))
        or findings.was_left_before_unexplained(request_id)
        for request_id in ids
    )


def found_at_start(
    restores: Restores, seen: LastSeen | None, *, machine: str, looks_whole: bool = True
) -> RestoreFound | None:
    """The sign that the journal is another one, or None: the file kept beside the journal shows it,
    or the journal's own damage does. machine: the mark of this computer. Raises MachineError."""
    if not looks_whole and restores.restored() is None:
        return RestoreFound.DAMAGED
    if seen is None:
        return None
    if not (restores.holds(seen.tip) and restores.knows(seen.epoch)):
        return RestoreFound.SERVER_WITNESS
    if "" not in (seen.machine, machine) and seen.machine != machine:
        return RestoreFound.OTHER_MACHINE
    return None


def is_continued(restores: Restores, mark: JournalMark | None, *, epoch: str | None) -> bool:
    """Whether the journal has the row that a till remembers. mark, epoch: as in `continues`. Raises
    MachineError."""
    return mark is None or (restores.holds(mark) and restores.knows(epoch))


def continues(
    restores: Restores, mark: JournalMark | None, *, epoch: str | None, now: datetime
) -> bool:
    """Whether the journal continues the till's memory of it; if not, that is stored.

    mark is None from a till that is new here. epoch: the last restore that the till knows of. If a
    later restore is known, it explains the difference, and nothing is stored. Raises MachineError.
    """
    if mark is None or is_continued(restores, mark, epoch=epoch):
        return True
    if not restores.is_later_known(epoch):
        found = restores.mark_restored(RestoreFound.TILL_WITNESS, now=now)
        _log.error("the journal lacks what a till remembers: restore %s", found.epoch)
    return False
