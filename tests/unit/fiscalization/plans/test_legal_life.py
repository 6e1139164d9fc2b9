"""Each refused pair of receipt and operation, with its message."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from pos_app.domain.receipt.operations import Copying, Operation
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind
from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.errors import Invalid
from pos_app.fiscalization.plans import lifecycle
from pos_app.fiscalization.plans.copying import plan_copy
from pos_app.fiscalization.refusals import NotSigned
from tests.sweep import each
from tests.unit.fiscalization.plans.book import (
    BASIS,
    PDF,
    Book,
    advance,
    closing,
    known,
    line,
    number_of,
    planned,
    sale,
)
from tests.unit.fiscalization.plans.book import closed as closing_pair
from tests.unit.fiscalization.plans.test_issue import ADVANCE as ADVANCE_BODY
from tests.unit.fiscalization.plans.test_issue import REFUND as REFUND_BODY
from tests.unit.fiscalization.plans.test_refund import refunded, refunding

BREAD = line("Хлеб/ком", "Е", "3", "100.00", sku=1)
PART = line("11: Аванс", "Е", "1", "100.00")
ON_A_RECEIPT = (Operation.ADVANCE, Operation.CLOSE, Operation.COPY, Operation.REFUND)


def sold(kind: InvoiceType = InvoiceType.NORMAL) -> Book:
    return Book(sale(BREAD, kind=kind, card="300.00"))


def given_back(kind: InvoiceType = InvoiceType.NORMAL) -> Book:
    book = sold(kind)
    book.add(*refunded(book, refunding(card="300.00")), operation=Operation.REFUND)
    return book


def copied(book: Book, of: int = 0) -> Book:
    request = Copying(delivery=PDF)
    copy = plan_copy(receipt=book.links[of], chain=book.chain, request=request, basis=BASIS)
    book.add(*copy, operation=Operation.COPY)
    return book


def paid_in_advance() -> Book:
    return Book(advance(known(BREAD), PART, card="100.00"))


def advance_given_back() -> Book:
    book = paid_in_advance()
    book.add(*refunded(book, refunding(card="100.00")), operation=Operation.REFUND)
    return book


def part_given_back() -> Book:
    book = paid_in_advance()
    book.add(*refunded(book, refunding(card="40.00")), operation=Operation.REFUND)
    return book


def closed(second: RequestState = RequestState.SIGNED) -> Book:
    book = paid_in_advance()
    pair = closing_pair(book, closing(card="200.00"))
    book.add(*pair, operation=Operation.CLOSE, states=(RequestState.SIGNED, second))
    return book


def refund_by_hand(kind: str = "advance") -> Book:
    """A chain that begins with a refund by hand of another system's receipt."""
    return Book(*planned(REFUND_BODY | {"invoiceType": kind}))


def paid_on_from_elsewhere() -> Book:
    """A payment here on an advance of another system."""
    reference = {name: REFUND_BODY[name] for name in REFUND_BODY if name.startswith("referent")}
    return Book(*planned(ADVANCE_BODY | reference))


NO_ADVANCE = "is not an advance"
IS_COPY = "is a copy: use the number of the receipt that was copied"
REFUNDED = "is refunded already"
IS_CLOSED = "is an advance that is closed already"
CLOSED_BY = f"is an advance that is closed: refund the sale of its closing ({number_of(3)})"
ELSEWHERE = "belongs to an advance that began elsewhere"
COPIED = dict.fromkeys((Operation.COPY, Operation.REFUND), IS_COPY)
GIVEN_BACK = {Operation.REFUND: REFUNDED}
IS_REFUND = {Operation.REFUND: "is a refund, and a refund is never refunded"}
Made = Callable[[], Book]


def further(words: str) -> dict[Operation, str]:
    """Neither a further payment nor a closing, in the same words."""
    return dict.fromkeys((Operation.ADVANCE, Operation.CLOSE), words)


