"""Counts the look-ups of a doubt, so that a person can see the results and their number."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from pos_app import log
from pos_app.clock import Clock
from pos_app.domain.receipt.server_status import LookUpTried
from pos_app.domain.receipt.states import LookAnswer
from pos_app.errors import MachineError
from pos_app.fiscalization.outcomes.doubt import FoundReceipt, Look, NoReceiptFound
from pos_app.fiscalization.ports import Findings

KEEP_EACH = timedelta(seconds=10)
"""Equal look-ups are stored no more often than this; a doubt is looked up each second."""

_log = log.get(__name__)


class LookupLog:
    """The look-ups of the current doubt are stored in the journal now and then."""

    def __init__(self, findings: Findings, clock: Clock) -> None:
        self._findings = findings
        self._clock = clock
        self._request_id = ""
        self._run: LookUpTried | None = None
        self._kept_at: datetime | None = None

    def note(self, request_id: str, look: Look) -> None:
        run, before = _run_of(look, self._clock.now()), self._run
        if before is None or request_id != self._request_id or not _same(before, run):
            self._save()
            self._request_id, self._run = request_id, run
        else:
            self._run = replace(before, at=run.at, times=before.times + 1)
            if self._kept_at is not None and run.at - self._kept_at < KEEP_EACH:
                return
        self._save()

    def of(self, request_id: str) -> tuple[LookUpTried, ...]:
        """The look-ups of a request, the oldest first. Raises MachineError."""
        stored, run = self._findings.look_ups(request_id), self._run
        if run is None or request_id != self._request_id:
            return stored
        return (*(earlier for earlier in stored if earlier.since != run.since), run)

    def _save(self) -> None:
        if self._run is None:
            return
        self._kept_at = self._run.at
        try:
            self._findings.looked(self._request_id, self._run)
        except MachineError as error:
            _log.warning("a look-up can't be stored: %s", error.what)


def _run_of(look: Look, moment: datetime) -> LookUpTried:
    now = moment.replace(microsecond=moment.microsecond // 1000 * 1000)
    match look:
        case FoundReceipt():
            return LookUpTried(since=now, at=now, answer=LookAnswer.FOUND)
        case NoReceiptFound(_, counter):
            return LookUpTried(since=now, at=now, answer=LookAnswer.MISSING, counter=counter)
        case _:
            return LookUpTried(since=now, at=now, answer=LookAnswer.AWAY)


def _same(run: LookUpTried, other: LookUpTried) -> bool:
    return (run.answer, run.counter) == (other.answer, other.counter)
