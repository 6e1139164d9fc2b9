"""The secure elements of one signer of the platform: a folder, a journal and a lane for each.

`fiscalization.open_elements` decides when they are opened and closed.
Source: exactly-once.md, "Certificate mode".
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import httpx
from starlette.types import ASGIApp

from pos_app import __version__
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.data_folder import JOURNAL
from pos_app.adapters.data_folder.install import Install, open_install
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.pfr.certificate import open_pfx
from pos_app.adapters.pfr.certificate_processor import CertificateProcessor
from pos_app.adapters.pfr.vpfr_access import VpfrAccess, access_with
from pos_app.adapters.qr_picture import draw_gif
from pos_app.adapters.secrets.secret import Secret
from pos_app.adapters.signers.signer_folders import element_folder, witness_folder
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.bootstrap.issuing.devices import devices_of
from pos_app.bootstrap.issuing.issuing import (
    Issuing,
    begin_deliveries,
    issuer_of,
    open_issuing,
    open_journal,
)
from pos_app.bootstrap.issuing.processor_access import authorities
from pos_app.bootstrap.issuing.store_pdf import StorePdf
from pos_app.bootstrap.platform.store_of_request import StoreOfRequest
from pos_app.domain.receipt.states import JobMethod
from pos_app.domain.setup.signer_state import ElementLeft
from pos_app.fiscalization import open_elements
from pos_app.fiscalization.handover.handover_options import AvailableHandover
from pos_app.fiscalization.lane.lane import Lane
from pos_app.fiscalization.outcomes.doubt import DoubtRule
from pos_app.fiscalization.service import FiscalService
from pos_app.local_api.access_rules import AccessSettings
from pos_app.local_api.app import create_app
from pos_app.local_api.context import ApiContext, HandoverServices, ProcessorLabel
from pos_app.local_api.receipt_door import ReceiptDoor
from pos_app.local_api.signer_door import BroughtCertificate, BroughtStore
from pos_app.settings import LOOPBACK, Settings
from pos_app.settings.shapes import A4Settings, PrinterSettings

_ITSELF = "http://127.0.0.1:9999"


@dataclass(frozen=True)
class Element:
    """Implements local_api.signer_door.OpenElement and fiscalization's SignerElement."""

    uid: str
    issuing: Issuing
    receipts: ReceiptDoor
    app: ASGIApp
    install: Install
    processor: CertificateProcessor
    store: StoreOfRequest
    stack: AsyncExitStack

    @property
    def journal(self) -> SqliteJournal:
        return self.issuing.journal

    @property
    def lane(self) -> Lane:
        return self.issuing.lane

    @property
    def is_proven(self) -> bool:
        return self.processor.is_proven

    def keep_store(self, store: BroughtStore) -> None:
        self.store.save(store)

    def has_receipt(self, key: str) -> bool:
        return open_elements.may_have_receipt(self.journal, self.uid, key)

    async def ask_as_till(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        headers = {
            "X-Pos-Install": self.install.install_id,
            "X-Pos-Token": self.install.token,
            "Content-Type": "application/json",
        }
        way = httpx.ASGITransport(app=self.app)
        async with httpx.AsyncClient(transport=way, base_url=_ITSELF) as till:
            answer = await till.request(method, path, content=body, headers=headers)
        return answer.status_code, answer.content

    async def close(self) -> None:
        await self.stack.aclose()


SignerElements = open_elements.OpenElements[BroughtCertificate, VpfrAccess, Element]


def elements_of(settings: Settings, folder: Path, lock: FolderLock) -> SignerElements:
    """Return the elements in a signer's folder. lock: the folder's lock, which the signer holds."""
    rules = open_elements.SignerRules(
        most=settings.platform_server.elements,
        url=settings.processor.url,
        has_ib=bool(settings.esir.ib),
        own_hosts=LOOPBACK,
        sends_mail=bool(settings.mail.host),
    )
    return open_elements.OpenElements(
        _Opener(settings, folder, lock), rules=rules, clock=SystemClock()
    )


class _Opener:
    """Implements open_elements.ElementOpener."""

    def __init__(self, settings: Settings, folder: Path, lock: FolderLock) -> None:
        self._lock = lock
        self._settings = settings.having(printer=PrinterSettings(), a4=A4Settings())
        self._folder = folder
        self._marking = secrets.token_bytes(32)

    def mark_of(self, certificate: BroughtCertificate) -> bytes:
        data = f"{len(certificate.password)} {certificate.password} {certificate.pac} ".encode()
        return hmac.digest(self._marking, data + certificate.pfx, hashlib.sha256)

    def access(self, certificate: BroughtCertificate) -> VpfrAccess:
        opened = open_pfx(certificate.pfx, Secret(certificate.password))
        return access_with(opened, pac=Secret(certificate.pac), ca=authorities(self._settings))

    async def use(self, element: Element, access: VpfrAccess) -> None:
        await element.processor.use(access)

    def is_known(self, uid: str) -> bool:
        return element_folder(self._folder, uid).is_dir()

    def known(self) -> list[str]:
        folders = sorted(self._folder.glob("????????"))
        return [one.name for one in folders if (one / JOURNAL).is_file()]

    def read_left(self, uid: str) -> ElementLeft:
        with closing(SqliteJournal(self._folder / uid / JOURNAL)) as journal:
            return open_elements.left_in(uid, journal)

    async def open(self, uid: str, *, address: str, tin: str) -> Element:
        data, processor_settings = element_folder(self._folder, uid), self._settings.processor
        async with AsyncExitStack() as stack:
            data.mkdir(parents=True, exist_ok=True)
            install = open_install(data, environment=self._settings.environment, is_shop=False)
            processor = CertificateProcessor(address, processor_settings.label_map)
            stack.push_async_callback(processor.close)
            issuing = await open_issuing(
                stack,
                journal=open_journal(stack, data, self._lock),
                data=data,
                witness=witness_folder(self._folder, uid),
                processor=processor,
                address=address or _last_address(data),
                rule=DoubtRule(
                    processor_settings.quiet_seconds, processor_settings.used_here_alone
                ),
                connect=lambda earlier: CertificateProcessor(earlier, processor_settings.label_map),
            )
            store = StoreOfRequest(data)
            service, context = self._service(stack, issuing, install, store, tin=tin)
            door = ReceiptDoor(service=service, context=context)
            app = create_app(service=service, context=context, door=door)
            return Element(uid, issuing, door, app, install, processor, store, stack.pop_all())

    def _service(
        self,
        stack: AsyncExitStack,
        issuing: Issuing,
        install: Install,
        store: StoreOfRequest,
        *,
        tin: str,
    ) -> tuple[FiscalService, ApiContext]:
        settings = self._settings
        pdf = StorePdf(settings, not_fiscal=False, store=store)
        stack.callback(pdf.close)
        devices = devices_of(settings, pdf)
        deliveries = begin_deliveries(stack, issuing, devices.handovers)
        refuses = settings.mail.when_missing == "refuse"
        offered = frozenset(devices.handovers) & {JobMethod.EMAIL}
        service = FiscalService(
            issuing.journal,
            issuing.lane,
            store,
            issuing.clock,
            issuer_of(
                settings,
                seller_pib=tin,
                taxpayer=lambda: tin or issuing.journal.lane(issuing.lane.name).tin,
            ),
            AvailableHandover(store, offered, refuses_without_mail=refuses),
        )
        context = ApiContext(
            install=install,
            version=__version__,
            access=AccessSettings(install_id=install.install_id, till_token=install.token),
            processor=ProcessorLabel("vpfr", "", is_configured=True, is_fiscal=True),
            cashier=settings.server.cashier,
            stop=lambda: None,
            draw_qr=draw_gif,
            pdf=pdf,
            handover=HandoverServices(wake=deliveries.wake),
        )
        return service, context


def _last_address(data: Path) -> str:
    with closing(SqliteJournal(data / JOURNAL)) as journal:
        return journal.lane(journal.element()).address or ""
