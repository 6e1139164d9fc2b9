"""A half-done pair of receipts in words: what is signed, what was refused, what undoing means."""

from __future__ import annotations

from pos_app.cashier.attention.refusal_details import refusal_of
from pos_app.cashier.attention.rows import Row
from pos_app.cashier.texts.lookup import NoticeText, Texts
from pos_app.domain.number_text import amount_text
from pos_app.domain.operations import Operation
from pos_app.domain.request import InvoiceType, TransactionType
from pos_app.domain.server_status import HalfDonePair, SignedPart, WaitingPart
from pos_app.domain.states import REVERSED, AnswerClass, RequestState
from pos_app.selling.pair_decisions import PairDecision
from pos_app.selling.sale import PendingReason
from pos_app.selling.server_answers import Issued


def pair_of(row: Row) -> HalfDonePair | None:
    """What the server told of the pair; None until it has."""
    return row.doubt.pair if row.doubt else None


def pair_title(row: Row, texts: Texts) -> str:
    """The bold line of the row: which operation it is."""
    pair, decision = pair_of(row), row.decision
    which = "half_done" if decision is None else _ended(decision)
    operation = decision.operation if decision else pair.operation if pair else None
    if operation is None:
        return texts(f"att.row.{which}")
    kind = "close" if operation is Operation.CLOSE else "refund"
    return texts(f"att.row.{which}.{kind}")


def pair_why(row: Row, texts: Texts) -> str:
    """The quiet words of the row."""
    pair = pair_of(row)
    if pair is None:
        return texts(f"att.why.half_done_{_untold(row)}")
    return texts("att.why.half_done", number=_short(pair.first.number))


def pair_words(row: Row, texts: Texts) -> NoticeText:
    """The three parts of the notice."""
    safe, press = texts("att.safe.half_done"), texts("att.press.half_done")
    pair = pair_of(row)
    if pair is None:
        press = texts(f"att.press.half_done_{_untold(row)}")
        return NoticeText(texts("att.happened.half_done_unknown"), safe, press)
    signed, waiting = pair.first, pair.waiting
    happened = texts(
        "att.happened.half_reversed" if waiting.is_reversal else "att.happened.half_done",
        signed=kind_of(signed, texts),
        number=_short(signed.number),
        total=amount_text(signed.total),
        refused=kind_of(waiting, texts),
        other=amount_text(waiting.total),
    )
    return NoticeText(happened, safe, press)


def decided_why(decision: PairDecision, texts: Texts) -> str:
    """Who took the decision, for the quiet line of the row."""
    return texts("att.why.decided", by=decision.by)


def decided_words(decision: PairDecision, texts: Texts, *, told_when: str) -> NoticeText:
    """What a manager made of the pair, and when."""
    ended = f"att.happened.{_ended(decision)}"
    number = _short(decision.number)
    happened = texts(ended, number=number) if number else texts(f"{ended}.bare")
    decided = texts("att.happened.decided", by=decision.by, when=told_when)
    return NoticeText(f"{happened} {decided}", texts("att.safe.solved"), texts("att.press.solved"))


def _untold(row: Row) -> str:
    """Why there is no pair: the server was not asked yet, or can't read what belongs to it."""
    return "unread" if row.doubt else "unknown"


def _ended(decision: PairDecision) -> str:
    return "pair_undone" if decision.is_reversal else "pair_finished"


def kind_of(part: SignedPart | WaitingPart, texts: Texts) -> str:
    """What sort of receipt it is, as the law calls it."""
    return _kind(part.invoice_type, part.transaction_type, texts)


def refused_why(part: WaitingPart, texts: Texts) -> str:
    """What the processor's code means; "" for one that has no words."""
    reason = PendingReason(AnswerClass.FIX, "", part.message, part.code)
    code = refusal_of(reason).code
    return texts(f"att.pfr.{code}") if code else ""


def undoing(pair: HalfDonePair, texts: Texts) -> dict[str, str]:
    """What will be signed when the pair is undone: a sale of the same that refers to it."""
    signed = pair.first
    kind = "advance" if signed.invoice_type is InvoiceType.ADVANCE else "normal"
    return {
        "kind": _kind(signed.invoice_type, TransactionType.SALE, texts),
        "total": amount_text(signed.total),
        "number": signed.number,
        "after": texts(f"att.pair.after.{kind}"),
    }


def correcting(pair: HalfDonePair) -> str:
    """The key of what a correction may change: of a copy nothing that the refund tells too."""
    is_copy = pair.operation is not Operation.CLOSE
    return "att.pair.correct_words.copy" if is_copy else "att.pair.correct_words"


def said_words(ended: Issued | str) -> str:
    """The key of what is said once a person's word was carried out, by how it ended."""
    if isinstance(ended, Issued):
        return "att.pair.finished"
    known = {REVERSED: "undone", str(RequestState.NEEDS_HUMAN): "refused"}
    return f"att.pair.{known.get(ended, 'under_way')}"


def _kind(invoice_type: InvoiceType, transaction: TransactionType, texts: Texts) -> str:
    return texts(f"att.kind.{invoice_type}.{transaction}")


def _short(number: str) -> str:
    """The last part of a fiscal number, as people call it."""
    return number.rpartition("-")[2]
