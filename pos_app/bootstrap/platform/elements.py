"""The secure elements of one signer of the platform: a folder, a journal and a lane for each.

An element is opened by the first request that brings its certificate, by mail that waits in its
journal, or by a person who answers its doubts; it is closed once it has nothing to do, or where
another needs its place. Its certificate is in memory only: the file and its password until it is
opened, what was opened until the element is closed, which is after its last doubt.
Source: exactly-once.md, "Certificate mode".
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

import httpx
from starlette.types import ASGIApp

from pos_app import __version__, log
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.install import Install, open_install
from pos_app.adapters.pfr.certificate import open_pfx
from pos_app.adapters.pfr.certificate_processor import CertificateProcessor
from pos_app.adapters.pfr.vpfr_access import VpfrAccess, access_with
from pos_app.adapters.qr import draw_gif
from pos_app.adapters.secret import Secret
from pos_app.adapters.signer_client import element_folder
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.bootstrap.issuing.devices import devices_of
from pos_app.bootstrap.issuing.issuing import Issuing, begin_deliveries, issuer_of, open_issuing
from pos_app.bootstrap.issuing.processor_access import authorities
from pos_app.bootstrap.issuing.store_pdf import StorePdf
from pos_app.bootstrap.platform.store_of_request import StoreOfRequest
from pos_app.bootstrap.server.orphan_server import has_work, is_issuing
from pos_app.domain.certificate import is_of_tax_administration
from pos_app.domain.receipt_identity import certificate_origin
from pos_app.domain.signer_state import ElementLeft, SignerState
from pos_app.domain.states import IN_DOUBT, JobMethod, RequestState
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
)
from pos_app.settings import LOOPBACK, Settings
from pos_app.settings.shapes import A4Settings, PrinterSettings

KEPT_SECONDS = 10.0
"""An element without work is closed after so long, and its certificate forgotten."""
_LOOK_SECONDS = 1.0
_DOUBT_SECONDS = 3.0
"""For asking the V-PFR about one doubt that a crash left."""
_MOST_DOUBTS = 3
_WITHOUT_RECEIPT = (RequestState.RELEASED, RequestState.REJECTED, RequestState.CANCELLED)
_ITSELF = "http://127.0.0.1:9999"
"""No socket: the host that a request within this process says."""

_log = log.get(__name__)


@dataclass
class _Element:
    """place: address of the V-PFR; "" where it is open for look-ups alone. users: requests that are
    carried out. shown: a mark of the certificate in use."""

    uid: str
    place: str
    issuing: Issuing
    app: ASGIApp
    install: Install
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

    def has_receipt(self, key: str) -> bool:
        journal = self.issuing.journal
        command = journal.command_by_key(certificate_origin(self.uid), key)
        if command is None:
            return False
        requests = journal.requests_of(command.id)
        return any(one.state not in _WITHOUT_RECEIPT for one in requests)

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
        self._most = settings.platform_server.elements
        self._clock = SystemClock()
        self._open: dict[str, _Element] = {}
        self._opening = 0
        self._left: dict[str, ElementLeft] = {}  # of those that are closed
        self._looked = asyncio.Event()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._marking = secrets.token_bytes(32)

    @asynccontextmanager
    async def opened(
        self, uid: str, certificate: BroughtCertificate | None
    ) -> AsyncIterator[_Element]:
        async with self._lock_of(uid):
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

    def _lock_of(self, uid: str) -> asyncio.Lock:
        """It is there as long as somebody holds it or waits for it."""
        lock = self._locks.get(uid)
        if lock is None:
            lock = self._locks[uid] = asyncio.Lock()
        return lock

    async def state(self) -> SignerState:
        """Once all that was left has been looked through, which begins with `keep`."""
        await self._looked.wait()
        left = dict(self._left)
        for uid, element in self._open.items():
            left[uid] = _left_in(uid, element.issuing.journal)
        told = tuple(one for one in left.values() if one.doubts or one.has_mail)
        return SignerState(len(self._open), self._most, told)

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
        """Raises MachineError, ElementNotReady where all places are taken."""
        self._opening += 1
        try:
            await self._make_room()
            element = await self._opened_anew(uid, place=place, tin=tin)
        finally:
            self._opening -= 1
        element.idle_since = self._clock.seconds()
        self._open[uid] = element
        self._left.pop(uid, None)
        return element

    async def _opened_anew(self, uid: str, *, place: str, tin: str) -> _Element:
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
            store = StoreOfRequest(data)
            app = self._app(stack, issuing, install, store, tin=tin)
            return _Element(uid, place, issuing, app, install, processor, store, stack.pop_all())

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

    # --- closing, and what is left ---------------------------------------------------------------

    async def keep(self) -> None:
        """For ever: close those that are idle, open those whose mail waits."""
        await self._look_through()
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            for uid in tuple(self._open):
                with _told(uid, "can't be closed now"):
                    await self._close_if_idle(uid)
            await self._send_mail()

    async def _look_through(self) -> None:
        """What the elements of an ended signer have to do."""
        for folder in sorted(self._folder.glob("????????")):
            uid = folder.name
            if not (folder / "journal" / "journal.db").is_file():
                continue
            async with self._lock_of(uid):
                if uid not in self._open:
                    with _told(uid, "can't be read"):
                        self._note_left(await asyncio.to_thread(_read_left, folder))
        self._looked.set()

    def _note_left(self, left: ElementLeft) -> None:
        if left.doubts or left.has_mail:
            self._left[left.uid] = left
        else:
            self._left.pop(left.uid, None)

    async def _send_mail(self) -> None:
        """Mail needs no certificate; and no other element's place."""
        if not self._settings.mail.host:
            return
        for uid in [left.uid for left in self._left.values() if left.has_mail]:
            if len(self._open) + self._opening >= self._most:
                return
            with _told(uid, "can't be opened for its mail"):
                self._left[uid] = replace(self._left[uid], has_mail=False)
                async with self.opened(uid, None):
                    pass

    async def _make_room(self) -> None:
        """Close what was idle for longest. Raises ElementNotReady where nothing is."""
        for may_go in (has_work, is_issuing):
            for uid, element in sorted(self._open.items(), key=lambda each: each[1].idle_since):
                if len(self._open) + self._opening <= self._most:
                    return
                lock = self._lock_of(uid)
                if element.users or lock.locked() or may_go(element.issuing.journal):
                    continue
                async with lock:
                    await self._close(uid)
        if len(self._open) + self._opening > self._most:
            raise ElementNotReady("The signer has as many secure elements open as it may.")

    async def _close_if_idle(self, uid: str) -> None:
        lock = self._lock_of(uid)
        if lock.locked() or uid not in self._open:
            return
        async with lock:
            element = self._open[uid]
            idle = self._clock.seconds() - element.idle_since
            if element.users or idle < KEPT_SECONDS or has_work(element.issuing.journal):
                return
            await self._close(uid)

    async def _close(self, uid: str) -> None:
        element = self._open.pop(uid)
        with _told(uid, "can't be read"):
            self._note_left(_left_in(uid, element.issuing.journal))
        await element.stack.aclose()

    async def close(self) -> None:
        await asyncio.gather(*map(self._close, tuple(self._open)))


@contextlib.contextmanager
def _told(uid: str, fault: str) -> Iterator[None]:
    """An element in trouble holds no other up."""
    try:
        yield
    except (MachineError, ElementNotReady) as error:
        _log.error("element %s %s: %s", uid, fault, error.what)


def _read_left(folder: Path) -> ElementLeft:
    journal = SqliteJournal(folder / "journal" / "journal.db")
    try:
        return _left_in(folder.name, journal)
    finally:
        journal.close()


def _left_in(uid: str, journal: SqliteJournal) -> ElementLeft:
    doubts = sum(one.state in IN_DOUBT for one in journal.open_requests())
    return ElementLeft(uid, doubts, journal.jobs.line(JobMethod.EMAIL).waits)


async def _nothing() -> None:
    return None


def _last_place(data: Path) -> str:
    """Where the element was reached before."""
    journal = SqliteJournal(data / "journal" / "journal.db")
    try:
        return journal.lane(journal.element()).place or ""
    finally:
        journal.close()
