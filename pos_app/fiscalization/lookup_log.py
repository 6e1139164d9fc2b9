"""Counts the look-ups of a doubt, so that a person can see what was found, and how often."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from pos_app import log
from pos_app.domain.states import LookAnswer
from pos_app.errors import MachineError
from pos_app.fiscalization.doubt import FoundReceipt, Look, NoReceiptFound
from pos_app.fiscalization.findings import Findings, LookupRun
from pos_app.fiscalization.ports import Clock

KEEP_EACH = timedelta(seconds=10)
"""How often equal look-ups are stored at most: a doubt is looked up each second."""

_log = log.get(__name__)


class LookupLog:
    """Counts the look-ups of the current doubt, and stores them in the journal now and then."""

    def __init__(self, findings: Findings, clock: Clock) -> None:
        self._findings = findings
        self._clock = clock
        self._run: LookupRun | None = None
        self._kept_at: datetime | None = None

    def note(self, request_id: str, look: Look) -> None:
        run, before = _run_of(request_id, look, self._clock.now()), self._run
        if before is None or not _same(before, run):
            self._keep()
            self._run = run
        else:
            self._run = replace(before, ended=run.ended, times=before.times + 1)
            if self._kept_at is not None and run.ended - self._kept_at < KEEP_EACH:
                return
        self._keep()

    def of(self, request_id: str) -> tuple[LookupRun, ...]:
        """The oldest first. Raises MachineError."""
        stored, run = self._findings.looks(request_id), self._run
        if run is None or run.request_id != request_id:
            return stored
        return (*(stored_run for stored_run in stored if stored_run.began != run.began), run)

    def _keep(self) -> None:
        if self._run is None:
            return
        self._kept_at = self._run.ended
        try:
            self._findings.looked(self._run)
        except MachineError as error:
            _log.warning("a look-up can't be stored: %s", error.what)


def _run_of(request_id: str, look: Look, moment: datetime) -> LookupRun:
    now = moment.replace(microsecond=moment.microsecond // 1000 * 1000)
    match look:
        case FoundReceipt():
            return LookupRun(request_id, now, now, LookAnswer.FOUND, None)
        case NoReceiptFound(_, counter):
            return LookupRun(request_id, now, now, LookAnswer.MISSING, counter)
        case _:
            return LookupRun(request_id, now, now, LookAnswer.AWAY, None)


def _same(run: LookupRun, other: LookupRun) -> bool:
    return replace(run, began=other.began, ended=other.ended, times=other.times) == other
