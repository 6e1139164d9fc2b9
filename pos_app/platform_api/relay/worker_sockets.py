"""Unix sockets between the workers of one machine: a command goes to the worker of its application,
and its outcome comes back, with no commit of its own and no row that is read again.

Each worker listens under its id among the abstract names of Linux: no file stays behind, and when a
worker ends, however it does, its connections end at once. Processes of the same user alone are
heard. A worker of another machine is not reached here. Frames are a length and JSON:

    {"ask": N, account, client, seconds, keeps, command}   hand it over
    {"told": N, is_begun, reason, status, body, secrets}   what came of it
    {"say": CONNECTION, message}                           a Notice or a Refused for an application
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import struct
import sys
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from itertools import count
from typing import Any

from pos_app import log
from pos_app.errors import Invalid
from pos_app.platform_api.relay.connection import tell_here
from pos_app.platform_api.relay.hub import LOST, AttemptOutcome, Hub
from pos_app.platform_api.relay.store import Application
from pos_app.wire.relay import (
    MOST_ANSWER_FRAME,
    AnswerMessage,
    CommandMessage,
    NoticeMessage,
    RefusedMessage,
    from_platform,
    written,
)

_LENGTH = struct.Struct(">I")
_CREDENTIALS = struct.Struct("3i")
_MOST_UNSENT = 64 * 1024 * 1024
"""Bytes; a worker that takes so few is let go."""

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class _Awaited:
    """A command that another worker was asked to hand over, until it tells the outcome."""

    command: CommandMessage
    future: asyncio.Future[AttemptOutcome | None]


class _Peer(asyncio.Protocol):
    """One connection to another worker, of either side's making."""

    def __init__(self, heard: Callable[[_Peer, dict[str, Any]], None]) -> None:
        self.is_open = False
        self._heard = heard
        self._buffer = bytearray()
        self._asked: dict[int, _Awaited] = {}
        self._numbers = count(1)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.set_write_buffer_limits(high=_MOST_UNSENT)
        if _is_ours(transport.get_extra_info("socket")):
            self.is_open = True
        else:
            transport.abort()

    def pause_writing(self) -> None:
        self._transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        self.is_open = False
        for one in self._asked.values():
            if not one.future.done():
                one.future.set_result(LOST)

    def data_received(self, data: bytes) -> None:
        if not self.is_open:
            return
        self._buffer += data
        try:
            while (frame := self._frame()) is not None:
                self._take(json.loads(frame))
        except (ValueError, KeyError, TypeError):
            _log.exception("another worker sent what is no message")
            self._transport.abort()

    def _frame(self) -> bytes | None:
        buffer = self._buffer
        if len(buffer) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(buffer)
        end = _LENGTH.size + length
        if length > MOST_ANSWER_FRAME:
            raise ValueError("a frame is too long")
        if len(buffer) < end:
            return None
        frame = bytes(buffer[_LENGTH.size : end])
        del buffer[:end]
        return frame

    def _take(self, told: dict[str, Any]) -> None:
        if "told" not in told:
            self._heard(self, told)
            return
        question = self._asked.get(told["told"])
        if question is not None and not question.future.done():
            question.future.set_result(_outcome(question.command, told))

    def send(self, message: dict[str, Any]) -> None:
        if self.is_open:
            content = json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
            self._transport.write(_LENGTH.pack(len(content)) + content)

    async def ask(
        self, application: Application, command: CommandMessage, *, seconds: float, keeps: bool
    ) -> AttemptOutcome | None:
        if not self.is_open:
            return None
        number = next(self._numbers)
        future: asyncio.Future[AttemptOutcome | None] = asyncio.get_running_loop().create_future()
        self._asked[number] = _Awaited(command, future)
        try:
            self.send(
                {
                    "ask": number,
                    "account": application.account,
                    "client": application.client,
                    "seconds": seconds,
                    "keeps": keeps,
                    "command": written(command),
                }
            )
            async with asyncio.timeout(seconds):
                return await future
        except TimeoutError:
            return LOST
        finally:
            del self._asked[number]

    def close(self) -> None:
        self._transport.abort()


