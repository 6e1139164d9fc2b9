"""Counting the look-ups of a doubt, so that a person is told what was found, and how often."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from pos_app import log
from pos_app.clock import Clock
from pos_app.domain.server_status import LookUpTried
from pos_app.domain.states import LookAnswer
from pos_app.errors import MachineError
from pos_app.fiscalization.doubt import FoundReceipt, Look, NoReceiptFound
from pos_app.fiscalization.findings import Findings

KEEP_EACH = timedelta(seconds=10)
"""Look-ups that say the same are stored at most so often: a doubt is looked up each second."""

_log = log.get(__name__)


class LookupLog:
    """Counts the look-ups of the doubt at hand, and keeps them in the journal now and then."""

    def __init__(self, findings: Findings, clock: Clock) -> None:
        self._findings = findings
        self._clock = clock
        self._request_id = ""
        self._run: LookUpTried | None = None
        self._kept_at: datetime | None = None

    def note(self, request_id: str, look: Look) -> None:
        """One more look-up. That it can't be stored now is no reason not to go on looking."""
        run, before = _run_of(look, self._clock.now()), self._run
        if before is None or request_id != self._request_id or not _same(before, run):
            self._keep()
            self._request_id, self._run = request_id, run
        else:
            self._run = replace(before, at=run.at, times=before.times + 1)
            if self._kept_at is not None and run.at - self._kept_at < KEEP_EACH:
                return
        self._keep()

    def of(self, request_id: str) -> tuple[LookUpTried, ...]:
        """All look-ups of a request, the oldest first. Raises MachineError."""
        kept, run = self._findings.looks(request_id), self._run
        if run is None or request_id != self._request_id:
            return kept
        return (*(one for one in kept if one.since != run.since), run)

    def _keep(self) -> None:
        if self._run is None:
            return
        self._kept_at = self._run.at
        try:
            self._findings.looked(self._request_id, self._run)
        except MachineError as error:
            _log.warning("a look-up can't be kept: %s", error.what)


def _run_of(look: Look, moment: datetime) -> LookUpTried:
    """One look-up, its time as exact as the journal keeps it."""
    now = moment.replace(microsecond=moment.microsecond // 1000 * 1000)
    match look:
        case FoundReceipt():
            return LookUpTried(since=now, at=now, answer=LookAnswer.FOUND)
        case NoReceiptFound(_, counter):
            return LookUpTried(since=now, at=now, answer=LookAnswer.MISSING, counter=counter)
        case _:
            return LookUpTried(since=now, at=now, answer=LookAnswer.AWAY)


def _same(one: LookUpTried, other: LookUpTried) -> bool:
    return (one.answer, one.counter) == (other.answer, other.counter)
