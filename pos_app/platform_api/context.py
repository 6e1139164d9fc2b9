"""What the program gives to the platform's HTTP front."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pos_app.clock import Clock
from pos_app.domain.certificate import CertificateFacts
from pos_app.platform_api.database.engine import Database


class Signers(Protocol):
    """Opens certificates, and reaches the signers."""

    async def facts(self, pfx: bytes, password: str) -> CertificateFacts:
        """Raises SetupWrong."""
        ...

    async def ask(self, uid: str, request: bytes) -> bytes:
        """The outcome. Raises NotDelivered where no byte was handed over, OutcomeUnknown."""
        ...


@dataclass(frozen=True, slots=True)
class PlatformContext:
    """public_url: the address by which callers reach the platform, without a slash at its end;
    "" where it is the one that each caller used. signers: of certificate mode; None where it is
    off."""

    database: Database
    clock: Clock
    version: str
    public_url: str = ""
    signers: Signers | None = None
