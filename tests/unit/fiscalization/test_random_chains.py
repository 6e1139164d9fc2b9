"""Random chains of operations at a processor that sometimes fails: sums always hold."""

from __future__ import annotations

import asyncio
from collections import Counter as Tally
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pos_app.adapters.sqlite.contents import contradictions
from pos_app.adapters.sqlite.journal.contents import journal_contents
from pos_app.adapters.sqlite.journal.schema import MIGRATIONS
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.domain.receipt.states import RequestState
from pos_app.errors import Invalid
from pos_app.fiscalization import refusals
from pos_app.fiscalization.issuing.execute import execute
from pos_app.fiscalization.issuing.half_done_pair import (
    CorrectedBody,
    correct,
    half_done_pair,
    reverse,
    try_again,
)
from pos_app.fiscalization.issuing.results import IssuedReceipts
from pos_app.fiscalization.service import Caller, IncomingRequest, body_hash
from pos_app.wire.operations import READERS
from pos_app.wire.strict_json import canonical, dumps, loads
from tests.fakes.inner_connection import connection_of
from tests.fakes.simulated_processor import WELL, Fate, SimulatedProcessor
from tests.fakes.virtual_time import VirtualClock, VirtualLoop
from tests.sweep import examples, pairs
from tests.unit.fiscalization import chain_moves, machine_server

OPERATIONS = ["sale", "advance sale", "advance", "close", "copy", "refund"]
FATES = {
    "well": WELL,
    "not sent": Fate(sent=False),
    "lost": Fate(executed=None, told="nothing"),
    "answer lost": Fate(told="nothing"),
    "late": Fate(executed=30.0, answered=35.0),
    "PIN": Fate(executed=None, told="refusal", code="1500"),
    "refused": Fate(executed=None, told="refusal", code="2805"),
}
WAYS = ["again", "correct", "reverse"]
moves = st.builds(
    chain_moves.Move,
    operation=st.sampled_from([*OPERATIONS, "advance", "close", "refund", "refund"]),
    on=st.sampled_from([0, 0, 0, 1, 1, 2, 3]),
    astray=st.sampled_from([False] * 5 + [True]),
    sku=st.sampled_from([1, 1, 2]),
    quantity=st.sampled_from([1, 2, 2, 3, 4]),
    paid=st.sampled_from([1, 300, 500, 700, 1000, 1000, 1200]),
    method=st.sampled_from(["cash", "card", "wiretransfer"]),
    second_article=st.booleans(),
    is_known=st.booleans(),
    again=st.booleans(),
    way=st.sampled_from(WAYS),
    kill_in=st.sampled_from([None] * 3 + list(range(8))),
    kill_after=st.booleans(),
)
fates = st.lists(
    st.sampled_from(["well"] * 12 + ["refused"] * 4 + [name for name in FATES if name != "well"]),
    max_size=30,
)
outcomes: Tally[str] = Tally()
"""The results of the operations of all histories: one that meets only refusals tests nothing."""


