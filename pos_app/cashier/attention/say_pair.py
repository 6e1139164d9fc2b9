"""A half-done pair of receipts in words: what is signed, what was refused, what undoing means."""

from __future__ import annotations

from pos_app.cashier.attention.refusal import refusal_of
from pos_app.cashier.attention.rows import Row
from pos_app.cashier.texts import Told, Words
from pos_app.domain.numerals import amount_text
from pos_app.domain.operations import Operation
from pos_app.domain.request import InvoiceType, TransactionType
from pos_app.domain.states import REVERSED, AnswerClass, RequestState
from pos_app.selling.answers import HalfDonePair, Issued, PairPart
from pos_app.selling.decided import PairDecision
from pos_app.selling.sale import Reason


def pair_of(row: Row) -> HalfDonePair | None:
    """What the server told of the pair; None until it has."""
    return row.doubt.pair if row.doubt else None


def pair_title(row: Row, words: Words) -> str:
    """The bold line of the row: which operation it is."""
    pair, decision = pair_of(row), row.decision
    which = "half_done" if decision is None else _ended(decision)
    operation = decision.operation if decision else pair.operation if pair else None
    if operation is None:
        return words(f"att.row.{which}")
    kind = "close" if operation is Operation.CLOSE else "refund"
    return words(f"att.row.{which}.{kind}")


def pair_why(row: Row, words: Words) -> str:
    """The quiet words of the row."""
    pair = pair_of(row)
    if pair is None:
        return words(f"att.why.half_done_{_untold(row)}")
    return words("att.why.half_done", number=_short(pair.signed.number))


def pair_words(row: Row, words: Words) -> Told:
    """The three parts of the notice."""
    safe, press = words("att.safe.half_done"), words("att.press.half_done")
    pair = pair_of(row)
    if pair is None:
        press = words(f"att.press.half_done_{_untold(row)}")
        return Told(words("att.happened.half_done_unknown"), safe, press)
    signed, waiting = pair.signed, pair.waiting
    happened = words(
        "att.happened.half_reversed" if waiting.is_reversal else "att.happened.half_done",
        signed=kind_of(signed, words),
        number=_short(signed.number),
        total=amount_text(signed.total),
        refused=kind_of(waiting, words),
        other=amount_text(waiting.total),
    )
    return Told(happened, safe, press)


def decided_why(decision: PairDecision, words: Words) -> str:
    """Who took the decision, for the quiet line of the row."""
    return words("att.why.decided", by=decision.by)


def decided_words(decision: PairDecision, words: Words, *, told_when: str) -> Told:
    """What a manager made of the pair, and when."""
    ended = f"att.happened.{_ended(decision)}"
    number = _short(decision.number)
    happened = words(ended, number=number) if number else words(f"{ended}.bare")
    decided = words("att.happened.decided", by=decision.by, when=told_when)
    return Told(f"{happened} {decided}", words("att.safe.solved"), words("att.press.solved"))


def _untold(row: Row) -> str:
    """Why there is no pair: the server was not asked yet, or can't read what belongs to it."""
    return "unread" if row.doubt else "unknown"


def _ended(decision: PairDecision) -> str:
    return "pair_undone" if decision.is_reversal else "pair_finished"


def kind_of(part: PairPart, words: Words) -> str:
    """What sort of receipt it is, as the law calls it."""
    return _kind(part.invoice_type, part.transaction_type, words)


def refused_why(part: PairPart, words: Words) -> str:
    """What the processor's code means; "" for one that has no words."""
    reason = Reason(AnswerClass.FIX, "", part.message, part.code)
    code = refusal_of(reason).code
    return words(f"att.pfr.{code}") if code else ""


def undoing(pair: HalfDonePair, words: Words) -> dict[str, str]:
    """What will be signed when the pair is undone: a sale of the same that refers to it."""
    signed = pair.signed
    kind = "advance" if signed.invoice_type is InvoiceType.ADVANCE else "normal"
    return {
        "kind": _kind(signed.invoice_type, TransactionType.SALE, words),
        "total": amount_text(signed.total),
        "number": signed.number,
        "after": words(f"att.pair.after.{kind}"),
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


def _kind(invoice_type: InvoiceType, transaction: TransactionType, words: Words) -> str:
    return words(f"att.kind.{invoice_type}.{transaction}")


def _short(number: str) -> str:
    """The last part of a fiscal number, as people call it."""
    return number.rpartition("-")[2]
