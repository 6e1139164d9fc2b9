"""The server's answers in place of a receipt.

Sources: exactly-once.md ("Answers have a class"), platform-contract.md 3.
"""

from __future__ import annotations

from typing import Any

from pos_app import errors
from pos_app.domain.receipt.states import REVERSED, AnswerClass

DECLARED_ABSENT = "declared_absent"
"""A person said that the receipt does not exist."""
ACT_UNKNOWN = "act_unknown"
"""The journal may lack what was done with the receipt that a request refers to."""
VOUCHED = "vouched"
"""A person said that a request may be sent although the journal may lack what was done with the
receipt that it refers to."""
NO_ROOM = "disk"
"""The disk is nearly full, so nothing is sent: a person must free some space."""
STORAGE = "storage"
"""The journal can't be read or written now."""
CATALOGUE = "catalogue"
"""The catalogue's file is damaged: a person must have it made anew."""
TILL_RESTORED = "till_restored"
"""A till's data was restored, so the till uses sequence numbers for a second time."""
HALF_DONE = "half_done"
"""An earlier operation on the same receipt is half done: one receipt signed, one not yet."""


class WrongPaper(errors.Invalid):
    """The address on a processor's paper is not that of the receipt in doubt. kind: the reason."""

    OTHER_RECEIPT = "other_receipt"
    """The address is of a receipt that was not asked for."""
    KNOWN_RECEIPT = "known_receipt"
    """The address is of a receipt that the journal has already."""

    def __init__(self, kind: str, /, **more: Any) -> None:
        super().__init__(kind, field="verificationUrl", **more)


class NotSigned(errors.PosError):
    """Surely no receipt exists. `answer_class` gives the caller's options. reason: our code, as in
    StateReason, may be ""; pfr_code: the processor's code, may be ""."""

    def __init__(
        self,
        kind: str = "",
        /,
        *,
        answer_class: AnswerClass,
        reason: str = "",
        pfr_code: str = "",
        **more: Any,
    ) -> None:
        super().__init__(kind, safe="Nothing was signed.", **more)
        self.answer_class = answer_class
        self.reason = reason
        self.pfr_code = pfr_code


class OutcomeNotKnown(errors.PosError):
    """A receipt may exist: look it up by `receipt_id`, or send the same key again.

    receipt_id is None if nothing of the request is stored. signed: the numbers of the signed
    receipts of a half-done pair. state: REVERSED for an undone pair, else "".
    """

    state = ""

    def __init__(
        self,
        kind: str = "",
        /,
        *,
        receipt_id: str | None,
        signed: tuple[str, ...] = (),
        do: str = "Look it up by its receiptId, or repeat with the same key.",
        **more: Any,
    ) -> None:
        super().__init__(kind, do=do, **more)
        self.receipt_id = receipt_id
        self.signed = signed


class PairReversed(OutcomeNotKnown):
    """A pair was undone: the receipts in `signed` exist, but the request was not fulfilled."""

    state = REVERSED

    def __init__(self, *, receipt_id: str, signed: tuple[str, ...]) -> None:
        first, *_, last = signed
        super().__init__(receipt_id=receipt_id, signed=signed, do="", first=first, last=last)


class ReceiptUnreadable(OutcomeNotKnown):
    """All receipts are signed, under the numbers in `signed`, but the stored answers are damaged
    for good."""

    def __init__(self, *, why: str, receipt_id: str, signed: tuple[str, ...]) -> None:
        numbers = ", ".join(signed) or "number unknown"
        super().__init__(receipt_id=receipt_id, signed=signed, do="", numbers=numbers, why=why)


class KeyBound(errors.NotAllowed):
    """The key belongs to another body, or was cancelled: nothing was signed for this one."""


class WrongReceipt(errors.Invalid):
    """The operation is not allowed on this receipt. `what` begins with the receipt's number."""

    def __init__(self, kind: str = "", /, **more: Any) -> None:
        super().__init__(kind, field="Id", **more)


class ReceiptNotFound(errors.NotFound):
    """Surely no receipt of that id, number or key was issued."""
