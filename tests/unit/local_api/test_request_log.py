"""The log of other programs' requests is bounded and holds no secrets and no buyer's data."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from starlette.types import Message, Scope

from pos_app.local_api.request_log import MOST_OF_BODY, RequestLog
from tests.sweep import each

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
PATH = "/fiscalization/receipts"
REFUSED = b'{"code":40000001,"class":"fix","message":"\\"buyerId\\" 10:106543219 is none"}'


async def asked(
    log: RequestLog,
    body: bytes = b"",
    *,
    path: str = PATH,
    query: str = "",
    headers: Sequence[tuple[str, str]] = (),
    status: int = 200,
    answer: bytes = b"{}",
) -> None:
    """Send a request through the log, its body in two parts."""
    half = len(body) // 2
    parts: list[Message] = [
        {"type": "http.request", "body": body[:half], "more_body": True},
        {"type": "http.request", "body": body[half:], "more_body": False},
    ]
    got: list[Message] = []

    async def receive() -> Message:
        return parts.pop(0)

    async def send(message: Message) -> None:
        got.append(message)

    scope: Scope = {
        "type": "http",
        "method": "POST",
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers],
    }
    times = iter((1000, 1017))
    receiving, sending, ended = log.follow(scope, receive, send, at=NOW, ticks=lambda: next(times))
    received = (await receiving())["body"] + (await receiving())["body"]
    assert received == body
    await sending({"type": "http.response.start", "status": status, "headers": []})
    await sending({"type": "http.response.body", "body": answer})
    ended()
    assert got[1]["body"] == answer


async def test_what_was_asked_and_answered_is_told() -> None:
    log = RequestLog()
    await asked(log, b'{ "total": 1.50 }', query="a=1", headers=[("Host", "127.0.0.1:9999")])
    (row,) = log.latest()
    assert (row.number, row.method, row.target, row.status, row.took_ms, row.host) == (
        1, "POST", f"{PATH}?a=1", 200, 17, "127.0.0.1:9999",
    )  # fmt: skip
    assert (row.headers, row.body, row.failed) == (None, None, False)
    (whole,) = log.whole(1)
    assert whole.body == '{ "total": 1.50 }'
    assert not whole.is_masked
    assert log.whole(2) == ()
    await asked(log, path="/pdf/s3cret", status=404, answer=b"no")
    assert log.latest()[0].target == "/pdf/<left-out>"


async def test_no_secret_no_buyer_and_no_address_of_mail_is_told() -> None:
    log = RequestLog()
    body = (
        b'{"buyerId":"10:106543219","buyerCostCenterId":"20:77","items":[{"quantity":1.250}],'
        b'"receiptDelivery":{"email":"ana@example.rs"},"additionalText":"za ana@example.rs!"}'
    )
    secrets = [("X-Pos-Token", "t0ken"), ("Authorization", "Bearer t0ken"), ("Cookie", "a=t0ken")]
    await asked(
        log,
        body,
        query="mail=ana%40example.rs",
        headers=[*secrets, ("Idempotency-Key", "k1")],
        status=400,
        answer=REFUSED,
    )
    (whole,) = log.whole(1)
    told = repr(whole)
    for secret in ("t0ken", "106543219", "20:77", "ana"):
        assert secret not in told, secret
    assert '"quantity":1.25' in (whole.body or "")
    assert whole.is_masked
    assert ("Idempotency-Key", "k1") in {(one.name, one.value) for one in whole.headers or ()}
    assert whole.error == '40000001 "buyerId" <buyer-left-out> is none'


@each(
    "body",
    [b'{"buyerId": "10:106543219", ', b'{"buyerId":10106543219;', b'{"BUYERID" : "10:106543219"'],
)
async def test_a_body_that_is_no_json_is_masked_as_a_text(body: bytes) -> None:
    log = RequestLog()
    await asked(log, body)
    (whole,) = log.whole(1)
    assert "106543219" not in (whole.body or "")
    assert whole.is_masked


async def test_it_is_bounded_by_number_and_bytes() -> None:
    """A search for an address that begins anew at each letter would take minutes here."""
    log = RequestLog(most=3, most_bytes=MOST_OF_BODY + 10_000)
    for _ in range(5):
        await asked(log)
    assert [one.number for one in log.latest()] == [5, 4, 3]
    await asked(log, b"x" * (MOST_OF_BODY + 5000))
    (whole,) = log.whole(6)
    assert (whole.body, whole.is_cut) == ("x" * MOST_OF_BODY, True)
    assert [one.number for one in log.latest()] == [6, 5, 4]
    await asked(log, b"x" * 20_000)
    assert [one.number for one in log.latest()] == [7], "the bytes of both are too many"
