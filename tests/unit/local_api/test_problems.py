"""One table from exceptions to error bodies (platform-contract.md 3)."""

from __future__ import annotations

import json

from pos_app import errors
from pos_app.cashier.settings.processor_model import FIELD_OF_FAULT, Entry
from pos_app.domain.receipt.states import AnswerClass
from pos_app.domain.setup.processor import CertificateFault
from pos_app.fiscalization import refusals
from pos_app.http_front.errors import BodyTooLarge, error_answer
from pos_app.local_api import error_responses
from pos_app.wire.strict_json import MalformedJson
from tests.sweep import each

WAIT, CURE, FIX = AnswerClass.WAIT, AnswerClass.CURE, AnswerClass.FIX
AGAIN = "surely not sent; repeat it, with the same key if it has one"


def unsigned(what: str, answer_class: AnswerClass, **why: str) -> refusals.NotSigned:
    return refusals.NotSigned(what=what, answer_class=answer_class, **why)


TABLE: list[tuple[errors.PosError, int, str, str]] = [
    (errors.Invalid(what="x is required", field="x"), 40090001, "fix", "x is required"),
    (MalformedJson(what="expecting value"), 40090003, "fix", "expecting value"),
    (unsigned("The processor is away.", WAIT), 40010001, "wait", AGAIN),
    (unsigned("1500 PIN needed", CURE, pfr_code="1500"), 40011500, "cure", ""),
    (unsigned("The disk is nearly full.", CURE, reason="disk"), 40010002, "cure", ""),
    (unsigned("There is no room left.", WAIT, reason="storage"), 40010003, "wait", AGAIN),
    (unsigned("An operation is half done", WAIT, reason="half_done"),
     40010004, "wait", f"An operation is half done: {AGAIN}"),
    (unsigned("Not compared yet.", WAIT, reason="not_compared"), 40010005, "wait", ""),
    (unsigned("catalogue.db is damaged.", CURE, reason="catalogue"), 40010006, "cure", ""),
    (unsigned("no counter", CURE, reason="no_counter"), 40010000, "cure", ""),
    (unsigned("2310 invalid tax labels", FIX, pfr_code="2310"), 40012310, "fix", ""),
    (refusals.OutcomeNotKnown(what="No answer.", receipt_id="r-1"), 50010001, "unknown",
     "receiptId"),
    (refusals.KeyBound(what="nothing was signed for this body"), 40900001, "fix",
     "nothing was signed"),
    (errors.NotAllowed(what="there is no doubt"), 40900001, "fix", "there is no doubt"),
    (refusals.ReceiptNotFound(what="Receipt not found"), 40400001, "fix", "Receipt not found"),
    (errors.NotFound(what="gone"), 40400001, "fix", "gone"),
    (BodyTooLarge(what="too large"), 41300001, "fix", "too large"),
    (errors.NotDelivered(what="nobody there."), 40010001, "wait", AGAIN),
    (errors.Refused(what="2805 invalid", reply_code="2805"), 40012805, "fix", "2805"),
    (errors.OutcomeUnknown(what="no answer"), 50010001, "unknown", "no answer"),
    (errors.DiskFull(what="No room."), 50000001, "unknown", "No room."),
]  # fmt: skip


@each(("error", "code", "answer_class", "message"), TABLE)
def test_every_error_has_its_row(
    error: errors.PosError, code: int, answer_class: str, message: str
) -> None:
    answer = error_answer(error_responses.problem_of(error))
    body = json.loads(bytes(answer.body))
    assert (answer.status_code, body["code"]) == (code // 100_000, code)
    assert body["errorCode"] == code
    assert body["class"] == answer_class
    assert body["message"].startswith(error.what.removesuffix("."))
    assert message in body["message"]
    assert set(body) <= {
        "code", "errorCode", "name", "class", "message", "validation", "receiptId", "pfrCode",
    }  # fmt: skip


@each(
    ("fault", "status", "code"),
    [
        ("Missing mandatory Host: header", 421, 42100001),
        ("Found multiple Host: headers", 421, 42100001),
        ("illegal request line", 400, 40090003),
    ],
)
def test_bytes_that_are_no_http(fault: str, status: int, code: int) -> None:
    told, body = error_responses.malformed_http(fault)
    assert (told, json.loads(body)["code"]) == (status, code)
    assert fault not in body.decode()


def test_each_fault_of_a_certificate_names_the_same_part_here_and_in_the_settings() -> None:
    settings = {
        Entry.PFX: "processor_pfx",
        Entry.PAC: "processor_pac",
        Entry.CA: "processor.ca_file",
    }
    for fault in CertificateFault:
        problem = error_responses.problem_of(unsigned("no", CURE, reason=fault))
        assert problem.keys == (settings[FIELD_OF_FAULT[fault]],), fault
    named = {fault: FIELD_OF_FAULT[fault] for fault in CertificateFault}
    assert named.pop(CertificateFault.PAC) is Entry.PAC
    assert named.pop(CertificateFault.PROCESSOR) is Entry.CA
    assert set(named.values()) == {Entry.PFX}
