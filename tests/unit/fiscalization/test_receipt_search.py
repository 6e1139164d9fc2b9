"""The answers about receipts: the list, what needs something, and what is told where one fails."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest

from pos_app import errors
from pos_app.domain.receipt.receipt_identity import receipt_id
from pos_app.domain.receipt.receipt_list import Turnover
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.domain.receipt.states import RequestState
from pos_app.domain.text.instant import beginning_of, day_of
from pos_app.fiscalization.issuing.results import error_instead, never_denied
from pos_app.fiscalization.ports import ReceiptStatus
from pos_app.fiscalization.refusals import OutcomeNotKnown, ReceiptNotFound, ReceiptUnreadable
from tests.sweep import each

SALE, REFUND = TransactionType.SALE, TransactionType.REFUND


def test_copies_proformas_and_training_are_documents_and_no_turnover() -> None:
    told = Turnover(
        sales=Decimal("298367.26"),
        refunds=Decimal("5610.96"),
        documents={
            ReceiptKind(InvoiceType.NORMAL, SALE): 130,
            ReceiptKind(InvoiceType.NORMAL, REFUND): 7,
            ReceiptKind(InvoiceType.ADVANCE, SALE): 2,
            ReceiptKind(InvoiceType.COPY, SALE): 4,
            ReceiptKind(InvoiceType.COPY, REFUND): 3,
            ReceiptKind(InvoiceType.TRAINING, SALE): 2,
        },
    )
    assert told.net == Decimal("292756.30")
    assert told.receipts == 139
    assert told.not_turnover() == {InvoiceType.COPY: 7, InvoiceType.TRAINING: 2}


@each(
    ("day", "hours", "begins"),
    [
        (date(2026, 3, 29), 23, datetime(2026, 3, 28, 23, tzinfo=UTC)),
        (date(2026, 10, 25), 25, datetime(2026, 10, 24, 22, tzinfo=UTC)),
        (date(2026, 11, 20), 24, datetime(2026, 11, 19, 23, tzinfo=UTC)),
    ],
)
def test_a_day_lasts_from_midnight_to_midnight(day: date, hours: int, begins: datetime) -> None:
    end = beginning_of(day + timedelta(days=1))
    assert beginning_of(day) == begins
    assert end - begins == timedelta(hours=hours)
    assert day_of(begins) == day
    assert day_of(end - timedelta(milliseconds=1)) == day
    assert day_of(begins - timedelta(milliseconds=1)) < day


_S = RequestState
ORIGIN, KEY = "local", "0123456789abcdef"
WHOLE = receipt_id(origin=ORIGIN, key=KEY)
DAMAGED = errors.DatabaseDamaged(what="In the journal, a receipt can't be read.")
BUSY = errors.DatabaseBusy(what="Another program holds the database.")
FULL = errors.DiskFull(what="The disk took no more data.")


def receipts(*states: RequestState) -> tuple[ReceiptStatus, ...]:
    """Receipts of one command; the signed ones are numbered from 1."""
    return tuple(
        ReceiptStatus(
            id=WHOLE if child == 0 else f"{WHOLE} {child}",
            command_id=WHOLE,
            state=state,
            number=f"A-A-{child + 1}" if state is _S.SIGNED else None,
            body_hash=b"",
            changed_at=datetime(2026, 11, 2, 8, 30, tzinfo=UTC),
        )
        for child, state in enumerate(states)
    )


@dataclass(frozen=True)
class Kept:
    """A journal of one command. fault: the error that each read raises."""

    found: tuple[ReceiptStatus, ...]
    fault: errors.MachineError | None = None

    def statuses_of(self, command_id: str) -> tuple[ReceiptStatus, ...]:
        self._read()
        return tuple(one for one in self.found if one.command_id == command_id)

    def status_by_reference(self, reference: str) -> ReceiptStatus | None:
        self._read()
        return next((one for one in self.found if reference in (one.id, one.number)), None)

    def _read(self) -> None:
        if self.fault is not None:
            raise self.fault


@each("fault", [DAMAGED, BUSY, FULL, errors.NotAllowed(what="no such move")])
@each(
    ("states", "damaged", "passing"),
    [
        ((_S.SIGNED,), ReceiptUnreadable, OutcomeNotKnown),
        ((_S.SIGNED, _S.SIGNED), ReceiptUnreadable, OutcomeNotKnown),
        ((_S.SIGNED, _S.NEEDS_HUMAN), OutcomeNotKnown, OutcomeNotKnown),
        ((_S.SIGNED, _S.RELEASED), OutcomeNotKnown, OutcomeNotKnown),
        ((_S.UNKNOWN,), OutcomeNotKnown, OutcomeNotKnown),
        ((_S.QUEUED,), OutcomeNotKnown, OutcomeNotKnown),
        ((_S.RELEASED,), None, None),
        ((_S.REJECTED,), None, None),
        ((_S.CANCELLED,), None, None),
        ((), None, None),
    ],
)
def test_only_damage_is_told_as_damage(
    fault: errors.MachineError | errors.NotAllowed,
    states: tuple[RequestState, ...],
    damaged: type[OutcomeNotKnown] | None,
    passing: type[OutcomeNotKnown] | None,
) -> None:
    told = error_instead(receipts(*states), fault, receipt_id=WHOLE)
    expected = damaged if fault is DAMAGED else passing
    assert (None if told is None else type(told)) is expected
    if isinstance(told, OutcomeNotKnown):
        assert told.receipt_id == WHOLE
        assert fault.what in told.what


@pytest.mark.parametrize(
    ("fault", "signed"), [(DAMAGED, ("A-A-1",)), (BUSY, ())], ids=["damaged", "busy"]
)
@pytest.mark.parametrize("reference", [WHOLE, "A-A-1", f"key:{KEY}"])
def test_a_look_up_that_fails_while_the_journal_is_held_is_asked_for_again(
    reference: str, fault: errors.MachineError, signed: tuple[str, ...]
) -> None:
    with (
        pytest.raises(OutcomeNotKnown) as told,
        never_denied(Kept(receipts(_S.SIGNED)), reference, origin=ORIGIN),
    ):
        raise fault
    assert (told.value.receipt_id, told.value.signed) == (WHOLE, signed)
    assert ("never issue it anew" in told.value.do) is (fault is DAMAGED)
    assert ("Look it up" in told.value.do) is (fault is BUSY)


@each("fault", [DAMAGED, BUSY])
def test_what_else_is_told_in_place_of_a_fault(fault: errors.MachineError) -> None:
    """Not found is what was surely not issued; where nothing is known the fault itself is told."""
    with pytest.raises(ReceiptNotFound), never_denied(Kept(receipts(_S.REJECTED)), WHOLE):
        raise fault
    for kept in (Kept(()), Kept(receipts(_S.SIGNED), fault=BUSY)):
        with pytest.raises(errors.DatabaseDamaged), never_denied(kept, WHOLE):
            raise DAMAGED
    first, second = receipts(_S.SIGNED, _S.SIGNED)
    pair = Kept((first, replace(second, id="second")))
    with pytest.raises(ReceiptUnreadable) as told, never_denied(pair, "second"):
        raise DAMAGED
    assert (told.value.receipt_id, told.value.signed) == ("second", ("A-A-2",)), "of it alone"
