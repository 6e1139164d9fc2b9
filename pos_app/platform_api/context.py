"""The services that the program gives to the platform's HTTP front."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Protocol

from pos_app.clock import Clock
from pos_app.domain.setup.certificate import CertificateFacts
from pos_app.domain.setup.signer_state import SignerState
from pos_app.lazy_dataclass import dataclass
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.metrics import WorkerMetrics
from pos_app.platform_api.picture_files import PictureFiles
from pos_app.platform_api.quotas import ListSlots, QuotaKeeper, Quotas
from pos_app.platform_api.slow_work import SlowWork


class Signers(Protocol):
    """Opens certificates, and asks the signers."""

    async def facts(self, pfx: bytes, password: str) -> CertificateFacts:
        """Return the facts of a certificate. Raises SetupWrong."""
        ...

    async def ask(self, uid: str, request: bytes) -> bytes:
        """Return the signer's answer. Raises NotDelivered where no byte was handed over,
        OutcomeUnknown."""
        ...

    async def states(self) -> Sequence[SignerState | None]:
        """Return the state of each signer, by its number, or None for one that does not answer in
        time."""
        ...


@dataclass(frozen=True, slots=True)
class PlatformContext:
    """The context of the front. public_url: the address by which callers reach the platform,
    without a slash at its end; "" for the one that each caller used. metrics_token: "" where
    /metrics is off. signers: the signers of certificate mode, or None if it is off. leaving: set
    once the program was asked to end. most: the limits of an account and a key; quotas: enforces
    them. clock_warning: see `DatabaseClock`. program_warning: tells that another version was
    installed; called in a thread."""

    database: Database
    clock: Clock
    version: str
    files: PictureFiles
    public_url: str = ""
    metrics_token: str = ""
    metrics: WorkerMetrics = field(default_factory=WorkerMetrics)
    most: Quotas = field(default_factory=Quotas)
    signers: Signers | None = None
    clock_warning: Callable[[], str] = lambda: ""
    program_warning: Callable[[], str] = lambda: ""
    list_slots: ListSlots = field(default_factory=ListSlots)
    quotas: QuotaKeeper = field(init=False)
    slow_work: SlowWork = field(default_factory=SlowWork)
    leaving: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        keeper = QuotaKeeper(self.most, self.clock, self.metrics.refused_by_quota)
        object.__setattr__(self, "quotas", keeper)
