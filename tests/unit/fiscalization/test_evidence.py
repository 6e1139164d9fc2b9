"""What one POST proves (exactly-once.md, Facts and step 6)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pos_app.domain.money import Money
from pos_app.domain.processor import PfrFault
from pos_app.domain.states import AnswerClass, RequestState
from pos_app.fiscalization.evidence import (
    CLOCK_SLACK,
    Sent,
    Window,
    counter_stood_still,
    echo_fault,
    is_unlisted_refusal,
    judge,
)
from pos_app.fiscalization.ports import NotSent, Refused, Signed, Unclear
from tests.unit.fiscalization.test_doubt import NOON, UID, document, receipt

SENT = Sent(document(), UID, 41, "100000008", Window.since(NOON)).found_at(NOON)
SURELY_NOT = ["1300", "1500", "2100", "2110", "2210", "2230", "2310", "2400"] + [
    str(code) for code in range(2800, 2810)
]


@pytest.mark.parametrize("code", SURELY_NOT)
def test_listed_codes_surely_were_not_signed(code: str) -> None:
    verdict = judge(Refused((PfrFault(code, "items[0].labels"),)), SENT)
    assert verdict.state in (RequestState.RELEASED, RequestState.REJECTED)
    assert verdict.reason is not None
    assert verdict.reason.pfr_code == code
    expected = AnswerClass.FIX if code == "2310" or code >= "2800" else AnswerClass.CURE
    assert verdict.reason.answer_class is expected


@pytest.mark.parametrize("code", ["2220", "1999", "7777"])
def test_any_other_code_waits_for_the_counter(code: str) -> None:
    verdict = judge(Refused((PfrFault(code),)), SENT)
    assert verdict.state is RequestState.UNKNOWN
    assert is_unlisted_refusal(verdict)
    assert counter_stood_still(verdict).state is RequestState.RELEASED


@pytest.mark.parametrize(
    ("reply", "state"),
    [
        (NotSent("refused"), RequestState.RELEASED),
        (Unclear("time-out"), RequestState.UNKNOWN),
        (Refused(()), RequestState.UNKNOWN),
        (Signed(receipt()), RequestState.SIGNED),
        (Signed(receipt(total="100.01")), RequestState.UNKNOWN),
    ],
)
def test_each_ending_has_its_state(reply: object, state: RequestState) -> None:
    verdict = judge(reply, SENT)  # type: ignore[arg-type]
    assert verdict.state is state
    assert not is_unlisted_refusal(verdict)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"invoice_number": f"ZZZZ9999-{UID}-42"}, "the element in the number"),
        ({"requested_by": "ZZZZ9999"}, "requestedBy"),
        ({"total_amount": Money("99.99")}, "totalAmount"),
        ({"tin": "999999999"}, "tin"),
        ({"total_counter": 41}, "totalCounter"),
        ({"sdc_time": NOON - CLOCK_SLACK - timedelta(seconds=1)}, "sdcDateTime"),
        ({"sdc_time": NOON + CLOCK_SLACK + timedelta(seconds=1)}, "sdcDateTime"),
        ({"verification_url": "https://example.org/v/?vl=AAAA"}, "verificationUrl"),
    ],
)
def test_each_part_of_the_echo_is_compared(change: dict[str, object], fault: str) -> None:
    assert echo_fault(replace(receipt(), **change), SENT) == fault  # type: ignore[arg-type]


def test_what_is_absent_is_not_unequal() -> None:
    bare = replace(receipt(), total_amount=None, total_counter=None)
    assert echo_fault(bare, SENT) is None
