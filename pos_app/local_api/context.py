"""What the HTTP front is given by the program it runs in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from pos_app.domain.esir_part import EsirPart
from pos_app.domain.fiscal_document import FiscalDocument
from pos_app.domain.receipt import SignedReceipt
from pos_app.fiscalization.drawer import Drawer
from pos_app.local_api.access_rules import AccessSettings
from pos_app.local_api.rejected_requests import RejectedRequests
from pos_app.wire.server import SERVICE

__all__ = [
    "SERVICE",
    "ApiContext",
    "HandoverServices",
    "Installation",
    "PdfRenderer",
    "ProcessorLabel",
    "QrDrawer",
]
# SERVICE is handed on for bootstrap, which sees no wire.

QrDrawer = Callable[[str], bytes]
"""Draws a text as a QR code: GIF89a, error correction L, 4 px a module, no quiet zone."""


class PdfRenderer(Protocol):
    """Renders a receipt; equal input gives equal bytes. Called in a thread."""

    def check(
        self, receipt: SignedReceipt, document: FiscalDocument, esir: EsirPart
    ) -> frozenset[str]:
        """The signs that no font has: boxes stand for them. Raises MachineError for no font."""
        ...

    def render(
        self,
        receipt: SignedReceipt,
        document: FiscalDocument,
        esir: EsirPart,
        *,
        as_view: bool = False,
    ) -> bytes:
        """The PDF of a signed receipt: what was signed, and what the ESIR says below it.

        as_view: marked as one that is only looked at, because the original is another.
        """
        ...


class Installation(Protocol):
    """The identity that till and server share."""

    @property
    def install_id(self) -> str: ...

    @property
    def till_id(self) -> str: ...

    @property
    def environment(self) -> str: ...

    def proof(self, *, nonce: str, version: str, journal_id: str) -> str:
        """What only a server of this installation can answer to a nonce."""
        ...


@dataclass(frozen=True, slots=True)
class ProcessorLabel:
    """The processor as the settings name it. url: "" when none is set.

    is_fiscal: False for the development processor, whose receipts are practice.
    """

    kind: str
    url: str
    is_configured: bool
    is_fiscal: bool


def _nobody_woken() -> None:
    """Where nothing is delivered."""


def _nobody_listens() -> None:
    """Where it does not matter who asks."""


@dataclass(frozen=True, slots=True)
class HandoverServices:
    """What hands over for the till. wake: there is a job. prints: a receipt printer is set up.

    drawer: None where there is none.
    """

    wake: Callable[[], None] = _nobody_woken
    prints: bool = False
    drawer: Drawer | None = None


@dataclass(frozen=True, slots=True)
class ApiContext:
    """The program around the counter. stop: asks it to end gracefully; called on its loop."""

    install: Installation
    version: str
    guard: AccessSettings
    processor: ProcessorLabel
    cashier: str
    stop: Callable[[], None]
    draw_qr: QrDrawer
    pdf: PdfRenderer
    handover: HandoverServices = field(default_factory=HandoverServices)
    guard_log: RejectedRequests = field(default_factory=RejectedRequests)
    heard: Callable[[], None] = _nobody_listens
    """Called with each request that was let in, but for the open question of health."""
