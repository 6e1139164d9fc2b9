"""The totals of receipts whose jobs are in the till's status, which is asked for often."""

from __future__ import annotations

from collections.abc import Iterable

from pos_app.domain.money import Money
from pos_app.errors import DatabaseDamaged
from pos_app.fiscalization.jobs import QueuedJob
from pos_app.fiscalization.ports import ReceiptReader


class JobTotals:
    """Each is read once, as they never change: fifty took 10 ms of every status."""

    def __init__(self, journal: ReceiptReader) -> None:
        self._journal = journal
        self._known: dict[str, Money | None] = {}

    def of(self, jobs: Iterable[QueuedJob]) -> dict[str, Money | None]:
        """By the id of the request; all others are forgotten. None: it can't be read."""
        ids = {job.receipt_id for job in jobs if job.receipt_id is not None}
        known = self._known
        self._known = {name: known[name] if name in known else self._read(name) for name in ids}
        return self._known

    def _read(self, request_id: str) -> Money | None:
        try:
            request = self._journal.request(request_id)
        except DatabaseDamaged:  # the job is shown without it
            return None
        return request.document.total if request is not None else None
