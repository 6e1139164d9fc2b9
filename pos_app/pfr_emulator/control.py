"""The control port: faults, conditions and the ledger, for tests and demonstrations.

This is a separate application on a port of its own, served only on request. Bodies must be
`application/json`, so that no web page can send them without a preflight.

| method + path | body | answer |
|---|---|---|
| GET /state | | mode, uid, condition, faults |
| PATCH /state | members of `Condition` to change | the same |
| POST /faults | a `Fault` | faults still to come |
| DELETE /faults | | faults still to come: none |
| POST /services/restart · /element/replace · /audit | `{}` | mode, uid, condition, faults |
| GET /certificates | | those that a V-PFR issued, the oldest first |
| POST /certificates | `CertificateOrder` | 201, serial and the PFX file as base64 |
| POST /certificates/revoke | `{"serial": "…"}` | the certificates |
| GET /ledger | | every signed receipt, oldest first |
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable
from http import HTTPStatus
from typing import TYPE_CHECKING

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pos_app.pfr_emulator import json_text
from pos_app.pfr_emulator.answers import json_answer
from pos_app.pfr_emulator.belgrade import iso
from pos_app.pfr_emulator.doors import Doors
from pos_app.pfr_emulator.faults import Fault
from pos_app.pfr_emulator.ledger import LedgerEntry
from pos_app.pfr_emulator.processor import Processor

if TYPE_CHECKING:
    from pos_app.pfr_emulator.authority import Authority, IssuedCertificate


def create_control_app(processor: Processor, authority: Authority | None = None) -> Starlette:
    """Make the control application. authority: the authority of a V-PFR over TLS; without one there
    are no certificates."""
    control = _Control(processor, authority)
    return Starlette(
        routes=[
            Route("/state", control.state, methods=["GET"]),
            Route("/state", control.change, methods=["PATCH"]),
            Route("/faults", control.add_fault, methods=["POST"]),
            Route("/faults", control.clear_faults, methods=["DELETE"]),
            Route("/services/restart", control.restart_counters, methods=["POST"]),
            Route("/element/replace", control.replace_element, methods=["POST"]),
            Route("/audit", control.audit, methods=["POST"]),
            Route("/ledger", control.ledger, methods=["GET"]),
            *control.of_certificates(),
        ],
        exception_handlers={ValidationError: _invalid, _NotJson: _not_json},
        middleware=[Middleware(Doors)],
    )


class _NotJson(Exception):
    """The body is not a JSON object, or not sent as JSON."""


class _Control:
    def __init__(self, processor: Processor, authority: Authority | None) -> None:
        self._processor = processor
        self._authority = authority

    def of_certificates(self) -> list[Route]:
        authority = self._authority
        if authority is None:
            return []
        from pos_app.pfr_emulator.authority import CertificateOrder  # noqa: PLC0415

        async def issued(request: Request) -> Response:
            return json_answer([_issued(one) for one in authority.issued()])

        async def issue(request: Request) -> Response:
            order = CertificateOrder.model_validate(await _members(request))
            pfx = order.issue(authority)
            content = base64.b64encode(pfx).decode()
            answer = {"serial": authority.issued()[-1].serial, "pfx": content}
            return json_answer(answer, status=HTTPStatus.CREATED)

        async def revoke(request: Request) -> Response:
            try:
                authority.revoke(str((await _members(request)).get("serial")))
            except KeyError:
                return json_answer({"message": "No such certificate."}, status=HTTPStatus.NOT_FOUND)
            return await issued(request)

        return [
            Route("/certificates", issued, methods=["GET"]),
            Route("/certificates", issue, methods=["POST"]),
            Route("/certificates/revoke", revoke, methods=["POST"]),
        ]

    async def state(self, request: Request) -> Response:
        return json_answer(self._state())

    async def change(self, request: Request) -> Response:
        self._processor.change(**await _members(request))
        return json_answer(self._state())

    async def add_fault(self, request: Request) -> Response:
        self._processor.faults.add(Fault.model_validate(await _members(request)))
        return json_answer(self._faults())

    async def clear_faults(self, request: Request) -> Response:
        self._processor.faults.clear()
        return json_answer(self._faults())

    async def restart_counters(self, request: Request) -> Response:
        return await self._act(request, self._processor.restart_counters)

    async def replace_element(self, request: Request) -> Response:
        return await self._act(request, self._processor.replace_element)

    async def audit(self, request: Request) -> Response:
        return await self._act(request, self._processor.audit)

    async def ledger(self, request: Request) -> Response:
        entries = await asyncio.to_thread(self._processor.entries)
        return json_answer([_entry(entry) for entry in entries])

    async def _act(self, request: Request, act: Callable[[], object]) -> Response:
        await _members(request)
        await asyncio.to_thread(act)
        return json_answer(self._state())

    def _state(self) -> dict[str, object]:
        return {
            "mode": self._processor.mode,
            "uid": self._processor.uid,
            "condition": self._processor.condition.model_dump(mode="json"),
            "faults": self._faults(),
        }

    def _faults(self) -> list[dict[str, object]]:
        return [fault.model_dump(mode="json") for fault in self._processor.faults.pending()]


async def _members(request: Request) -> dict[str, object]:
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise _NotJson
    try:
        body = json.loads(await request.body())
    except ValueError as error:
        raise _NotJson from error
    if not isinstance(body, dict):
        raise _NotJson
    return body


async def _invalid(request: Request, error: Exception) -> Response:
    """Answer what is wrong: each member with its path, or the body as a whole."""
    assert isinstance(error, ValidationError)
    faults = error.errors(include_url=False, include_input=False)
    told = (": ".join([*map(str, one["loc"]), one["msg"]]) for one in faults)
    return json_answer({"message": "; ".join(told)}, status=HTTPStatus.BAD_REQUEST)


async def _not_json(request: Request, error: Exception) -> Response:
    message = "The body must be a JSON object, sent as application/json."
    return json_answer({"message": message}, status=HTTPStatus.BAD_REQUEST)


def _issued(certificate: IssuedCertificate) -> dict[str, object]:
    return {
        "serial": certificate.serial,
        "uid": certificate.caller.uid,
        "tin": certificate.caller.tin,
        "shop": certificate.caller.shop,
        "expires": iso(certificate.expires),
        "revoked": certificate.is_revoked,
    }


def _entry(entry: LedgerEntry) -> dict[str, object]:
    return {
        "requestId": entry.request_id,
        "invoiceNumber": entry.number,
        "requestedBy": entry.requested_by,
        "signedBy": entry.signed_by,
        "invoiceType": entry.invoice_type,
        "transactionType": entry.transaction_type,
        "transactionTypeCounter": entry.type_counter,
        "totalCounter": entry.total_counter,
        "totalAmount": entry.total,
        "signedAt": iso(entry.signed_at),
        "contentHash": entry.content_hash,
        "request": json_text.decode(entry.request.encode()),
        "answer": json_text.decode(entry.answer.encode()),
    }
