"""Answers a POST of an invoice: normally, or with the programmed fault."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from starlette.responses import Response

from pos_app import log
from pos_app.pfr_emulator import answers
from pos_app.pfr_emulator.codes import Refusal
from pos_app.pfr_emulator.faults import Fault, Kind

_log = log.get(__name__)
Sign = Callable[[], Awaitable[str]]
"""Signs the request and returns the answer's JSON; raises Refusal."""


async def deliver(sign: Sign, fault: Fault | None) -> Response:
    """Return the response to an invoice. Raises Refusal, also where a fault is programmed."""
    if fault is None:
        return answers.JsonAnswer(await sign())
    return await _DELIVERIES[fault.kind](sign, fault)


async def _normal(sign: Sign, fault: Fault) -> Response:
    return answers.JsonAnswer(await sign())


async def _drop(sign: Sign, fault: Fault) -> Response:
    return answers.Dropped()


async def _drop_then_sign(sign: Sign, fault: Fault) -> Response:
    async def sign_later() -> None:
        await asyncio.sleep(fault.seconds)
        try:
            await sign()
        except Refusal as refusal:
            _log.info("refused after the caller had gone: %s", refusal.what)

    return answers.Dropped(sign_later)


async def _sign_then_drop(sign: Sign, fault: Fault) -> Response:
    await sign()
    return answers.Dropped()


async def _late_answer(sign: Sign, fault: Fault) -> Response:
    return answers.Late(await sign(), fault.seconds)


async def _late_signing(sign: Sign, fault: Fault) -> Response:
    await asyncio.sleep(fault.seconds)
    return answers.JsonAnswer(await sign())


async def _cut(sign: Sign, fault: Fault) -> Response:
    return answers.CutOff(await sign())


async def _slow(sign: Sign, fault: Fault) -> Response:
    return answers.Dripping(await sign(), fault.seconds)


async def _refuse(sign: Sign, fault: Fault) -> Response:
    raise Refusal.of(fault.code or "")


async def _html_500(sign: Sign, fault: Fault) -> Response:
    if fault.signed:
        await sign()
    return answers.server_error_page()


async def _unreadable_200(sign: Sign, fault: Fault) -> Response:
    if fault.signed:
        await sign()
    return answers.unreadable()


_DELIVERIES: dict[Kind, Callable[[Sign, Fault], Awaitable[Response]]] = {
    "drop": _drop,
    "drop_then_sign": _drop_then_sign,
    "sign_then_drop": _sign_then_drop,
    "late_answer": _late_answer,
    "late_signing": _late_signing,
    "cut": _cut,
    "slow": _slow,
    # Processor.sign makes the wrong answer.
    "wrong_total": _normal,
    "wrong_requester": _normal,
    "wrong_buyer": _normal,
    "refuse": _refuse,
    "html_500": _html_500,
    "unreadable_200": _unreadable_200,
}
