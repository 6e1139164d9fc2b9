"""The open routes: the five operations on receipts, the look-up, the list, health, PDF links, and
their description in `/openapi.json`."""

from __future__ import annotations

import re
from dataclasses import replace
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from pos_app import log
from pos_app.domain.receipt.operations import Operation
from pos_app.errors import MachineError, NotFound
from pos_app.fiscalization.issuing.results import BY_KEY, never_denied, signed_receipt_of
from pos_app.fiscalization.present_callers import PresentCallers
from pos_app.fiscalization.service import Caller, FiscalService, new_key
from pos_app.http_front.delivery import DeliveredResponse, still_waits
from pos_app.http_front.endpoint import JSON, Endpoint, served
from pos_app.http_front.errors import InvalidPart
from pos_app.http_front.requests import had_slash, list_query_of
from pos_app.local_api.access_middleware import admitted_caller
from pos_app.local_api.access_rules import HEALTH, OPENAPI, PDF, is_loopback
from pos_app.local_api.context import ApiContext
from pos_app.local_api.headers import (
    cashier_of,
    corrects_after,
    epoch_of,
    has_waited,
    idempotency_key,
    is_from_before_restore,
    is_provable,
    needs_no_code,
    origin_of,
    till_sequence_of,
)
from pos_app.local_api.receipt_door import Asker, ReceiptAnswer, ReceiptDoor
from pos_app.wire import server
from pos_app.wire.openapi.document import document
from pos_app.wire.receipt_paths import RECEIPTS
from pos_app.wire.strict_json import dumps

_ONE = f"{RECEIPTS}/{{reference:path}}"
_ON_A_RECEIPT = {
    str(operation): operation for operation in Operation if operation is not Operation.ISSUE
}
_NONCE = re.compile(r"[0-9A-Fa-f]{32,64}")

_log = log.get(__name__)