class Shop:
    """One server, which may be killed, one processor, and the operations that were requested."""

    def __init__(
        self, start: Callable[[], machine_server.Server], processor: SimulatedProcessor
    ) -> None:
        self._start = start
        self.server = start()
        self._processor = processor
        self.book = chain_moves.Book(processor.ledger)
        self._keys = 0

    async def make(self, move: chain_moves.Move, mishaps: machine_server.Mishaps) -> None:
        """Carry one move out, and wait until nothing is under way."""
        numbers = self.book.read().meant_for(move)
        if move.operation in ("sale", "advance sale"):
            operation, target, body = Operation.ISSUE, None, _first(move)
        elif not numbers:
            return
        else:
            number = numbers[move.on % len(numbers)]
            operation = Operation(move.operation)
            request = self.server.service.journal.request_of_number(number)
            target, body = request.id, chain_moves.body_of(move, self.book, number)
        self._keys += 1
        mishaps.kill_in, mishaps.kill_after = move.kill_in, move.kill_after
        for _ in range(3 if move.again else 1):
            await self._ask(operation, target, body)
            await self._rests(body, move.way)
            self._note_final(move, body)
            self.book.read().check()

    async def _ask(self, operation: Operation, target: str | None, body: dict[str, Any]) -> None:
        received = IncomingRequest(
            body=dumps(body),
            body_hash=body_hash(canonical(body), operation=operation, target=target),
            read=lambda: READERS[operation](body),
            operation=operation,
            target=target,
        )
        caller = Caller(origin="till", cashier="Мика", waits=_waits, key=self._key)
        before = len(self._processor.ledger)
        try:
            answer = await execute(service=self.server.service, caller=caller, incoming=received)
        except (Invalid, refusals.NotSigned, refusals.ReceiptNotFound) as refusal:
            outcomes[f"{operation} {type(refusal).__name__}"] += 1
            assert len(self._processor.ledger) == before
        except refusals.PairReversed as ended:
            outcomes[f"{operation} reversed"] += 1
            self._check_reversed(ended.signed)
        except refusals.OutcomeNotKnown:
            outcomes[f"{operation} not known"] += 1
        except machine_server.PowerLost:
            outcomes[f"{operation} killed"] += 1
        else:
            assert isinstance(answer, IssuedReceipts)
            outcomes[f"{operation} signed"] += 1

    def _check_reversed(self, signed: tuple[str, ...]) -> None:
        """The reported reversal is in the ledger, and undoes the refund."""
        undone, reversal = signed
        assert self.book.read().undone_by(undone) == reversal

    @property
    def _key(self) -> str:
        return f"{self._keys:016}"

    async def _rests(self, body: dict[str, Any], way: str) -> None:
        """Wait until no request is open and no pair is half done; a person does their part."""
        async with asyncio.timeout(600):
            while True:
                if self.server.journal.is_dead:
                    await self.server.gone()
                    self.server = self._start()
                try:
                    if not await self._goes_on(body, way):
                        return
                except machine_server.PowerLost:
                    continue
                await asyncio.sleep(1.0)

    async def _goes_on(self, body: dict[str, Any], way: str) -> bool:
        """Whether something is still under way."""
        journal = self.server.service.journal
        waiting = journal.open_requests()
        for one in waiting:
            if one.state is RequestState.NEEDS_HUMAN:
                await self._decide(one.id, body, way)
        return bool(waiting) or bool(journal.half_done())

    async def _decide(self, request_id: str, body: dict[str, Any], way: str) -> None:
        """Let a person decide about the refused receipt of a pair."""
        service = self.server.service
        (request,) = service.journal.open_requests()
        pair = half_done_pair(service.journal, request)
        assert pair is not None
        assert list(pair.ways) == WAYS
        outcomes[way] += 1
        match way:
            case "again":
                await try_again(service=service, receipt_id=request_id, by="Ана")
            case "reverse":
                await reverse(service=service, receipt_id=request_id, by="Ана", cashier=None)
            case _:
                await self._correct(request_id, body | {"additionalText": f"{request.attempt}"})

    async def _correct(self, request_id: str, body: dict[str, Any]) -> None:
        corrected = CorrectedBody(
            body=dumps(body),
            canonical=canonical(body),
            read=lambda operation, told: READERS[operation](loads(told)),
            notice=lambda operation, told: (),
        )
        await correct(
            service=self.server.service,
            receipt_id=request_id,
            corrected=corrected,
            by="Ана",
            cashier="Зоран",
        )

    def _note_final(self, move: chain_moves.Move, body: dict[str, Any]) -> None:
        """Note the final amount of a first advance of known amount."""
        if move.operation != "advance sale" or not move.is_known:
            return
        for number in list(self.book.read().documents)[-1:]:
            kind = (InvoiceType.ADVANCE, TransactionType.SALE)
            if self.book.kind(number) == kind and self.book.root(number) == number:
                total = sum(one["unitPrice"] * one["quantity"] for one in body["items"])
                self.book.finals.setdefault(number, total)

    def check_sums(self) -> None:
        """The journal's receipts are the ledger's, one by one and in sum (I3, I15), and the journal
        has no contradictions."""
        connection = connection_of(self.server.journal.real)
        assert contradictions(connection, MIGRATIONS, journal_contents) == []
        numbers = connection.execute("SELECT number FROM receipts").fetchall()
        rows = [
            (number, document.invoice_type, document.transaction_type, document.total.amount)
            for (number,) in numbers
            for document in [self.document_of(str(number))]
        ]
        ledger = [
            (number, *self.book.kind(number), self.book.total(number))
            for number in self.book.read().documents
        ]
        assert sorted(rows) == sorted(ledger)

    def document_of(self, number: str) -> FiscalDocument:
        """The journal's document of that number."""
        request = self.server.journal.real.request_of_number(number)
        assert request is not None
        return request.document


