"""The messages between the platform and an application that is connected to it: JSON text frames.

    application            platform
    hello            ->
                     <-    welcome | refused (and the connection is closed)
                     <-    command
    answer|declined  ->                 any order, many at a time
                     <-    notice       another application was refused in favour of this one

`attempt` counts the hand-overs of a command: an answer to one attempt does not answer a later one.
Source: platform-contract.md 2.7; exactly-once.md (Steps; "The key travels the whole way").
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated, Literal, TypeVar

from pydantic import ConfigDict, Field

from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt import request
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_identity import KEY_PATTERN
from pos_app.errors import Invalid
from pos_app.wire.reading import Shape, read
from pos_app.wire.strict_json import dumps, loads

VERSION = 1
"""The version of these messages. A platform refuses an application of another version."""
MOST_BODY = 1024 * 1024
"""The most characters of a request's body."""
LIST = "list"
"""No receipt has this name."""
MOST_ANSWER = 4 * 1024 * 1024
"""The most characters of an answer's body, and of one PDF in base64."""
MOST_COMMAND_FRAME = 8 * 1024 * 1024
"""The most bytes that the platform sends. A body grows as a text in JSON, and each of its items may
bring an article."""
MOST_ANSWER_FRAME = 16 * 1024 * 1024
"""The most bytes that an application sends: an answer with its PDFs."""
LOOK_UP = "look_up"
_LONGEST_MS = 60_000

_Id = Annotated[str, Field(pattern=r"^[0-9A-Za-z_-]{1,64}$")]
_Key = Annotated[str, Field(pattern=KEY_PATTERN)]
_Words = Annotated[str, Field(max_length=500)]
_NO_CONTROLS = r"^[^\x00-\x1f\x7f]*$"
_Name = Annotated[str, Field(max_length=100, pattern=_NO_CONTROLS)]
_Attempt = Annotated[int, Field(ge=1, le=2**31)]
_Code = Annotated[str, Field(pattern=r"^[0-9]{1,16}$")]

ArticlesByCode = Mapping[int, Sequence[request.PlatformArticle]]
"""The platform's articles by their sku."""


class RefusalCode(StrEnum):
    """The reason why an application is not let in."""

    TAKEN = "taken"
    """Another application is open for the same client or store."""
    FOREIGN_CLIENT = "foreign_client"
    """The clientId belongs to another account."""
    OTHER_INSTALLATION = "other_installation"
    """The clientId belongs to another installation of the same account."""
    KEY_OF_ANOTHER = "key_of_another"
    """The key belongs to the one application that connected with it first."""
    QUOTA = "quota"
    """The account has reached its limit of clients."""
    UNKNOWN_STORE = "unknown_store"
    VERSION = "version"
    REPLACED = "replaced"
    """The same installation connected again, so this connection is closed."""
    REVOKED = "revoked"
    MALFORMED = "malformed"
    """A message is unreadable, too long, or out of turn."""


class _Message(Shape):
    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)


# --- the application's ---------------------------------------------------------------------------


class HelloMessage(_Message):
    """The first message. store_id is None for an application without a store. program: its version,
    for display."""

    type: Literal["hello"] = "hello"
    version: Annotated[int, Field(ge=0, le=2**31)]
    client_id: _Id
    install_id: _Id
    store_id: _Id | None = None
    name: _Name = ""
    program: Annotated[str, Field(max_length=40, pattern=_NO_CONTROLS)] = ""


class PdfContent(_Message):
    """A PDF that the answer's body names by its receipt's id. content: base64."""

    receipt_id: _Id
    content: Annotated[str, Field(max_length=MOST_ANSWER)]

    def decoded(self) -> bytes:
        """The file's bytes. Raises Invalid."""
        try:
            return base64.b64decode(self.content, validate=True)
        except (binascii.Error, ValueError) as error:
            raise Invalid("is_base64", field="content") from error


class AnswerMessage(_Message):
    """The outcome of an attempt: status and body as the local API gives them."""

    type: Literal["answer"] = "answer"
    command_id: _Id
    attempt: _Attempt
    status: Annotated[int, Field(ge=200, le=599)]
    body: Annotated[str, Field(max_length=MOST_ANSWER)]
    pdf: Annotated[tuple[PdfContent, ...], Field(max_length=8, strict=False)] = ()


class DeclinedMessage(_Message):
    """Surely nothing of this attempt was begun. Earlier attempts may have been."""

    type: Literal["declined"] = "declined"
    command_id: _Id
    attempt: _Attempt
    reason: _Words


# --- the platform's ------------------------------------------------------------------------------


class WelcomeMessage(_Message):
    """account_id: a part of the origin of relayed requests."""

    type: Literal["welcome"] = "welcome"
    account_id: _Id
    heartbeat_seconds: Annotated[int, Field(ge=1, le=300)]


class RefusedMessage(_Message):
    """The last message of a connection, which is closed after it. name: the name of the application
    that is connected in its stead, "" if there is none."""

    type: Literal["refused"] = "refused"
    code: Annotated[str, Field(max_length=40)]
    reason: _Words
    name: _Name = ""