class WorkerSockets:
    """Those of one worker. Nobody is reached where the system is not Linux."""

    def __init__(self, worker: str, hub: Hub) -> None:
        self._worker = worker
        self._hub = hub
        self._server: asyncio.Server | None = None
        self._peers: dict[str, _Peer] = {}
        self._came: set[_Peer] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """From now on others reach this worker."""
        if sys.platform == "linux":
            loop = asyncio.get_running_loop()
            self._server = await loop.create_unix_server(self._coming, _name(self._worker))

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        for peer in (*self._peers.values(), *self._came):
            peer.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _coming(self) -> _Peer:
        self._came = {peer for peer in self._came if peer.is_open}
        peer = _Peer(self._heard)
        self._came.add(peer)
        return peer

    async def reaches(self, worker: str) -> bool:
        """Whether that worker is on this machine, and alive."""
        return await self._peer(worker) is not None

    async def hand_over(
        self, application: Application, command: CommandMessage, *, seconds: float, keeps: bool
    ) -> AttemptOutcome | None:
        """What came of it; None where its application surely was not given it."""
        peer = await self._peer(application.worker)
        if peer is None:
            return None
        return await peer.ask(application, command, seconds=seconds, keeps=keeps)

    async def tell(self, application: Application, message: RefusedMessage | NoticeMessage) -> bool:
        """Say something to an application of that worker; False where it is not reached."""
        peer = await self._peer(application.worker)
        if peer is None:
            return False
        peer.send({"say": application.connection, "message": written(message)})
        return True

    async def _peer(self, worker: str) -> _Peer | None:
        peer = self._peers.get(worker)
        if peer is not None and peer.is_open:
            return peer
        self._peers = {name: one for name, one in self._peers.items() if one.is_open}
        if sys.platform != "linux":
            return None
        loop = asyncio.get_running_loop()
        try:
            _, peer = await loop.create_unix_connection(lambda: _Peer(self._heard), _name(worker))
        except OSError:
            return None
        if not peer.is_open:
            return None
        first = self._peers.setdefault(worker, peer)
        if first is not peer:  # two asked at once
            peer.close()
        return first

    # --- being asked -----------------------------------------------------------------------------

    def _heard(self, peer: _Peer, told: dict[str, Any]) -> None:
        try:
            if "ask" in told:
                command = from_platform(told["command"])
                assert isinstance(command, CommandMessage)
                self._begin(self._carry_out(peer, command, told))
            else:
                here, message = self._hub.by_connection(told["say"]), from_platform(told["message"])
                if here is not None and isinstance(message, RefusedMessage | NoticeMessage):
                    tell_here(self._hub, here, message)
        except Invalid as error:
            raise ValueError(error.what) from error

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work, name="of another worker")
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("a command of another worker ended with a bug", exc_info=error)

    async def _carry_out(self, peer: _Peer, command: CommandMessage, asked: dict[str, Any]) -> None:
        here = self._hub.find(asked["account"], client=asked["client"])
        outcome: AttemptOutcome | None = None
        try:
            if here is not None:
                outcome = LOST  # unless something better is known
                outcome = await self._hub.ask(
                    here, command, seconds=asked["seconds"], keeps=asked["keeps"]
                )
        finally:
            peer.send({"told": asked["ask"]} | _members(outcome))


def _members(outcome: AttemptOutcome | None) -> dict[str, Any]:
    if outcome is None:
        return {"is_begun": False}
    answer = outcome.answer
    told: dict[str, Any] = {"is_begun": True, "reason": outcome.reason}
    if answer is None:
        return told
    return told | {
        "attempt": answer.attempt,
        "status": answer.status,
        "body": answer.body,
        "secrets": dict(outcome.secrets),
    }


def _outcome(command: CommandMessage, told: dict[str, Any]) -> AttemptOutcome | None:
    if not told["is_begun"]:
        return None
    if "status" not in told:
        return AttemptOutcome(reason=told["reason"]) if told["reason"] is not None else LOST
    answer = AnswerMessage(
        command_id=command.command_id,
        attempt=told["attempt"],
        status=told["status"],
        body=told["body"],
    )
    return AttemptOutcome(answer, told["secrets"])


def _name(worker: str) -> str:
    return f"\0pos-app-relay-{worker}"


def _is_ours(connection: socket.socket) -> bool:
    """Whether the process at the other end is of the same user."""
    if sys.platform != "linux":
        return False
    told = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    return bool(_CREDENTIALS.unpack(told)[1] == os.getuid())
