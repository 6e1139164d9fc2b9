"""The HTTP front of the processor: the six paths of protocol v3, and its headers.

Serve it with `uvicorn.Config(create_app(processor), http=CuttableH11)`. Other servers work too, but
not for faults that cut a connection.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import Awaitable, Callable
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route as HttpRoute

from pos_app import log
from pos_app.errors import MachineError
from pos_app.pfr_emulator import answering, answers, cutting, options
from pos_app.pfr_emulator.caller import CertifiedCaller
from pos_app.pfr_emulator.codes import Code, Refusal
from pos_app.pfr_emulator.condition import Route
from pos_app.pfr_emulator.doors import Doors
from pos_app.pfr_emulator.processor import Processor

_log = log.get(__name__)
_ROOT = "/api/v3"
_MOST_BYTES = 4 * 1024 * 1024
_PIN_STATUS: dict[str, HTTPStatus] = {
    Code.PIN_WRONG: HTTPStatus.LOCKED,
    Code.CARD_BLOCKED: HTTPStatus.LOCKED,
    Code.INVALID_FORMAT: HTTPStatus.BAD_REQUEST,
}
_JSON_TYPES = ("application/json", "text/json")

Handler = Callable[[Request, str], Awaitable[Response]]
Endpoint = Callable[[Request], Awaitable[Response]]

_REQUEST_ID_LONGEST = 32
_PAC_LENGTH = 6


def create_app(processor: Processor) -> Starlette:
    """Make the application. A V-PFR has no `pin` path and requires the header PAC."""
    front = _Front(processor)
    routes = [
        HttpRoute(f"{_ROOT}/invoices", front.endpoint("invoices", front.sign), methods=["POST"]),
        HttpRoute(f"{_ROOT}/invoices/{{request_id}}", front.endpoint("lookup", front.find)),
        HttpRoute(f"{_ROOT}/status", front.endpoint("status", front.status)),
        HttpRoute(
            f"{_ROOT}/environment-parameters", front.endpoint("environment", front.environment)
        ),
        HttpRoute(f"{_ROOT}/attention", front.endpoint("attention", front.attention)),
    ]
    if processor.mode == "lpfr":
        routes.append(HttpRoute(f"{_ROOT}/pin", front.endpoint("pin", front.pin), methods=["POST"]))
    doors = [Middleware(Doors)]
    return Starlette(routes=routes, max_body_size=_MOST_BYTES, middleware=doors)


class _Front:
    """Handlers of the protocol; the processor's methods run in threads, one at a time."""

    def __init__(self, processor: Processor) -> None:
        self._processor = processor

    def endpoint(self, route: Route, handler: Handler) -> Endpoint:
        """Wrap a handler in the checks of all paths: reachability, language, PAC, refusals."""

        async def answer(request: Request) -> Response:
            if route in self._processor.condition.unreachable:
                return answers.Dropped()
            language = negotiate_language(request.headers.get("accept-language"))
            if language is None:
                return Response(status_code=HTTPStatus.NOT_ACCEPTABLE)
            try:
                self._check_caller(request, route)
                response = await handler(request, language)
            except Refusal as refusal:
                condition = self._processor.condition
                response = answers.refused(refusal, condition=condition, language=language)
            except MachineError as error:
                _log.error("not signed: %s", error)
                response = answers.server_error(error.what)
            except ClientDisconnect:
                return Response()
            response.headers["content-language"] = language
            return response

        return answer

    def _check_caller(self, request: Request, route: Route) -> None:
        if self._processor.mode == "vpfr" and route != "attention":
            check_pac(request.headers.get("pac"), pac=self._processor.options.pac)

    async def sign(self, request: Request, language: str) -> Response:
        """POST invoices. A RequestId is stored for look-ups, and does not prevent duplicates."""
        if not _is_json(request):
            return Response(status_code=HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        body, caller = await request.body(), _caller_of(request)
        request_id = read_request_id(request.headers.get("requestid"))
        fault = self._processor.faults.take()

        async def sign() -> str:
            await asyncio.sleep(self._processor.condition.delay_ms / 1000)
            return await asyncio.to_thread(
                self._processor.sign,
                body,
                request_id=request_id,
                language=language,
                fault=fault,
                caller=caller,
            )

        return await answering.deliver(sign, fault)

    async def find(self, request: Request, language: str) -> Response:
        """GET invoices/{requestId}; an unknown id is answered as `unknown_form` says."""
        answer = await asyncio.to_thread(
            self._processor.find, request.path_params["request_id"], caller=_caller_of(request)
        )
        if answer is not None:
            return answers.JsonAnswer(answer)
        form = self._processor.condition.unknown_form
        if form == "404":
            return Response(status_code=HTTPStatus.NOT_FOUND)
        return answers.JsonAnswer("null" if form == "null" else "")

    async def status(self, request: Request, language: str) -> Response:
        """GET status; a bare code instead where `status_code` is set."""
        condition = self._processor.condition
        if condition.status_code is not None:
            return answers.code_answer(condition.status_code, condition=condition)
        caller = _caller_of(request)
        return answers.json_answer(await asyncio.to_thread(self._processor.status, caller=caller))

    async def environment(self, request: Request, language: str) -> Response:
        return answers.json_answer(self._processor.environment())

    async def attention(self, request: Request, language: str) -> Response:
        return Response()

    async def pin(self, request: Request, language: str) -> Response:
        """POST pin, as plain text or a JSON string; it is answered with a bare code, also when
        refused. The PIN is neither stored nor logged."""
        body = (await request.body()).decode("utf-8", "replace").strip()
        pin = _unquoted(body) if _is_json(request) or body.startswith('"') else body
        try:
            code: str = await asyncio.to_thread(self._processor.enter_pin, pin)
        except Refusal as refusal:
            (problem,) = refusal.problems
            code = problem.code
        condition = self._processor.condition
        return answers.code_answer(
            code, condition=condition, status=_PIN_STATUS.get(code, HTTPStatus.OK)
        )


def _caller_of(request: Request) -> CertifiedCaller | None:
    """Return the caller of the connection's certificate, or None over plain HTTP."""
    certificate = cutting.peer_certificate(request.scope)
    return None if certificate is None else CertifiedCaller.of_der(certificate)


def _is_json(request: Request) -> bool:
    return request.headers.get("content-type", "").partition(";")[0].strip() in _JSON_TYPES


def _unquoted(body: str) -> str:
    try:
        value = json.loads(body)
    except ValueError:
        return body
    return value if isinstance(value, str) else ""


def negotiate_language(header: str | None) -> str | None:
    """Return the first supported language of a preference list, or None where nothing fits (406).

    The protocol separates languages by semicolons; commas and quality values are accepted too. A
    short tag matches every longer one: `sr` finds `sr-Cyrl-RS`.
    """
    if not header or not header.strip():
        return options.LANGUAGES[0]
    for tag in (part.strip().lower() for part in re.split(r"[;,]", header)):
        for language in options.LANGUAGES:
            if tag == "*" or f"{language.lower()}-".startswith(f"{tag}-"):
                return language
    return None


def check_pac(header: str | None, *, pac: str) -> None:
    """Check the PAC. Raises Refusal: missing 2800, not 6 characters 2803, wrong 2805."""
    if not header:
        raise Refusal.of(Code.REQUIRED, "PAC")
    if len(header) != _PAC_LENGTH:
        raise Refusal.of(Code.WRONG_LENGTH, "PAC")
    if not secrets.compare_digest(header.encode(), pac.encode()):
        raise Refusal.of(Code.INVALID_VALUE, "PAC")


def read_request_id(header: str | None) -> str | None:
    """Return the caller's own id of a request. Raises Refusal 2801 above 32 characters."""
    if header and len(header) > _REQUEST_ID_LONGEST:
        raise Refusal.of(Code.TOO_LONG, "RequestId")
    return header or None
