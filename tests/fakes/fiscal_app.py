"""The in-memory server behind the local API's routes, as an ASGI app and a connection to it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pos_app.adapters.data_folder.install import Install
from pos_app.adapters.http_exchange import HttpExchange
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.server_status import JournalMark
from pos_app.domain.receipt.states import AnswerClass
from pos_app.selling.sale.sale import PendingReason, RememberedJournal
from pos_app.selling.server import answers
from pos_app.selling.server.ports import OutgoingSale
from pos_app.wire import problem
from pos_app.wire.receipt import receipt_to_json
from pos_app.wire.strict_json import dumps, loads
from tests.fakes import fiscal_server

INSTALL = Install(
    install_id="3f1f8f0e-0000-4000-8000-000000000001",
    till_id="3f1f8f0e-0000-4000-8000-000000000002",
    environment="demo",
    token="ab" * 32,
)
_OTHER_TOKEN = Install(INSTALL.install_id, INSTALL.till_id, INSTALL.environment, "cd" * 32)
URL = "http://127.0.0.1:9999"


class _NotThere(Exception):
    """Nobody listens."""


class _Cut(Exception):
    """The connection ends without an answer."""


@dataclass
class FiscalApp:
    """Routes of the local API. server.stranger: "foreign", "other_install", "token" and so on."""

    server: fiscal_server.FiscalServerInMemory
    delay: float = 0
    """Seconds that a receipt takes before and after it is signed."""

    def line(self) -> HttpExchange:
        return HttpExchange(URL, trust=None, connect_seconds=3, headers={}, transport=_Line(self))

    def asgi(self) -> Starlette:
        routes = [
            Route("/health", self.health),
            Route("/till/status", self.status),
            Route("/till/witness", self.witness, methods=["POST"]),
            Route("/till/remembers", self.remembers, methods=["POST"]),
            Route("/till/cancel", self.cancel, methods=["POST"]),
            Route("/fiscalization/receipts", self.issue, methods=["POST"]),
            Route("/fiscalization/receipts/{id}", self.look_up),
            Route("/fiscalization/receipts/{id}/{operation}", self.issue, methods=["POST"]),
        ]
        return Starlette(routes=routes)

    async def health(self, request: Request) -> Response:
        if "X-Pos-Token" in request.headers:
            raise AssertionError("the token was told before the server had proved to know it")
        stranger = self.server.stranger
        if stranger == "foreign":
            return _json(200, {"hello": "world"})
        version = "2.9.0" if stranger == "other_version" else "3.2.7"
        environment = "production" if stranger == "other_environment" else "demo"
        prover = _OTHER_TOKEN if stranger == "token" else INSTALL
        proof = prover.proof(
            nonce=request.query_params["nonce"], version=version, journal_id=self.server.journal_id
        )
        return _json(
            200,
            {
                "service": "pos-app-server",
                "version": version,
                "installId": "other" if stranger == "other_install" else INSTALL.install_id,
                "environment": environment,
                "journal": _mark(self.server.mark()),
                "proof": proof,
            },
        )

    async def status(self, request: Request) -> Response:
        _check_token(request)
        told = await self.server.status()
        if isinstance(told, answers.NoAnswer):
            raise _NotThere
        processor = {"kind": told.processor.kind, "state": told.processor.state.value}
        named = {"code": "", "words": "", "uid": None, "url": None}
        return _json(
            200, {"processor": {**processor, **named}, "rates": [], "open": [], "notFiscal": True}
        )

    async def witness(self, request: Request) -> Response:
        _check_token(request)
        body = loads(await request.body())
        assert isinstance(body, Mapping)
        told = body["journal"]
        known = None if told is None else JournalMark(told["id"], int(told["rows"]), told["hash"])
        said = await self.server.witness(RememberedJournal(known, body["epoch"]))
        if isinstance(said, answers.NoAnswer):
            raise _NotThere
        return _json(
            200,
            {
                "journal": _mark(said.journal),
                "agrees": said.agrees,
                "lastSequence": said.last_sequence,
                "lastKey": said.last_key,
                "epoch": said.epoch,
            },
        )

    async def remembers(self, request: Request) -> Response:
        _check_token(request)
        body = await request.json()
        sale = OutgoingSale(body["key"], 1, "", body["body"].encode())
        told = await self.server.remembers(sale, body["number"])
        if isinstance(told, answers.NoAnswer) and not self.server.running:
            raise _NotThere
        return _json(200, {"remembers": None if isinstance(told, answers.NoAnswer) else told})

    async def issue(self, request: Request) -> Response:
        _check_token(request)
        parcel = OutgoingSale(
            key=request.headers["Idempotency-Key"],
            sequence=int(request.headers["X-Till-Sequence"]),
            cashier=unquote(request.headers["X-Cashier"]),
            body=await request.body(),
            epoch=request.headers.get("X-Journal-Epoch"),
            is_from_before_restore="X-Before-Restore" in request.headers,
            is_provable=request.headers.get("X-Before-Restore") == "provable",
            has_waited=request.headers.get("X-Has-Waited") == "true",
            operation=Operation(request.path_params.get("operation", "issue")),
            target=request.path_params.get("id"),
        )
        without_sense = (
            self.server.faults and self.server.faults[0] is fiscal_server.Fault.ANSWER_WITHOUT_SENSE
        )
        await asyncio.sleep(self.delay)
        answer = await self.server.issue(parcel)
        await asyncio.sleep(self.delay)
        match answer:
            case _ if without_sense:
                return Response("<html>", media_type="application/json")
            case answers.Issued() as issued:
                return _receipt(issued)
            case answers.IssuedUnreadable() as unreadable:
                return _unreadable(unreadable)
            case answers.Undelivered(reason) if reason is fiscal_server.AWAY:
                raise _NotThere
            case answers.Unclear(reason) if reason is fiscal_server.CUT:
                raise _Cut
            case answers.Undelivered(reason) | answers.RefusedByServer(reason):
                return _problem(reason)
            case answers.Unclear(reason, receipt_id):
                return _problem(reason, receipt_id)
        raise AssertionError("no such answer")

    async def look_up(self, request: Request) -> Response:
        key = request.path_params["id"].removeprefix("key:")
        epoch = request.headers.get("X-Journal-Epoch")
        match await self.server.look_up(key, epoch=epoch):
            case answers.Issued() as issued:
                return _receipt(issued)
            case answers.IssuedUnreadable() as unreadable:
                return _unreadable(unreadable)
            case answers.StillOpen(receipt_id, state):
                return _json(202, {"receiptId": receipt_id, "state": state})
            case answers.NotIssued():
                told = problem.Problem.of(problem.NOT_FOUND, "Receipt not found")
                return _json(404, problem.problem_to_json(told))
        raise _NotThere

    async def cancel(self, request: Request) -> Response:
        _check_token(request)
        body = loads(await request.body())
        assert isinstance(body, Mapping)
        epoch = request.headers.get("X-Journal-Epoch")
        match await self.server.cancel(str(body["key"]), epoch=epoch):
            case answers.Cancelled():
                return _json(200, {"state": "cancelled"})
            case answers.NotCancelled(state):
                return _json(409, {"state": state})
            case answers.RefusedByServer(reason):
                return _problem(reason)
        raise _NotThere


class _Line(httpx.ASGITransport):
    def __init__(self, app: FiscalApp) -> None:
        super().__init__(app.asgi())
        self._server = app.server

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if not self._server.running:
            raise httpx.ConnectError("refused")
        try:
            return await super().handle_async_request(request)
        except _NotThere as error:
            raise httpx.ConnectError("refused") from error
        except _Cut as error:
            raise httpx.ReadError("reset") from error


def _mark(mark: JournalMark) -> dict[str, Any]:
    return {"id": mark.id, "rows": mark.rows, "hash": mark.hash}


def _check_token(request: Request) -> None:
    assert request.headers["X-Pos-Token"] == INSTALL.token
    assert request.headers["X-Pos-Install"] == INSTALL.install_id
    assert request.headers["X-Till"] == INSTALL.till_id


def _json(status: int, body: Mapping[str, Any]) -> Response:
    return Response(dumps(body), status_code=status, media_type="application/json")


def _receipt(issued: answers.Issued) -> Response:
    body = receipt_to_json(issued.receipt, receipt_id=issued.receipt_id, qr_code=None)
    return _json(200, body)


def _unreadable(issued: answers.IssuedUnreadable) -> Response:
    told = problem.Problem.of(
        problem.RECEIPT_UNREADABLE,
        f"Signed: {issued.number}; the answer can't be given now.",
        receipt_id=issued.receipt_id,
        signed=(issued.number,),
    )
    return _json(told.status, problem.problem_to_json(told))


def _problem(reason: PendingReason, receipt_id: str | None = None) -> Response:
    code = int(reason.code)
    case = problem.ProblemKind(code // 100_000, code, "Error", reason.answer_class)
    told = problem.Problem.of(
        case,
        reason.text,
        keys=(reason.field,) if reason.field else (),
        receipt_id=receipt_id,
        pfr_code=reason.pfr_code or None,
    )
    assert reason.answer_class is not AnswerClass.UNKNOWN or case.status == 500
    body = {**problem.problem_to_json(told), "code": code, "errorCode": code}
    return _json(case.status, body)
