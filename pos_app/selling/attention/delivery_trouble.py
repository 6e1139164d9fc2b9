"""The server's status names the receipts not printed or sent, and the printer's faults.

Each status lists the jobs in trouble, so no further request is made.
Source: till.md (Promises 3 and 4), fiscal.md 6.12.
"""

from __future__ import annotations

from collections.abc import Iterable

from pos_app.domain.receipt.server_status import DeliveryJob, ServerStatus
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.selling.sale.sale import Sale

PAPERS = frozenset({JobMethod.THERMAL, JobMethod.A4})
GOES_ON = frozenset({JobState.WAITING, JobState.RUNNING})
"""The states of jobs that the server tries again by itself."""
_SHOWN_STATES = GOES_ON | {JobState.FAILED, JobState.UNPROVEN}


def is_paper_to_come(job: DeliveryJob) -> bool:
    """Whether the job waits for a printer, so that a file may be the original instead."""
    return job.method in PAPERS and job.state is JobState.WAITING


def is_receipt_paper(job: DeliveryJob) -> bool:
    return job.method in PAPERS and job.receipt_id is not None


def undelivered(sale: Sale, status: ServerStatus | None) -> DeliveryJob | None:
    """The delivery that the customer of that sale did not get, paper before a mail. It is None when
    all came out, or nothing was tried yet."""
    if status is None or sale.receipt is None:
        return None
    number = sale.receipt.fiscal_number
    mine = [job for job in _in_trouble(status) if job.number == number]
    return min(mine, key=lambda job: job.method not in PAPERS, default=None)


def printer_in_trouble(status: ServerStatus | None) -> DeliveryJob | None:
    """The newest paper that waits for a printer; else one about which a person is asked."""
    papers = [job for job in _in_trouble(status) if job.method in PAPERS]
    return max(papers, key=lambda job: (job.state in GOES_ON, job.id), default=None)


def unanswered_papers(status: ServerStatus | None) -> int:
    jobs = _in_trouble(status)
    return sum(job.method in PAPERS and job.state not in GOES_ON for job in jobs)


def _in_trouble(status: ServerStatus | None) -> Iterable[DeliveryJob]:
    return (job for job in (status.jobs if status else ()) if job.state in _SHOWN_STATES)
