"""The open routes: the five operations on receipts, looking one up, health, PDF links."""

from __future__ import annotations

import re
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pos_app.domain.operations import Operation
from pos_app.domain.states import REVERSED, AnswerClass
from pos_app.errors import AlreadyStored, DiskFull, MachineError, NotAllowed, NotFound, PosError
from pos_app.fiscalization.issuing.after_restore import not_deniable, refusal_or_doubt
from pos_app.fiscalization.issuing.execute import execute, kept_id
from pos_app.fiscalization.issuing.results import (
    BY_KEY,
    IssuedReceipts,
    PendingCommand,
    ReversedPair,
    find,
    id_of,
    known_of,
    look_up,
    never_denied,
    signed_receipt_of,
    told_instead,
)
from pos_app.fiscalization.outcomes.busy_retry import retry_while_busy
from pos_app.fiscalization.outcomes.outcome_writer import PERHAPS_SIGNED_BEFORE
from pos_app.fiscalization.ports import Command
from pos_app.fiscalization.refusals import (
    NO_ROOM,
    STORAGE,
    KeyBound,
    NotSigned,
    OutcomeNotKnown,
    ReceiptNotFound,
)
from pos_app.fiscalization.service import Caller, FiscalService, IncomingRequest, body_hash, new_key
from pos_app.http_front.errors import JSON, InvalidPart
from pos_app.http_front.requests import had_slash
from pos_app.local_api.access_middleware import client_of
from pos_app.local_api.access_rules import HEALTH, PDF
from pos_app.local_api.context import ApiContext
from pos_app.local_api.headers import (
    cashier_of,
    epoch_of,
    has_waited,
    idempotency_key,
    is_from_before_restore,
    origin_of,
    till_sequence_of,
)
from pos_app.local_api.pdf_links import PdfLinks
from pos_app.local_api.receipt_response import WHOLE_WAY, ReceiptResponses, TrackedResponse
from pos_app.wire.misspelt_members import noticed
from pos_app.wire.operations import READERS
from pos_app.wire.receipt_paths import LONGEST_REFERENCE, RECEIPTS
from pos_app.wire.server import SERVICE, Health, PublicModeTold, Waiting, written
from pos_app.wire.strict_json import canonical, loads

_ONE = f"{RECEIPTS}/{{reference:path}}"
_ON_A_RECEIPT = {
    str(operation): operation for operation in Operation if operation is not Operation.ISSUE
}
_NONCE = re.compile(r"[0-9A-Fa-f]{32,64}")