class NoticeMessage(_Message):
    """A notice for a person at this application, without other effects. name: the name of the
    refused application."""

    type: Literal["notice"] = "notice"
    code: Annotated[str, Field(max_length=40)]
    reason: _Words
    name: _Name = ""


class ArticleShape(_Message):
    """The platform's article as receipts show it."""

    id: Annotated[str, Field(max_length=64)]
    name: Annotated[str, Field(max_length=request.LONGEST_NAME)]
    label: Annotated[TaxLabel, Field(strict=False)]
    unit: Annotated[str, Field(max_length=request.LONGEST_UNIT)] = ""
    gtin: str | None = None


class CommandMessage(_Message):
    """One hand-over. target: the receipt's id or number, "key:…" for a look-up; LIST for a
    look-up that asks for a page of the list, whose query is the body; it is None to issue.

    has_new_key: the caller sent no key. The platform made this one, knows of no identical request
    that it may repeat, and hands it over for the first time. may_be_begun: an earlier hand-over of
    the key may have been carried out. articles: the platform's articles by the codes in the body,
    as of the first hand-over; a code that the platform lacks is missing, and a code that it no
    longer sells has []. remaining_ms: the time left when the message is read; later nothing may be
    sent to a processor. request_id: the id of the caller's request, for logs.
    """

    type: Literal["command"] = "command"
    command_id: _Id
    attempt: _Attempt
    operation: Literal["issue", "advance", "close", "copy", "refund", "look_up"]
    key: _Key
    has_new_key: bool = False
    may_be_begun: bool = False
    target: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    body: Annotated[str, Field(max_length=MOST_BODY)] = ""
    articles: dict[_Code, list[ArticleShape]] = {}
    remaining_ms: Annotated[int, Field(ge=0, le=_LONGEST_MS)]
    request_id: Annotated[str, Field(max_length=64, pattern=_NO_CONTROLS)] = ""

    @property
    def receipt_operation(self) -> Operation | None:
        """The operation on receipts, or None for a look-up."""
        return None if self.operation == LOOK_UP else Operation(self.operation)

    @property
    def asks_for_list(self) -> bool:
        """A caller may look up a receipt of that name, too, which has no query."""
        return self.operation == LOOK_UP and self.target == LIST and self.body != ""

    @property
    def query(self) -> dict[str, str]:
        """The members of the query for a page of the list. Raises Invalid."""
        document = loads(self.body)
        if not isinstance(document, Mapping):
            raise Invalid("object_value", field="")
        return {name: str(text) for name, text in document.items()}

    @property
    def frozen_articles(self) -> ArticlesByCode:
        return {
            int(sku): [
                request.PlatformArticle(
                    one.id, request.FrozenArticle(one.name, one.label, one.unit, one.gtin)
                )
                for one in sold
            ]
            for sku, sold in self.articles.items()
        }


FromApplication = HelloMessage | AnswerMessage | DeclinedMessage
FromPlatform = WelcomeMessage | RefusedMessage | NoticeMessage | CommandMessage
_APPLICATION: Mapping[str, type[HelloMessage | AnswerMessage | DeclinedMessage]] = {
    "hello": HelloMessage,
    "answer": AnswerMessage,
    "declined": DeclinedMessage,
}
_PLATFORM: Mapping[str, type[WelcomeMessage | RefusedMessage | NoticeMessage | CommandMessage]] = {
    "welcome": WelcomeMessage,
    "refused": RefusedMessage,
    "notice": NoticeMessage,
    "command": CommandMessage,
}
_M = TypeVar("_M", bound=_Message)


def written(message: FromApplication | FromPlatform) -> str:
    """The text of a frame."""
    return dumps(message.model_dump(mode="json", by_alias=True, exclude_none=True)).decode()


def written_articles(articles: ArticlesByCode) -> str:
    """The text of `CommandMessage.articles`, or "" for none."""
    by_code = {
        str(sku): [
            ArticleShape(id=one.id, **asdict(one.frozen)).model_dump(mode="json") for one in sold
        ]
        for sku, sold in articles.items()
    }
    return dumps(by_code).decode() if by_code else ""


def from_application(frame: str | bytes) -> FromApplication:
    """Read a message of the application. Raises Invalid for any other frame."""
    return _read(frame, _APPLICATION)


def from_platform(frame: str | bytes) -> FromPlatform:
    """Read a message of the platform. Raises Invalid for any other frame."""
    message = _read(frame, _PLATFORM)
    if isinstance(message, CommandMessage):
        _check_target(message)
    return message


def _check_target(command: CommandMessage) -> None:
    if (command.target is None) != (command.receipt_operation is Operation.ISSUE):
        raise Invalid("target", field="target")


def _read(frame: str | bytes, shapes: Mapping[str, type[_M]]) -> _M:
    if not isinstance(frame, str):
        raise Invalid("not_bytes")
    document = loads(frame)
    kind = document.get("type") if isinstance(document, Mapping) else None
    if not isinstance(kind, str) or kind not in shapes:
        raise Invalid("shape", field="type", allowed=", ".join(shapes))
    return read(shapes[kind], document)
