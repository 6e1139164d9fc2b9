"""The fiscal processor as a manager sets it up: its typed, tried and saved values. The server
validates, tries and stores them. A typed secret is forgotten once it is saved or discarded, or the
screen is left. Sources: till.md (Settings), fiscal.md 7, exactly-once.md (step 10)."""

from __future__ import annotations

import asyncio
from dataclasses import field, replace
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.settings.acts import SetupModel
from pos_app.domain.money.tax import rates_at
from pos_app.domain.setup.processor import PART_AT_FAULT, PinResult
from pos_app.domain.setup.processor_setup import ProcessorChange, ProcessorSetup, ProcessorTrial
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.server.answers import IssueAnswer, Unclear
from pos_app.selling.server.ports import ServerProcessorSetup
from pos_app.selling.server.training_receipt import training_receipt

LARGEST_FILE = 200_000
"""The most bytes of a certificate file; a real one has some 5,000."""


class ProcessorKind(StrEnum):
    DEVELOPMENT = "development"
    LPFR = "lpfr"
    VPFR = "vpfr"


class Entry(StrEnum):
    URL = "url"
    PFX = "pfx"
    PASSWORD = "password"
    PAC = "pac"
    CA = "ca"
    ESIR = "esir_ib"


FIELD_OF_FAULT = MappingProxyType(
    {
        **dict.fromkeys(("no_url", "url", "url_https", "clear_text_processor"), Entry.URL),
        "file": Entry.PFX, "key": Entry.PFX, "facts": Entry.PFX,
        "rounds": Entry.PFX, "keys": Entry.PFX, "key_refused": Entry.PFX,
        "password": Entry.PASSWORD, "pac": Entry.PAC, "ca": Entry.CA, "number": Entry.ESIR,
        **{fault: Entry(part) for fault, part in PART_AT_FAULT.items()},
    }
)  # fmt: skip
"""The field that shows a fault of `ProcessorTrial`; any other fault concerns no single field."""

_SECRETS = (Entry.PFX, Entry.PASSWORD, Entry.PAC, Entry.CA)
"""The fields whose content is forgotten once the page is left."""


@dataclass(frozen=True, slots=True)
class ChosenFile:
    name: str
    content: bytes = field(repr=False)