class OpenRoutes:
    def __init__(
        self,
        *,
        service: FiscalService,
        context: ApiContext,
        links: PdfLinks,
        answers: ReceiptResponses,
    ) -> None:
        self._service = service
        self._context = context
        self._links = links
        self._answers = answers

    def all(self) -> list[Route]:
        return [
            Route(RECEIPTS, self.issue, methods=["POST"]),
            *(Route(f"{_ONE}/{name}", self.operate, methods=["POST"]) for name in _ON_A_RECEIPT),
            Route(_ONE, self.look_up, methods=["GET"]),
            Route(f"{_ONE}/{{operation}}", self.no_operation, methods=["POST"]),
            Route(HEALTH, self.health, methods=["GET"]),
            Route(f"{PDF}{{secret}}", self.pdf, methods=["GET"]),
        ]

    async def issue(self, request: Request) -> Response:
        """POST /fiscalization/receipts: 200 with the receipt, or an error body."""
        return await self._run_operation(request, Operation.ISSUE, target=None)

    async def operate(self, request: Request) -> Response:
        """POST …/{Id}/advance, close, copy, refund: 200 with the receipt, or the array of them."""
        operation = _ON_A_RECEIPT[request.url.path.rpartition("/")[2]]
        found = find(self._service.journal, _reference(request))
        if found is None:
            raise self._not_known(request)
        return await self._run_operation(request, operation, target=found.id)

    def _not_known(self, request: Request) -> PosError:
        """The error for an unknown id; the outcome is unknown if the journal may lack receipts."""
        is_till = client_of(request.scope).is_till
        if not_deniable(self._service, (), is_till=is_till) is None:
            return ReceiptNotFound("Receipt not found")
        receipt_id = self._caller(request).receipt_id
        return OutcomeNotKnown(PERHAPS_SIGNED_BEFORE.words, receipt_id=receipt_id)

    async def no_operation(self, request: Request) -> Response:
        """POST …/{Id}/anything else: 404."""
        raise NotFound("There is no such operation on a receipt")

    async def _run_operation(
        self, request: Request, operation: Operation, *, target: str | None
    ) -> Response:
        began = self._service.clock.seconds()
        caller = self._caller(request)
        request.state.receipt_id = caller.receipt_id
        body = await request.body()
        document = loads(body)
        received = IncomingRequest(
            body=body,
            body_hash=body_hash(canonical(document), operation=operation, target=target),
            read=lambda: READERS[operation](document),
            operation=operation,
            target=target,
            notice=lambda: noticed(operation, document),
        )
        issued = await self._issued(caller, received)
        whole_way = WHOLE_WAY if caller.left_seconds is None else caller.left_seconds
        left = began + min(WHOLE_WAY, whole_way) - self._service.clock.seconds()
        answer = await self._answers.body(request, issued, seconds_left=left)
        if caller.keyless:  # once the answer is delivered, the same body is a new sale
            return TrackedResponse(answer, lambda: self._mark_delivered(issued.command))
        return Response(answer, media_type=JSON)

    async def _issued(self, caller: Caller, incoming: IncomingRequest) -> IssuedReceipts:
        service = self._service
        began = service.clock.seconds()
        try:
            return await retry_while_busy(
                lambda: execute(
                    service=service, caller=caller, incoming=incoming, began_seconds=began
                ),
                clock=service.clock,
            )
        except KeyBound:
            raise
        except (MachineError, NotAllowed, AlreadyStored) as error:
            raise after_failure(self._service, caller, incoming, error) from error

    def _caller(self, request: Request) -> Caller:
        client = client_of(request.scope)

        async def waits() -> bool:
            return not await request.is_disconnected()

        till_id = self._context.install.till_id
        key, relayed = idempotency_key(request.headers), client.relayed
        usual = (relayed is not None and relayed.cashier) or self._context.cashier
        return Caller(
            origin=origin_of(request.headers, client, till_id=till_id),
            cashier=cashier_of(request.headers, client, otherwise=usual),
            waits=waits,
            key=key or new_key(),
            keyless=key is None or (relayed is not None and relayed.keyless),
            till_sequence=till_sequence_of(request.headers, client),
            is_till=client.is_till,
            epoch=epoch_of(request.headers, client),
            is_from_before_restore=is_from_before_restore(request.headers, client),
            has_waited=has_waited(request.headers, client),
            left_seconds=None if relayed is None else relayed.seconds_left,
            articles={} if relayed is None else relayed.articles,
        )

    def _mark_delivered(self, command: Command) -> None:
        self._service.journal.mark_delivered(command.id, now=self._service.clock.now())

    async def look_up(self, request: Request) -> Response:
        """GET /fiscalization/receipts/{Id}: 200 receipt, 202 while open, 404 surely not issued."""
        client = client_of(request.scope)
        origin = origin_of(request.headers, client, till_id=self._context.install.till_id)
        journal = self._service.journal
        reference = self._looked_up(request, origin=origin)
        try:
            with never_denied(journal, reference, origin=origin):
                found = look_up(journal=journal, origin=origin, reference=reference)
        except ReceiptNotFound:
            known = known_of(journal, reference, origin=origin)
            epoch = epoch_of(request.headers, client)
            why_not = not_deniable(self._service, known, is_till=client.is_till, epoch=epoch)
            if why_not is None:
                raise
            waiting = Waiting(receipt_id=id_of(reference, origin=origin), state=why_not)
            return Response(written(waiting), 202, media_type=JSON)
        if not isinstance(found, IssuedReceipts):
            return Response(written(_waiting(found)), 202, media_type=JSON)
        return Response(await self._answers.body(request, found), media_type=JSON)

    def _looked_up(self, request: Request, *, origin: str) -> str:
        """The reference of a look-up; a key may contain slashes, or end like an operation."""
        reference = _reference(request)
        if reference.startswith(BY_KEY):
            slashed = f"{reference}/"
            is_known = known_of(self._service.journal, slashed, origin=origin)
            return slashed if had_slash(request.scope) and is_known else reference
        if reference.rpartition("/")[2] in _ON_A_RECEIPT:
            raise HTTPException(HTTPStatus.METHOD_NOT_ALLOWED, headers={"Allow": "POST"})
        return reference

    async def health(self, request: Request) -> Response:
        """GET /health: which server this is; with a nonce, also proof of its installation."""
        journal, install = self._service.journal, self._context.install
        health = Health(
            service=SERVICE,
            version=self._context.version,
            install_id=install.install_id,
            environment=install.environment,
            journal=journal.restores.tip,
        )
        if (synchronisation := self._context.synchronisation()) is not None:
            health = health.model_copy(update={"synchronisation": synchronisation})
        if (public := self._context.public_mode()) is not None:
            told = PublicModeTold(state=public.state, code=public.code, words=public.words)
            health = health.model_copy(update={"public_mode": told})
        nonces = request.query_params.getlist("nonce")
        if not nonces:
            return Response(written(health), media_type=JSON)
        if len(nonces) > 1 or not _NONCE.fullmatch(nonces[0]):
            raise InvalidPart(
                '"nonce" must be 32 to 64 hexadecimal digits', field="nonce", source="query"
            )
        proof = install.proof(nonce=nonces[0], version=health.version, journal_id=health.journal.id)
        proved = health.model_copy(update={"proof": proof})
        return Response(written(proved), media_type=JSON)

    async def pdf(self, request: Request) -> Response:
        """GET /pdf/{secret}: the file, for 10 minutes after its link was given."""
        receipt_id = self._links.find(request.path_params["secret"])
        if receipt_id is None:
            raise NotFound("This link is not known or has ended")
        with never_denied(self._service.journal, receipt_id):
            issued = signed_receipt_of(self._service.journal, receipt_id)
        content = await self._answers.file(issued)
        if content is None:
            raise MachineError("The PDF can't be made now.", do="Look the receipt up again later.")
        name = re.sub(r"[^0-9A-Za-z-]", "_", issued.receipt.invoice_number)
        headers = {
            "Content-Disposition": f'attachment; filename="{name}.pdf"',
            "Cache-Control": "no-store",
        }
        return Response(content, headers=headers, media_type="application/pdf")


