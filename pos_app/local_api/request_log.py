"""Keeps the last requests of other programs, and their answers, for the settings.

The log is in memory, and limited by number and bytes. A request is kept as it came. It is masked
when a person looks, so that no caller waits for the masking.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from dataclasses import field
from datetime import datetime

from starlette.types import Message, Receive, Scope, Send

from pos_app.domain.receipt.server_status import LoggedHeader, LoggedRequest
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.local_api.access_rules import PDF
from pos_app.wire.problem import problem_from_json
from pos_app.wire.strict_json import dumps, loads

MOST = 200
MOST_BYTES = 4 * 1024 * 1024
"""The limit of all kept requests together; the oldest ones are dropped."""
MOST_OF_BODY = 64 * 1024
"""The kept bytes of one body: some hundred lines of a receipt."""
_MOST_OF_ANSWER = 8 * 1024
"""The kept bytes of an answer with an error."""
_OF_ONE = 512
"""The bytes of one request beside its texts."""
_LONGEST = 2000
"""The kept characters of a target, of a header, of an error's words."""
_SECRET_HEADERS = frozenset(
    {"x-pos-token", "authorization", "proxy-authorization", "cookie", "set-cookie"}
)
_BUYER = frozenset({"buyerid", "buyercostcenterid"})
"""Members that name a buyer, in small letters."""
_BUYER_IN_TEXT = re.compile(
    r'("buyer(?:CostCenter)?Id"\s*:\s*)("(?:[^"\\]|\\.)*"?|[^\s,}\]]+)', re.IGNORECASE
)
_MAIL = re.compile(r"[^\s\"'<>@:,;=&?]{1,64}(?:@|%40)[^\s\"'<>@:,;=&?]{1,255}", re.IGNORECASE)
LEFT_OUT, BUYER_LEFT_OUT, MAIL_LEFT_OUT = "<left-out>", "<buyer-left-out>", "<mail-left-out>"
_LINK_LEFT_OUT = PDF + LEFT_OUT


@dataclass(slots=True)
class _Kept:
    number: int
    at: datetime
    began: int
    method: str
    path: bytes
    query: bytes
    headers: list[tuple[bytes, bytes]]
    body: bytearray = field(default_factory=bytearray)
    is_cut: bool = False
    status: int = 0
    answer: bytearray = field(default_factory=bytearray)
    took_ms: int = 0
    row: LoggedRequest | None = None
    """The row of the request, as it was shown last."""

    @property
    def size(self) -> int:
        heads = sum(len(name) + len(value) for name, value in self.headers)
        texts = len(self.path) + len(self.query) + len(self.body) + len(self.answer)
        return _OF_ONE + heads + texts


class RequestLog:
    def __init__(self, most: int = MOST, most_bytes: int = MOST_BYTES) -> None:
        self._kept: deque[tuple[_Kept, int]] = deque()
        self._most, self._most_bytes = most, most_bytes
        self._bytes = self._number = 0

    @property
    def has_any(self) -> bool:
        """Whether another program has asked for anything."""
        return self._number > 0

    def follow(
        self, scope: Scope, receive: Receive, send: Send, *, at: datetime, ticks: Callable[[], int]
    ) -> tuple[Receive, Send, Callable[[], None]]:
        """Return replacements of receive and send, and a function to call at the end. ticks:
        milliseconds that only go forward."""
        self._number += 1
        kept = _Kept(
            number=self._number,
            at=at,
            began=ticks(),
            method=scope["method"],
            path=scope["raw_path"],
            query=scope["query_string"],
            headers=scope["headers"],
        )

        async def receiving() -> Message:
            message = await receive()
            if part := message.get("body", b""):
                room = MOST_OF_BODY - len(kept.body)
                kept.body += part[:room]
                kept.is_cut = kept.is_cut or len(part) > room
            return message

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept.status = message["status"]
            elif kept.status >= 400:
                room = _MOST_OF_ANSWER - len(kept.answer)
                kept.answer += message.get("body", b"")[:room]
            await send(message)

        def ended() -> None:
            kept.took_ms = ticks() - kept.began
            self._store(kept)

        return receiving, sending, ended

    def _store(self, kept: _Kept) -> None:
        size = kept.size
        self._kept.append((kept, size))
        self._bytes += size
        while len(self._kept) > self._most or self._bytes > self._most_bytes:
            self._bytes -= self._kept.popleft()[1]

    def latest(self) -> tuple[LoggedRequest, ...]:
        """Return the requests, the newest first, without headers and bodies."""
        return tuple(_row(one) for one, _ in reversed(self._kept))

    def whole(self, number: int) -> tuple[LoggedRequest, ...]:
        """Return that request completely, or nothing if it is no longer kept."""
        return tuple(_whole(one) for one, _ in self._kept if one.number == number)


