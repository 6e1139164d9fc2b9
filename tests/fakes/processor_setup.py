"""A server whose processor can be set up: the port ServerProcessorSetup without a server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from pos_app.domain.receipt.server_status import ProcessorState, ProcessorStatus
from pos_app.domain.setup.certificate import CertificateFacts
from pos_app.domain.setup.processor import PinResult
from pos_app.domain.setup.processor_setup import ProcessorChange, ProcessorSetup, ProcessorTrial
from pos_app.errors import PosError
from pos_app.selling.server.answers import IssueAnswer, Issued
from tests.fakes.fiscal_server import receipt

CERTIFICATE = CertificateFacts(
    uid="EFGH5678",
    tin="109876543",
    url="https://vsdc.suf.purs.gov.rs",
    shop="Липа 2",
    location="Нови Сад",
    organisation="Липа д.о.о.",
    valid_from=datetime(2025, 3, 14, tzinfo=UTC),
    expires=datetime(2028, 3, 14, tzinfo=UTC),
)
LPFR = ProcessorSetup(
    kind="lpfr",
    url="http://127.0.0.1:8888",
    used_here_alone=True,
    label_map={},
    esir_ib="1234",
    status=ProcessorStatus("lpfr", ProcessorState.READY, uid="ABCD1234"),
)
ANSWERED = ProcessorTrial(
    elapsed_ms=8,
    uid="ABCD1234",
    tin="109876543",
    pin_required=False,
    clock_ahead_ms=400,
    rates_from=datetime(2022, 12, 31, 23, tzinfo=UTC),
    labels=("Ђ", "Е", "Г", "А"),
)


class ProcessorInMemory:
    """trial, refuses, pin, answers: the answers. changes, pins, issued: what was asked for."""

    def __init__(self, setup: ProcessorSetup = LPFR) -> None:
        self.told = setup
        self.trial: Callable[[ProcessorChange], ProcessorTrial] = lambda _: ANSWERED
        self.refuses: PosError | None = None
        self.pin = PinResult.ACCEPTED
        self.tried: list[ProcessorChange] = []
        self.changes: list[ProcessorChange] = []
        self.pins: list[str] = []
        self.answers: list[IssueAnswer] = []
        self.issued: list[tuple[str, bytes]] = []

    async def setup(self) -> ProcessorSetup:
        return self.told

    async def try_out(self, change: ProcessorChange) -> ProcessorTrial:
        self.tried.append(change)
        return self.trial(change)

    async def change(self, change: ProcessorChange, *, by: str) -> None:
        if self.refuses is not None:
            raise self.refuses
        self.changes.append(change)
        told = self.told
        self.told = replace(
            told,
            kind=change.kind or told.kind,
            url=told.url if change.url is None else change.url,
            certificate=CERTIFICATE if change.pfx else told.certificate,
            has_pac=told.has_pac or change.pac is not None,
        )

    async def issue(self, body: bytes, *, key: str, by: str) -> IssueAnswer:
        self.issued.append((key, body))
        return self.answers.pop(0) if self.answers else Issued("r-1", receipt(len(self.issued)))

    async def enter_pin(self, pin: str, *, by: str) -> PinResult:
        self.pins.append(pin)
        return self.pin
