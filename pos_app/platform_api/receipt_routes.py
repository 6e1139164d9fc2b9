"""The routes of public mode and certificate mode: the five operations on receipts, the look-up, and
the links to PDFs; and the route by which applications connect.

Source: platform-contract.md 1, 2.6 to 2.10 and 3.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket

from pos_app import errors, log
from pos_app.characters import has_controls
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt import ReceiptWarning, WarningCode
from pos_app.domain.receipt.receipt_number import kept_reference
from pos_app.domain.setup.platform_key import KeyScope
from pos_app.http_front.delivery import DeliveredResponse
from pos_app.http_front.endpoint import JSON, Endpoint
from pos_app.http_front.errors import InvalidPart, error_answer
from pos_app.http_front.requests import list_query_of
from pos_app.http_front.web_pages import deny
from pos_app.platform_api import routing
from pos_app.platform_api.authentication import Authentication
from pos_app.platform_api.certificate_mode import Brought, CertificateMode, Found
from pos_app.platform_api.context import PlatformContext
from pos_app.platform_api.errors import NotBegun, answer_to
from pos_app.platform_api.keys import KeyHolder
from pos_app.platform_api.relay import commands
from pos_app.platform_api.relay.program import RelayRoom
from pos_app.platform_api.relay.service import BY_KEY, ReceiptRequest, RelayReply, RelayService
from pos_app.platform_api.sold_articles import codes_asked
from pos_app.wire import problem, strict_json
from pos_app.wire.input import is_uuid
from pos_app.wire.receipt import warnings_to_json
from pos_app.wire.receipt_paths import RECEIPTS, Addressee, addressee_of, is_reference, wants_link
from pos_app.wire.request_content import content_of
from pos_app.wire.server import Waiting
from pos_app.wire.server import written as written_answer

PDF = "/pdf/"
NOBODY = "No client with the given storeId or clientId is connected"
"""Clients of public mode know exactly these words (platform-contract.md 2.7)."""
_LOST = "The application did not answer: the outcome is not known, look the receipt up later"
_BEGUN_OTHERWISE = (
    "{what}. This key was begun with a certificate and may have a receipt, which is not told to"
    " this request: send it as it was begun, with the same certificate and body, or look the"
    " receipt up"
)
"""The answer to a repetition whose headers or body are faulty, if its key was begun in certificate
mode."""
_TWIN = (
    "An identical order without Idempotency-Key is still open, and this may be its repetition: look"
    " its receipt up. Send a key with each order, or use an API key of which each order is a sale"
)
_NOT_STORED = "The platform can't store anything now, so surely nothing was sent"
_BOUND = (
    "This key stands for another body or client, which may be signed: look the key up. Nothing was"
    " signed for this body."
)
_SIGNER_AWAY = (
    "The certificate's receipts can't be looked up now, and of this key surely nothing was sent"
)
_SURELY = "surely not sent; repeat it, with the same key if it has one"
_SURELY_NOT = {
    commands.Next.NO_CLIENT: (problem.NO_CLIENT, NOBODY),
    commands.Next.NOT_STORED: (problem.NO_ROOM, _NOT_STORED),
    commands.Next.STORAGE_AWAY: (problem.STORAGE_AWAY, _NOT_STORED),
    commands.Next.CONFLICT: (problem.KEY_BOUND, _BOUND),
}
_ON_A_RECEIPT = tuple(str(one) for one in Operation if one is not Operation.ISSUE)

_log = log.get(__name__)


class ReceiptRoutes:
    def __init__(
        self, context: PlatformContext, authentication: Authentication, relay: RelayRoom
    ) -> None:
        self._context = context
        self._authentication = authentication
        self._relay = relay
        self._certificates = CertificateMode(context, relay)

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        receipts, scopes = f"{routing.BASE}{RECEIPTS}", (KeyScope.FISCALIZATION,)
        one = f"{receipts}/{{reference:path}}"
        return [
            Endpoint("POST", receipts, cls.issue, "issue", scopes),
            *(
                Endpoint("POST", f"{one}/{name}", cls.operate, name, scopes)
                for name in _ON_A_RECEIPT
            ),
            Endpoint("GET", receipts, cls.page, "listReceipts", scopes),
            Endpoint("GET", one, cls.look_up, "lookUp", scopes),
            Endpoint("GET", f"{PDF}{{secret}}", cls.pdf, "pdf"),
        ]

    def routes(self) -> list[BaseRoute]:
        return [
            *routing.routes_to(self, self._authentication),
            WebSocketRoute(f"{routing.BASE}/relay", self.connect),
            WebSocketRoute("/{path:path}", self.no_websocket),
        ]

    # --- applications --------------------------------------------------------------------------

    async def connect(self, websocket: WebSocket) -> None:
        """GET /relay: the connection of an application. It is refused with the same statuses as on
        other routes."""
        async with AsyncExitStack() as held:
            try:
                caller = await self._authentication.caller(websocket, KeyScope.APPLICATION)
                await held.enter_async_context(self._context.quotas.application(caller))
            except errors.PosError as error:
                await deny(websocket, answer_to(error))
                return
            await self._relay.front.serve(websocket, caller)

    async def no_websocket(self, websocket: WebSocket) -> None:
        """A websocket on any other path is refused with 404."""
        await deny(websocket, answer_to(errors.NotFound("path")))

    # --- callers -------------------------------------------------------------------------------

    async def issue(self, request: Request, caller: KeyHolder) -> Response:
        """POST /fiscalization/receipts: the application's answer."""
        return await self._operate(request, caller, Operation.ISSUE, target=None)

    async def operate(self, request: Request, caller: KeyHolder) -> Response:
        """POST …/{Id}/advance, close, copy, refund: the application's answer."""
        operation = Operation(request.url.path.rpartition("/")[2])
        return await self._operate(request, caller, operation, target=_reference(request))

    async def _operate(
        self, request: Request, caller: KeyHolder, operation: Operation, *, target: str | None
    ) -> Response:
        began, context = self._context.clock.seconds(), self._context
        await context.quotas.check_receipt(context.database, caller.account_id)
        key = routing.idempotency_key(request)
        try:
            brought = await self._certificates.brought(request)
            document, body, content = await self._document(request, caller)
            asked = ReceiptRequest(
                account=caller.account_id,
                client=None,
                store=None,
                operation=str(operation),
                target=target,
                key=key,
                body=body.decode(),
                body_hash=b"",
                skus=codes_asked(operation, document),
                wants_link=wants_link(document),
                began_seconds=began,
                may_repeat=not caller.each_order_is_a_sale,
            )
            credential = "" if key else caller.key_id
            service, asked = await self._addressed(asked, document, content, brought, credential)
        except (errors.Invalid, errors.NotFound, NotBegun) as error:
            known = await self._certificates.receipt_of(caller.account_id, key)
            if known is None:
                raise
            words = _BEGUN_OTHERWISE.format(what=error.what.rstrip("."))
            return error_answer(problem.Problem.of(problem.RELAY_LOST, words, receipt_id=known))
        try:
            reply = await service.operate(asked)
        except errors.MachineError as error:
            _log.error("a receipt was not relayed: %s", error.what)
            known = _id_of(asked)
            return error_answer(problem.Problem.of(problem.RELAY_LOST, _LOST, receipt_id=known))
        return await self._answer(request, reply)

    async def _addressed(
        self,
        asked: ReceiptRequest,
        document: Mapping[str, Any],
        content: bytes,
        brought: Brought | None,
        credential: str,
    ) -> tuple[RelayService, ReceiptRequest]:
        """Return the service that carries out the request, and the request with its addressee and
        the hash of its body. content: what is hashed. brought: the certificate, in certificate
        mode; None in public mode. credential: see `body_hash`. Raises Invalid."""
        if brought is None:
            service = self._relay.service
            addressee = _addressee(document, source="body")
        else:
            platform_details = await self._certificates.platform_details(asked.account, document)
            service = self._certificates.service(
                asked.account, brought.client, brought, platform_details
            )
            addressee = Addressee(brought.client, None)
            content = brought.client.encode() + content
        operation = Operation(asked.operation)

        def hash_at(name: str | None) -> bytes:
            return commands.body_hash(
                content, operation=operation, target=_kept(name), credential=credential
            )

        return service, replace(
            asked,
            client=addressee.client,
            store=addressee.store,
            body_hash=hash_at(asked.target),
            hash_at=hash_at,
        )

    async def _document(
        self, request: Request, caller: KeyHolder
    ) -> tuple[Mapping[str, Any], bytes, bytes]:
        """Return the body in three forms: the document, the bytes as they were sent, and what is
        hashed. Raises Invalid, BodyTooLarge."""
        routing.check_encoding(request)
        routing.check_type(request)
        body = await routing.body_of(request)
        account, done = caller.account_id, self._context.slow_work.done
        document, content = await done(account, len(body), _read, body)
        if not isinstance(document, Mapping):
            raise errors.Invalid("object_value", field="")
        return document, body, content

    async def _answer(self, request: Request, reply: RelayReply) -> Response:
        response = None
        try:
            response = await self._answer_of(request, reply)
        finally:
            if reply.delivered_of is not None and not isinstance(response, DeliveredResponse):
                self._relay.service.let_go(reply.delivered_of)
        return response

    async def _answer_of(self, request: Request, reply: RelayReply) -> Response:
        answer = reply.outcome.answer
        match reply.next:
            case commands.Next.HAND_OVER if answer is not None:
                body = await self._with_links(request, answer.body, reply.outcome.secrets)
                return self._answer_with_delivery(body, answer.status, reply)
            case commands.Next.STORED if reply.stored is not None:
                body = await self._with_links(request, reply.stored.answer or "", {})
                return self._answer_with_delivery(body, reply.stored.status or 200, reply)
            case commands.Next.DECLINED:
                words = f"{(reply.outcome.reason or '').rstrip('. ')}: {_SURELY}"
                return error_answer(problem.Problem.of(problem.PROCESSOR_AWAY, words))
            case following if following in _SURELY_NOT:
                return error_answer(problem.Problem.of(*_SURELY_NOT[following]))
            case following:
                words = _TWIN if following is commands.Next.TWIN_OPEN else _LOST
                return error_answer(
                    problem.Problem.of(problem.RELAY_LOST, words, receipt_id=reply.receipt_id)
                )

    def _answer_with_delivery(self, body: bytes, status: int, reply: RelayReply) -> Response:
        command_id, service = reply.delivered_of, self._relay.service
        if command_id is None or status != 200:
            return Response(body, status, media_type=JSON)

        async def on_end(is_delivered: bool) -> None:
            try:
                await self._note_end(command_id, is_delivered=is_delivered)
            finally:
                service.let_go(command_id)

        def on_settled(is_kept: bool) -> None:
            if not is_kept and command_id in service.delivered:
                self._take_back(command_id)

        return DeliveredResponse(
            body,
            on_taken=lambda: service.note_delivered(command_id),
            on_end=on_end,
            on_settled=on_settled,
        )

    def _take_back(self, command_id: str) -> None:
        """Note that the caller's system threw the answer away, so that a repetition gets it
        again."""
        service = self._relay.service
        service.delivered.pop(command_id, None)
        task = asyncio.create_task(self._note_end(command_id, is_delivered=False))
        service.taking_back.add(task)
        task.add_done_callback(service.taking_back.discard)

    async def _note_end(self, command_id: str, *, is_delivered: bool) -> None:
        service = self._relay.service
        try:
            if is_delivered:
                await service.commands.delivered(command_id, now_ms=service.now_ms())
            else:
                await service.commands.undelivered(command_id, now_ms=service.now_ms())
        except errors.MachineError as error:
            _log.error("a delivery could not be noted: %s", error.what)

    async def look_up(self, request: Request, caller: KeyHolder) -> Response:
        """GET /fiscalization/receipts/{Id}: 200 with the receipt, 202 while it is open, 404 if it
        was surely not issued."""
        began = self._context.clock.seconds()
        if request.scope["raw_path"].rpartition(b"/")[2].decode("ascii") in _ON_A_RECEIPT:
            raise HTTPException(405, headers={"Allow": "POST"})
        reference = _reference(request)
        brought = await self._certificates.brought(request)
        if brought is None:
            found = await self._certificates.find_element(caller.account_id, reference)
        else:
            found = Found(brought.client)
        if found is None:
            service = self._relay.service
            addressee = _addressee(request.query_params, source="query")
        else:
            service, addressee = (
                self._certificates.service(caller.account_id, found.client, brought),
                Addressee(found.client, None),
            )
        reply = await service.look_up(
            reference,
            account=caller.account_id,
            client=addressee.client,
            store=addressee.store,
            began_seconds=began,
        )
        if reply.next is commands.Next.NOT_ISSUED:
            return error_answer(problem.Problem.of(problem.NOT_FOUND, "Receipt not found"))
        if found is not None and reply.next is commands.Next.NO_CLIENT:
            return error_answer(problem.Problem.of(problem.PROCESSOR_AWAY, _SIGNER_AWAY))
        answer = reply.outcome.answer
        if found is not None and found.kept_back and answer is not None and answer.status == 200:
            waiting = Waiting(receipt_id=found.kept_back, state=commands.CommandState.HANDED_OVER)
            return Response(written_answer(waiting), 202, media_type=JSON)
        if reply.next is commands.Next.LOST and isinstance(reply.stored, commands.RelayCommand):
            waiting = Waiting(receipt_id=reply.stored.receipt_id, state=reply.stored.state.value)
            return Response(written_answer(waiting), 202, media_type=JSON)
        return await self._answer(request, reply)

    async def page(self, request: Request, caller: KeyHolder) -> Response:
        """GET /fiscalization/receipts: 200 with a page of the receipts that the query finds at the
        application."""
        began, account = self._context.clock.seconds(), caller.account_id
        asked = list_query_of(request)
        addressee = _addressee(request.query_params, source="query")
        reply = await self._relay.service.page(
            asked,
            account=account,
            client=addressee.client,
            store=addressee.store,
            began_seconds=began,
        )
        return await self._answer(request, reply)

    # --- PDFs ----------------------------------------------------------------------------------

    async def _with_links(self, request: Request, text: str, secrets: Mapping[str, str]) -> bytes:
        """Replace the application's links in the answer by links of the platform. For a PDF that is
        missing the link is null and a warning is added; the receipt is signed all the same."""
        if '"pdf":' not in text:
            return text.encode()
        base = f"{self._base_url(request)}{PDF}"
        account, done = request.state.account_id, self._context.slow_work.done
        return await done(account, len(text), _linked, text, secrets, base)

    def _base_url(self, request: Request) -> str:
        return self._context.public_url or f"{request.url.scheme}://{request.url.netloc}"

    async def pdf(self, request: Request) -> Response:
        """GET /pdf/{secret}: the file, for 10 minutes after its link was given."""
        now, secret = self._relay.service.now_ms(), request.path_params["secret"]
        is_one = not has_controls(secret)
        content = await self._relay.files.content(secret, now_ms=now) if is_one else None
        if content is None:
            raise errors.NotFound("link")
        headers = {"Content-Disposition": 'attachment; filename="receipt.pdf"'}
        return Response(content, headers=headers, media_type="application/pdf")


