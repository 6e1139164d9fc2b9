"""Finds the processor's address and access by the settings and the secrets."""

from __future__ import annotations

import base64
import os
from functools import partial
from pathlib import Path

from pos_app import log
from pos_app.adapters.data_folder import CA
from pos_app.adapters.data_folder.install import Install
from pos_app.adapters.pfr.certificate import ClientCertificate
from pos_app.adapters.pfr.certificate_process import open_apart
from pos_app.adapters.pfr.client import PfrClient
from pos_app.adapters.pfr.earlier_processor import EarlierProcessor
from pos_app.adapters.pfr.vpfr_access import VpfrAccess, access_with
from pos_app.adapters.secrets.names import PROCESSOR_PAC, PROCESSOR_PASSWORD, PROCESSOR_PFX
from pos_app.adapters.secrets.reading import read_secret
from pos_app.adapters.secrets.secret import Secret
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.domain.setup.processor_setup import SetupWrong
from pos_app.errors import MachineError, SettingsBroken
from pos_app.settings import FILE_NAME, LAST_GOOD, Settings

NOWHERE = "http://127.0.0.1:9"
"""The address of a development processor that this server no longer runs."""
_log = log.get(__name__)


def stored(name: str, data: Path) -> Secret:
    return read_secret(name, data=data, variables=os.environ)


def stored_certificate(data: Path, *, caller_waits: bool = False) -> ClientCertificate | None:
    """Open the stored certificate, or return None without one. caller_waits: an HTTP caller waits,
    and must be answered before it gives up. Raises CertificateWrong, CertificateUnread,
    SettingsBroken."""
    pfx = stored(PROCESSOR_PFX, data)
    if not pfx:
        return None
    password = stored(PROCESSOR_PASSWORD, data)
    return open_apart(_decoded(pfx.reveal()), password, is_stored=not caller_waits)


def _decoded(text: str) -> bytes:
    """Decode base64; other text gives no bytes, which are no certificate."""
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except ValueError:
        return b""


def authorities(settings: Settings) -> bytes:
    """Read the authorities that are trusted beside the system's. Raises SetupWrong."""
    name = settings.processor.ca_file
    if not name:
        return b""
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise SetupWrong("ca.file", field="ca", why=error.strerror) from error


def vpfr_access(settings: Settings, *, caller_waits: bool = False) -> VpfrAccess | None:
    """Make the access with the stored certificate, or return None without one. caller_waits: see
    `stored_certificate`. Raises SetupWrong, CertificateUnread, SettingsBroken."""
    certificate = stored_certificate(settings.data, caller_waits=caller_waits)
    if certificate is None:
        return None
    pac = stored(PROCESSOR_PAC, settings.data)
    return access_with(certificate, pac=pac, ca=authorities(settings))


def check_processor(settings: Settings) -> VpfrAccess | None:
    """Check that a real processor has its address and our approval number (platform-contract.md
    2.20), and a V-PFR its certificate and PAC too; return the access with these. Raises
    SettingsBroken, CertificateUnread."""
    processor = settings.processor
    if processor.kind == "development":
        return None
    if not settings.esir.ib:
        raise SettingsBroken("processor_number", processor=processor.kind)
    access = _certified(settings) if processor.kind == "vpfr" else None
    url = address_of(settings, access)
    if not url:
        raise SettingsBroken("processor_address", processor=processor.kind)
    if access is not None and not url.startswith("https://"):
        raise SettingsBroken("processor_certificate.address", url=url)
    return access


def check_kind(settings: Settings, install: Install, journal: SqliteJournal) -> None:
    """Refuse the development processor for a shop that has a real one, before any processor is
    asked about the journal's requests. Raises SettingsBroken."""
    is_real = settings.processor.kind != "development"
    if not is_real and journal.is_fiscal():
        raise not_fiscal(settings.data)
    try:
        journal.mark_chosen(real=is_real, owner=install.owner())
    except MachineError as error:  # the next command keeps it, before anything is asked
        _log.error("the kind of the processor can't be kept now: %s", error.what)


def not_fiscal(data: Path) -> SettingsBroken:
    path = data / FILE_NAME
    copy = path.with_name(LAST_GOOD)
    kind = "not_fiscal.copied" if copy.exists() else "not_fiscal.alone"
    return SettingsBroken(kind, path=str(path), copy=copy)


def address_of(settings: Settings, access: VpfrAccess | None) -> str:
    return settings.processor.url or (access.certificate.url if access is not None else "")


def _certified(settings: Settings) -> VpfrAccess:
    try:
        access = vpfr_access(settings)
    except SetupWrong as error:
        raise SettingsBroken("processor_certificate.wrong", why=error.what) from error
    if access is None:
        raise SettingsBroken("processor_certificate.none")
    return access


def client_at(address: str, settings: Settings) -> EarlierProcessor:
    """Make a processor that was used before, for doubts that began there; a V-PFR gets the
    certificate that is stored when it is first asked."""
    return EarlierProcessor(partial(_connected, address, settings))


def _connected(address: str, settings: Settings) -> PfrClient:
    """Connect. Raises MachineError for faults that may pass; without a certificate the V-PFR itself
    refuses."""
    labels, access = settings.processor.label_map, None
    if address.startswith("https://"):
        try:
            access = vpfr_access(settings, caller_waits=True)
        except SetupWrong as error:
            _log.warning("an earlier V-PFR can't be asked: %s", error.what)
    return PfrClient(address or NOWHERE, access=access, labels=labels)


def ca_path(data: Path) -> Path:
    """Return the file of the authorities that a person chose on the processor's page."""
    return data / CA
