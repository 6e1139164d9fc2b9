"""A newer version of the product is found in a signed manifest, shown, and installed when the
cashier says so.

It is never installed by itself, nor between the items of a sale or while a receipt is being sent.
The version is newer than the running one and no older than one seen before: an old manifest that is
put back is refused. Source: updates.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from pos_app import errors, log
from pos_app.domain.setup.release import InstallerFile, Release, Version
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.ports import Carts, SaleRepository
from pos_app.selling.sale.state import SaleState
from pos_app.selling.shift.shift import ShiftRepository

_log = log.get(__name__)

LOOK_SECONDS = 12 * 3600.0
"""Seconds between two looks at the address, while the till is open."""


@dataclass(frozen=True, slots=True)
class UpdateRecord:
    """Facts that outlive the till. seen: the newest version that was offered. started: the version
    whose installer was started, until that version is seen running."""

    seen: Version | None = None
    started: Version | None = None


class UpdateChannel(Protocol):
    """The source of releases, and the way to install one here."""

    system: str
    """The name of this operating system in a manifest."""

    async def look(self) -> Release:
        """The offered release, its signature checked. Raises RemoteError."""
        ...

    async def fetch(
        self, release: Release, file: InstallerFile, on_progress: Callable[[int], None]
    ) -> Path:
        """Download the installer, whole and as the manifest says. on_progress: bytes so far.

        Raises RemoteError, MachineError.
        """
        ...

    def check_may_start(self) -> None:
        """Raises NotAllowed where another till of this computer has to start it."""

    async def start(self, installer: Path) -> None:
        """Start the installer, which closes the till. Raises NotAllowed to non-administrators."""

    def record(self) -> UpdateRecord: ...

    def save(self, record: UpdateRecord) -> None:
        """Raises MachineError."""


class RunningProgram(Protocol):
    """This program, whose files a package may exchange while it runs."""

    is_replaced: bool
    """Whether its files are others now, as they were last looked at."""

    def listen(self, tell: Callable[[], None]) -> None:
        """Call back, in the thread of the loop, once the files are others."""

    def reopen(self) -> None:
        """Close the till, and open the program that is installed now in its place."""


def check_may_reopen(carts: Carts, sales: SaleRepository) -> None:
    """Raises NotAllowed while a sale is entered or a receipt is being sent, and MachineError."""
    cart = carts.open_cart(training=False)
    if cart is not None and cart.cart.active:
        raise errors.NotAllowed("reopen_in_sale")
    if sales.counts().get(SaleState.SENDING, 0):
        raise errors.NotAllowed("reopen_in_sending")


class Updates:
    """The known facts about newer versions. `listen` reports each change.

    release: the newer one that is offered, or None. fault: the reason why the last look failed.
    not_installed: a version whose installer was started, and which does not run. fetched: bytes of
    the installer so far, None while none is downloaded.
    """

    def __init__(
        self,
        *,
        installed: Version,
        channel: UpdateChannel,
        carts: Carts,
        sales: SaleRepository,
        shifts: ShiftRepository,
    ) -> None:
        self.installed = installed
        self.release: Release | None = None
        self.fault: errors.RemoteError | None = None
        self.not_installed: Version | None = None
        self.fetched: int | None = None
        self._channel = channel
        self._carts = carts
        self._sales = sales
        self._shifts = shifts
        self._postponed: Version | None = None
        self._tell: Callable[[], None] = lambda: None

    def listen(self, tell: Callable[[], None]) -> None:
        """Call back at each change, in the thread of the loop."""
        self._tell = tell

    @property
    def installer(self) -> InstallerFile | None:
        """The offered installer for this operating system, or None if there is none."""
        return self.release.installers.get(self._channel.system) if self.release else None

    @property
    def is_postponed(self) -> bool:
        """Whether the cashier postponed the offered version; the next start asks anew."""
        return self.release is not None and self.release.version == self._postponed

    # --- learning of it --------------------------------------------------------------------------

    async def keep_looking(self) -> None:
        """Look now and twice a day. Never ends."""
        self.see_what_was_started()
        while True:
            await self.look()
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Ask once. A refusal or a failed request goes to `fault` and to the log."""
        try:
            release = await self._channel.look()
            self._take(release)
        except errors.RemoteError as error:
            self.fault = error
            _log.warning("no word of a newer version: %s", error)
        else:
            self.fault = None
        self._tell()

    def _take(self, release: Release) -> None:
        record = self._channel.record()
        check_no_step_back(release, record.seen)
        try:
            self._channel.save(replace(record, seen=release.version))
        except errors.MachineError as error:
            _log.warning("what was offered can't be remembered: %s", error)
        self.release = release if release.version > self.installed else None

    def see_what_was_started(self) -> None:
        """Find whether the version that was started runs now. Raises MachineError."""
        record = self._channel.record()
        if record.started is None:
            return
        if record.started > self.installed:
            self.not_installed = record.started
        else:
            self._channel.save(replace(record, started=None))

    # --- what the cashier says -------------------------------------------------------------------

    def postpone(self) -> None:
        """Say nothing of this version until the till is opened again."""
        self._postponed = self.release.version if self.release else None
        self._tell()

    def note_not_installed(self) -> None:
        """Note that the cashier saw that the version was not installed. Raises MachineError."""
        self._channel.save(replace(self._channel.record(), started=None))
        self.not_installed = None
        self._tell()

    async def install(self) -> None:
        """Download the installer and start it. Raises NotAllowed, RemoteError, MachineError."""
        release, file = self.release, self.installer
        if release is None or file is None:
            raise errors.NotAllowed("no_update")
        self.check_may_install()
        self._show_fetched(0)
        try:
            path = await self._channel.fetch(release, file, self._show_fetched)
        finally:
            self._show_fetched(None)
        self.check_may_install()  # the fetching took its time
        before = self._channel.record()
        self._channel.save(replace(before, started=release.version))
        try:
            await self._channel.start(path)
        except errors.PosError:
            self._channel.save(replace(self._channel.record(), started=before.started))
            raise

    def check_may_install(self) -> None:
        """Raises as `check_no_work_under_way` and `UpdateChannel.check_may_start`, and MachineError
        where a database can't be read.
        """
        self._channel.check_may_start()
        cart = self._carts.open_cart(training=False)
        check_no_work_under_way(
            shift_is_open=self._shifts.open_shift() is not None,
            cart_has_items=cart is not None and bool(cart.cart.active),
            receipts_in_sending=self._sales.counts().get(SaleState.SENDING, 0),
        )

    def _show_fetched(self, size: int | None) -> None:
        self.fetched = size
        self._tell()


def check_no_work_under_way(
    *, shift_is_open: bool, cart_has_items: bool, receipts_in_sending: int
) -> None:
    """The one rule that allows an installation. Raises NotAllowed.

    | shift  | the open cart | receipts being sent | now |
    | open   | any           | any                 | no  |
    | closed | has items     | any                 | no  |
    | closed | empty or none | one or more         | no  |
    | closed | empty or none | none                | yes |
    """
    if shift_is_open:
        raise errors.NotAllowed("update_in_shift")
    if cart_has_items:
        raise errors.NotAllowed("update_in_sale")
    if receipts_in_sending:
        raise errors.NotAllowed("update_in_sending")


def check_no_step_back(release: Release, seen: Version | None) -> None:
    """Raises Refused for a manifest that is older than one that was seen.

    | seen  | offered | taken |
    | none  | 4.0.0   | yes   |
    | 4.1.0 | 4.1.0   | yes   |
    | 4.1.0 | 4.0.9   | no    |
    """
    if seen is not None and release.version < seen:
        raise errors.Refused("update_older", version=release.version, seen=seen)
