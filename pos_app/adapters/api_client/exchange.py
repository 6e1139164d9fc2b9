"""One HTTP exchange with the local API server: it is done, not delivered, or unknown.

Source: architecture.md, rule 11; exactly-once.md ("The open local server").
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Self, TypeVar

from pos_app import errors, wire
from pos_app.adapters.data_folder.install import Install
from pos_app.domain.receipt.states import AnswerClass
from pos_app.lazy_dataclass import dataclass
from pos_app.wire.problem import RECEIPT_UNREADABLE, problem_from_json
from pos_app.wire.strict_json import dumps

if TYPE_CHECKING:
    from pos_app.adapters.api_client.client import FiscalClient
    from pos_app.adapters.http_exchange import HttpExchange

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete answer. body: parsed JSON, or None. request_id: names it in the log."""

    status: int
    body: object
    request_id: str = ""

    @property
    def state(self) -> str | None:
        """The member "state" of answers without a receipt."""
        state = self.body.get("state") if isinstance(self.body, Mapping) else None
        return state if isinstance(state, str) else None


class LocalApi:
    """A client of this installation's server at `url`, over one connection at a time. The first
    exchange loads the HTTP client and its shapes in a thread, while the till already sells."""

    def __init__(
        self, url: str, install: Install, *, connection: HttpExchange | None = None
    ) -> None:
        self.install = install
        self.url = url
        self._exchange = connection
        self._opened: FiscalClient | None = None

    async def ask(
        self,
        path: str,
        *,
        seconds: float,
        introduce: bool = True,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """GET. introduce: send the token, for a proven server alone. Raises as `send`."""
        client = await self._client()
        given_headers = headers or {}
        return Reply(
            *await client.ask(path, seconds=seconds, introduce=introduce, headers=given_headers)
        )

    async def send(
        self,
        path: str,
        body: bytes | Mapping[str, object],
        *,
        seconds: float,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """POST a JSON body. Raises NotDelivered when surely no byte was written, OutcomeUnknown."""
        content = body if isinstance(body, bytes) else dumps(body)
        client, given_headers = await self._client(), headers or {}
        return Reply(*await client.send(path, content, seconds=seconds, headers=given_headers))

    async def load(self) -> None:
        """Load the HTTP client and its shapes, where that was not done yet."""
        await self._client()

    async def close(self) -> None:
        if self._opened is not None:
            await self._opened.close()

    async def _client(self) -> FiscalClient:
        if self._opened is None:
            client = await asyncio.to_thread(_client_class)
            if self._opened is None:  # nobody else opened it meanwhile
                self._opened = client(self.url, self.install, self._exchange)
        return self._opened

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _client_class() -> type[FiscalClient]:
    from pos_app.adapters.api_client.client import FiscalClient  # noqa: PLC0415 - not at the start

    wire.load()
    return FiscalClient


def refused(reply: Reply) -> errors.RemoteError:
    """Return the error of a refusal, in the server's words. It is OutcomeUnknown where the request
    may have been carried out, and Unreadable where a signed receipt can't be read."""
    problem = problem_from_json(reply.status, reply.body)
    if problem is not None and problem.code == RECEIPT_UNREADABLE.code:
        return errors.Unreadable(
            what=problem.message,
            reply_code=str(problem.code),
            safe="The receipt is issued.",
            do="Do not issue it again; have the server's journal mended.",
            number=", ".join(problem.signed),
        )
    if problem is None:
        return errors.OutcomeUnknown("server_status", status=reply.status, request=reply.request_id)
    if problem.answer_class is AnswerClass.UNKNOWN:
        return errors.OutcomeUnknown(
            what=problem.message, do="Look at the doubt again.", request=reply.request_id
        )
    return errors.Refused(
        problem.kind or "",
        what=problem.message,
        reply_code=str(problem.code),
        safe="Nothing was changed.",
        answer_class=problem.answer_class,
        pfr_code=problem.pfr_code or "",
    )


def checked(reply: Reply) -> Reply:
    """Return an answer of status 200; raise the error of `refused` for any other."""
    if reply.status != 200:
        raise refused(reply)
    return reply


def records_of(kind: type[T], reply: Reply) -> tuple[T, ...]:
    """All records in an answer. Raises as `refused`; OutcomeUnknown when it can't be read."""
    try:
        return wire.records.list_from_json(kind, checked(reply).body)
    except errors.Invalid as error:
        raise no_sense(error) from error


def no_sense(error: errors.Invalid) -> errors.OutcomeUnknown:
    """The error for an answer that our server never gives."""
    return errors.OutcomeUnknown("server_unread", why=error.what)