class ProcessorModel(SetupModel[ProcessorSetup]):
    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self.kind = ProcessorKind.DEVELOPMENT
        self.urls = dict.fromkeys(ProcessorKind, "")
        self.used_here_alone = False
        self.esir_ib = ""
        self.pfx: ChosenFile | None = None
        self.password = ""
        self.pac = ""
        self.ca: ChosenFile | None = None
        self.forgets_ca = False
        self.trial: ProcessorTrial | None = None
        """The answer to the typed values, until others are typed."""
        self.faults: dict[Entry, str] = {}
        """The faults, as words of `ProcessorTrial.fault`, by field."""
        self.pin_result: PinResult | None = None
        self.wrong_pins = 0
        """The number of wrong PINs that were typed here in a row."""
        self.training: IssueAnswer | None = None
        self._training_key = ""

    @property
    def at_server(self) -> ServerProcessorSetup | None:
        return self.services.processor_setup

    @property
    def has_server(self) -> bool:
        return self.at_server is not None

    async def _ask(self) -> ProcessorSetup:
        assert self.at_server is not None
        return await self.at_server.setup()

    # --- typed -----------------------------------------------------------------------------------

    @property
    def url(self) -> str:
        return self.urls[self.kind]

    @property
    def has_changes(self) -> bool:
        return self._differs() != ProcessorChange()

    @property
    def changes_processor(self) -> bool:
        """Whether the typed values send sales to another processor."""
        changed = self._differs()
        return changed.kind is not None or changed.url is not None or changed.pfx is not None

    def choose_kind(self, kind: ProcessorKind) -> None:
        if kind is not self.kind:
            self.kind = kind
            self._drop_results()

    def type(self, entry: Entry, text: str) -> None:
        """Take the text of a field. `take_file` takes the files."""
        match entry:
            case Entry.URL:
                self.urls[self.kind] = text
            case Entry.PASSWORD:
                self.password = text
            case Entry.PAC:
                self.pac = text
            case Entry.ESIR:
                self.esir_ib = text
            case _:
                raise AssertionError(entry)
        self.faults.pop(entry, None)
        self._drop_results()

    def set_used_here_alone(self, alone: bool) -> None:
        self.used_here_alone = alone
        self._drop_results()

    async def take_file(self, entry: Entry, path: Path) -> None:
        """Read a file that a person chose; if it can't be read, its field shows that."""
        try:
            content = await asyncio.to_thread(_read, path)
        except (OSError, Invalid):
            self.faults[entry] = "unread"
            self.announce()
            return
        file = ChosenFile(path.name, content)
        if entry is Entry.PFX:
            self.pfx, self.password = file, ""
            self.faults.pop(Entry.PASSWORD, None)
        else:
            self.ca, self.forgets_ca = file, False
        self.faults.pop(entry, None)
        self._drop_results()

    def forget_ca(self) -> None:
        """Trust the system's authorities alone."""
        self.ca = None
        self.forgets_ca = self.setup is not None and self.setup.has_ca
        self._drop_results()

    def fill_from_setup(self) -> None:
        setup = self.setup
        if setup is not None:
            self.kind = _kind_of(setup.kind)
            self.urls = dict.fromkeys(ProcessorKind, "") | {self.kind: setup.url}
            self.used_here_alone = setup.used_here_alone
            self.esir_ib = setup.esir_ib
        self._forget_secrets()

    def drop(self) -> None:
        self.fill_from_setup()
        self.faults, self.fault, self.failure = {}, "", None
        self._drop_results()

    def leave(self) -> None:
        self._forget_secrets()
        self.trial, self.pin_result, self.saved_at, self.failure = None, None, None, None
        self.training = None
        self.is_outdated = True

    def _forget_secrets(self) -> None:
        for entry in _SECRETS:
            self.faults.pop(entry, None)
        self.pfx = self.ca = None
        self.password = self.pac = ""
        self.forgets_ca = False

    def _drop_results(self) -> None:
        """Drop the results of the earlier values."""
        self.trial, self.saved_at, self.fault, self.training = None, None, "", None
        self.announce()

    def _differs(self) -> ProcessorChange:
        setup = self.setup
        if setup is None:
            return ProcessorChange()
        other = self.kind != setup.kind
        has_url = self.kind is not ProcessorKind.DEVELOPMENT
        url = self.url.strip() if has_url else ""
        return ProcessorChange(
            kind=self.kind.value if other else None,
            url=url if other or (has_url and url.rstrip("/") != setup.url.rstrip("/")) else None,
            used_here_alone=(
                self.used_here_alone if self.used_here_alone != setup.used_here_alone else None
            ),
            esir_ib=self.esir_ib.strip() if self.esir_ib.strip() != setup.esir_ib else None,
            pfx=self.pfx.content if self.pfx is not None else None,
            password=self.password if self.pfx is not None else None,
            pac=self.pac.strip() or None,
            ca=self.ca.content if self.ca is not None else b"" if self.forgets_ca else None,
        )

    # --- tried and saved -------------------------------------------------------------------------

    async def try_out(self) -> None:
        """Ask the typed processor. Nothing is changed or signed."""
        at_server = self.at_server
        if at_server is None or self.setup is None or self.running:
            return
        self.trial = None
        change = replace(self._differs(), kind=self.kind.value, url=self.url.strip())
        self.faults, self.fault = {}, ""
        processor_trial = await self.act("try", lambda: at_server.try_out(change))
        if processor_trial is not None:
            self.trial = processor_trial
            self.note_fault(processor_trial.fault)
            self.announce()

    async def save(self) -> None:
        at_server, change = self.at_server, self._differs()
        if at_server is None or change == ProcessorChange():
            return
        self.faults, self.fault = {}, ""
        by = self.services.cashier

        await self.save_change(
            lambda: at_server.change(change, by=by), note_saved=lambda: self._note_saved(change)
        )

    def _note_saved(self, change: ProcessorChange) -> None:
        assert self.setup is not None
        url = self.setup.url if change.url is None else change.url.rstrip("/")
        has_ca = bool(change.ca) or (change.ca is None and self.setup.has_ca)
        self.setup = replace(
            self.setup,
            kind=self.kind.value,
            url=url,
            used_here_alone=self.used_here_alone,
            esir_ib=self.esir_ib.strip(),
            has_ca=has_ca,
            has_pac=self.setup.has_pac or change.pac is not None,
        )
        trial = self.trial
        self.drop()
        self.trial, self.is_outdated = trial, True
        self.saved_at = self.services.till.clock.now()

    @property
    def is_refused(self) -> bool:
        """Whether a save was refused; what a trial alone found can be saved."""
        trial_fault = self.trial.fault if self.trial is not None else ""
        return any(one not in ("", trial_fault) for one in (self.fault, *self.faults.values()))

    def note_fault(self, fault: str) -> None:
        entry = FIELD_OF_FAULT.get(fault)
        if entry is not None:
            self.faults[entry] = fault
        else:
            self.fault = fault

    # --- a training receipt ----------------------------------------------------------------------

    async def issue_training(self) -> None:
        """Have the processor in use sign a training receipt. The key stays while the outcome is
        unknown, so that a repeated request means the same receipt."""
        at_server, services = self.at_server, self.services
        if at_server is None or self.has_changes:
            return
        status, now = services.server.status, services.till.clock.now()
        current = rates_at(status.rates, now) if status is not None else None
        body = services.till.codec.encode(training_receipt(current.percent if current else ()))
        key = self._training_key = self._training_key or services.till.new_key()
        self.training = None
        training = await self.act(
            "training", lambda: at_server.issue(body, key=key, by=services.cashier)
        )
        if training is not None:
            self.training = training
            if not isinstance(training, Unclear):
                self._training_key = ""
            self.announce()

    # --- the PIN of the card ---------------------------------------------------------------------

    async def enter_pin(self, pin: str) -> None:
        """Give the PIN to the card once, and keep it nowhere."""
        at_server = self.at_server
        if at_server is None:
            return
        self.pin_result = None
        by = self.services.cashier
        result = await self.act("pin", lambda: at_server.enter_pin(pin, by=by))
        if result is not None:
            self.pin_result = result
            self.wrong_pins = self.wrong_pins + 1 if result is PinResult.WRONG else 0
            self.is_outdated = True
            self.announce()


def _kind_of(word: str) -> ProcessorKind:
    """Return the kind; the page shows a newer server's unknown kind as the usual one."""
    return ProcessorKind(word) if word in set(ProcessorKind) else ProcessorKind.LPFR


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        content = file.read(LARGEST_FILE + 1)
    if not content or len(content) > LARGEST_FILE:
        raise Invalid("no_certificate_file", field="file")
    return content