def _linked(text: str, secrets: Mapping[str, str], base: str) -> bytes:
    document = strict_json.loads(text)
    for receipt in document if isinstance(document, list) else [document]:
        if isinstance(receipt, dict) and isinstance(receipt.get("pdf"), str):
            secret = secrets.get(receipt["pdf"])
            receipt["pdf"] = secret and f"{base}{secret}"
            if secret is None:
                receipt.update(_not_made(receipt))
    return strict_json.dumps(document)


def _not_made(receipt: Mapping[str, Any]) -> dict[str, Any]:
    message = "The receipt is signed, its PDF could not be made now; look it up again later."
    warning = ReceiptWarning(WarningCode.PDF_NOT_MADE, message, "receiptDelivery.pdf")
    before = receipt.get("warnings")
    return {"warnings": [*(before if isinstance(before, list) else []), *_list(warning)]}


def _list(warning: ReceiptWarning) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = warnings_to_json((warning,))["warnings"]
    return entries


def _id_of(asked: ReceiptRequest) -> str | None:
    """Return the receipt's id, or None if only the database could tell it."""
    if asked.client is None or asked.key is None:
        return None
    return commands.receipt_id_of(asked.account, asked.client, asked.key)


def _addressee(members: Mapping[str, object], *, source: str) -> Addressee:
    """Return the client and the store that a request names. Raises InvalidPart."""
    try:
        addressee = addressee_of(members)
    except errors.Invalid as error:
        raise InvalidPart(what=error.what, field=error.field, source=source) from error
    if addressee.client is not None and not is_uuid(addressee.client):
        raise InvalidPart("guid", field="clientId", source=source)
    return addressee


def _read(body: bytes) -> tuple[object, bytes]:
    """Return the document of a body, and its content as it is hashed."""
    document = strict_json.loads(body)
    return document, strict_json.canonical(content_of(document))


def _kept(target: str | None) -> str | None:
    """A receipt's id or number is the same in capitals and small letters, a key is not."""
    is_key = target is None or target.startswith(BY_KEY)
    return target if is_key else kept_reference(str(target))


def _reference(request: Request) -> str:
    reference: str = request.path_params["reference"]
    if not is_reference(reference):
        raise errors.NotFound("receipt_of_platform")
    return reference
