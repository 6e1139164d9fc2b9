"""Certificate mode: receipts are signed with the certificate that came with their request.

The specification marks certificate mode as under development, and so is this module. Each request
brings the headers `pfx`, `password` and `pac`. The relay treats the certificate's element as an
application that is always connected, and a signer answers for it. So the platform binds keys, keeps
answers and makes links as it does for every application. The secrets of the headers go only to the
signer of the element.
Source: platform-contract.md 2.17; exactly-once.md, "Certificate mode".
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from sqlalchemy import Table, select
from starlette.requests import Request

from pos_app import errors, log
from pos_app.domain.receipt.receipt_identity import certificate_origin, is_certificate_origin
from pos_app.domain.setup.certificate import is_pac
from pos_app.domain.setup.processor_setup import SetupWrong
from pos_app.http_front.errors import BodyTooLarge, InvalidPart
from pos_app.lazy_dataclass import dataclass
from pos_app.platform_api.context import PlatformContext, Signers
from pos_app.platform_api.database.tables import CASHIER, STORE
from pos_app.platform_api.errors import NotBegun
from pos_app.platform_api.relay.answers import AnswerTaker
from pos_app.platform_api.relay.commands import BINDING, CommandState
from pos_app.platform_api.relay.hub import LOST, AttemptOutcome, Connected
from pos_app.platform_api.relay.presence import Application
from pos_app.platform_api.relay.program import RelayRoom
from pos_app.platform_api.relay.service import RelayService
from pos_app.wire import signing
from pos_app.wire.input import is_uuid
from pos_app.wire.relay import AnswerMessage, CommandMessage, DeclinedMessage
from pos_app.wire.strict_json import loads

HEADERS = ("pfx", "password", "pac")
MOST_HEADER_BYTES = 32 * 1024
_NUMBER = re.compile(r"([0-9A-Z]{8})-[0-9A-Z]{8}-[0-9]{1,19}")
_CONNECTION = "signer"

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class Brought:
    """An opened certificate. client: the id of its element as an application of the relay."""

    uid: str
    certificate: signing.CertificateShape = field(repr=False)

    @property
    def client(self) -> str:
        return certificate_origin(self.uid)


@dataclass(frozen=True, slots=True)
class Found:
    """The application that a look-up without headers asks. kept_back: the id of a receipt that the
    account was never given. The certificate of its request may have been forged, so the answer says
    only that there may be a receipt."""

    client: str
    kept_back: str | None = None


@dataclass(frozen=True, slots=True)
class PlatformDetails:
    """The data that the platform adds to a request: the cashier's name, and how the store's
    receipts are drawn."""

    cashier: str = ""
    paper: signing.PaperShape = field(default_factory=signing.PaperShape)


class CertificateMode:
    def __init__(self, context: PlatformContext, relay: RelayRoom) -> None:
        self._context = context
        self._relay = relay

    async def brought(self, request: Request) -> Brought | None:
        """Open the certificate of a request; return None if it has none of the three headers.
        Raises InvalidPart, which names the header; BodyTooLarge if the request's headers are too
        long together; NotBegun if certificate mode is off, or the certificate could not be read
        now."""
        values = {name: request.headers.getlist(name) for name in HEADERS}
        if not any(values.values()):
            return None
        _check_sent(request, values)
        if self._context.signers is None:
            raise NotBegun("off")
        pfx, password, pac = (_text(values[name][0]) for name in HEADERS)
        if not is_pac(pac):
            raise _fault("pac", "pac")
        try:
            facts = await self._context.signers.facts(_decoded(pfx), password)
        except SetupWrong as error:
            raise _fault("certificate", error.field, why=error.what) from None
        except errors.CertificateUnread as error:
            raise NotBegun("not_sent", why=error.what) from error
        now = self._context.clock.now()
        if facts.expires <= now:
            raise _fault("expired", "pfx")
        if now < facts.valid_from:
            raise _fault("not_yet", "pfx", begins=f"{facts.valid_from:%Y-%m-%d}")
        return Brought(facts.uid, signing.CertificateShape(pfx=pfx, password=password, pac=pac))

    async def platform_details(self, account: str, document: Mapping[str, Any]) -> PlatformDetails:
        """Find the cashier and the store that a request names among the account's. Raises
        Invalid."""
        named, store_id = _text_of(document, "cashierId"), _text_of(document, "storeId")
        if named is None:
            raise errors.Invalid("required", field="cashierId")
        if store_id is not None and not is_uuid(store_id.lower()):
            raise errors.Invalid("guid", field="storeId")
        cashier = await self._cashier(account, named)
        stores = [] if store_id is None else await self._rows(STORE, account, store_id.lower())
        if store_id is not None and not stores:
            raise errors.Invalid("no_store", field="storeId")
        return PlatformDetails(cashier, signing.paper_of(stores[0] if stores else None))

    async def _cashier(self, account: str, named: str) -> str:
        """Return the name of the cashier whom `named` gives by id or by name. Raises Invalid if
        there is none, or several have this name."""
        if is_uuid(named.lower()):
            found = await self._rows(CASHIER, account, named.lower())
        else:
            wanted, every = _as_compared(named), await self._rows(CASHIER, account)
            found = [one for one in every if _as_compared(one["name"]) == wanted]
        if len(found) != 1:
            words = "names several cashiers" if found else "names no cashier"
            raise errors.Invalid("words", field="cashierId", words=words)
        return str(found[0]["name"]).strip()

    async def _rows(
        self, table: Table, account: str, row_id: str | None = None
    ) -> list[Mapping[str, Any]]:
        mine = [table.c.account_id == account, table.c.deleted_at.is_(None)]
        if row_id is not None:
            mine.append(table.c.id == row_id)
        async with self._context.database.reading() as connection:
            found = await connection.execute(select(table.c.document).where(*mine))
        return [loads(row.document) for row in found]  # type: ignore[misc]

    def service(
        self,
        account: str,
        client: str,
        brought: Brought | None,
        platform_details: PlatformDetails | None = None,
    ) -> RelayService:
        """Return a relay service whose only application is the element `client`."""
        signers = self._context.signers
        if signers is None:
            raise NotBegun("off")
        usual = self._relay.service
        element = _AccountElement(
            account,
            client,
            brought,
            platform_details or PlatformDetails(),
            usual.worker,
            signers,
            self._relay.answers,
        )
        return replace(usual, hub=element, elsewhere=None)

    async def receipt_of(self, account: str, key: str | None) -> str | None:
        """Return the id of the receipt that a key may have, or None if certificate mode surely made
        none for this key. The answer to a faulty repetition must not deny a receipt that may
        exist."""
        known = None if key is None else await self._relay.service.commands.by_key(account, key)
        if known is None or not is_certificate_origin(known.client) or known.state not in BINDING:
            return None
        return known.receipt_id

    async def find_element(self, account: str, reference: str) -> Found | None:
        """Find the element that a look-up without headers asks, among those that signed for the
        account; return None if it is none of them."""
        service = self._relay.service
        known = await service.known(account, reference)
        if known is not None:
            if not is_certificate_origin(known.client):
                return None
            has_got_it = known.state is CommandState.ANSWERED
            return Found(known.client, None if has_got_it else known.receipt_id)
        number = _NUMBER.fullmatch(reference.upper())
        client = certificate_origin(number[1]) if number else None
        if client is None or not await service.commands.has_answered(account, client):
            return None
        return Found(client)


@dataclass(frozen=True, slots=True)
class _AccountElement:
    """Implements `Applications` for one request of an account: the only application is an
    element."""

    account: str
    client: str
    brought: Brought | None
    details: PlatformDetails
    worker: str
    signers: Signers
    answers: AnswerTaker

    def by_connection(self, connection: str) -> Connected | None:
        return self._connected() if connection == _CONNECTION else None

    def find(
        self, account: str, *, client: str | None = None, store: str | None = None
    ) -> Connected | None:
        return self._connected() if (account, client) == (self.account, self.client) else None

    def _connected(self) -> Connected:
        application = Application(
            account=self.account,
            client=self.client,
            install=_CONNECTION,
            store=None,
            name=_CONNECTION,
            worker=self.worker,
            connection=_CONNECTION,
            since_ms=0,
        )
        return Connected(application, lambda message: None, lambda message: None)

    async def ask(
        self, connected: Connected, command: CommandMessage, *, seconds: float, keeps: bool
    ) -> AttemptOutcome:
        """Hand the command to the signer; return LOST if the outcome is unknown."""
        try:
            async with asyncio.timeout(seconds):
                outcome = await self._asked(command)
        except (errors.OutcomeUnknown, errors.Invalid, TimeoutError) as error:
            _log.warning("a signer gave no answer: %s", getattr(error, "what", "in time"))
            return LOST
        return await self.answers.outcome(connected.application, outcome, is_kept=keeps)

    async def _asked(self, command: CommandMessage) -> AnswerMessage | DeclinedMessage:
        request = signing.SigningRequest(
            uid=self.client.partition(":")[2],
            command=command,
            cashier=self.details.cashier,
            paper=self.details.paper,
            certificate=None if self.brought is None else self.brought.certificate,
        )
        try:
            message = signing.answer_from(
                await self.signers.ask(request.uid, signing.written_request(request))
            )
        except errors.NotDelivered as error:
            return DeclinedMessage(
                command_id=command.command_id, attempt=command.attempt, reason=error.what
            )
        if (message.command_id, message.attempt) != (command.command_id, command.attempt):
            raise errors.OutcomeUnknown("signer_answer")
        return message


def _check_sent(request: Request, values: Mapping[str, list[str]]) -> None:
    if sum(len(name) + len(value) for name, value in request.headers.raw) > MOST_HEADER_BYTES:
        raise BodyTooLarge("headers", most_header_bytes=MOST_HEADER_BYTES)
    for name, sent in values.items():
        if not sent:
            raise _fault("required", name)
        if len(sent) > 1:
            raise _fault("once", name)


def _decoded(pfx: str) -> bytes:
    try:
        return base64.b64decode(pfx, validate=True)
    except (binascii.Error, ValueError):
        raise _fault("is_base64", "pfx") from None


def _fault(kind: str, name: str, **values: object) -> InvalidPart:
    return InvalidPart(kind, field=name, source="headers", **values)


def _text(value: str) -> str:
    """Decode a header's text as UTF-8, if possible: most clients send it so."""
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return value


def _text_of(document: Mapping[str, Any], name: str) -> str | None:
    value = document.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise errors.Invalid("string", field=name)
    if not value.strip():
        raise errors.Invalid("not_empty", field=name)
    return value


def _as_compared(name: str) -> str:
    """Return a name in a form that is equal for names which differ only in blanks and in upper and
    lower case."""
    return " ".join(name.split()).casefold()
