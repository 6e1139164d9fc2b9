"""Stores an application's answer, keeps its PDFs, and reports the outcome."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace

from sqlalchemy import delete, insert, select

from pos_app import log
from pos_app.clock import Clock, now_ms
from pos_app.errors import Invalid, MachineError
from pos_app.lazy_dataclass import dataclass
from pos_app.log import REQUEST_ID
from pos_app.platform_api.database.batches import ChannelMessage
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.database.relay_tables import PDF
from pos_app.platform_api.relay.commands import CommandState
from pos_app.platform_api.relay.hub import LOST, AttemptOutcome, Connected, Hub
from pos_app.platform_api.relay.presence import Application
from pos_app.platform_api.relay.stored_commands import AnswerOf, Commands
from pos_app.platform_api.slow_work import SlowWork
from pos_app.wire.relay import AnswerMessage, DeclinedMessage
from pos_app.wire.strict_json import loads

PDF_MS = 10 * 60_000
"""The lifetime of a given link to a PDF (platform-contract.md 2.10)."""
RECEIPT, WAITING, LEAST_ERROR = 200, 202, 400
_SECRET_BYTES = 32

_log = log.get(__name__)


class PdfFiles:
    """The PDFs of receipts in the platform's database, by the secret of their link; each worker
    serves them from there."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def store(self, files: Mapping[str, bytes], *, until_ms: int, now_ms: int) -> None:
        """Store PDFs by secret, and drop expired ones."""
        rows = [
            {"secret": secret, "content": content, "until_ms": until_ms}
            for secret, content in files.items()
        ]
        async with self._database.writing() as connection:
            await connection.execute(delete(PDF).where(PDF.c.until_ms < now_ms))
            await connection.execute(insert(PDF), rows)

    async def content(self, secret: str, *, now_ms: int) -> bytes | None:
        query = select(PDF.c.content).where(PDF.c.secret == secret, PDF.c.until_ms > now_ms)
        async with self._database.reading() as connection:
            content: bytes | None = (await connection.execute(query)).scalar()
        return content


@dataclass(frozen=True, slots=True)
class AnswerTaker:
    hub: Hub
    commands: Commands
    files: PdfFiles
    clock: Clock
    slow_work: SlowWork

    async def take(self, connected: Connected, message: AnswerMessage | DeclinedMessage) -> None:
        """Take an answer; one that fits nothing open is dropped."""
        REQUEST_ID.set(self.hub.request_of(connected, message))
        is_kept = self.hub.is_kept(connected, message)
        news = self.hub.news_of(connected, message)
        outcome = await self.outcome(connected.application, message, is_kept=is_kept, news=news)
        self.hub.settle(connected, message, outcome)

    async def outcome(
        self,
        application: Application,
        message: AnswerMessage | DeclinedMessage,
        *,
        is_kept: bool,
        news: ChannelMessage | None = None,
    ) -> AttemptOutcome:
        """Store an answer and return its outcome, or LOST if it fits nothing open. An answer that
        can't be stored now is reported all the same, because its application has it and repeats it
        under the same key.

        news: for another worker; it is sent with the commit, unless the answer has PDFs, because
        their links are made after the commit.
        """
        if isinstance(message, AnswerMessage) and message.pdf:
            news = None
        if isinstance(message, AnswerMessage) and not await self.slow_work.done(
            application.account, len(message.body), _is_of_the_contract, message, not is_kept
        ):
            fields = {"command": message.command_id, "client": application.client}
            _log.error("an application's answer is none of a receipt's", extra={"fields": fields})
            return LOST
        fits, is_announced = True, False
        if is_kept:
            try:
                fits = await self._save_answer(application, message, news)
                is_announced = fits and news is not None
            except MachineError as error:
                _log.error("a relayed answer can't be stored now: %s", error.what)
        if fits:
            return replace(await self._outcome(message), is_announced=is_announced)
        return await self._answered_before(application, message)

    async def _answered_before(
        self, application: Application, message: AnswerMessage | DeclinedMessage
    ) -> AttemptOutcome:
        """Use the stored answer to another attempt of the same key, because it is the same
        receipt."""
        if isinstance(message, DeclinedMessage) or message.status != RECEIPT:
            return LOST
        try:
            row = await self.commands.by_id(message.command_id)
        except MachineError:
            return LOST
        author = application.account, application.client
        if row is None or (row.account, row.client) != author or row.answer is None:
            return LOST
        if row.state is not CommandState.ANSWERED:
            return LOST
        return await self._outcome(message.model_copy(update={"body": row.answer}))

    async def _save_answer(
        self,
        application: Application,
        message: AnswerMessage | DeclinedMessage,
        news: ChannelMessage | None,
    ) -> bool:
        of = AnswerOf(application.account, application.client, message.command_id, message.attempt)
        if isinstance(message, DeclinedMessage):
            return await self.commands.declined(of, news=news)
        return await self.commands.answered(of, status=message.status, body=message.body, news=news)

    async def _outcome(self, message: AnswerMessage | DeclinedMessage) -> AttemptOutcome:
        if isinstance(message, DeclinedMessage):
            return AttemptOutcome(reason=message.reason or "It was not begun.")
        return AttemptOutcome(message, await self._links(message))

    async def _links(self, answer: AnswerMessage) -> dict[str, str]:
        """Return the secrets of the links to its PDFs, by receipt id; none where they can't be
        kept."""
        if not answer.pdf:
            return {}
        made, files = {}, {}
        try:
            for pdf in answer.pdf:
                secret = made[pdf.receipt_id] = secrets.token_urlsafe(_SECRET_BYTES)
                files[secret] = pdf.decoded()
            now = now_ms(self.clock)
            await self.files.store(files, until_ms=now + PDF_MS, now_ms=now)
        except (Invalid, MachineError) as error:
            _log.error("PDFs of a relayed receipt can't be kept: %s", error.what)
            return {}
        return made


def _is_of_the_contract(message: AnswerMessage, may_wait: bool) -> bool:
    """Tell whether a caller of the API could get this answer from the application itself: 200 with
    one or more receipts, 202 for a look-up, an error with its body (platform-contract.md 3)."""
    try:
        document = loads(message.body)
    except Invalid:
        return False
    if message.status == RECEIPT:
        return isinstance(document, Mapping | list)
    if message.status == WAITING:
        return may_wait and isinstance(document, Mapping)
    is_error = isinstance(document, Mapping) and type(document.get("code")) is int
    return message.status >= LEAST_ERROR and is_error
