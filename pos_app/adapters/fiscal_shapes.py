"""Health, status and doubts of the local API, read into the till's words."""

from __future__ import annotations

from datetime import datetime

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
from pos_app.wire import server
from pos_app.wire.number import Number
from pos_app.wire.reading import read


def health_from_json(document: object) -> server.Health:
    """Who answers. Raises Invalid."""
    return read(server.Health, document)


def status_from_json(document: object) -> ServerStatus:
    """What works now. Raises Invalid."""
    body = read(server.TillStatus, document)
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
    return tuple(_doubt(one) for one in read(server.Doubts, {"doubts": document}).doubts)


def still_open_from_json(document: object) -> StillOpen:
    """A request without an outcome. Raises Invalid."""
    body = read(server.Waiting, document)
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


def _open(body: server.OpenReceipt) -> OpenReceipt:
    return OpenReceipt(
        body.receipt_id, body.key, body.state, _moment(body.since), _money(body.total)
    )


def _doubt(body: server.Doubt) -> Doubt:
    return Doubt(
        receipt_id=body.receipt_id,
        key=body.key,
        state=body.state,
        since=_moment(body.since),
        total=_money(body.total),
        reason=body.reason,
        lookups=tuple(LookUpTried(_moment(one.at), one.found, one.counter) for one in body.lookups),
        counter_before=body.counter_before,
        counter_now=body.counter_now,
    )


def _moment(text: str) -> datetime:
    return from_text(text)


def _money(number: Number | None) -> Money | None:
    return None if number is None else Money(number)
