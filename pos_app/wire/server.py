"""The JSON of the local API without receipts: its requests, and its short answers.

Longer answers (status, doubts, jobs …) are records of the domain: see `wire.records`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, GetPydanticSchema

from pos_app.domain.receipt.request import LONGEST_CASHIER
from pos_app.domain.receipt.server_status import JournalMark, Synchronisation
from pos_app.wire.reading import Shape, seen
from pos_app.wire.records import described
from pos_app.wire.strict_json import dumps

SERVICE = "pos-app-server"
"""The program's name in health."""

_Text = Annotated[str, Field(min_length=1)]
_Key = Annotated[str, Field(min_length=16, max_length=64)]
_Name = Annotated[str, Field(min_length=1, max_length=LONGEST_CASHIER), AfterValidator(seen)]
_Mark = Annotated[JournalMark, GetPydanticSchema(lambda kind, _: described(kind))]
_Runs = Annotated[Synchronisation, GetPydanticSchema(lambda kind, _: described(kind))]


def written(shape: AnswerShape) -> bytes:
    """The body of one object; unset members are left out."""
    return dumps(shape.model_dump(by_alias=True, exclude_unset=True))


# --- asked -------------------------------------------------------------------------------------


class CancelBody(Shape):
    """POST /till/cancel."""

    key: str


class DecidedByBody(Shape):
    """The person who decides, in requests without other members: for a doubt /absent, /again and
    /reverse, for an alarm /seen."""

    by: _Name


class FoundBody(Shape):
    """POST /till/doubts/{receiptId}/found."""

    verification_url: _Text
    by: _Name


class ReopenBody(DecidedByBody):
    """POST /till/reopen. port: the port at which a server of the computer answers from then on, by
    its settings; without it the present port stays."""

    port: Annotated[int, Field(ge=1, le=65535)] | None = None


class CorrectBody(Shape):
    """POST /till/doubts/{receiptId}/correct. request: the body of the pair's operation, anew."""

    by: _Name
    request: dict[str, Any]


def found_body(*, verification_url: str, by: str) -> dict[str, str]:
    """The body that is read as FoundBody: a person's proof that a receipt exists."""
    return {"verificationUrl": verification_url, "by": by}


class WitnessBody(Shape):
    """POST /till/witness. journal: the till's memory of it, or None at first. epoch: the last
    restore of it that the till knows of."""

    journal: _Mark | None = None
    epoch: Annotated[str, Field(max_length=64)] | None = None


class RememberedSaleBody(Shape):
    """POST /till/remembers. key, body: the key and body with which the sale was sent. number: the
    number of its receipt."""

    key: _Key
    number: _Text
    body: str


class ElementBody(DecidedByBody):
    """POST /till/element. uid: the secure element to which receipts go from now on."""

    uid: _Text


# --- answered ----------------------------------------------------------------------------------


class AnswerShape(Shape):
    """A shape that is written and read."""

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)


class State(AnswerShape):
    """The state of a request now. signed: the numbers of a pair's receipts that are signed."""

    state: str
    signed: list[str] = Field(default_factory=list)


class Waiting(AnswerShape):
    """202 of a look-up: there is neither a receipt nor surely none. signed: the numbers of the
    signed receipts of a pair."""

    receipt_id: str
    state: str
    signed: list[str] = Field(default_factory=list)


class PublicModeAnswer(AnswerShape):
    """The public state of public mode. state: a PublicModeState."""

    state: str
    code: str
    words: str


class Health(AnswerShape):
    """GET /health. proof: only where a nonce was sent, and the server knows the token.
    synchronisation: only where this server starts it. public_mode: only where it is on. catalogue:
    "newer" where a newer version wrote it, else left out."""

    service: str
    version: str
    install_id: str
    environment: str
    journal: _Mark
    synchronisation: _Runs | None = None
    public_mode: PublicModeAnswer | None = None
    catalogue: Literal["newer"] | None = None
    proof: str | None = None