def _first(move: chain_moves.Move) -> dict[str, Any]:
    items = [chain_moves.item(move.sku, 3)] + (
        [chain_moves.item(3 - move.sku, 3)] if move.second_article else []
    )
    total = sum((one["unitPrice"] * one["quantity"] for one in items), Decimal(0))
    body = {"transactionType": "sale", "items": items} | chain_moves.DELIVERED
    if move.operation == "sale":
        return body | {"invoiceType": "normal", "payments": {move.method: total}}
    paid = (total * min(move.paid, 1000) / 1000).quantize(Decimal("0.01"))
    advance = {"invoiceType": "advance", "payments": {move.method: paid}}
    if move.is_known:
        return body | advance
    body["items"] = [
        chain_moves.item(1, 3)
    ]  # with several labels each payment would need its split
    return body | advance | {"unknownAmountAdvance": True}


async def _waits() -> bool:
    return True


async def history(path: Path, asked: list[chain_moves.Move], fated: list[str]) -> None:
    processor = SimulatedProcessor(counted=True, remembers="all")
    processor.fates.extend(FATES[name] for name in fated)
    mishaps = machine_server.Mishaps()
    start = partial(
        machine_server.Server.start,
        path,
        parts=machine_server.Parts(),
        processor=processor,
        clock=VirtualClock(),
        alone=True,
        mishaps=mishaps,
    )
    shop = Shop(start, processor)

    def kill() -> None:
        shop.server.kill()  # the server that lives at that moment

    mishaps.kill = kill
    try:
        for move in asked:
            await shop.make(move, mishaps)
        shop.check_sums()
    finally:
        if not shop.server.journal.is_dead:
            shop.server.kill()
        await shop.server.gone()


@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(asked=st.lists(moves, min_size=4, max_size=14), fated=fates)
def test_sums_hold_whatever_is_asked(
    tmp_path_factory: pytest.TempPathFactory, asked: list[chain_moves.Move], fated: list[str]
) -> None:
    path = tmp_path_factory.mktemp("journal") / "journal.db"
    begun = [
        chain_moves.Move("sale", second_article=True),
        chain_moves.Move("advance sale", paid=300),
    ]
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(history(path, begun + asked, ["well", "well", *fated]))


def test_a_chain_that_is_known_to_be_signed(tmp_path: Path) -> None:
    """The histories above are not only refusals: this one is signed to its end."""
    outcomes.clear()
    asked = [
        chain_moves.Move("advance sale", paid=200, second_article=True, method="cash"),
        chain_moves.Move("advance", on=0, paid=500),
        chain_moves.Move("close", on=0, method="cash"),
        chain_moves.Move("refund", on=2, sku=2, quantity=2, method="cash"),
        chain_moves.Move("refund", on=2, sku=2, quantity=2, method="cash"),
        chain_moves.Move("close", on=0),
    ]
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(history(tmp_path / "journal.db", asked, ["well"] * 3 + ["PIN"]))
    assert outcomes == {
        "issue signed": 1,
        "advance signed": 1,
        "close not known": 1,
        "refund signed": 1,
        "refund Invalid": 1,
        "close WrongReceipt": 1,
    }


@pytest.mark.parametrize(
    ("way", "operation", "kill_after", "kill_in"),
    pairs(WAYS, ["close", "refund"], [False, True], range(11)),
)
def test_a_refused_second_receipt_killed_at_each_commit(
    tmp_path: Path, way: str, operation: str, kill_after: bool, kill_in: int
) -> None:
    """The server dies at each commit from the acceptance of the pair to the end of a person's
    decision."""
    outcomes.clear()
    fatal = chain_moves.Move(
        operation, method="cash", again=True, way=way, kill_in=kill_in, kill_after=kill_after
    )
    first = chain_moves.Move("advance sale" if operation == "close" else "sale", paid=300)
    last = chain_moves.Move(
        "close" if operation == "close" else "refund", method="cash", again=True, way=way
    )
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        fated = ["well", "well", "refused", "refused"]
        runner.run(history(tmp_path / "journal.db", [first, fatal, last], fated))
    assert outcomes[way] >= 1
    assert outcomes[f"{operation} {'reversed' if way == 'reverse' else 'signed'}"] >= 1
