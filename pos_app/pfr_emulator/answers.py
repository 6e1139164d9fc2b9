"""The HTTP answers of the processor: the answers of the protocol, and broken ones."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus

from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from pos_app.pfr_emulator import json_text
from pos_app.pfr_emulator.codes import Refusal, status_of
from pos_app.pfr_emulator.condition import Condition
from pos_app.pfr_emulator.cutting import cut, gone_within

_MESSAGES = {"sr-Cyrl-RS": "Неисправан захтев", "en-US": "Bad Request"}


class JsonAnswer(Response):
    """JSON text, already encoded."""

    media_type = "application/json"


def json_answer(value: object, *, status: HTTPStatus = HTTPStatus.OK) -> Response:
    return JsonAnswer(json_text.encode(value), status_code=status)


def refused(refusal: Refusal, *, condition: Condition, language: str) -> Response:
    """Answer with a refusal: codes by property, or a bare code where it names no property and
    `refusal_form` is not "model_state"."""
    first = refusal.problems[0]
    status = status_of(first.code)
    if condition.refusal_form != "model_state" and not first.where:
        return code_answer(first.code, condition=condition, status=status)
    codes: dict[str, list[str]] = {}
    for problem in refusal.problems:
        codes.setdefault(problem.where, []).append(problem.code)
    body = {
        "message": _MESSAGES[language],
        "modelState": [{"property": where, "errors": errors} for where, errors in codes.items()],
    }
    return JsonAnswer(json_text.encode(body), status_code=status)


def code_answer(code: str, *, condition: Condition, status: int = HTTPStatus.OK) -> Response:
    """Answer with a bare code, JSON-quoted or plain as the condition's `refusal_form` says."""
    if condition.refusal_form == "quoted":
        return JsonAnswer(json_text.encode(str(code)), status_code=status)
    return PlainTextResponse(str(code), status_code=status)


class Dropped(Response):
    """Closes the connection without an answer, then calls `afterwards`."""

    def __init__(self, afterwards: Callable[[], Awaitable[None]] | None = None) -> None:
        super().__init__()
        self._afterwards = afterwards

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await cut(scope, receive)
        if self._afterwards:
            await self._afterwards()


class Late(JsonAnswer):
    def __init__(self, text: str, seconds: float) -> None:
        super().__init__(text)
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not await gone_within(receive, self._seconds):
            await super().__call__(scope, receive, send)


class CutOff(JsonAnswer):
    """An answer that announces its full length and is cut off half-way."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send(_start(self))
        half = bytes(self.body[: len(self.body) // 2])
        await send({"type": "http.response.body", "body": half, "more_body": True})
        await cut(scope, receive, flush=True)


class Dripping(JsonAnswer):
    """An answer that arrives byte by byte."""

    def __init__(self, text: str, seconds: float) -> None:
        super().__init__(text)
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send(_start(self))
        for byte in bytes(self.body):
            if await gone_within(receive, self._seconds):
                return
            await send({"type": "http.response.body", "body": bytes([byte]), "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def server_error(message: str) -> Response:
    return json_answer({"message": message}, status=HTTPStatus.INTERNAL_SERVER_ERROR)


def server_error_page() -> Response:
    page = "<!DOCTYPE html><html><body><h1>500 Internal Server Error</h1></body></html>"
    return Response(page, HTTPStatus.INTERNAL_SERVER_ERROR, media_type="text/html")


def unreadable() -> Response:
    return JsonAnswer('{"requestedBy":"')


def _start(response: Response) -> dict[str, object]:
    return {
        "type": "http.response.start",
        "status": response.status_code,
        "headers": response.raw_headers,
    }
