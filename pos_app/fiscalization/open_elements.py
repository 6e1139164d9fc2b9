"""The open secure elements of a signer: they are opened, closed, or make room for others.

An element is opened for the first request that brings its certificate, for mail that waits in its
journal, or for a person who answers its doubts. It is closed once it has nothing to do, or, even
with a doubt, if another element needs the room. Its certificate is only in memory: the file and its
password until the file is opened, the opened certificate until the element is closed.
Source: exactly-once.md, "Certificate mode".
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import field, replace
from typing import Generic, Protocol, TypeVar
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from pos_app import log
from pos_app.clock import Clock
from pos_app.domain.receipt.receipt_identity import certificate_origin
from pos_app.domain.receipt.states import IN_DOUBT, JobMethod, RequestState
from pos_app.domain.setup.certificate import CertificateFacts, is_of_tax_administration
from pos_app.domain.setup.signer_state import ElementLeft, SignerState
from pos_app.errors import MachineError, PosError
from pos_app.fiscalization.lane.lane import Lane
from pos_app.fiscalization.open_work import has_work, is_issuing
from pos_app.fiscalization.ports import Journal
from pos_app.lazy_dataclass import dataclass

KEPT_SECONDS = 10.0
"""Seconds after which an element without work is closed, and its certificate forgotten."""
_LOOK_SECONDS = 1.0
_DOUBT_SECONDS = 3.0
"""Seconds to ask the V-PFR about one doubt that a crash left."""
_MOST_DOUBTS = 3
_COMPARE_SECONDS = 3.0
"""Seconds to ask the V-PFR about receipts that the journal may lack."""
_WITHOUT_RECEIPT = (RequestState.RELEASED, RequestState.REJECTED, RequestState.CANCELLED)

_log = log.get(__name__)


class ElementNotReady(PosError):
    """Surely nothing was begun; `what` has the reason."""


@dataclass(frozen=True, slots=True)
class SignerRules:
    """most: the limit of open elements. url: the address of the V-PFR for all elements, or "" to
    use the address in each certificate. has_ib: this program may ask the tax administration's
    V-PFR, because its approval number is set. own_hosts: names of this machine, whose processor is
    asked without an approval number. sends_mail: receipts can be mailed."""

    most: int
    url: str = ""
    has_ib: bool = False
    own_hosts: frozenset[str] = frozenset()
    sends_mail: bool = False

    def address_of(self, certificate: CertificateFacts) -> str:
        """The address of the V-PFR: the one that is set here, else the certificate's. Anybody could
        have made the certificate, so its address has to be one of the tax administration's.

        Raises ElementNotReady.
        """
        if not self.url and not is_of_tax_administration(certificate.url):
            raise ElementNotReady("no_vpfr")
        host = urlsplit(self.url or certificate.url).hostname
        if not self.has_ib and host not in self.own_hosts:
            raise ElementNotReady("no_number")
        return self.url or certificate.url


# --- what elements are opened with ---------------------------------------------------------------


class CertificateAccess(Protocol):
    @property
    def certificate(self) -> CertificateFacts: ...


class SignerElement(Protocol):
    """An open element. is_proven: the V-PFR knew the last certificate shown."""

    @property
    def journal(self) -> Journal: ...

    @property
    def lane(self) -> Lane: ...

    @property
    def is_proven(self) -> bool: ...

    async def close(self) -> None: ...


C_contra = TypeVar("C_contra", contravariant=True)
A = TypeVar("A", bound=CertificateAccess)
E = TypeVar("E", bound=SignerElement)


class ElementOpener(Protocol[C_contra, A, E]):
    """Opens the elements of one signer's folder, each with a journal and a lane of its own."""

    def mark_of(self, certificate: C_contra) -> bytes:
        """A mark that identifies a certificate without keeping it."""
        ...

    def access(self, certificate: C_contra) -> A:
        """Open the certificate, in a thread. Raises SetupWrong."""
        ...

    async def open(self, uid: str, *, address: str, tin: str) -> E:
        """Open an element. address: of the V-PFR. address and tin are "" where the element is
        opened for look-ups alone. Raises MachineError."""
        ...

    async def use(self, element: E, access: A) -> None:
        """Ask the V-PFR with this certificate from now on."""

    def is_known(self, uid: str) -> bool:
        """Whether anything was ever asked of the element here."""
        ...

    def known(self) -> Sequence[str]:
        """The elements with a journal."""
        ...

    def read_left(self, uid: str) -> ElementLeft:
        """The open work of a closed element, read in a thread. Raises MachineError."""
        ...


