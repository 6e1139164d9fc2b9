"""Delivery jobs in trouble, as the server tells them with its status."""

from __future__ import annotations

from datetime import datetime

from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobMethod, JobState


def undelivered_paper(
    number: str,
    at: datetime,
    *,
    state: JobState = JobState.WAITING,
    method: JobMethod = JobMethod.THERMAL,
    trouble: str = "away",
    job_id: int = 1,
) -> DeliveryJob:
    return DeliveryJob(job_id, method, state, at, at, f"r-{job_id}", number, trouble=trouble)