def _waiting(found: PendingCommand | ReversedPair) -> Waiting:
    state = found.state.value if isinstance(found, PendingCommand) else REVERSED
    waiting = Waiting(receipt_id=found.receipt_id, state=state)
    return waiting.model_copy(update={"signed": list(found.signed)}) if found.signed else waiting


def _reference(request: Request) -> str:
    """The decoded `Id` of the path. Raises ReceiptNotFound for one that is too long."""
    reference: str = request.path_params["reference"]
    if len(reference) > LONGEST_REFERENCE:
        raise ReceiptNotFound("Receipt not found")
    return reference


def after_failure(
    service: FiscalService, caller: Caller, incoming: IncomingRequest, error: PosError
) -> PosError:
    """The error after a failure of this machine: "surely not sent" only where that is sure."""
    if isinstance(error, AlreadyStored):  # a look-up could not be trusted after this
        return OutcomeNotKnown(error.what, receipt_id=caller.receipt_id)
    try:
        known = kept_id(service, caller, incoming)
        found = () if known is None else service.journal.statuses_of(known)
    except MachineError:
        return OutcomeNotKnown(error.what, receipt_id=caller.receipt_id)
    instead = told_instead(found, error, receipt_id=known or caller.receipt_id)
    if instead is not None:
        return instead
    is_full = isinstance(error, DiskFull)
    answer_class, reason = (AnswerClass.CURE, NO_ROOM) if is_full else (AnswerClass.WAIT, STORAGE)
    refusal = NotSigned(error.what, answer_class=answer_class, reason=reason)
    return refusal_or_doubt(service, caller, found, refusal)
