"""The setup of the fiscal processor, as the processor's page shows, changes and tries it.

Secrets go one way only: a typed one is in a change, never in an answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import Annotated, Protocol

from pos_app.domain.receipt.server_status import ProcessorStatus
from pos_app.domain.setup.certificate import CertificateFacts
from pos_app.domain.setup.processor import PinResult
from pos_app.domain.setup.safe_connection import Place, clear_text_place
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass


class SetupWrong(Invalid):
    """The typed setup is wrong. kind: a word, as in `ProcessorTrial.fault`."""


def check_approved(kind: str, *, has_number: bool) -> None:
    """Raise SetupWrong for a real processor without the approval number of this ESIR."""
    if kind != "development" and not has_number:
        raise SetupWrong("number", field="kind", processor=kind)


def check_clear_text(url: str) -> None:
    """Raise SetupWrong for an address to which receipts and the card's PIN would go without
    encryption, out of the shop's own network. L-PFRs speak plain HTTP there."""
    if clear_text_place(url) is Place.ELSEWHERE:
        raise SetupWrong("clear_text_processor", field="url", url=url)


def check_address(kind: str, url: str) -> None:
    """Raise SetupWrong for an address that no processor of this kind has. url: "" for none."""
    if kind != "development" and not url:
        raise SetupWrong("no_url", field="url")
    if kind == "vpfr" and not url.startswith("https://"):
        raise SetupWrong("url_https", field="url")
    if url and not url.startswith(("http://", "https://")):
        raise SetupWrong("url", field="url")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessorSetup:
    """The present setup. kind: "development", "lpfr" or "vpfr". url: as set, "" for the usual one.
    esir_ib: the approval number of this ESIR, without which a real processor is refused.

    certificate: the certificate in the stored PFX, also while another kind is in use;
    certificate_fault: why the PFX can't be opened, in English; certificate_fault_kind: a word for
    that, as in `ProcessorTrial.fault`. has_pac, has_ca: whether one is stored. days_left: the
    days until the certificate ends. given_elsewhere: names of settings and secrets that the
    environment or secrets.toml gives, where they are changed.
    """

    kind: str
    url: str
    used_here_alone: bool
    label_map: Mapping[str, str]
    esir_ib: str = ""
    certificate: CertificateFacts | None = None
    certificate_fault: str = ""
    certificate_fault_kind: str = ""
    days_left: int | None = None
    has_pac: bool = False
    has_ca: bool = False
    given_elsewhere: tuple[str, ...] = ()
    status: ProcessorStatus | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessorChange:
    """The typed changes; a setting whose member is None stays as it was. ca: authorities, PEM or
    DER; b"" for none."""

    kind: str | None = None
    url: str | None = field(default=None, metadata={"max_length": 200})
    used_here_alone: bool | None = None
    label_map: Mapping[str, str] | None = None
    esir_ib: str | None = field(default=None, metadata={"max_length": 50})
    pfx: bytes | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False, metadata={"max_length": 200})
    pac: str | None = field(default=None, repr=False, metadata={"max_length": 20})
    ca: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessorTrial:
    """The processor's answer to the typed setup, before it is saved. Nothing is signed.

    fault: "" where receipts can be signed, else a word: for the file "password", "file", "rounds"
    (it takes too long to open), "key" (it has none), "keys" (it has several), "key_refused",
    "facts", "pac", "ca"; for a setting "kind", "number", "no_url", "url", "url_https",
    "clear_text_processor", "quiet"
    (processor.quiet_seconds is too short), "given" (by the environment or secrets.toml); "secrets",
    which can't be opened; for the connection a `CertificateFault`, "away", "unreadable";
    "not_ready" with `code`. message: the same in English. elapsed_ms: how long the processor took
    to answer. clock_ahead_ms: how far its clock is ahead. labels: its present tax labels, as it
    spells them; missing_labels: our labels that it lacks, after the label map.
    """

    fault: str = ""
    message: str = ""
    code: str = ""
    elapsed_ms: int | None = None
    uid: str | None = None
    tin: str | None = None
    known_uid: str | None = None
    pin_required: bool = False
    clock_ahead_ms: int | None = None
    rates_from: datetime | None = None
    labels: tuple[str, ...] = ()
    missing_labels: tuple[str, ...] = ()
    certificate: CertificateFacts | None = None


class ProcessorSetupService(Protocol):
    """The fiscal processor at the server, as a person sets it up.

    At the server each method raises Invalid, NotAllowed or MachineError; at the till, over HTTP,
    Refused (with the server's text; `kind` is a word for the fault), NotDelivered or
    OutcomeUnknown.
    """

    async def setup(self) -> ProcessorSetup:
        """The present setup, and the state of the processor in use."""
        ...

    async def try_out(self, change: ProcessorChange) -> ProcessorTrial:
        """The processor's answer to the typed setup; nothing is changed, nothing signed."""
        ...

    async def change(self, change: ProcessorChange, *, by: str) -> None:
        """Keep a manager's changes. The server then opens the shop anew and is away for some
        seconds."""
        ...

    async def enter_pin(
        self, pin: Annotated[str, {"pattern": "^[0-9]{4,16}$"}], *, by: str
    ) -> PinResult:
        """Give the card its PIN once; no program sends it again by itself. At the server it raises
        RemoteError too."""
        ...
