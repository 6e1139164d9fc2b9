"""The shop's printers as a manager sets them up: typed, found, tried and saved. The server lists,
asks, prints and stores. Sources: till.md (Settings), windows.md."""

from __future__ import annotations

import asyncio
from dataclasses import fields, replace

from pos_app import errors
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.settings.acts import SetupModel
from pos_app.domain.article.store import ALL_METHODS
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.setup import printer_setup

BAUDS = (9600, 19200, 38400, 57600, 115200)
WIDTHS = (80, 58)
CUTS = ("partial", "full", "none")
DRAWERS = ("none", "pin2", "pin5")
FLOWS = ("none", "hardware", "software")
_MEMBERS = tuple(field.name for field in fields(printer_setup.PrinterChange))
_UNKNOWN = printer_setup.PrinterSetup(
    kind="none",
    address="",
    baud=115200,
    flow="none",
    width_mm=80,
    cut="partial",
    drawer="none",
    a4_queue="",
)
AWAY_SECONDS, AWAY_PAUSE = 10.0, 0.5
"""In seconds: how long a server that opens the shop anew is asked again, and the pause between two
questions."""


class PrinterModel(SetupModel[printer_setup.PrinterSetup]):
    """draft: the typed values. found_printers: printers on the server's machine, None before it
    listed them. trials, pages: by printer, the answers to the typed values and the results of trial
    pages."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self.draft = _UNKNOWN
        self.found_printers: tuple[printer_setup.FoundPrinter, ...] | None = None
        self.is_looking = False
        self.trials: dict[printer_setup.PrinterUse, printer_setup.PrinterTrial] = {}
        self.pages: dict[printer_setup.PrinterUse, DeliveryJob] = {}
        self.acts_on: printer_setup.PrinterUse | None = None
        """The printer of the running or last act."""
        self._addresses: dict[str, str] = {}

    @property
    def at_server(self) -> printer_setup.PrinterSetupService | None:
        return self.services.printer_setup

    @property
    def has_server(self) -> bool:
        return self.at_server is not None

    async def _ask(self) -> printer_setup.PrinterSetup:
        assert self.at_server is not None
        return await self.at_server.setup()

    async def look_for(self, *, by_itself: bool = False) -> None:
        """Ask the server for the printers on its machine; other acts go on meanwhile. by_itself:
        see `act`."""
        at_server = self.at_server
        if at_server is None or self.is_looking:
            return
        self.is_looking = True
        if not by_itself:
            self.failure = None
        self.announce()
        try:
            self.found_printers = tuple(await at_server.found_printers())
            self.note_done("find")
        except (errors.RemoteError, errors.MachineError, errors.NotAllowed) as error:
            self.found_printers = ()
            self.note_failed("find", error)
        finally:
            self.is_looking = False
            self.announce()

    def found_for(self, use: printer_setup.PrinterUse) -> tuple[printer_setup.FoundPrinter, ...]:
        """Return the found printers for this use; for receipts only those of the chosen kind."""
        kind = None if use is printer_setup.PrinterUse.A4 else self.draft.kind
        return tuple(one for one in self.found_printers or () if one.kind == kind)

    def draft_can_be_found(self, use: printer_setup.PrinterUse) -> bool:
        """Tell whether the machine lists printers of the chosen kind; it lists none in the
        network."""
        return (
            use is printer_setup.PrinterUse.A4
            or self.draft.kind != printer_setup.PrinterKind.NETWORK
        )

    # --- typed -----------------------------------------------------------------------------------

    @property
    def kinds(self) -> tuple[printer_setup.PrinterKind, ...]:
        """The connections that a receipt printer can have at the server's machine."""
        parts = self.setup.kinds if self.setup is not None else ()
        known = tuple(
            kind for kind in printer_setup.PrinterKind if kind in parts or kind == self.draft.kind
        )
        return known or tuple(printer_setup.PrinterKind)

    @property
    def has_changes(self) -> bool:
        return self._differs() != printer_setup.PrinterChange()

    @property
    def has_printer(self) -> bool:
        return self.draft.kind != printer_setup.PrinterKind.NONE or bool(
            self.draft.a4_queue.strip()
        )

    def is_unused(self, use: printer_setup.PrinterUse) -> bool:
        """Whether the store hands no receipt over on this printer's paper, so that it prints
        none."""
        store, draft = self.services.catalogue.store(), self.draft
        ways = ALL_METHODS if store is None else store.handed_over_by
        if use is printer_setup.PrinterUse.A4:
            return bool(draft.a4_queue.strip()) and not ways.a4
        return draft.kind != printer_setup.PrinterKind.NONE and not ways.thermal

    @property
    def address_is_missing(self) -> bool:
        return self.draft.kind != printer_setup.PrinterKind.NONE and not self.draft.address.strip()

    @property
    def can_save(self) -> bool:
        return super().can_save and not self.address_is_missing

    def choose_kind(self, kind: printer_setup.PrinterKind) -> None:
        """Choose a kind; each kind keeps the address that was typed for it."""
        if kind != self.draft.kind:
            self._addresses[self.draft.kind] = self.draft.address
            known = self.setup.address if self.setup and kind == self.setup.kind else ""
            self._change(
                printer_setup.PrinterUse.RECEIPT,
                kind=kind.value,
                address=self._addresses.get(kind, known),
            )

    def type(self, use: printer_setup.PrinterUse, address: str) -> None:
        """Take a typed address; an empty one means that there is no A4 printer."""
        if use is printer_setup.PrinterUse.A4:
            self._change(use, a4_queue=address)
        else:
            self._change(use, address=address)

    def address(self, use: printer_setup.PrinterUse) -> str:
        return self.draft.a4_queue if use is printer_setup.PrinterUse.A4 else self.draft.address

    def set(self, **members: int | str) -> None:
        """Set a choice about the receipt printer: baud, flow, width_mm, cut or drawer."""
        self._change(printer_setup.PrinterUse.RECEIPT, **members)

    def fill_from_setup(self) -> None:
        if self.setup is not None:
            self.draft = self.setup
        self._addresses.clear()

    def drop(self) -> None:
        self.fill_from_setup()
        self.trials.clear()
        self.saved_at, self.fault, self.failure = None, "", None
        self.announce()

    def leave(self) -> None:
        """Forget the printers on the server's machine, which may be others the next time."""
        self.trials.clear()
        self.pages.clear()
        self.found_printers, self.saved_at, self.failure = None, None, None
        self.is_outdated = True

    def _change(self, use: printer_setup.PrinterUse, **members: object) -> None:
        """Change the draft and drop the results of its earlier values."""
        self.draft = replace(self.draft, **members)  # type: ignore[arg-type]
        self.trials.pop(use, None)
        self.pages.pop(use, None)
        self.saved_at, self.fault = None, ""
        self.announce()

    def _differs(self) -> printer_setup.PrinterChange:
        """Return the typed values that are not saved yet. Without a receipt printer its address
        does not count."""
        setup, draft = self.setup, self._stripped()
        if setup is None:
            return printer_setup.PrinterChange()
        if draft.kind == printer_setup.PrinterKind.NONE:
            draft = replace(draft, address=setup.address)
        typed = {name: getattr(draft, name) for name in _MEMBERS}
        return printer_setup.PrinterChange(
            **{name: value for name, value in typed.items() if value != getattr(setup, name)}
        )

    def _stripped(self) -> printer_setup.PrinterSetup:
        draft = self.draft
        return replace(draft, address=draft.address.strip(), a4_queue=draft.a4_queue.strip())

    # --- tried, printed, saved -------------------------------------------------------------------

    async def try_out(
        self, use: printer_setup.PrinterUse = printer_setup.PrinterUse.RECEIPT
    ) -> None:
        """Ask the typed printer for its state. Nothing is changed or printed."""
        at_server = self.at_server
        if at_server is None or self.setup is None or self.running:
            return
        change = self._differs()
        self.acts_on = use
        self.trials.pop(use, None)
        printer_trial = await self.act("try", lambda: at_server.try_out(use, change))
        if printer_trial is not None:
            self.trials[use] = printer_trial
            self.announce()

    async def print_page(
        self, use: printer_setup.PrinterUse = printer_setup.PrinterUse.RECEIPT
    ) -> None:
        """Print a trial page on the saved printer, through the server's queue. A server that opens
        the shop anew is asked again, even if it cut the connection, because one key prints no
        second page."""
        at_server, by, key = self.at_server, self.services.cashier, self.services.till.new_key()
        if at_server is None or self.has_changes:
            return
        self.acts_on = use
        self.pages.pop(use, None)

        async def print_it() -> DeliveryJob:
            until: float | None = None
            while True:
                try:
                    return await at_server.print_page(use, key=key, by=by)
                except (errors.NotDelivered, errors.OutcomeUnknown):
                    now = asyncio.get_running_loop().time()
                    until = now + AWAY_SECONDS if until is None else until
                    if now >= until:
                        raise
                    await asyncio.sleep(AWAY_PAUSE)

        delivery_job = await self.act("page", print_it)
        if delivery_job is not None:
            self.pages[use] = delivery_job
            self.announce()

    async def save_and_print(self, use: printer_setup.PrinterUse) -> None:
        if self.has_changes:
            await self.save()
        if not self.has_changes:
            await self.print_page(use)

    async def save(self) -> None:
        at_server, change = self.at_server, self._differs()
        if at_server is None or change == printer_setup.PrinterChange() or self.address_is_missing:
            return
        by = self.services.cashier
        await self.save_change(lambda: at_server.change(change, by=by), note_saved=self._note_saved)

    def _note_saved(self) -> None:
        assert self.setup is not None
        trials, draft = dict(self.trials), self._stripped()
        if draft.kind == printer_setup.PrinterKind.NONE:
            draft = replace(draft, address=self.setup.address)
        self.setup = draft
        self.services.printers.saved = draft
        self.drop()
        self.trials, self.is_outdated = trials, True
        self.saved_at = self.services.till.clock.now()
