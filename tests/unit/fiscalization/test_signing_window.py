"""The time in which a receipt that a person brings can have been signed (exactly-once.md, step
12)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pos_app.domain.receipt.states import RequestState
from pos_app.fiscalization.issuing.manual_decision import signing_window
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.fiscalization.ports import Request
from tests.sweep import each
from tests.unit.fiscalization.test_doubt import document

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def sent(*, at: datetime | None = NOON, clock: datetime | None = NOON) -> Request:
    """A doubt. at: our time when it was sent. clock: the processor's own time then."""
    return Request(
        id="c1",
        command_id="c1",
        child=0,
        lane="main",
        state=RequestState.NEEDS_HUMAN,
        pfr_request_id="a" * 32,
        planned=PlannedReceipt(document=document()),
        chain="c1",
        attempt=1,
        changed_at=NOON,
        sent_at=at,
        sent_clock=clock,
    )


@each(
    ("request_", "now", "moment", "holds"),
    [
        (sent(), NOON + HOUR, NOON, True),
        (sent(), NOON + HOUR, NOON - 4 * MINUTE, True),
        (sent(), NOON + HOUR, NOON - 6 * MINUTE, False),
        (sent(), NOON + HOUR, NOON + 2 * HOUR, True),
        (sent(), NOON + HOUR, NOON + 3 * HOUR + MINUTE, False),
        # Our clock was set back meanwhile: a receipt that was signed at once is accepted all the
        # same.
        (sent(), NOON - 24 * HOUR, NOON, True),
        # Our clock was a day off when the request was sent: the processor's clock counts.
        (sent(at=NOON - 24 * HOUR), NOON - 23 * HOUR, NOON + HOUR, True),
        (sent(at=NOON - 24 * HOUR), NOON - 23 * HOUR, NOON - 23 * HOUR, False),
        # The processor reports no time: ours counts, with two hours on either side.
        (sent(clock=None), NOON + HOUR, NOON - HOUR, True),
        (sent(clock=None), NOON + HOUR, NOON - 3 * HOUR, False),
        (sent(clock=None), NOON + HOUR, NOON + 4 * HOUR, False),
        # The request was never sent by this server: the receipt can't be of the future.
        (sent(at=None, clock=None), NOON, NOON - 240 * HOUR, True),
        (sent(at=None, clock=None), NOON, NOON + 3 * HOUR, False),
    ],
)
def test_the_time_on_the_paper_fits_the_sale(
    request_: Request, now: datetime, moment: datetime, holds: bool
) -> None:
    assert signing_window(request_, now).holds(moment) is holds
