"""The processor's page of the settings, at the server: it tries and changes processors, and enters
the PIN.

A change is written to settings.toml and the sealed secrets, and the server opens the shop anew with
it: receipts in flight are ended first, as at every stop, and receipts in doubt stay with the
element that they were sent to (exactly-once.md, step 10 and "A lane is an element").
"""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from pos_app import errors, log
from pos_app.adapters.data_folder import CA
from pos_app.adapters.data_folder.private_files import write_private
from pos_app.adapters.data_folder.settings_file import settings_with, write_settings
from pos_app.adapters.pfr.certificate import CertificateWrong, ClientCertificate
from pos_app.adapters.pfr.certificate_process import open_apart
from pos_app.adapters.pfr.client import PfrClient
from pos_app.adapters.pfr.vpfr_access import VpfrAccess, access_with
from pos_app.adapters.secrets import names
from pos_app.adapters.secrets.lan_token import is_strong
from pos_app.adapters.secrets.reading import given_elsewhere, write_secrets
from pos_app.adapters.secrets.sealed_file import SealedFile
from pos_app.adapters.secrets.secret import Secret
from pos_app.bootstrap.issuing import processor_access
from pos_app.domain.money.tax import rates_at
from pos_app.domain.receipt.server_status import KeptSecret, ProcessorStatus
from pos_app.domain.setup import processor_setup
from pos_app.domain.setup.certificate import CertificateFacts
from pos_app.domain.setup.processor import PfrStatus, PinResult, meaning
from pos_app.fiscalization.ports import CertificateRefused
from pos_app.fiscalization.service import FiscalService
from pos_app.lazy_dataclass import dataclass
from pos_app.settings import EVERYWHERE, Settings, check_text, file_text, variable_that_sets
from pos_app.settings.shapes import OUR_LABELS, SHORTEST_QUIET_SECONDS

_SETTINGS = ("kind", "url", "used_here_alone", "label_map", "ca_file")
_TRIED_SECONDS = 8.0

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class _CompletedChange:
    """A change, completed by the present settings. access: None without a V-PFR."""

    settings: Settings
    text: str
    access: VpfrAccess | None