def _row(kept: _Kept) -> LoggedRequest:
    if kept.row is None:
        kept.row = _shortened(kept)
    return kept.row


def _shortened(kept: _Kept) -> LoggedRequest:
    return LoggedRequest(
        number=kept.number,
        at=kept.at,
        method=kept.method[:_LONGEST],
        target=_target(kept),
        status=kept.status,
        took_ms=kept.took_ms,
        error=_error(kept),
        host=_header(kept, b"host"),
    )


def _whole(kept: _Kept) -> LoggedRequest:
    row = _row(kept)
    body, is_masked = _masked(bytes(kept.body))
    headers = tuple(_logged_header(name, value) for name, value in kept.headers)
    return LoggedRequest(
        number=row.number,
        at=row.at,
        method=row.method,
        target=row.target,
        status=row.status,
        took_ms=row.took_ms,
        error=row.error,
        host=row.host,
        headers=headers,
        body=body,
        is_cut=kept.is_cut,
        is_masked=is_masked or any(one.value == LEFT_OUT for one in headers),
    )


def _target(kept: _Kept) -> str:
    """Return the target without links to PDFs: the link alone gives access to the file."""
    path, query = kept.path.decode("latin-1"), kept.query.decode("latin-1")
    if path.startswith(PDF):
        return _LINK_LEFT_OUT
    return _MAIL.sub(MAIL_LEFT_OUT, f"{path}?{query}" if query else path)[:_LONGEST]


def _header(kept: _Kept, name: bytes) -> str:
    found = [value for one, value in kept.headers if one.lower() == name]
    return ", ".join(one.decode("latin-1") for one in found)[:_LONGEST]


def _logged_header(raw_name: bytes, raw_value: bytes) -> LoggedHeader:
    name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
    if name.lower() in _SECRET_HEADERS:
        return LoggedHeader(name[:_LONGEST], LEFT_OUT)
    return LoggedHeader(name[:_LONGEST], _MAIL.sub(MAIL_LEFT_OUT, value)[:_LONGEST])


def _error(kept: _Kept) -> str:
    if not kept.answer:
        return ""
    try:
        problem = problem_from_json(kept.status, loads(bytes(kept.answer)))
    except Invalid:
        problem = None
    words = "" if problem is None else f"{problem.code} {problem.message}"
    for _, buyer in _BUYER_IN_TEXT.findall(kept.body.decode("utf-8", errors="replace")):
        words = words.replace(buyer.strip('"') or buyer, BUYER_LEFT_OUT)
    return _MAIL.sub(MAIL_LEFT_OUT, words)[:_LONGEST]


# --- what is left out of a body ------------------------------------------------------------------


def _masked(body: bytes) -> tuple[str, bool]:
    """Return a body without the buyer and without mail addresses, and whether something was
    removed. A body that is no JSON is searched as a text."""
    text = body.decode("utf-8", errors="replace")
    try:
        document = loads(body)
    except Invalid:
        plain = _MAIL.sub(MAIL_LEFT_OUT, _BUYER_IN_TEXT.sub(rf'\1"{BUYER_LEFT_OUT}"', text))
        return plain, plain != text
    masked = _without(document)
    if masked == document:
        return text, False
    return dumps(masked).decode(), True


def _without(value: object, name: str = "") -> object:
    if isinstance(value, dict):
        return {one: _without(inner, one) for one, inner in value.items()}
    if isinstance(value, list):
        return [_without(inner, name) for inner in value]
    if value is not None and name.lower() in _BUYER:
        return BUYER_LEFT_OUT
    return _MAIL.sub(MAIL_LEFT_OUT, value) if isinstance(value, str) else value
