"""The proofs in the answer to one POST (exactly-once.md, Facts and step 6)."""

from __future__ import annotations

import base64
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pos_app.domain.money.money import Money
from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.domain.setup.processor import PfrFault
from pos_app.domain.text.instant import from_text, in_belgrade
from pos_app.fiscalization import ports
from pos_app.fiscalization.issuing.manual_decision import signing_window
from pos_app.fiscalization.outcomes import answer_check
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.fiscalization.ports import Request
from tests.fakes import verification_url
from tests.sweep import each
from tests.unit.fiscalization import test_doubt
from tests.unit.fiscalization.test_doubt import UID, document


def told(**members: Any) -> str:
    """The verification URL of `receipt()`, or one that differs in these members."""
    usual: dict[str, Any] = {
        "requested_by": UID.encode(),
        "signed_by": UID.encode(),
        "total_counter": 42,
    }
    more = {
        "type_counter": 1,
        "total": 1_000_000,
        "milliseconds": int(test_doubt.NOON.timestamp() * 1000),
    }
    return verification_url.url(verification_url.payload(**(usual | more | members)))


WHOLE = replace(
    test_doubt.receipt(),
    requested_by=UID,
    transaction_type_counter=1,
    tin="100000008",
    verification_url=told(),
    signature=base64.b64encode(verification_url.SIGNATURE).decode(),
    encrypted_internal_data=base64.b64encode(verification_url.ENCRYPTED).decode(),
)
SENT = answer_check.SentDocument(
    test_doubt.document(), UID, 41, "100000008", answer_check.SigningWindow.since(test_doubt.NOON)
).found_at(test_doubt.NOON)
SURELY_NOT = ["1300", "1500", "2100", "2110", "2210", "2230", "2310", "2400"] + [
    str(code) for code in range(2800, 2810)
]


@each("code", SURELY_NOT)
def test_listed_codes_surely_were_not_signed(code: str) -> None:
    verdict = answer_check.judge(ports.PfrRefused((PfrFault(code, "items[0].labels"),)), SENT)
    assert verdict.state in (RequestState.RELEASED, RequestState.REJECTED)
    assert verdict.reason is not None
    assert verdict.reason.pfr_code == code
    expected = AnswerClass.FIX if code == "2310" or code >= "2800" else AnswerClass.CURE
    assert verdict.reason.answer_class is expected


@each("code", ["2220", "1999", "7777"])
def test_any_other_code_waits_for_the_counter(code: str) -> None:
    verdict = answer_check.judge(ports.PfrRefused((PfrFault(code),)), SENT)
    assert verdict.state is RequestState.UNKNOWN
    assert answer_check.is_unlisted_refusal(verdict)
    assert answer_check.counter_stood_still(verdict).state is RequestState.RELEASED


@each(
    ("reply", "state"),
    [
        (ports.PfrNotSent("refused"), RequestState.RELEASED),
        (ports.PfrUnclear("time-out"), RequestState.UNKNOWN),
        (ports.PfrRefused(()), RequestState.UNKNOWN),
        (ports.PfrSigned(test_doubt.receipt()), RequestState.SIGNED),
        (ports.PfrSigned(test_doubt.receipt(total="100.01")), RequestState.UNKNOWN),
    ],
)
def test_each_ending_has_its_state(reply: object, state: RequestState) -> None:
    verdict = answer_check.judge(reply, SENT)  # type: ignore[arg-type]
    assert verdict.state is state
    assert not answer_check.is_unlisted_refusal(verdict)


TOO_FAR = answer_check.CLOCK_SLACK + timedelta(seconds=1)


@each(
    ("change", "fault"),
    [
        ({"invoice_number": f"ZZZZ9999-{UID}-42"}, "the element in the number"),
        ({"total_amount": Money("99.99")}, "totalAmount"),
        ({"invoice_number": f"{UID}-{UID}-41"}, "the counter in the number"),
        ({"invoice_number": f"{UID}-{UID}-x", "total_counter": 41}, "the counter in the number"),
        ({"sdc_time": test_doubt.NOON - TOO_FAR}, "sdcDateTime"),
        ({"sdc_time": test_doubt.NOON + TOO_FAR}, "sdcDateTime"),
        ({"verification_url": told(total_counter=43)}, "the number in verificationUrl"),
        ({"verification_url": told(total=1_000_100)}, "the total in verificationUrl"),
        ({"verification_url": told(invoice_type=4)}, "the invoice type in verificationUrl"),
        ({"verification_url": told(transaction_type=1)}, "the transaction type in verificationUrl"),
        ({"verification_url": told(milliseconds=0)}, "the time in verificationUrl"),
    ],
)  # fmt: skip
def test_another_receipt_is_proven_by_number_total_types_and_time(
    change: dict[str, Any], fault: str
) -> None:
    answer = replace(test_doubt.receipt(), **change)
    assert answer_check.echo_fault(answer, SENT) == fault
    assert answer_check.judge(ports.PfrSigned(answer), SENT).state is RequestState.UNKNOWN


