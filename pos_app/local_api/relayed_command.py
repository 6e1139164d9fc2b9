"""Passes a command of the platform to the door for receipts, and makes the answer to the platform.
A command reaches nothing else of the local API.

Source: platform-contract.md 2.7 (the origin is the relay's).
"""

from __future__ import annotations

import base64
from collections.abc import Callable

from pos_app import log
from pos_app.fiscalization.service import Caller
from pos_app.local_api.receipt_door import Asker, ReceiptAnswer, ReceiptDoor
from pos_app.local_api.receipt_response import AnswerFiles
from pos_app.log import REQUEST_ID
from pos_app.wire.relay import AnswerMessage, CommandMessage, PdfContent

_log = log.get(__name__)

LEAST_SECONDS = 1.5
"""A command is begun only if at least this much of its time is left."""
NO_TIME = "The time to answer ran out before it was begun."


async def ask(
    door: ReceiptDoor,
    command: CommandMessage,
    *,
    origin: str,
    cashier: str,
    seconds_left: float,
    is_gone: Callable[[], bool],
) -> tuple[ReceiptAnswer, AnswerMessage]:
    """Return the answer, and the message that brings it. origin: the origin of the command's key.
    cashier: the name on the receipt. seconds_left: the time in which an answer is useful. is_gone:
    tells whether the answer can't arrive any more; then nothing is sent to a processor."""

    async def waits() -> bool:
        return not is_gone()

    door.heard()
    REQUEST_ID.set(command.request_id)  # the task's own, which works for this command alone
    files, operation = AnswerFiles(), command.receipt_operation
    if command.asks_for_list:
        answer = await door.page(command.query, Asker(origin))
    elif operation is None:
        answer = await door.look_up(command.target or "", Asker(origin), files)
    else:
        caller = Caller(
            origin=origin,
            cashier=cashier,
            waits=waits,
            key=command.key,
            has_new_key=command.has_new_key,
            may_be_begun=command.may_be_begun,
            left_seconds=seconds_left,
            articles=command.frozen_articles,
        )
        body = command.body.encode()
        answer = await door.operate(operation, command.target, body, caller, files)
    fields = {"operation": command.operation, "status": answer.status}
    _log.info("a relayed command was answered", extra={"fields": fields})
    return answer, _message(command, answer, files)


def _message(command: CommandMessage, answer: ReceiptAnswer, files: AnswerFiles) -> AnswerMessage:
    pdfs = tuple(
        PdfContent(receipt_id=receipt_id, content=base64.b64encode(content).decode())
        for receipt_id, content in files.contents.items()
    )
    return AnswerMessage(
        command_id=command.command_id,
        attempt=command.attempt,
        status=answer.status,
        body=answer.body.decode(),
        pdf=pdfs,
    )