class ProcessorSetupInFiles:
    """Implements local_api.context.ProcessorAtServer. url: the address of the processor in use."""

    def __init__(
        self,
        settings: Settings,
        *,
        client: PfrClient,
        url: str,
        service: FiscalService,
        is_fiscal: Callable[[], bool],
        status: Callable[[], ProcessorStatus],
    ) -> None:
        """is_fiscal: whether the journal belongs to a real processor, for good. status: returns the
        state of the processor in use."""
        self._settings = settings
        self._client = client
        self._url = url
        self._service = service
        self._is_fiscal = is_fiscal
        self._status = status

    async def setup(self) -> processor_setup.ProcessorSetup:
        return replace(await asyncio.to_thread(self._setup), status=self._status())

    def _setup(self) -> processor_setup.ProcessorSetup:
        processor, fault, fault_kind, has_pac = self._settings.processor, "", "", False
        facts: CertificateFacts | None = None
        try:
            has_pac = bool(processor_access.stored(names.PROCESSOR_PAC, self._settings.data))
            certificate = processor_access.stored_certificate(
                self._settings.data, caller_waits=True
            )
            facts = certificate.facts if certificate is not None else None
        except CertificateWrong as error:
            fault, fault_kind = error.what, error.kind
        except errors.SettingsBroken as error:
            fault, fault_kind = error.what, "secrets"
        except errors.CertificateUnread as error:
            fault, fault_kind = error.what, "reader"
        now = self._service.clock.now()
        return processor_setup.ProcessorSetup(
            kind=processor.kind,
            url=processor.url,
            used_here_alone=processor.used_here_alone,
            label_map=processor.label_map,
            esir_ib=self._settings.esir.ib,
            certificate=facts,
            certificate_fault=fault,
            certificate_fault_kind=fault_kind,
            days_left=facts.days_left(now) if facts is not None else None,
            has_pac=has_pac,
            has_ca=bool(processor.ca_file),
            given_elsewhere=self._given_elsewhere(),
        )

    def _given_elsewhere(self) -> tuple[str, ...]:
        settings = [f"processor.{one}" for one in _SETTINGS]
        return (
            *(name for name in settings if variable_that_sets(name)),
            *(name for name in names.OF_PROCESSOR if self._elsewhere(name)),
        )

    def _elsewhere(self, name: str) -> str:
        return given_elsewhere(name, data=self._settings.data, variables=os.environ)

    # --- tried -----------------------------------------------------------------------------------

    async def try_out(
        self, change: processor_setup.ProcessorChange
    ) -> processor_setup.ProcessorTrial:
        """Ask a processor as if the change were made, and return its answer. Faults of the change,
        the processor or the stored secrets are part of the answer."""
        certificate: CertificateFacts | None = None
        try:
            asked = await asyncio.to_thread(self._asked, change)
            if asked.access is not None:
                certificate = asked.access.certificate
            url = self._address(asked)
        except processor_setup.SetupWrong as error:
            return processor_setup.ProcessorTrial(fault=error.kind, message=error.what)
        except errors.NotAllowed as error:
            return processor_setup.ProcessorTrial(fault="given", message=error.what)
        except errors.SettingsBroken as error:
            return processor_setup.ProcessorTrial(fault="secrets", message=error.what)
        except errors.CertificateUnread as error:
            return processor_setup.ProcessorTrial(fault="reader", message=error.what)
        if not url:
            return processor_setup.ProcessorTrial(
                message="The server runs it itself, once it is chosen."
            )
        client = PfrClient(
            url,
            access=asked.access,
            labels=asked.settings.processor.label_map,
            ask_seconds=_TRIED_SECONDS,
        )
        try:
            return replace(await self._trial(client, asked), certificate=certificate)
        finally:
            await client.close()

    async def _trial(
        self, client: PfrClient, asked: _CompletedChange
    ) -> processor_setup.ProcessorTrial:
        clock = self._service.clock
        began = clock.ticks()
        try:
            status = await client.status()
        except CertificateRefused as error:
            return processor_setup.ProcessorTrial(
                fault=error.fault.value, message=error.what, code=error.values.get("tls", "")
            )
        except errors.NotDelivered as error:
            fault = error.values.get("tls", "away")
            return processor_setup.ProcessorTrial(fault=fault, message=error.what)
        except errors.RemoteError as error:
            return processor_setup.ProcessorTrial(fault="unreadable", message=error.what)
        elapsed, now = clock.ticks() - began, clock.now()
        current = rates_at(status.rates, now)
        labels = tuple(current.percent) if current is not None else ()
        code = status.blocking_code or (status.trouble_code if status.is_bare else "")
        ahead = None if status.clock is None else (status.clock - now) // timedelta(milliseconds=1)
        return processor_setup.ProcessorTrial(
            fault="not_ready" if code else "",
            message=f"{code} {meaning(code)}" if code else "",
            code=code,
            elapsed_ms=elapsed,
            uid=status.uid,
            tin=status.tin,
            known_uid=self._known_uid(status),
            pin_required=status.pin_required,
            clock_ahead_ms=ahead,
            rates_from=current.valid_from if current is not None else None,
            labels=_as_it_spells(labels, asked.settings.processor.label_map),
            missing_labels=tuple(one for one in OUR_LABELS if labels and one not in labels),
        )

    def _known_uid(self, status: PfrStatus) -> str | None:
        """Return the element in use if the asked processor has another one, which a manager then
        accepts."""
        known = self._service.lane.element
        return known if status.uid not in (None, known) else None

    # --- changed ---------------------------------------------------------------------------------

    async def change(self, change: processor_setup.ProcessorChange, *, by: str) -> None:
        """Write the change, and have the shop opened anew with it. Raises SetupWrong, and nothing
        is changed then; DataFolderNotWritable, and then only secrets may be changed."""
        try:
            await asyncio.to_thread(self._write, change)
        except errors.NotAllowed as error:
            raise processor_setup.SetupWrong("given", what=error.what, field="kind") from error
        except (
            errors.SettingsBroken
        ) as error:  # the sealed secrets: the error's words say what to do
            raise processor_setup.SetupWrong("secrets", what=str(error), field="pfx") from error
        except errors.CertificateUnread as error:
            raise processor_setup.SetupWrong("reader", what=error.what, field="pfx") from error
        after = (change.kind or self._settings.processor.kind, change.url)
        typed = [name for name in ("pfx", "pac", "ca") if getattr(change, name) is not None]
        words = f"{by}: {after[0]} {after[1] or ''} {' '.join(typed)}".strip()
        now = self._service.clock.now()
        self._service.journal.note("processor_changed", request_id=None, now=now, words=words)
        _log.warning("the processor was changed by %s", words)

    def _write(self, change: processor_setup.ProcessorChange) -> None:
        asked = self._asked(change)
        secrets = _secrets_of(change)
        data = self._settings.data
        if secrets:
            write_secrets(secrets, data=data, variables=os.environ)
        if change.ca:
            write_private(processor_access.ca_path(data), change.ca)
        write_settings(data, asked.text)

    def _asked(self, change: processor_setup.ProcessorChange) -> _CompletedChange:
        """Complete a change. Raises SetupWrong, NotAllowed for its faults."""
        _check_quiet(change.kind or self._settings.processor.kind, self._settings)
        for name, typed in _secrets_of(change).items():
            if typed and (where := self._elsewhere(name)):
                raise errors.NotAllowed("given", name=name, where=where)
        try:
            settings, text = settings_with(self._settings.data, _settings_of(change))
        except errors.SettingsBroken as error:
            raise processor_setup.SetupWrong("kind", what=error.what, field="kind") from error
        kind = settings.processor.kind
        if kind == "development" and self._is_fiscal():
            raise processor_setup.SetupWrong("not_fiscal", field="kind")
        processor_setup.check_approved(kind, has_number=bool(settings.esir.ib))
        access = self._access(change, needed=kind == "vpfr")
        asked = _CompletedChange(settings, text, access if kind == "vpfr" else None)
        processor_setup.check_address(kind, self._address(asked))
        if change.url:  # an older one goes on: the shop could not sell without it
            processor_setup.check_clear_text(change.url)
        return asked

    def _access(
        self, change: processor_setup.ProcessorChange, *, needed: bool
    ) -> VpfrAccess | None:
        """Open the access if it is needed or was typed. A typed access must be right, even if it is
        not needed."""
        if not needed and change.pac is None and change.pfx is None and not change.ca:
            return None
        certificate = self._certificate(change)
        if certificate is None:
            raise processor_setup.SetupWrong("file.missing", field="pfx")
        typed = change.pac
        pac = (
            Secret(typed)
            if typed is not None
            else processor_access.stored(names.PROCESSOR_PAC, self._settings.data)
        )
        ca = change.ca if change.ca is not None else processor_access.authorities(self._settings)
        return access_with(certificate, pac=pac, ca=ca)

    def _certificate(self, change: processor_setup.ProcessorChange) -> ClientCertificate | None:
        if change.pfx is not None:
            return open_apart(change.pfx, Secret(change.password or ""))
        return processor_access.stored_certificate(self._settings.data, caller_waits=True)

    def _address(self, asked: _CompletedChange) -> str:
        url = asked.settings.processor.url
        if url or asked.access is not None:
            return url or (asked.access.certificate.url if asked.access is not None else "")
        kind = asked.settings.processor.kind
        return self._url if kind == "development" == self._settings.processor.kind else ""

    # --- secrets and PIN -------------------------------------------------------------------------

    async def keep_secret(self, name: str, value: str, *, by: str) -> None:
        """Seal a secret that is not the processor's; it is used once the shop is opened anew.
        Raises NotFound, NotAllowed, SettingsBroken, DataFolderNotWritable."""
        if name not in set(names.KNOWN) - set(names.OF_PROCESSOR):
            raise errors.NotFound("secret")
        if name == names.LAN_TOKEN:
            await asyncio.to_thread(self._check_lan_token, value)
        changes = {name: Secret(value) if value else None}
        await asyncio.to_thread(
            write_secrets, changes, data=self._settings.data, variables=os.environ
        )
        _log.warning("the secret %s was changed by %s", names.variable_of(name), by)

    def _check_lan_token(self, value: str) -> None:
        """Refuse a weak token, and on the LAN also a missing one: the server would not open the
        shop again."""
        if value and not is_strong(value):
            what = "is 32 to 128 visible ASCII characters"
            raise errors.Invalid("lan_token", field="value", fault=what)
        data = self._settings.data
        written = check_text(data, file_text(data)).server.host
        if not value and {written, self._settings.server.host} & EVERYWHERE:
            raise errors.NotAllowed("lan")

    async def secrets(self) -> Sequence[KeptSecret]:
        return await asyncio.to_thread(self._secrets)

    def _secrets(self) -> Sequence[KeptSecret]:
        data = self._settings.data
        sealed = SealedFile(data).names()
        kept = []
        for name in (one for one in names.KNOWN if one not in names.OF_PROCESSOR):
            elsewhere = self._elsewhere(name)
            kept.append(KeptSecret(name, bool(elsewhere) or name in sealed, elsewhere))
        return kept

    async def enter_pin(self, pin: str, *, by: str) -> PinResult:
        result = await self._service.lane.between_receipts(lambda: self._client.enter_pin(pin))
        _log.info("a PIN was entered by %s: %s", by, result.value)
        return result