NEVER_ADVANCED = further(NO_ADVANCE)
CASES: list[tuple[str, Made, int, dict[Operation, str]]] = [
    ("a sale", sold, 0, NEVER_ADVANCED),
    ("a sale given back", given_back, 0, NEVER_ADVANCED | GIVEN_BACK),
    ("a refund", given_back, 1, NEVER_ADVANCED | IS_REFUND),
    ("a proforma given back", lambda: given_back(InvoiceType.PROFORMA), 0,
     NEVER_ADVANCED | GIVEN_BACK),
    ("a proforma", lambda: sold(InvoiceType.PROFORMA), 0, NEVER_ADVANCED),
    ("a training refund", lambda: given_back(InvoiceType.TRAINING), 1, NEVER_ADVANCED | IS_REFUND),
    ("a copy", lambda: copied(sold()), 1, COPIED | NEVER_ADVANCED),
    ("a copy of a refund", lambda: copied(given_back(), 1), 2, COPIED | NEVER_ADVANCED),
    ("a copy of an advance", lambda: copied(paid_in_advance()), 1, COPIED),
    ("a copy of an advance given back", lambda: copied(advance_given_back()), 2,
     COPIED | further(REFUNDED)),
    ("a copy of a closed advance", lambda: copied(closed()), 3, COPIED | further(IS_CLOSED)),
    ("a copy of a closing", lambda: copied(closed(), 2), 3, COPIED | NEVER_ADVANCED),
    ("an advance", paid_in_advance, 0, {}),
    ("an advance given back", advance_given_back, 0, further(REFUNDED) | GIVEN_BACK),
    ("the refund of an advance", advance_given_back, 1, further(REFUNDED) | IS_REFUND),
    ("the refund of an advance of another system", refund_by_hand, 0,
     further(ELSEWHERE) | IS_REFUND),
    ("a refund of another system's sale", lambda: refund_by_hand("normal"), 0,
     NEVER_ADVANCED | IS_REFUND),
    ("a payment on an advance of another system", paid_on_from_elsewhere, 0, {}),
    ("a closed advance", closed, 0, further(IS_CLOSED) | {Operation.REFUND: CLOSED_BY}),
    ("the refund of a closing", closed, 1, further(IS_CLOSED) | IS_REFUND),
    ("the refund of an open advance", part_given_back, 1, IS_REFUND),
    ("the sale of a closing", closed, 2, NEVER_ADVANCED),
]  # fmt: skip


@each("operation", ON_A_RECEIPT)
@each(("made", "of", "refused"), [case[1:] for case in CASES])
def test_which_operation_is_allowed(
    made: Made, of: int, refused: dict[Operation, str], operation: Operation
) -> None:
    book = made()
    if operation not in refused:
        lifecycle.check_allowed(operation, book.links[of], book.chain)
        return
    with pytest.raises(Invalid, match=re.escape(refused[operation])) as refusal:
        lifecycle.check_allowed(operation, book.links[of], book.chain)
    assert refusal.value.field == "Id"
    assert number_of(of + 1) in refusal.value.what


def test_the_table_answers_for_each_standing_that_there_is_and_for_no_other() -> None:
    """Rows that do not name the stage apply to all of them."""
    reached: dict[ReceiptKind, set[lifecycle.LifecycleStage]] = {}
    for _, made, of, _ in CASES:
        book = made()
        standing = lifecycle.lifecycle_stage_of(book.links[of], book.chain)
        reached.setdefault(book.links[of].kind, set()).add(standing)
    assert len(lifecycle.WHY_NOT_ALLOWED) == len(InvoiceType) * 2
    for kind, life in lifecycle.WHY_NOT_ALLOWED.items():
        stands_for_another = {Operation.ADVANCE, Operation.CLOSE}
        own = set(ON_A_RECEIPT) - (
            stands_for_another if kind[0] is InvoiceType.COPY else set[Operation]()
        )
        assert set(life) == own
        assert all(set(answers) == set(lifecycle.LifecycleStage) for answers in life.values())


@each("operation", [Operation.ADVANCE, Operation.CLOSE, Operation.REFUND])
@each("second", [RequestState.RELEASED, RequestState.UNKNOWN, RequestState.NEEDS_HUMAN])
def test_a_half_done_closing_lets_nothing_else_pass(
    operation: Operation, second: RequestState
) -> None:
    book = closed(second)
    lifecycle.check_allowed(Operation.COPY, book.links[0], book.chain)
    with pytest.raises(NotSigned, match=number_of(2)) as refusal:
        lifecycle.check_allowed(operation, book.links[0], book.chain)
    assert refusal.value.answer_class is AnswerClass.WAIT
