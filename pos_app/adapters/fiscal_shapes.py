"""The shapes of health, status and doubts on the local API, read into the till's words.

Source: the routes of the local API server that carry the install token, and `/health`.
"""

from __future__ import annotations

from datetime import datetime

from pydantic import Field
from pydantic.alias_generators import to_camel

from pos_app.domain.instant import from_text
from pos_app.domain.money import Money
from pos_app.domain.tax import TaxRates
from pos_app.errors import Invalid
from pos_app.selling.answers import (
    Doubt,
    LookUpTried,
    OpenReceipt,
    ProcessorState,
    ProcessorStatus,
    ServerStatus,
    StillOpen,
)
from pos_app.wire.number import Number
from pos_app.wire.reading import Shape, read


class _Journal(Shape):
    id: str
    rows: Number


class Health(Shape):
    """Who answers. proof: absent when it knows no token, or no nonce was asked."""

    service: str
    version: str
    install_id: str
    environment: str
    journal: _Journal
    proof: str | None = None


class _Processor(Shape):
    kind: str
    state: str
    code: str = ""
    words: str = ""
    uid: str | None = None
    url: str | None = None


class _Rates(Shape):
    valid_from: str
    percent: dict[str, Number]


class _Open(Shape):
    receipt_id: str
    key: str | None = None
    state: str
    since: str
    total: Number | None = None


class _Status(Shape):
    processor: _Processor
    rates: list[_Rates] = Field(default_factory=list)
    open: list[_Open] = Field(default_factory=list)
    not_fiscal: bool = False


class _LookUp(Shape):
    at: str
    found: bool
    counter: Number | None = None


class _Doubt(_Open):
    reason: str = ""
    lookups: list[_LookUp] = Field(default_factory=list)
    counter_before: Number | None = None
    counter_now: Number | None = None


class _Doubts(Shape):
    doubts: list[_Doubt]


class _StillOpen(Shape):
    receipt_id: str
    state: str


def health_from_json(document: object) -> Health:
    """Who answers. Raises Invalid."""
    return read(Health, document)


def status_from_json(document: object) -> ServerStatus:
    """What works now. Raises Invalid."""
    body = read(_Status, document)
    told = body.processor
    return ServerStatus(
        processor=ProcessorStatus(
            kind=told.kind,
            state=_processor_state(told.state),
            code=told.code,
            words=told.words,
            uid=told.uid,
            url=told.url,
        ),
        rates=tuple(TaxRates(_moment(one.valid_from), dict(one.percent)) for one in body.rates),
        open=tuple(_open(one) for one in body.open),
        not_fiscal=body.not_fiscal,
    )


def doubts_from_json(document: object) -> tuple[Doubt, ...]:
    """The doubts of the server. Raises Invalid."""
    return tuple(_doubt(one) for one in read(_Doubts, {"doubts": document}).doubts)


def still_open_from_json(document: object) -> StillOpen:
    """A request without an outcome. Raises Invalid."""
    body = read(_StillOpen, document)
    return StillOpen(body.receipt_id, body.state)


def found_to_json(*, verification_url: str, by: str) -> dict[str, str]:
    """A person's proof that a receipt exists."""
    return {to_camel("verification_url"): verification_url, "by": by}


def _processor_state(text: str) -> ProcessorState:
    try:
        return ProcessorState(text)
    except ValueError as error:
        raise Invalid(
            f'"processor.state" {text!r} is not known', field="processor.state"
        ) from error


def _open(body: _Open) -> OpenReceipt:
    return OpenReceipt(
        body.receipt_id, body.key, body.state, _moment(body.since), _money(body.total)
    )


def _doubt(body: _Doubt) -> Doubt:
    return Doubt(
        receipt_id=body.receipt_id,
        key=body.key,
        state=body.state,
        since=_moment(body.since),
        total=_money(body.total),
        reason=body.reason,
        lookups=tuple(
            LookUpTried(_moment(one.at), one.found, _whole(one.counter)) for one in body.lookups
        ),
        counter_before=_whole(body.counter_before),
        counter_now=_whole(body.counter_now),
    )


def _moment(text: str) -> datetime:
    return from_text(text)


def _money(number: Number | None) -> Money | None:
    return None if number is None else Money(number)


def _whole(number: Number | None) -> int | None:
    return None if number is None else int(number)
