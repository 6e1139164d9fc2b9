"""Broken answers stop when nobody listens any more, and need a server that can break them."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest

from pos_app.pfr_emulator import answers

Message = MutableMapping[str, Any]


class Caller:
    """The two channels of an ASGI application, for a caller that has gone or one that listens."""

    def __init__(self, *, gone: bool) -> None:
        self.heard: list[Message] = []
        self._gone = gone

    async def receive(self) -> Message:
        if not self._gone:
            await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        self.heard.append(message)

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.heard)


async def test_a_late_answer_is_not_sent_to_somebody_who_has_gone() -> None:
    caller = Caller(gone=True)
    await answers.Late("{}", 600)({"type": "http"}, caller.receive, caller.send)
    assert caller.heard == []


async def test_a_late_answer_reaches_somebody_who_waits() -> None:
    caller = Caller(gone=False)
    await answers.Late('{"a":1}', 0)({"type": "http"}, caller.receive, caller.send)
    assert caller.body == b'{"a":1}'


async def test_a_dripping_answer_ends_with_the_caller() -> None:
    caller = Caller(gone=True)
    await answers.Dripping("{}", 600)({"type": "http"}, caller.receive, caller.send)
    assert [message["type"] for message in caller.heard] == ["http.response.start"]


async def test_a_dripping_answer_is_whole_in_the_end() -> None:
    caller = Caller(gone=False)
    await answers.Dripping('{"a":1}', 0)({"type": "http"}, caller.receive, caller.send)
    bodies = [message["body"] for message in caller.heard[1:]]
    assert [len(body) for body in bodies] == [1] * 7 + [0]
    assert caller.body == b'{"a":1}'
    assert [message["more_body"] for message in caller.heard[1:]] == [True] * 7 + [False]


@pytest.mark.parametrize("answer", [answers.Dropped(), answers.CutOff("{}")])
async def test_a_server_that_can_not_cut_is_told(answer: answers.Dropped | answers.CutOff) -> None:
    caller = Caller(gone=False)
    with pytest.raises(RuntimeError, match="CuttableH11"):
        await answer({"type": "http"}, caller.receive, caller.send)