@dataclass
class _Open(Generic[E]):
    """users: the number of requests being carried out. certificate_mark: a mark of the certificate
    in use."""

    element: E
    address: str
    users: int = 0
    certificate_mark: bytes | None = None
    idle_since: float = 0.0
    free: asyncio.Event = field(default_factory=asyncio.Event)


# --- the elements of a signer --------------------------------------------------------------------


C = TypeVar("C")


class OpenElements(Generic[C, A, E]):
    """Implements local_api.signer_door.Elements."""

    def __init__(self, opener: ElementOpener[C, A, E], *, rules: SignerRules, clock: Clock) -> None:
        self._opener = opener
        self._rules = rules
        self._clock = clock
        self._open: dict[str, _Open[E]] = {}
        self._opening = 0
        self._open_work: dict[str, ElementLeft] = {}  # the open work of closed elements
        self._looked = asyncio.Event()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def opened(self, uid: str, certificate: C | None) -> AsyncIterator[E]:
        """Keep the element open while inside. certificate is None to read its journal only. Raises
        ElementNotReady, SetupWrong, MachineError."""
        async with self._lock_of(uid):
            if certificate is None:
                used = self._open.get(uid) or await self._opened_to_read(uid)
            else:
                used = await self._showing(uid, certificate)
            used.users += 1
            used.free.clear()
        try:
            yield used.element
        finally:
            used.users -= 1
            used.idle_since = self._clock.seconds()
            if not used.users:
                used.free.set()

    def _lock_of(self, uid: str) -> asyncio.Lock:
        """The lock of an element, which exists as long as somebody holds it or waits for it."""
        lock = self._locks.get(uid)
        if lock is None:
            lock = self._locks[uid] = asyncio.Lock()
        return lock

    async def state(self) -> SignerState:
        """The state, once `run` has looked through all open work."""
        await self._looked.wait()
        left = dict(self._open_work)
        for uid, used in self._open.items():
            left[uid] = left_in(uid, used.element.journal)
        entries = tuple(one for one in left.values() if one.doubts or one.has_mail)
        return SignerState(len(self._open), self._rules.most, entries)

    async def _showing(self, uid: str, certificate: C) -> _Open[E]:
        """Show the V-PFR this certificate. A request with another certificate or PAC of the same
        element waits for earlier requests, because each is sent with its own."""
        mark = self._opener.mark_of(certificate)
        used = self._open.get(uid)
        if used is not None and used.certificate_mark == mark:
            if not used.element.is_proven and not used.users:
                await used.element.lane.compare_after(_nothing, seconds=_COMPARE_SECONDS)
            return used
        access = await asyncio.to_thread(self._opener.access, certificate)
        if access.certificate.uid != uid:
            raise ElementNotReady("other_element")
        address = self._rules.address_of(access.certificate)
        if used is not None and used.users:
            await used.free.wait()
        if used is not None and used.address != address:
            await self._close(uid)
            used = None
        if used is None:
            used = await self._open_element(uid, address=address, tin=access.certificate.tin)
        await self._show(used, access, mark)
        return used

    async def _show(self, used: _Open[E], access: A, mark: bytes) -> None:
        """Ask the V-PFR with this certificate from now on. The first questions are about receipts
        that the journal may lack, and about doubts."""
        used.certificate_mark = None
        element, lane = used.element, used.element.lane
        await lane.compare_after(
            lambda: self._opener.use(element, access), seconds=_COMPARE_SECONDS
        )
        used.certificate_mark = mark
        if not element.is_proven:
            return
        doubts = [one for one in element.journal.open_requests() if one.state in IN_DOUBT]
        for one in doubts[-_MOST_DOUBTS:]:
            await lane.look_again(one.id, seconds=_DOUBT_SECONDS)
        if doubts and not lane.is_compared():
            await lane.compare_after(_nothing, seconds=_COMPARE_SECONDS)
        lane.look_now()

    async def _opened_to_read(self, uid: str) -> _Open[E]:
        if not self._opener.is_known(uid):
            raise ElementNotReady("never_asked")
        return await self._open_element(uid, address="", tin="")

    async def _open_element(self, uid: str, *, address: str, tin: str) -> _Open[E]:
        """Open an element. Raises MachineError, and ElementNotReady where the limit is reached."""
        self._opening += 1
        try:
            await self._make_room()
            element = await self._opener.open(uid, address=address, tin=tin)
        finally:
            self._opening -= 1
        used = self._open[uid] = _Open(element, address, idle_since=self._clock.seconds())
        self._open_work.pop(uid, None)
        return used

    # --- closing, and what is left ---------------------------------------------------------------

    async def run(self) -> None:
        """Close idle elements and open those whose mail waits, for ever."""
        await self._look_through()
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            for uid in tuple(self._open):
                with _logged(uid, "can't be closed now"):
                    await self._close_if_idle(uid)
            await self._send_mail()

    async def _look_through(self) -> None:
        """Find the open work of the elements of an ended signer."""
        for uid in self._opener.known():
            async with self._lock_of(uid):
                if uid not in self._open:
                    with _logged(uid, "can't be read"):
                        self._note_left(await asyncio.to_thread(self._opener.read_left, uid))
        self._looked.set()

    def _note_left(self, open_work: ElementLeft) -> None:
        if open_work.doubts or open_work.has_mail:
            self._open_work[open_work.uid] = open_work
        else:
            self._open_work.pop(open_work.uid, None)

    async def _send_mail(self) -> None:
        """Open elements that have mail to send, which needs no certificate. Close none for them."""
        if not self._rules.sends_mail:
            return
        for uid in [left.uid for left in self._open_work.values() if left.has_mail]:
            if len(self._open) + self._opening >= self._rules.most:
                return
            with _logged(uid, "can't be opened for its mail"):
                self._open_work[uid] = replace(self._open_work[uid], has_mail=False)
                async with self.opened(uid, None):
                    pass

    async def _make_room(self) -> None:
        """Close the element that was idle for longest, first among those without work, then among
        those that sign nothing now. Raises ElementNotReady where none may be closed."""
        for may_not_go in (has_work, is_issuing):
            for uid, used in sorted(self._open.items(), key=lambda each: each[1].idle_since):
                if len(self._open) + self._opening <= self._rules.most:
                    return
                lock = self._lock_of(uid)
                if used.users or lock.locked() or may_not_go(used.element.journal):
                    continue
                async with lock:
                    await self._close(uid)
        if len(self._open) + self._opening > self._rules.most:
            raise ElementNotReady("too_many")

    async def _close_if_idle(self, uid: str) -> None:
        lock = self._lock_of(uid)
        if lock.locked() or uid not in self._open:
            return
        async with lock:
            used = self._open[uid]
            idle_seconds = self._clock.seconds() - used.idle_since
            if used.users or idle_seconds < KEPT_SECONDS or has_work(used.element.journal):
                return
            await self._close(uid)

    async def _close(self, uid: str) -> None:
        element = self._open.pop(uid).element
        with _logged(uid, "can't be read"):
            self._note_left(left_in(uid, element.journal))
        await element.close()

    async def close(self) -> None:
        await asyncio.gather(*map(self._close, tuple(self._open)))


@contextlib.contextmanager
def _logged(uid: str, fault: str) -> Iterator[None]:
    """Log the trouble of an element, so that it does not hold up others."""
    try:
        yield
    except (MachineError, ElementNotReady) as error:
        _log.error("element %s %s: %s", uid, fault, error.what)


async def _nothing() -> None:
    return None


def left_in(uid: str, journal: Journal) -> ElementLeft:
    """The open work of an element, by its journal. Raises MachineError."""
    doubts = sum(one.state in IN_DOUBT for one in journal.open_requests())
    return ElementLeft(uid, doubts, journal.jobs.line(JobMethod.EMAIL).waits)


def may_have_receipt(journal: Journal, uid: str, key: str) -> bool:
    """Whether a key has, or may have, a receipt of this element. Raises MachineError."""
    command = journal.command_by_key(certificate_origin(uid), key)
    if command is None:
        return False
    requests = journal.requests_of(command.id)
    return any(one.state not in _WITHOUT_RECEIPT for one in requests)
