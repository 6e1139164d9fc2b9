"""What a person has to do about the last sale: why it is no success yet, and where it is solved."""

from __future__ import annotations

from dataclasses import dataclass

from pos_app.cashier.attention.rows import job_row_id
from pos_app.cashier.services import TillServices
from pos_app.cashier.ui.state import StateKind
from pos_app.domain.server_status import DeliveryJob
from pos_app.domain.states import JobState
from pos_app.selling.delivery_trouble import GOES_ON, PAPERS, undelivered
from pos_app.selling.sale import Sale
from pos_app.selling.sale_state import SaleState

_OF_STATE = {
    SaleState.REFUSED: ("refused", StateKind.FAILED),
    SaleState.DOUBT: ("doubt", StateKind.DECIDE),
}


@dataclass(frozen=True, slots=True)
class LastSaleProblem:
    """what: the name of its words, "refused", "unprinted" … row_id: of its row in Attention.

    job: what did not come out, where that is it.
    """

    what: str
    kind: StateKind
    row_id: str
    job: DeliveryJob | None = None


def last_sale_problem(sale: Sale, services: TillServices) -> LastSaleProblem | None:
    """What calls for a person; None where all is well or goes on by itself."""
    if sale.key in services.outbox.young_doubts:
        return None
    if sale.state in _OF_STATE:
        what, kind = _OF_STATE[sale.state]
        return LastSaleProblem(what, kind, sale.key)
    if sale.is_unreadable:
        return LastSaleProblem("unreadable", StateKind.DECIDE, sale.key)
    job = undelivered(sale, services.server.status)
    what = _not_come(job) if job is not None else ""
    return LastSaleProblem(what, StateKind.DECIDE, job_row_id(job), job) if job and what else None


def _not_come(job: DeliveryJob) -> str:
    """The customer stands there for a paper; a mail that goes on by itself is nobody's care."""
    if job.method in PAPERS:
        return "perhaps_printed" if job.state is JobState.UNPROVEN else "unprinted"
    if job.state in GOES_ON:
        return ""
    return "perhaps_sent" if job.state is JobState.UNPROVEN else "unsent"
