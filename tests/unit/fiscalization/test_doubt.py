"""Absence is proven, never assumed (exactly-once.md, "Proven absent")."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.domain.receipt.states import RequestState
from pos_app.fiscalization.outcomes import doubt
from pos_app.fiscalization.outcomes.answer_check import Outcome, SentDocument, SigningWindow
from tests.sweep import each

UID = "ABCD1234"
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
RULE = doubt.DoubtRule(quiet_seconds=60.0, used_here_alone=False)
HERE = doubt.NoReceiptFound(UID, 41)


def document() -> FiscalDocument:
    line = FiscalLine("Хлеб/ком", TaxLabel.E, Quantity(1), Money(100), Money(100))
    paid = ((PaymentMethod.CASH, Money(100)),)
    return FiscalDocument(InvoiceType.NORMAL, TransactionType.SALE, (line,), paid, "Мика")


def receipt(*, total: str = "100", number: str = f"{UID}-{UID}-42") -> SignedReceipt:
    return SignedReceipt(
        sdc_time=NOON,
        sdc_time_text="2026-11-20T13:00:00+01:00",
        invoice_counter="1/42ПП",
        invoice_number=number,
        signed_by=UID,
        encrypted_internal_data="",
        total_counter=42,
        total_amount=Money(total),
    )


class Ticks:
    """A doubt that is looked at again and again; time passes between the looks."""

    def __init__(self, rule: doubt.DoubtRule = RULE, counter: int | None = 41) -> None:
        self.rule = rule
        self.now = 1000.0
        self.wall = NOON
        self.doubt = doubt.DoubtProgress(
            SentDocument(document(), UID, counter), self.now, self.wall
        )

    def look(
        self, seconds: float, look: doubt.Look, *, wall_jump: float = 0.0, took: float = 0.0
    ) -> Outcome | None:
        self.now += seconds
        self.wall += timedelta(seconds=seconds + wall_jump)
        self.doubt, verdict = doubt.assess(
            self.doubt,
            look,
            self.rule,
            began_seconds=self.now - took,
            now=self.now,
            wall=self.wall,
            tick=1.0,
        )
        return verdict

    def looks(self, count: int, look: doubt.Look) -> list[Outcome | None]:
        return [self.look(1.0, look) for _ in range(count)]


@each(
    ("sent_clock", "found_clock", "state"),
    [
        (NOON, NOON, RequestState.SIGNED),
        (NOON + timedelta(minutes=6), NOON + timedelta(minutes=7), RequestState.NEEDS_HUMAN),
        (NOON - timedelta(minutes=7), NOON - timedelta(minutes=6), RequestState.NEEDS_HUMAN),
        (None, NOON - timedelta(hours=1), RequestState.SIGNED),
    ],
)
def test_what_is_found_was_signed_between_the_posting_and_the_look(
    sent_clock: datetime | None, found_clock: datetime, state: RequestState
) -> None:
    ticks = Ticks()
    sent = replace(ticks.doubt.sent, window=SigningWindow.since(sent_clock))
    ticks.doubt = replace(ticks.doubt, sent=sent)
    verdict = ticks.look(1.0, doubt.FoundReceipt(receipt(), found_clock))
    assert verdict is not None
    assert verdict.state is state


@each(
    ("disturb", "why"),
    [
        (lambda ticks: ticks.look(1.0, doubt.ProcessorUnreachable()), "the processor was away"),
        (lambda ticks: ticks.look(7.0, HERE), "the tick came late: the machine slept"),
        (lambda ticks: ticks.look(1.0, HERE, wall_jump=6.0), "the clock was set forward"),
        (lambda ticks: ticks.look(1.0, HERE, wall_jump=-6.0), "the clock was set back"),
    ],
)
def test_what_disturbs_the_quiet_time_begins_it_anew(disturb, why: str) -> None:  # type: ignore[no-untyped-def]
    ticks = Ticks()
    ticks.looks(50, HERE)
    assert disturb(ticks) is None
    assert ticks.looks(59, HERE) == [None] * 59, why
    later = [verdict for verdict in ticks.looks(3, HERE) if verdict]
    assert later[0].state is RequestState.RELEASED


def test_absence_wants_the_whole_quiet_time() -> None:
    """A look that takes long counts 5 s at most, so 6 s of each nine are quiet."""
    ticks, slow, still = Ticks(), Ticks(), Ticks()
    assert ticks.looks(60, HERE) == [None] * 60
    looks = [slow.look(9.0, HERE, took=8.0) for _ in range(11)]
    assert looks[:10] == [None] * 10
    for verdict in (ticks.look(1.0, HERE), looks[10]):
        assert verdict is not None
        assert verdict.state is RequestState.RELEASED
    still.look(1.0, HERE)
    assert still.look(3600.0, HERE, took=3599.0) is None, "the machine stood still"


@each(
    ("look", "code"),
    [
        (doubt.NoReceiptFound(UID, 42), "counter_moved"),
        (doubt.NoReceiptFound("ZZZZ9999", 41), "replaced"),
        (doubt.FoundReceipt(receipt(total="101"), NOON), "echo"),
        (doubt.FoundReceipt(receipt(number=f"ZZZZ9999-{UID}-42"), NOON), "echo"),
    ],
)
def test_what_only_a_person_can_tell(look: doubt.Look, code: str) -> None:
    verdict = Ticks().look(1.0, look)
    assert verdict is not None
    assert verdict.state is RequestState.NEEDS_HUMAN
    assert verdict.reason is not None
    assert verdict.reason.code == code


def test_a_processor_that_is_away_for_ten_minutes_or_comes_and_goes_needs_a_person() -> None:
    away, ticks = doubt.ProcessorUnreachable(), Ticks()
    assert set(ticks.looks(int(doubt.AWAY_TOO_LONG_SECONDS) + 1, away)) == {None}
    verdict, goes = ticks.look(1.0, away), Ticks()
    looks = [HERE if number % 50 else away for number in range(1000)]
    ends = [found for look in looks if (found := goes.look(1.0, look)) is not None]
    for end in (verdict, ends[0]):
        assert end is not None
        assert end.state is RequestState.NEEDS_HUMAN


@each("jump", [20.0, -20.0])
def test_a_clock_that_is_never_steady_needs_a_person(jump: float) -> None:
    """Two time services fight: each jump begins the quiet time anew, but not for ever."""
    ticks, verdict = Ticks(), None
    for number in range(1000):
        verdict = ticks.look(1.0, HERE, wall_jump=jump if number % 30 == 0 else 0.0)
        if verdict is not None:
            break
    assert verdict is not None
    assert verdict.reason is not None
    assert (verdict.state, verdict.reason.code) == (RequestState.NEEDS_HUMAN, "unsteady")
    assert 600 < number < 800


def test_an_uncounted_lane_asks_unless_the_element_is_used_here_alone() -> None:
    shared, alone = (
        Ticks(counter=None),
        Ticks(doubt.DoubtRule(60.0, used_here_alone=True), counter=None),
    )
    missing = doubt.NoReceiptFound(UID, None)
    ends = [next(v for v in ticks.looks(62, missing) if v) for ticks in (shared, alone)]
    assert [end.state for end in ends] == [RequestState.NEEDS_HUMAN, RequestState.RELEASED]


def test_a_counted_lane_proves_nothing_by_a_status_without_its_counter() -> None:
    """The card is out for a moment, so nobody knows that the counter did not move."""
    ticks = Ticks()
    for look in (doubt.NoReceiptFound(UID, None), HERE):
        ends = {v.state for v in ticks.looks(62, look) if v is not None}
        assert ends == ({RequestState.RELEASED} if look is HERE else set()), look
