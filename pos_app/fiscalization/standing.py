"""What is told of receipts whose rows can't be read: where they stand, and their numbers.

The content of a row is packed; its state and its number stand beside it, and outlive damage of the
content. So a signed receipt is never denied because its answer can't be given (exactly-once.md,
I2): what is told then is that it is signed, its number, and the id by which it is looked up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pos_app.domain.receipt_number import FiscalNumber
from pos_app.domain.states import OPEN, RequestState
from pos_app.errors import Invalid, MachineError, PosError
from pos_app.fiscalization.identity import receipt_id
from pos_app.fiscalization.refusals import OutcomeNotKnown, ReceiptNotFound, ReceiptUnreadable

BY_KEY = "key:"


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one receipt of a command stands. number: its fiscal number, None without a receipt."""

    id: str
    command_id: str
    state: RequestState
    number: str | None


class Standings(Protocol):
    """The part of the journal that tells it, of rows with damaged content too."""

    def standings(self, command_id: str) -> tuple[Standing, ...]:
        """Of all receipts of a command, in their order."""
        ...

    def standing(self, reference: str) -> Standing | None:
        """Of the receipt with that id or that fiscal number."""
        ...

    def keyless_twin(
        self, origin: str, body_hash: bytes, *, undelivered_since: datetime
    ) -> str | None:
        """The id of an identical keyless command that is open or half done, or signed with its
        answer not delivered."""
        ...


def find_standing(journal: Standings, reference: str) -> Standing | None:
    """Of the receipt with that id or number, which may be typed in small letters."""
    return journal.standing(reference) or journal.standing(number_of(reference))


def number_of(reference: str) -> str:
    """A fiscal number as the journal has it."""
    try:
        return str(FiscalNumber.parse(reference))
    except Invalid:  # a processor may number in another form
        return reference


def numbers(standings: Sequence[Standing]) -> tuple[str, ...]:
    """The fiscal numbers of those that are signed."""
    return tuple(one.number for one in standings if one.number is not None)


def told_instead(
    standings: Sequence[Standing], error: PosError, *, receipt_id: str
) -> PosError | None:
    """The truth about these receipts where an answer can't be read; None: surely none is signed.

    receipt_id: by which they are looked up.
    """
    signed = numbers(standings)
    states = {one.state for one in standings}
    if states == {RequestState.SIGNED}:
        return ReceiptUnreadable(error.what, receipt_id=receipt_id, signed=signed)
    if RequestState.SIGNED in states:
        words = f"Half done: {', '.join(signed)} is signed. {error.what}"
        return OutcomeNotKnown(words, receipt_id=receipt_id, signed=signed)
    if states & OPEN:
        return OutcomeNotKnown(error.what, receipt_id=receipt_id)
    return None


@contextmanager
def truth_told(journal: Standings, reference: str, *, origin: str = "") -> Iterator[None]:
    """What can't be read of a receipt that exists is no fault without a name: raises
    ReceiptUnreadable or OutcomeNotKnown in its place, ReceiptNotFound when surely none was issued.

    reference: its id or number, or "key:" and the key of `origin`.
    """
    try:
        yield
    except MachineError as error:
        raise _truth(journal, reference, origin, error) from error


def _truth(journal: Standings, reference: str, origin: str, error: MachineError) -> PosError:
    if reference.startswith(BY_KEY):
        reference = receipt_id(origin=origin, key=reference.removeprefix(BY_KEY))
    try:
        one = find_standing(journal, reference)
        if one is None:
            return error
        is_whole = reference == one.command_id
        asked = journal.standings(one.command_id) if is_whole else (one,)
    except MachineError:  # the file itself can't be read
        return error
    told = told_instead(asked, error, receipt_id=one.id)
    return told or ReceiptNotFound("Receipt not found")