def _check_quiet(kind: str, settings: Settings) -> None:
    """Refuse a demo's short time, which would prove that a receipt is absent while it is being
    signed."""
    if kind != "development" and settings.processor.quiet_seconds < SHORTEST_QUIET_SECONDS:
        raise processor_setup.SetupWrong(
            "quiet",
            field="quietSeconds",
            quiet_seconds=settings.processor.quiet_seconds,
            shortest_quiet_seconds=SHORTEST_QUIET_SECONDS,
        )


def _settings_of(change: processor_setup.ProcessorChange) -> dict[str, object]:
    """Return the changed settings by name. An empty address removes the setting."""
    changes: dict[str, object] = {}
    if change.kind is not None:
        changes["processor.kind"] = change.kind
    if change.url is not None:
        changes["processor.url"] = change.url.strip().rstrip("/") or None
    if change.used_here_alone is not None:
        changes["processor.used_here_alone"] = change.used_here_alone
    if change.label_map is not None:
        changes["processor.label_map"] = change.label_map or None
    if change.esir_ib is not None:
        changes["esir.ib"] = change.esir_ib
    if change.ca is not None:
        changes["processor.ca_file"] = CA.name if change.ca else None
    return changes


def _secrets_of(change: processor_setup.ProcessorChange) -> dict[str, Secret | None]:
    changes: dict[str, Secret | None] = {}
    if change.pfx is not None:
        changes[names.PROCESSOR_PFX] = Secret(base64.b64encode(change.pfx).decode())
        changes[names.PROCESSOR_PASSWORD] = Secret(change.password or "")
    if change.pac is not None:
        changes[names.PROCESSOR_PAC] = Secret(change.pac)
    return changes


def _as_it_spells(labels: tuple[str, ...], label_map: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(label_map.get(label, label) for label in labels)
