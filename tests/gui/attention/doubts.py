"""A person's acts about receipts in doubt, at the server in memory: the ports ServerDecisions and
ServerJobs, and the refused callers of LocalApiService."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from pos_app.domain.money.money import Money
from pos_app.domain.receipt import server_status
from pos_app.domain.receipt.server_jobs import CountedPaper, OpenPapers, PaperCount
from pos_app.domain.receipt.states import REVERSED, JobMethod, JobState, LookAnswer, RequestState
from pos_app.errors import NotDelivered, Refused, RemoteError
from pos_app.selling.server.answers import Issued
from tests.fakes.fiscal_server import FiscalServerInMemory, Kept
from tests.fakes.till_clock import StandingClock
from tests.fakes.verification_url import payload, url

_DOUBTFUL = {RequestState.UNKNOWN, RequestState.NEEDS_HUMAN}
_S = RequestState


class DecisionsInMemory:
    """faults: the errors that the next acts raise. right: the address that belongs to the receipt.

    is_silent: whether acts are carried out while no question about them is answered any more.
    """

    def __init__(self, server: FiscalServerInMemory, clock: StandingClock) -> None:
        self._server = server
        self._clock = clock
        self.faults: deque[RemoteError] = deque()
        self.told: list[tuple[str, str, str]] = []
        self.totals: dict[str, Money] = {}
        self.pairs: dict[str, server_status.HalfDonePair] = {}
        self.foreign: list[server_status.ReceiptInDoubt] = []
        self.ends: Issued | str = REVERSED
        self.right = verification_url()
        self.refused: list[server_status.RefusedCaller] = []
        self.is_silent = False
        self.open_papers = OpenPapers()
        self.ends_of_jobs: dict[int, JobState] = {}
        """The jobs that have been delivered since."""

    async def doubts(self) -> Sequence[server_status.ReceiptInDoubt]:
        if self.is_silent:
            raise NotDelivered(what="The server went away.")
        self._fail()
        return self._in_doubt()

    async def refused_callers(self) -> Sequence[server_status.RefusedCaller]:
        self._fail()
        return self.refused

    def _in_doubt(self) -> list[server_status.ReceiptInDoubt]:
        kept = self._server.kept.items()
        mine = [self._doubt(key, one) for key, one in kept if one.state in _DOUBTFUL]
        return [*mine, *self.foreign]

    async def look_again(self, receipt_id: str) -> Issued | str:
        self._note("lookup", receipt_id, "")
        return self._whatever_is(receipt_id)

    async def declare_absent(self, receipt_id: str, *, by: str) -> Issued | str:
        self._fail()
        self._check_doubted(receipt_id)
        self._note("absent", receipt_id, by)
        self._server.open = tuple(one for one in self._server.open if one.receipt_id != receipt_id)
        self.foreign = [one for one in self.foreign if one.receipt_id != receipt_id]
        for kept in self._server.kept.values():
            if kept.receipt_id == receipt_id:
                kept.state = _S.RELEASED
        return _S.RELEASED

    async def declare_found(
        self, receipt_id: str, *, verification_url: str, by: str
    ) -> Issued | str:
        self._fail()
        self._check_doubted(receipt_id)
        if verification_url != self.right:
            raise Refused(
                "other_receipt",
                what='"verificationUrl" is not of this sale: the total differs',
                reply_code="40090001",
            )
        self.told.append(("found", receipt_id, by))
        key = next(key for key, kept in self._server.kept.items() if kept.receipt_id == receipt_id)
        return self._server.sign(key)

    async def pair_again(self, receipt_id: str, *, by: str) -> Issued | str:
        self._note("again", receipt_id, by)
        return self._ended(receipt_id)

    async def reverse_pair(self, receipt_id: str, *, by: str) -> Issued | str:
        self._note("reverse", receipt_id, by)
        return self._ended(receipt_id)

    def _ended(self, receipt_id: str) -> Issued | str:
        """End a pair as the test says."""
        if self.ends in (REVERSED, "signed"):
            self.foreign = [one for one in self.foreign if one.receipt_id != receipt_id]
        return self.ends

    async def close_restored(self, *, by: str) -> None:
        self._note("closed", "", by)
        self._server.restored = None

    async def accept_element(self, uid: str, *, by: str) -> None:
        self._note("element", uid, by)
        self._server.offered = None

    async def see_alarm(self, alarm_id: int, *, by: str) -> None:
        self._note("seen", str(alarm_id), by)

    async def again(self, job_id: int, *, by: str, email: str = "") -> server_status.DeliveryJob:
        self._note("again", str(job_id), by)
        now = self._clock.now()
        return server_status.DeliveryJob(
            job_id, JobMethod.THERMAL, JobState.WAITING, now, now, target=email
        )

    async def papers(self) -> OpenPapers:
        self._fail()
        return self.open_papers

    async def print_all(
        self, papers: Sequence[CountedPaper], *, unproven: bool, by: str
    ) -> PaperCount:
        return self._decided("print_all", papers, unproven=unproven, by=by)

    async def end_all(
        self, papers: Sequence[CountedPaper], *, unproven: bool, by: str
    ) -> PaperCount:
        return self._decided("end_all", papers, unproven=unproven, by=by)

    def _decided(
        self, what: str, papers: Sequence[CountedPaper], *, unproven: bool, by: str
    ) -> PaperCount:
        self._note(what, f"{len(papers)} {unproven}", by)
        counted = self.open_papers.unproven if unproven else self.open_papers.not_printed
        if what == "print_all":
            self.open_papers = replace(self.open_papers, in_turn=counted.receipts)
        self._server.jobs_left_off = 0
        decided = [paper for paper in papers if paper in counted.papers]
        return PaperCount(len(decided), decided)

    async def end_of(self, job_id: int) -> JobState | None:
        self._fail()
        return self.ends_of_jobs.get(job_id)

    async def seen(self, job_id: int, *, by: str) -> None:
        self._note("seen", str(job_id), by)

    def _whatever_is(self, receipt_id: str) -> Issued | str:
        kept = next(one for one in self._server.kept.values() if one.receipt_id == receipt_id)
        return Issued(receipt_id, kept.receipt) if kept.receipt else str(kept.state)

    def _doubt(self, key: str, kept: Kept) -> server_status.ReceiptInDoubt:
        now = self._clock.now()
        return server_status.ReceiptInDoubt(
            receipt_id=kept.receipt_id,
            key=key,
            state=str(kept.state),
            since=now - timedelta(minutes=2),
            total=self.totals.get(key),
            reason="The receipt is not found, but the counter moved from 8652 to 8653.",
            lookups=(_tried(now, 2), _tried(now, 1)),
            counter_before=8652,
            counter_now=8653,
            pair=self.pairs.get(key),
        )

    def _check_doubted(self, receipt_id: str) -> None:
        states = [one.state for one in self._server.kept.values() if one.receipt_id == receipt_id]
        if states and states[0] not in _DOUBTFUL:
            what = f"The request is {states[0]}: there is no doubt about it."
            raise Refused("no_doubt", what=what, reply_code="40900001")

    def _note(self, act: str, subject: str, by: str) -> None:
        self._fail()
        self.told.append((act, subject, by))

    def _fail(self) -> None:
        if self.faults:
            raise self.faults.popleft()


def _tried(now: datetime, minutes: int) -> server_status.LookUpTried:
    at = now - timedelta(minutes=minutes)
    return server_status.LookUpTried(since=at, at=at, answer=LookAnswer.MISSING, counter=8653)


def verification_url(*, buyer: str = "", total: str = "842.50", counter: int = 8653) -> str:
    """The address in the QR code of a receipt, with a right checksum."""
    element, amount = b"ABCD1234", int(Money(total).amount * 10_000)
    told = payload(
        requested_by=element,
        signed_by=element,
        total_counter=counter,
        type_counter=counter,
        total=amount,
        milliseconds=1_795_167_060_000,
        buyer=buyer.encode(),
    )
    return url(told)
