"""Answers that no processor should give, and an application that gives them."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st
from starlette.types import ASGIApp, Message, Receive, Scope, Send

STATUS: dict[str, Any] = {
    "sdcDateTime": "2026-11-20T13:00:00.123+01:00",
    "uid": "ABCD1234",
    "currentTaxRates": {
        "validFrom": "2022-01-01T00:00:00Z",
        "taxCategories": [{"taxRates": [{"rate": 20, "label": "Ђ"}]}],
    },
    "allTaxRates": [],
    "isPinRequired": False,
    "lastInvoiceNumber": "ABCD1234-ABCD1234-41",
    "gsc": ["0000"],
    "mssc": [],
}
RECEIPT: dict[str, Any] = {
    "requestedBy": "ABCD1234",
    "sdcDateTime": "2026-11-20T13:00:00.123+01:00",
    "invoiceCounter": "1/42ПП",
    "invoiceCounterExtension": "ПП",
    "invoiceNumber": "ABCD1234-ABCD1234-42",
    "taxItems": [{"categoryType": 0, "categoryName": "О", "label": "Ђ", "rate": 20, "amount": 1.5}],
    "verificationUrl": "https://suf.purs.gov.rs/v/?vl=AAAA",
    "journal": "x",
    "signedBy": "ABCD1234",
    "encryptedInternalData": "AAAA",
    "totalCounter": 42,
    "transactionTypeCounter": 1,
    "totalAmount": 100.00,
    "taxGroupRevision": 4,
    "tin": "100000008",
}
ODD = (
    "1" + "0" * 30, "1" + "0" * 5000, "18446744073709551616", "-1", "1.5", "0e99999999999999999999",
    "1e999999999999999999999", "-1e40", "1e-40", "NaN", "Infinity", "true", "null", '""', '"x"',
    '"' + "9" * 5000 + '"', '"ABCD1234-ABCD1234-' + "9" * 31 + '"', '"ABCD1234-ABCD1234-\u0663"',
    '"0001-01-01T00:00:00"', '"9999-12-31T23:59:59Z"', '"2026-11-20T13:00:00+99:99"', '"\\ud800"',
    '"\\u0000"', "[]", "{}", "[null]", '[{"a":[{}]}]', "[" * 40 + "]" * 40, "[" * 100_000,
    '{"a":1,"a":2}', '{"taxRates":[{"rate":-100,"label":"Ђ"}]}', '"' + "Ђ" * 100_000 + '"',
)  # fmt: skip
"""Texts of JSON values, and texts that are no JSON, to stand where another value belongs."""


def written(members: dict[str, Any], *changed: tuple[str, str]) -> bytes:
    """Return the JSON of an answer with these other texts; a name in `changed` may occur twice."""
    told = [
        (name, json.dumps(value)) for name, value in members.items() if name not in dict(changed)
    ]
    return (
        "{" + ",".join(f"{json.dumps(name)}:{text}" for name, text in (*told, *changed)) + "}"
    ).encode()


def odd_answers(members: dict[str, Any]) -> st.SearchStrategy[bytes]:
    """Return answers with members of another form, broken ones, and any bytes at all."""
    change = st.tuples(st.sampled_from(sorted(members)), st.sampled_from(ODD))
    changed = st.lists(change, max_size=3).map(lambda found: written(members, *found))
    cut = st.tuples(changed, st.integers(0, 400)).map(lambda found: found[0][: found[1]])
    bare = st.sampled_from(ODD).map(str.encode)
    refused = st.sampled_from(ODD).map(
        lambda odd: (
            f'{{"modelState":[{{"property":{odd},"errors":[{odd},"2805"]}},{odd}]}}'.encode()
        )
    )
    return changed | cut | bare | refused | st.binary(max_size=200)


STATUS_CODES = st.sampled_from((200, 200, 200, 201, 204, 302, 400, 401, 404, 406, 423, 500, 503))


class Instead:
    """An application that gives other answers than `app` where a test sets them.

    answers: method and beginning of a path -> the status and content that replace the answer of
    `app`, which is asked all the same.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.answers: dict[tuple[str, str], tuple[int, bytes]] = {}
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        found = next(
            (
                answer
                for (method, path), answer in self.answers.items()
                if scope["method"] == method and scope["path"].startswith(path)
            ),
            None,
        )
        if found is None:
            await self._app(scope, receive, send)
            return
        await self._app(scope, receive, _nowhere)
        status, content = found
        head = [
            (b"content-type", b"application/json"),
            (b"location", b"http://[::1"),
            (b"set-cookie", b"=;;x"),
        ]
        await send({"type": "http.response.start", "status": status, "headers": head})
        await send({"type": "http.response.body", "body": content})


async def _nowhere(message: Any) -> None:
    pass


async def nothing(scope: Scope, receive: Receive, send: Send) -> None:
    while (await receive()).get("more_body"):
        pass


class Respelled:
    """An application whose JSON objects are written as `spell` makes of their members."""

    def __init__(self, app: ASGIApp, spell: Callable[[dict[str, Any]], bytes]) -> None:
        self.spell = spell
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        head: list[Message] = []
        body = bytearray()

        async def take(message: Message) -> None:
            if message["type"] == "http.response.start":
                head.append(message)
            else:
                body.extend(message.get("body", b""))

        await self._app(scope, receive, take)
        if not head:
            return  # the connection was cut
        said = json.loads(body, parse_float=Decimal) if body.startswith(b"{") else None
        content = bytes(body) if said is None else self.spell(said)
        headers = [one for one in head[0]["headers"] if one[0] != b"content-length"]
        await send({**head[0], "headers": headers})
        await send({"type": "http.response.body", "body": content})