class OpenRoutes:
    def __init__(self, *, service: FiscalService, context: ApiContext, door: ReceiptDoor) -> None:
        self._service = service
        self._context = context
        self._door = door

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        return [
            Endpoint("POST", RECEIPTS, cls.issue, "issue"),
            *(Endpoint("POST", f"{_ONE}/{name}", cls.operate, name) for name in _ON_A_RECEIPT),
            Endpoint("GET", RECEIPTS, cls.page, "listReceipts"),
            Endpoint("GET", _ONE, cls.look_up, "lookUp"),
            Endpoint("POST", f"{_ONE}/{{operation}}", cls.no_operation),
            Endpoint("GET", HEALTH, cls.health, "health"),
            Endpoint("GET", f"{PDF}{{secret}}", cls.pdf, "pdf"),
        ]

    async def issue(self, request: Request) -> Response:
        """POST /fiscalization/receipts: 200 with the receipt, or an error body."""
        return await self._operate(request, Operation.ISSUE, target=None)

    async def operate(self, request: Request) -> Response:
        """POST …/{Id}/advance, close, copy, refund: 200 with the receipt, or an array of
        receipts."""
        operation = _ON_A_RECEIPT[request.url.path.rpartition("/")[2]]
        return await self._operate(request, operation, target=request.path_params["reference"])

    async def no_operation(self, request: Request) -> Response:
        """POST …/{Id}/anything else: 404."""
        raise NotFound("operation")

    async def _operate(
        self, request: Request, operation: Operation, *, target: str | None
    ) -> Response:
        caller, admitted = self._caller(request), admitted_caller(request.scope)
        draws_code = not needs_no_code(request.headers, admitted)
        files = replace(admitted.files, draws_code=draws_code)
        body = await request.body()
        if not caller.keyless:
            return _response(await self._door.operate(operation, target, body, caller, files))
        present, receipt_id = self._service.present, caller.receipt_id
        if request.client and is_loopback(request.client.host):
            present.begin(receipt_id, caller.waits)
        try:
            answer = await self._door.operate(operation, target, body, caller, files)
        except BaseException:
            present.end(receipt_id)
            raise
        return _delivered(answer, receipt_id, present)

    def _caller(self, request: Request) -> Caller:
        admitted = admitted_caller(request.scope)

        async def waits() -> bool:
            return await still_waits(request)

        till_id = self._context.install.till_id
        key = idempotency_key(request.headers)
        return Caller(
            origin=origin_of(request.headers, admitted, till_id=till_id),
            cashier=cashier_of(request.headers, admitted, otherwise=self._context.cashier),
            waits=waits,
            key=key or new_key(),
            keyless=key is None,
            till_sequence=till_sequence_of(request.headers, admitted),
            is_till=admitted.is_till,
            epoch=epoch_of(request.headers, admitted),
            is_from_before_restore=is_from_before_restore(request.headers, admitted),
            is_provable=is_provable(request.headers, admitted),
            has_waited=has_waited(request.headers, admitted),
            corrects_after=corrects_after(request.headers, admitted),
        )

    async def look_up(self, request: Request) -> Response:
        """GET /fiscalization/receipts/{Id}: 200 with the receipt, 202 while it is open, 404 where
        it was surely not issued."""
        asker = self._asker(request)
        reference = self._looked_up(request, origin=asker.origin)
        files = admitted_caller(request.scope).files
        return _response(await self._door.look_up(reference, asker, files))

    async def page(self, request: Request) -> Response:
        """GET /fiscalization/receipts: 200 with a page of the receipts that the query finds."""
        return _response(await self._door.page(list_query_of(request), self._asker(request)))

    def _asker(self, request: Request) -> Asker:
        admitted = admitted_caller(request.scope)
        return Asker(
            origin_of(request.headers, admitted, till_id=self._context.install.till_id),
            is_till=admitted.is_till,
            epoch=epoch_of(request.headers, admitted),
        )

    def _looked_up(self, request: Request, *, origin: str) -> str:
        """Return the reference of a look-up. A key may contain slashes, or end with the name of an
        operation."""
        reference: str = request.path_params["reference"]
        if reference.startswith(BY_KEY):
            slashed = f"{reference}/"
            is_known = had_slash(request.scope) and self._door.knows(slashed, origin=origin)
            return slashed if is_known else reference
        if reference.rpartition("/")[2] in _ON_A_RECEIPT:
            raise HTTPException(HTTPStatus.METHOD_NOT_ALLOWED, headers={"Allow": "POST"})
        return reference

    async def health(self, request: Request) -> Response:
        """GET /health: describes this server; with a nonce, it also proves its installation."""
        journal, install = self._service.journal, self._context.install
        health = server.Health(
            service=server.SERVICE,
            version=self._context.version,
            install_id=install.install_id,
            environment=install.environment,
            journal=journal.restores.tip,
        )
        if (synchronisation := self._context.synchronisation()) is not None:
            health = health.model_copy(update={"synchronisation": synchronisation})
        if (public := self._context.public_mode()) is not None:
            public_mode = server.PublicModeAnswer(
                state=public.state, code=public.code, words=public.words
            )
            health = health.model_copy(update={"public_mode": public_mode})
        if self._context.catalogue.is_newer():
            health = health.model_copy(update={"catalogue": "newer"})
        nonces = request.query_params.getlist("nonce")
        if not nonces:
            return Response(server.written(health), media_type=JSON)
        if len(nonces) > 1 or not _NONCE.fullmatch(nonces[0]):
            raise InvalidPart("nonce", field="nonce", source="query")
        proof = install.proof(nonce=nonces[0], version=health.version, journal_id=health.journal.id)
        proved = health.model_copy(update={"proof": proof})
        return Response(server.written(proved), media_type=JSON)

    async def pdf(self, request: Request) -> Response:
        """GET /pdf/{secret}: the file, for 10 minutes after its link was given."""
        receipt_id = self._door.answers.links.find(request.path_params["secret"])
        if receipt_id is None:
            raise NotFound("link")
        with never_denied(self._service.journal, receipt_id):
            issued = signed_receipt_of(self._service.journal, receipt_id)
        content = await self._door.answers.file(issued)
        if content is None:
            raise MachineError("pdf.link")
        name = re.sub(r"[^0-9A-Za-z-]", "_", issued.receipt.invoice_number)
        headers = {
            "Content-Disposition": f'attachment; filename="{name}.pdf"',
            "Cache-Control": "no-store",
        }
        return Response(content, headers=headers, media_type="application/pdf")


def _response(answer: ReceiptAnswer) -> Response:
    return Response(answer.body, answer.status, media_type=JSON)


def _delivered(answer: ReceiptAnswer, receipt_id: str, present: PresentCallers) -> Response:
    """Answer a request without a key."""

    async def on_end(_: bool) -> None:
        present.end(receipt_id)

    def on_settled(is_kept: bool) -> None:
        present.settled(answer.command)
        if is_kept:
            answer.delivered()
        else:
            _log.info("a caller left before its answer came")

    return DeliveredResponse(
        answer.body,
        answer.status,
        on_taken=lambda: present.took(answer.command),
        on_end=on_end,
        on_settled=on_settled,
    )


class OpenApiRoute:
    """GET /openapi.json: describes the open routes at the requested address. The document is built
    in some 15 ms and kept for the last address."""

    def __init__(self, *, version: str) -> None:
        self._version = version
        self._written: tuple[str, bytes] = ("", b"")

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        return [Endpoint("GET", OPENAPI, cls.openapi, "openapi")]

    async def openapi(self, request: Request) -> Response:
        address = admitted_caller(request.scope).base_url
        if self._written[0] != address:
            self._written = (address, dumps(self.described(address)))
        return Response(self._written[1], media_type=JSON)

    def described(self, address: str) -> dict[str, object]:
        return document(self._version, served([OpenRoutes, OpenApiRoute]), address)
