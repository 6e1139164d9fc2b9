"""The open work of a server decides whether the server may end, or load something, now."""

from __future__ import annotations

from pos_app.domain.receipt.states import JobMethod, RequestState
from pos_app.fiscalization.ports import Journal, LaneJournal


def has_work(journal: Journal) -> bool:
    """Whether the server has something to do by itself; a question to a person does not count."""
    issuing = any(one.state is not RequestState.NEEDS_HUMAN for one in journal.open_requests())
    return issuing or any(journal.jobs.line(method).waits for method in JobMethod)


def is_issuing(journal: LaneJournal) -> bool:
    """Whether a receipt is on its way to the processor, or there; a doubt does not count."""
    under_way = (RequestState.QUEUED, RequestState.SENDING)
    return any(one.state in under_way for one in journal.open_requests())