WITH_A_WRONG_CHECKSUM = (
    verification_url.ADDRESS + base64.b64encode(verification_url.payload() + bytes(16)).decode()
)
OTHER = base64.b64encode(b"another" * 30).decode()


@each(
    ("change", "differs"),
    [
        ({}, ()),
        ({"invoice_number": f"{UID}-{UID}-42".lower()}, ("requestedBy", "signedBy")),
        ({"requested_by": UID.lower()}, ("requestedBy",)),
        ({"requested_by": "ZZZZ9999"}, ("requestedBy",)),
        ({"signed_by": "ZZZZ9999"}, ("signedBy",)),
        ({"tin": "999999999"}, ("tin",)),
        ({"total_counter": 41}, ("totalCounter",)),
        ({"transaction_type_counter": 2}, ("transactionTypeCounter",)),
        ({"signature": OTHER}, ("signature",)),
        ({"signature": "no base64"}, ("signature",)),
        ({"encrypted_internal_data": OTHER}, ("encryptedInternalData",)),
        ({"verification_url": told(buyer=b"10:123456788")}, ("buyer",)),
        ({"verification_url": "https://example.org/v/?vl=AAAA"}, ("verificationUrl",)),
        ({"verification_url": WITH_A_WRONG_CHECKSUM}, ("verificationUrl",)),
        ({"verification_url": None, "tin": "1", "signed_by": "x"}, ("signedBy", "tin")),
    ],
)  # fmt: skip
def test_what_proves_no_other_receipt_is_told_beside_a_signed_one(
    change: dict[str, Any], differs: tuple[str, ...]
) -> None:
    answer = replace(WHOLE, **change)
    assert answer_check.judge(ports.PfrSigned(answer), SENT) == answer_check.Outcome(
        RequestState.SIGNED, receipt=answer
    )
    assert answer_check.differences(answer, SENT.document, tin=SENT.tin) == differs


@each(
    ("field", "buyer"),
    [
        (b"10:123456788".rjust(20, b"\0"), "10:123456788"),
        (b"10:123456788".ljust(20), "10:123456788"),
        (b"\0" * 20, None),
    ],
)
def test_padding_of_the_buyer_and_what_is_absent_are_no_difference(
    field: bytes, buyer: str | None
) -> None:
    sent = replace(SENT, document=replace(test_doubt.document(), buyer=buyer))
    bare = replace(test_doubt.receipt(), total_amount=None, total_counter=None)
    assert answer_check.echo_fault(bare, SENT) is None, "what is absent is not unequal"
    assert answer_check.differences(bare, SENT.document, tin=SENT.tin) == ()
    assert answer_check.differences(WHOLE, SENT.document, tin=None) == ()
    answer = replace(WHOLE, verification_url=told(buyer=field))
    assert answer_check.echo_fault(answer, sent) is None
    assert answer_check.differences(answer, sent.document, tin=sent.tin) == ()


@each("minute", range(0, 240, 7))
def test_a_clock_without_a_zone_is_believed_in_the_night_of_the_change(minute: int) -> None:
    """At 3:00 it is 2:00 again: such a clock's time is an hour off, the address is right."""
    posted = datetime(2026, 10, 24, 23, 30, tzinfo=UTC) + timedelta(minutes=minute)
    signed = posted + timedelta(seconds=90)
    told_posted, told_signed = (
        from_text(in_belgrade(one).replace(tzinfo=None).isoformat()) for one in (posted, signed)
    )
    sent = replace(SENT, window=answer_check.SigningWindow.since(told_posted)).found_at(told_signed)
    address = told(milliseconds=int(signed.timestamp() * 1000))
    answer = replace(WHOLE, sdc_time=told_signed, verification_url=address)
    assert answer_check.echo_fault(answer, sent) is None


# --- when a receipt that a person brings can have been signed (exactly-once.md, step 12) ---------


NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


COUNTER = 42
"""The total counter on the paper."""


def sent(
    *, at: datetime | None = NOON, clock: datetime | None = NOON, baseline: int | None = None
) -> Request:
    """A doubt. at: our time of sending. clock, baseline: the processor's time and counter then."""
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
        baseline=baseline,
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
        # The processor's clock was set back meanwhile: its counter proves what its time does not.
        (sent(baseline=COUNTER - 1), NOON, NOON - HOUR, True),
        (sent(baseline=COUNTER - 1), NOON, NOON - 3 * HOUR, False),
        (sent(baseline=COUNTER), NOON, NOON - HOUR, False),
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
    assert signing_window(request_, now, counter=COUNTER).holds(moment) is holds
