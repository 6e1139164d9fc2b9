"""The services that the program gives to its HTTP front."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from datetime import datetime
from typing import Protocol

from starlette.background import BackgroundTask
from starlette.responses import Response

from pos_app.documents.blocks import Document
from pos_app.domain.article.store import Store
from pos_app.domain.receipt.esir_part import EsirPart
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.receipt_elsewhere import SearchElsewhere
from pos_app.domain.receipt.server_status import KeptSecret, PublicMode, Synchronisation
from pos_app.domain.setup.mail_setup import MailSetupService
from pos_app.domain.setup.platform_setup import PlatformSetupService
from pos_app.domain.setup.printer_setup import PrinterSetupService
from pos_app.domain.setup.processor_setup import ProcessorSetupService
from pos_app.fiscalization.handover.drawer_pulse import Drawer
from pos_app.fiscalization.receipt_search import ReceiptSearch
from pos_app.http_front.endpoint import JSON
from pos_app.lazy_dataclass import dataclass
from pos_app.local_api.access_rules import AccessSettings
from pos_app.local_api.refused_requests import RefusedRequests
from pos_app.local_api.request_log import RequestLog

QrDrawer = Callable[[str], bytes]
"""Draws a text as a QR code: GIF89a, error correction L, 4 px a module, no quiet zone.

Raises Invalid for a text without a code, and MachineError where drawing is impossible.
"""


class PdfRenderer(Protocol):
    """Renders a receipt; equal input gives equal bytes. Called in a thread."""

    def check(
        self, receipt: SignedReceipt, document: FiscalDocument, esir: EsirPart
    ) -> frozenset[str]:
        """Return the characters that no font has, which are printed as boxes. Raises MachineError
        without a font."""
        ...

    def render(
        self,
        receipt: SignedReceipt,
        document: FiscalDocument,
        esir: EsirPart,
        *,
        as_view: bool = False,
    ) -> bytes: ...

    def layout(self, receipt: SignedReceipt, document: FiscalDocument, esir: EsirPart) -> Document:
        """Lay the buyer's paper out. Raises MachineError."""
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
        """Return the answer to a nonce that only a server of this installation can give."""
        ...


class ProcessorAtServer(ProcessorSetupService, Protocol):
    """A person's setup of the processor, and the other secrets."""

    async def keep_secret(self, name: str, value: str, *, by: str) -> None:
        """Seal a secret that is not the processor's; "" forgets it. Raises NotFound, NotAllowed."""
        ...

    async def secrets(self) -> Sequence[KeptSecret]:
        """Return the secrets that are not the processor's. Raises SettingsBroken."""
        ...


class PlatformAtServer(PlatformSetupService, Protocol):
    """A person's setup of the platform, and a store of the account."""

    async def change_store(self, before: Store, after: Store) -> Store:
        """Send the difference, and return the store as the platform has it then."""
        ...


class OtherTills(Protocol):
    """The shop's other tills, which have servers of their own."""

    async def find(self, number: str) -> tuple[SearchElsewhere, SignedReceipt | None]:
        """Ask each till for the receipt of that fiscal number. Faults of the platform or of tills
        raise nothing."""
        ...


class CatalogueFile(Protocol):
    """The state of the catalogue's file."""

    def damaged_since(self, now: datetime) -> datetime | None:
        """Since when the file is known to be damaged, `now` for a new damage; None for none."""

    def is_newer(self) -> bool:
        """Tell whether a newer version wrote it."""


class WholeCatalogue:
    """Implements `CatalogueFile` for a server that has none."""

    def damaged_since(self, _: datetime) -> datetime | None:
        return None

    def is_newer(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class ProcessorLabel:
    """The processor of the settings. url: "" when none is set.

    is_fiscal: False for the development processor, whose receipts are not fiscal. certificate_ends:
    the end of a V-PFR's certificate, UTC.
    """

    kind: str
    url: str
    is_configured: bool
    is_fiscal: bool
    certificate_ends: datetime | None = None


def _nothing() -> None:
    return None


def _stays(_: int | None) -> None:
    return None


@dataclass(frozen=True, slots=True)
class HandoverServices:
    """Devices of the till. wake: called when there is a job. prints: whether a receipt printer is
    set up; prints_pages: whether a queue for A4 is."""

    wake: Callable[[], None] = _nothing
    prints: bool = False
    prints_pages: bool = False
    drawer: Drawer | None = None


@dataclass(frozen=True, slots=True)
class ApiContext:
    """stop: asks the program to end gracefully; called on its loop."""

    install: Installation
    version: str
    access: AccessSettings
    processor: ProcessorLabel
    cashier: str
    stop: Callable[[], None]
    draw_qr: QrDrawer
    pdf: PdfRenderer
    processor_setup: ProcessorAtServer | None = None
    platform_setup: PlatformAtServer | None = None
    printer_setup: PrinterSetupService | None = None
    mail_setup: MailSetupService | None = None
    other_tills: OtherTills | None = None
    """The shop's other tills, or None if no platform joins them."""
    receipt_list: ReceiptSearch | None = None
    """The list of receipts, or None if none is made from the journal."""
    reopen: Callable[[int | None], None] = _stays
    """Opens the shop anew, so that a person's setup takes effect; at another port where one is
    given."""
    handover: HandoverServices = field(default_factory=HandoverServices)
    refused_requests: RefusedRequests = field(default_factory=RefusedRequests)
    request_log: RequestLog = field(default_factory=RequestLog)
    heard: Callable[[], None] = _nothing
    """Called for each admitted request, except health."""
    public_mode: Callable[[], PublicMode | None] = _nothing
    """Returns the state of the connection to the platform, or None where it is off."""
    synchronisation: Callable[[], Synchronisation | None] = _nothing
    """Returns the state of this server's synchronisations, or None where it starts none."""
    catalogue: CatalogueFile = field(default_factory=WholeCatalogue)


def then_reopened(context: ApiContext, *, port: int | None = None, body: bytes = b"{}") -> Response:
    """Answer a manager's change of a setup, and then open the shop anew with it. port: the next
    port, or None for the same."""

    async def reopen() -> None:
        context.reopen(port)

    return Response(body, media_type=JSON, background=BackgroundTask(reopen))
