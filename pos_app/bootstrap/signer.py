"""A signer of the platform: this same server, for many secure elements, each with a folder, a
journal and a lane of its own.

An element is opened by the first request that brings its certificate, and closed once it has
nothing to do. Its certificate is in memory only: the file and its password until it is opened, what
was opened until the element is closed, which is after its last doubt.
Source: exactly-once.md, "Certificate mode".
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from starlette.types import ASGIApp

from pos_app import __version__, log
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.install import Install, open_install
from pos_app.adapters.lock import FolderLock
from pos_app.adapters.pfr.access import VpfrAccess, access_with
from pos_app.adapters.pfr.certificate import open_pfx
from pos_app.adapters.pfr.certificate_processor import CertificateProcessor
from pos_app.adapters.qr import draw_gif
from pos_app.adapters.secret import Secret
from pos_app.adapters.signer_client import Door, element_folder, signer_folder
from pos_app.adapters.sqlite.catalogue.articles import Paper
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.bootstrap.devices import devices_of
from pos_app.bootstrap.http_protocol import ConnectionLimits
from pos_app.bootstrap.issuing import Issuing, begin_deliveries, end, issuer_of, open_issuing
from pos_app.bootstrap.orphan_server import has_work
from pos_app.bootstrap.platform_workers import no_core_files, until_parent_ends
from pos_app.bootstrap.processor_access import authorities
from pos_app.bootstrap.serving import serve, stop_on_signals
from pos_app.bootstrap.store_pdf import StorePdf
from pos_app.domain.certificate import is_of_tax_administration
from pos_app.domain.request import FrozenArticle
from pos_app.domain.states import IN_DOUBT, JobMethod
from pos_app.errors import MachineError
from pos_app.fiscalization.doubt import DoubtRule
from pos_app.fiscalization.handover_options import AvailableHandover
from pos_app.fiscalization.service import FiscalService
from pos_app.local_api.access_rules import AccessSettings
from pos_app.local_api.app import create_app
from pos_app.local_api.context import ApiContext, HandoverServices, ProcessorLabel
from pos_app.local_api.signer_door import (
    BroughtCertificate,
    BroughtStore,
    ElementNotReady,
    SignerDoor,
)
from pos_app.settings import LOOPBACK, Settings
from pos_app.settings.shapes import A4Settings, PrinterSettings

KEPT_SECONDS = 10.0
"""An element without work is closed after so long, and its certificate forgotten."""
_LOOK_SECONDS = 1.0
_DOUBT_SECONDS = 3.0
"""For asking the V-PFR about one doubt that a crash left."""
_MOST_DOUBTS = 3
_CONNECTIONS = 1024

_log = log.get(__name__)


async def run_signer(settings: Settings, number: int, *, ready: Callable[[str], None]) -> None:
    """Serve the elements of one signer until SIGTERM, or until its parent ends.

    Raises AlreadyRunning, SettingsBroken.
    """
    no_core_files()
    folder = signer_folder(settings.data, number)
    stop = asyncio.Event()
    with stop_on_signals(stop), FolderLock(folder / "signer.lock", what="signer"):
        watching = asyncio.create_task(until_parent_ends(stop), name="end with the parent")
        elements = OpenElements(settings, folder)
        closing = asyncio.create_task(elements.close_idle(), name="close idle elements")
        token = secrets.token_urlsafe(32)

        def on_ready(address: str) -> None:
            Door(address, token).write(folder)
            ready(address)

        try:
            door = SignerDoor(elements=elements, token=token, clock=SystemClock())
            await serve(
                door.app(),
                host="127.0.0.1",
                port=0,
                ready=on_ready,
                stop=stop,
                limits=ConnectionLimits(connections=_CONNECTIONS, open_connections=_CONNECTIONS),
            )
        finally:
            await end(watching)
            await end(closing)
            await elements.close()


class StoreOfRequest:
    """Implements Articles, PrintMethods and StorePaper: what the platform told with a request.

    A receipt that is mailed later is drawn as the store of the last request has it.
    """

    def __init__(self) -> None:
        self._articles: ContextVar[Mapping[int, FrozenArticle]] = ContextVar("articles")
        self._paper = Paper()

    @asynccontextmanager
    async def brought(self, store: BroughtStore) -> AsyncIterator[None]:
        paper = (store.language, store.print_discounts, store.print_bank_accounts)
        self._paper = Paper(*paper)
        before = self._articles.set(store.articles)
        try:
            yield
        finally:
            self._articles.reset(before)

    def article(self, sku: int) -> FrozenArticle | None:
        return self._articles.get({}).get(sku)

    def print_methods(self) -> frozenset[str]:
        return frozenset({"email"})

    def paper(self) -> Paper:
        return self._paper

    def close(self) -> None:
        """Nothing is open."""


@dataclass
class _Element:
    """place: address of the V-PFR; "" where it is open for look-ups alone. users: requests that are
    carried out. shown: a mark of the certificate in use."""

    place: str
    issuing: Issuing
    app: ASGIApp
    processor: CertificateProcessor
    store: StoreOfRequest
    stack: AsyncExitStack
    users: int = 0
    shown: bytes | None = None
    idle_since: float = 0.0
    free: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_proven(self) -> bool:
        return self.processor.is_proven

    def bringing(self, store: BroughtStore) -> contextlib.AbstractAsyncContextManager[None]:
        return self.store.brought(store)

    async def show(self, access: VpfrAccess, mark: bytes) -> None:
        """From now on the V-PFR is asked with it; first about what is in doubt."""
        self.shown = None
        lane = self.issuing.lane
        await lane.between_receipts(lambda: self.processor.use(access))
        self.shown = mark
        if not self.is_proven:
            return
        doubts = [one for one in self.issuing.journal.open_requests() if one.state in IN_DOUBT]
        for one in doubts[-_MOST_DOUBTS:]:
            await lane.look_again(one.id, seconds=_DOUBT_SECONDS)
        lane.look_now()


class OpenElements:
    """Implements signer_door.Elements: those of one signer's folder."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self._settings = settings.model_copy(
            update={"printer": PrinterSettings(), "a4": A4Settings()}
        )
        self._folder = folder
        self._clock = SystemClock()
        self._open: dict[str, _Element] = {}
        self._locks: dict[str, asyncio.Lock] = {}  # kept for good: one may be waited for
        self._marking = secrets.token_bytes(32)

    @asynccontextmanager
    async def opened(
        self, uid: str, certificate: BroughtCertificate | None
    ) -> AsyncIterator[_Element]:
        async with self._locks.setdefault(uid, asyncio.Lock()):
            if certificate is None:
                element = self._open.get(uid) or await self._opened_to_read(uid)
            else:
                element = await self._showing(uid, certificate)
            element.users += 1
            element.free.clear()
        try:
            yield element
        finally:
            element.users -= 1
            element.idle_since = self._clock.seconds()
            if not element.users:
                element.free.set()

    async def _showing(self, uid: str, certificate: BroughtCertificate) -> _Element:
        """Requests with another certificate of the element, or another PAC, come one after the
        other: each is sent with its own."""
        mark = self._mark_of(certificate)
        element = self._open.get(uid)
        if element is not None and element.shown == mark:
            if not element.is_proven and not element.users:
                await element.issuing.lane.between_receipts(_nothing)
            return element
        access = await asyncio.to_thread(self._access, certificate)
        if access.certificate.uid != uid:
            raise ElementNotReady("The certificate is of another secure element.")
        place = self._place(access)
        if element is not None and element.users:
            await element.free.wait()
        if element is not None and element.place != place:
            await self._close(uid)
            element = None
        if element is None:
            element = await self._open_element(uid, place=place, tin=access.certificate.tin)
        await element.show(access, mark)
        return element

    def _mark_of(self, certificate: BroughtCertificate) -> bytes:
        """Tells whether a certificate is the one in use, without keeping it."""
        told = f"{len(certificate.password)} {certificate.password} {certificate.pac} ".encode()
        return hmac.digest(self._marking, told + certificate.pfx, hashlib.sha256)

    def _access(self, certificate: BroughtCertificate) -> VpfrAccess:
        """Raises SetupWrong."""
        opened = open_pfx(certificate.pfx, Secret(certificate.password))
        return access_with(opened, pac=Secret(certificate.pac), ca=authorities(self._settings))

    def _place(self, access: VpfrAccess) -> str:
        """The settings' address, else the certificate's: which anybody could have written, so it
        has to be one of the tax administration's."""
        set_here, url = self._settings.processor.url, access.certificate.url
        if not set_here and not is_of_tax_administration(url):
            raise ElementNotReady("The certificate names no V-PFR of the tax administration.")
        host = urlsplit(set_here or url).hostname
        if not self._settings.esir.ib and host not in LOOPBACK:
            raise ElementNotReady('This platform signs nothing until its "esir.ib" is set.')
        return set_here or url

    async def _opened_to_read(self, uid: str) -> _Element:
        if not element_folder(self._folder, uid).is_dir():
            raise ElementNotReady("Nothing was ever asked of this element here.")
        return await self._open_element(uid, place="", tin="")

    async def _open_element(self, uid: str, *, place: str, tin: str) -> _Element:
        """Raises MachineError."""
        data, told = element_folder(self._folder, uid), self._settings.processor
        async with AsyncExitStack() as stack:
            data.mkdir(parents=True, exist_ok=True)
            install = open_install(data, environment=self._settings.environment)
            processor = CertificateProcessor(place, told.label_map)
            stack.push_async_callback(processor.close)
            issuing = await open_issuing(
                stack,
                data=data,
                processor=processor,
                place=place or _last_place(data),
                rule=DoubtRule(told.quiet_seconds, told.used_here_alone),
                connect=lambda earlier: CertificateProcessor(earlier, told.label_map),
            )
            store = StoreOfRequest()
            app = self._app(stack, issuing, install, store, tin=tin)
            element = _Element(place, issuing, app, processor, store, stack.pop_all())
        element.idle_since = self._clock.seconds()
        self._open[uid] = element
        return element

    def _app(
        self,
        stack: AsyncExitStack,
        issuing: Issuing,
        install: Install,
        store: StoreOfRequest,
        *,
        tin: str,
    ) -> ASGIApp:
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
            issuer_of(settings, seller_pib=tin),
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
        return create_app(service=service, context=context)

    # --- closing --------------------------------------------------------------------------------

    async def close_idle(self) -> None:
        """For ever."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            for uid in tuple(self._open):
                try:
                    await self._close_if_idle(uid)
                except MachineError as error:
                    _log.error("an element can't be closed now: %s", error.what)

    async def _close_if_idle(self, uid: str) -> None:
        lock = self._locks[uid]
        if lock.locked():
            return
        async with lock:
            element = self._open[uid]
            idle = self._clock.seconds() - element.idle_since
            if element.users or idle < KEPT_SECONDS or has_work(element.issuing.journal):
                return
            await self._close(uid)

    async def _close(self, uid: str) -> None:
        await self._open.pop(uid).stack.aclose()

    async def close(self) -> None:
        await asyncio.gather(*map(self._close, tuple(self._open)))


async def _nothing() -> None:
    return None


def _last_place(data: Path) -> str:
    """Where the element was reached before."""
    journal = SqliteJournal(data / "journal" / "journal.db")
    try:
        return journal.lane(journal.element()).place or ""
    finally:
        journal.close()
