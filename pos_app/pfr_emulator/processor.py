"""The development processor itself: it reads, refuses, counts, signs and stores invoices."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from threading import Lock
from typing import Self

import apsw
from cryptography.hazmat.primitives.asymmetric import rsa

from pos_app import log
from pos_app.pfr_emulator import json_text
from pos_app.pfr_emulator.caller import CertifiedCaller
from pos_app.pfr_emulator.codes import Code, Refusal
from pos_app.pfr_emulator.condition import Condition, blocking_code
from pos_app.pfr_emulator.faults import Fault, FaultProgram, misreport
from pos_app.pfr_emulator.files import lock_folder, prepare_folder
from pos_app.pfr_emulator.identity import first_facts, new_uid
from pos_app.pfr_emulator.invoice import Invoice
from pos_app.pfr_emulator.ledger import Ledger, LedgerEntry
from pos_app.pfr_emulator.options import LANGUAGES, Mode, Options, Taxpayer
from pos_app.pfr_emulator.rates import RateGroup, TaxLabel, in_force
from pos_app.pfr_emulator.reading import parse, read_invoice
from pos_app.pfr_emulator.result import (
    Issuer,
    answer_text,
    compose_result,
    invoice_number,
    ledger_entry,
)
from pos_app.pfr_emulator.seal import SealedFacts, open_key, seal
from pos_app.pfr_emulator.status import Device, environment, status

_log = log.get(__name__)
_AUDIT_WARNING = Decimal("0.75")
_PIN_LENGTH = 4
_TAXPAYER = Taxpayer()
_OPTIONS = Options()


def utc_now() -> datetime:
    return datetime.now(UTC)


class Processor:
    """A PFR of protocol v3 without its HTTP front. Thread-safe."""

    def __init__(
        self,
        *,
        mode: Mode,
        issuer: Issuer,
        clock: Callable[[], datetime],
        key: rsa.RSAPrivateKey,
        ledger: Ledger,
        lock: apsw.Connection,
    ) -> None:
        self.mode: Mode = mode
        self.options = issuer.options
        self.faults = FaultProgram()
        self._condition = Condition(pin="required" if issuer.options.pin_at_start else "entered")
        self._issuer = issuer
        self._clock = clock
        self._key = key
        self._ledger = ledger
        self._folder_lock = lock
        self._lock = Lock()
        self._wrong_pins = 0

    @classmethod
    def open(
        cls,
        *,
        folder: Path,
        mode: Mode = "lpfr",
        taxpayer: Taxpayer = _TAXPAYER,
        clock: Callable[[], datetime] = utc_now,
        options: Options = _OPTIONS,
    ) -> Self:
        """Open the processor in `folder`; at the first start it is created. Raises AlreadyRunning,
        DataFolderNotWritable, DatabaseDamaged, DatabaseTooNew, DiskFull, UnsafeSqlite."""
        prepare_folder(folder)
        with ExitStack() as undo:
            lock = lock_folder(folder)
            undo.callback(lock.close)
            key = open_key(folder)
            ledger = Ledger.open(folder, first_facts=first_facts())
            undo.pop_all()
        issuer = Issuer(taxpayer, f"DEV-0001-{ledger.fact('serial')}", options)
        return cls(mode=mode, issuer=issuer, clock=clock, key=key, ledger=ledger, lock=lock)

    def close(self) -> None:
        with self._lock:
            self._ledger.close()
            self._folder_lock.close()

    @property
    def uid(self) -> str:
        with self._lock:
            return self._ledger.fact("uid")

    @property
    def public_key(self) -> rsa.RSAPublicKey:
        return self._key.public_key()

    @property
    def condition(self) -> Condition:
        return self._condition

    def change(self, **changes: object) -> Condition:
        """Change the condition. Raises pydantic's ValidationError."""
        with self._lock:
            self._condition = Condition.model_validate({**self._condition.model_dump(), **changes})
            if "pin" in changes:
                self._wrong_pins = 0
            return self._condition

    def sign(
        self,
        body: bytes,
        *,
        request_id: str | None = None,
        language: str = LANGUAGES[0],
        fault: Fault | None = None,
        caller: CertifiedCaller | None = None,
    ) -> str:
        """Sign the request in `body`, store the receipt durably, and return the answer's JSON.

        fault: only a misreporting one has an effect here. caller: read from a certificate, or None
        where the processor's own element signs. Raises Refusal.
        """
        with self._lock:
            blocked = blocking_code(self._condition, self.mode, audit=self._audit_state())
        if blocked:
            raise Refusal.of(blocked)
        document = parse(body)
        invoice = read_invoice(document, labels_at=self._labels_at, options=self.options)
        with self._lock, self._ledger.writing():
            sealed = self._facts(invoice, caller)
            stored = self._result(invoice, sealed, language, caller)
            sent = stored
            if fault and fault.misreports:
                sent = self._result(invoice, misreport(sealed, fault), language, caller)
                stored = sent if fault.lasting else stored
            entry = ledger_entry(
                invoice, sealed, document=document, request_id=request_id, answer=stored
            )
            self._ledger.append(entry)
            self._ledger.remember(
                last_number=invoice_number(sealed), unaudited=str(self._unaudited_after(invoice))
            )
        _log.info("signed", extra={"fields": {"number": invoice_number(sealed)}})
        return answer_text(sent, with_qr=invoice.with_qr, forms=self._condition.forms)

    def find(self, request_id: str, *, caller: CertifiedCaller | None = None) -> str | None:
        """Return the answer to a RequestId, or None when it is unknown, another caller's, or no
        longer remembered."""
        with self._lock:
            entry = self._ledger.find(request_id)
            if entry and caller and entry.requested_by != caller.uid:
                return None
            if self._condition.remember == "last" and entry != self._ledger.last():
                return None
            forms = self._condition.forms
        return answer_text(entry.answer, with_qr=entry.with_qr, forms=forms) if entry else None

    def entries(self) -> list[LedgerEntry]:
        with self._lock:
            return self._ledger.entries()

    def status(self, *, caller: CertifiedCaller | None = None) -> dict[str, object]:
        with self._lock:
            device = Device(
                mode=self.mode,
                uid=self._uid_of(caller),
                serial=self._ledger.fact("serial"),
                last_number=self._ledger.fact("last_number"),
                audit=self._audit_state(),
                condition=self._condition,
                options=self.options,
            )
        return status(device, now=self._now())

    def environment(self) -> dict[str, object]:
        """Return the members of GET environment-parameters. Raises Refusal without the card."""
        if self.mode == "lpfr" and self._condition.card == "out":
            raise Refusal.of(Code.CARD_ABSENT)
        return environment()

    def enter_pin(self, pin: str) -> Code:
        """Return 0100, or 1300 without the card. Raises Refusal with 2100, 2110 or 2806."""
        with self._lock:
            if self._condition.card == "out":
                return Code.CARD_ABSENT
            if not (len(pin) == _PIN_LENGTH and pin.isascii() and pin.isdigit()):
                raise Refusal.of(Code.INVALID_FORMAT, "pin")
            if self._condition.pin != "blocked" and secrets.compare_digest(pin, self.options.pin):
                self._wrong_pins = 0
                self._condition = self._condition.model_copy(update={"pin": "entered"})
                return Code.PIN_ACCEPTED
            self._wrong_pins += 1
            if self._wrong_pins >= self.options.pin_tries:
                self._condition = self._condition.model_copy(update={"pin": "blocked"})
            is_blocked = self._condition.pin == "blocked"
        raise Refusal.of(Code.CARD_BLOCKED if is_blocked else Code.PIN_WRONG)

    def restart_counters(self) -> None:
        """Restart all counters at 1, as after a failed repair; the UID stays."""
        with self._lock, self._ledger.writing():
            self._ledger.restart_counters()
            self._ledger.remember(last_number="")

    def replace_element(self) -> str:
        """Replace the secure element by one with another UID, its own counters and audit sum."""
        uid = new_uid()
        with self._lock, self._ledger.writing():
            self._ledger.remember(uid=uid, last_number="", unaudited="0")
        return uid

    def audit(self) -> None:
        with self._lock, self._ledger.writing():
            self._ledger.remember(unaudited="0")
        self.change(audit="ok")

    def _now(self) -> datetime:
        now = self._clock()
        return now.replace(microsecond=now.microsecond // 1000 * 1000).astimezone(UTC)

    def _group_at(self, at: datetime | None) -> RateGroup:
        return in_force(self.options.rates, at or self._now())

    def _labels_at(self, at: datetime | None) -> dict[str, TaxLabel]:
        return self._group_at(at).labels()

    def _unaudited(self) -> Decimal:
        return Decimal(self._ledger.fact("unaudited") or "0")

    def _unaudited_after(self, invoice: Invoice) -> Decimal:
        """Return the audit sum after this invoice. With internet a due audit takes place at once,
        after which the sum is 0 again."""
        total = self._unaudited() + invoice.total
        due = total >= self.options.audit_limit * _AUDIT_WARNING
        return Decimal(0) if due and self._condition.internet else total

    def _audit_state(self) -> str:
        """Return "ok", "needed" or "locked", the worse of the forced state and the sum's state."""
        total, limit = self._unaudited(), self.options.audit_limit
        if self._condition.audit == "locked" or total >= limit:
            return "locked"
        return "needed" if total >= limit * _AUDIT_WARNING else self._condition.audit

    def _uid_of(self, caller: CertifiedCaller | None) -> str:
        return caller.uid if caller is not None else self._ledger.fact("uid")

    def _facts(self, invoice: Invoice, caller: CertifiedCaller | None) -> SealedFacts:
        uid = self._uid_of(caller)
        signer = uid if self.mode == "lpfr" else self._next_signer()
        counters = self._ledger.count(signer, invoice.kind, invoice.direction)
        return SealedFacts(
            requested_by=uid,
            signed_by=signer,
            total_counter=counters.total,
            type_counter=counters.of_type,
            total=invoice.total,
            at=self._now(),
            kind=invoice.kind,
            direction=invoice.direction,
            buyer_id=invoice.buyer_id or "",
        )

    def _next_signer(self) -> str:
        return secrets.choice(self._ledger.fact("signers").split())

    def _result(
        self, invoice: Invoice, facts: SealedFacts, language: str, caller: CertifiedCaller | None
    ) -> str:
        own_issuer = self._issuer
        issuer = (
            replace(own_issuer, taxpayer=caller.taxpayer(own_issuer.taxpayer))
            if caller
            else own_issuer
        )
        forms = self._condition.forms
        rates_at = invoice.referent_time if invoice.needs_referent else None
        result = compose_result(
            invoice,
            facts=facts,
            seal=seal(facts, key=self._key, host=self.options.verification_host, forms=forms),
            group=self._group_at(rates_at),
            issuer=issuer,
            language=language,
            forms=forms,
        )
        return json_text.encode(result)
