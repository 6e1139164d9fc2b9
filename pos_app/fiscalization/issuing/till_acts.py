"""What the till's own file proves: acts on receipts that are signed, and that the journal lacks,
because it alone was put back.

Source: exactly-once.md, "Restores, replacements, damage".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.receipt_identity import receipt_id
from pos_app.domain.receipt.request import IssueRequest
from pos_app.domain.receipt.states import RequestState
from pos_app.errors import Invalid, NotFound
from pos_app.fiscalization.issuing.planning import Planner
from pos_app.fiscalization.plans.chain import ChainReceipt
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.fiscalization.plans.reported import plan_reported
from pos_app.fiscalization.ports import TillAct
from pos_app.fiscalization.refusals import NotSigned
from pos_app.fiscalization.service import FiscalService

_CHILDREN = (0, 1)


def acts_lacking(service: FiscalService, number: str) -> Sequence[TillAct]:
    """The signed acts on the receipt of that number, and on others of its chain, that the till's
    file has and the journal lacks; the oldest first."""
    journal = service.journal
    referent = journal.request_of_number(number)
    ids = set() if referent is None else {link.id for link in journal.chain(referent.chain).links}
    found = dict[str, TillAct]()
    while ids:
        acts = [one for one in service.till_acts.on(ids) if one.number not in found]
        new = [one for one in acts if not journal.has_number(one.number)]
        found |= {one.number: one for one in new}
        ids = {_id(one, child) for one in new for child in _CHILDREN}
    return tuple(found.values())


def receipts_of(
    service: FiscalService, planner: Planner, acts: Iterable[TillAct]
) -> tuple[ChainReceipt, ...]:
    """The receipts of these acts, planned anew in their order as they were signed. An act that
    can't be planned any more is rebuilt without its lines, so that nothing but a copy is allowed
    behind it. Copies, and refunds that were undone, leave everything allowed and are left out."""
    links = tuple[ChainReceipt, ...]()
    for act in acts:
        if act.operation is Operation.COPY or service.till_acts.is_undone(act):
            continue
        planned = _planned(replace(planner, further=links), act)
        links += tuple(_signed(act, child, one) for child, one in enumerate(planned))
    return links


def _planned(planner: Planner, act: TillAct) -> tuple[PlannedReceipt, ...]:
    assert not isinstance(act.asked, IssueRequest)
    try:
        return planner.plan(act.asked, act.target).receipts
    except (Invalid, NotFound, NotSigned):
        return plan_reported(act.asked, planner.basis)


def _signed(act: TillAct, child: int, planned: PlannedReceipt) -> ChainReceipt:
    receipt = SignedReceipt(
        sdc_time=act.at,
        sdc_time_text=act.at.isoformat(),
        invoice_counter="",
        invoice_number=act.number,
        signed_by="",
        encrypted_internal_data="",
    )
    return ChainReceipt(
        id=_id(act, child),
        command_id=_id(act, 0),
        operation=act.operation,
        child=child,
        state=RequestState.SIGNED,
        planned=planned,
        receipt=receipt,
    )


def _id(act: TillAct, child: int) -> str:
    return receipt_id(origin=act.origin, key=act.key, child=child)
