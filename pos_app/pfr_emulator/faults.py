"""Faults on demand for the next invoices, in the order in which they were programmed."""

from __future__ import annotations

from dataclasses import replace
from threading import Lock
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pos_app.pfr_emulator.condition import FourDigits
from pos_app.pfr_emulator.seal import SealedFacts

_WRONG_BUYER = "10:999999999"
_WRONG_REQUESTER = "WR0NGUID"
Kind = Literal[
    "drop",
    "drop_then_sign",
    "sign_then_drop",
    "late_answer",
    "late_signing",
    "cut",
    "slow",
    "wrong_total",
    "wrong_requester",
    "wrong_buyer",
    "refuse",
    "html_500",
    "unreadable_200",
]


class Fault(BaseModel):
    """One kind of fault for the next `count` invoices, or for every one (`count` null).

    drop: the connection closes, nothing is signed. drop_then_sign: it closes and the receipt is
    signed `seconds` later. sign_then_drop: signed, then closed without an answer. late_answer:
    signed at once, answered after `seconds`. late_signing: signed after `seconds`, even if the
    caller has gone. cut: signed, the answer breaks off half-way. slow: signed, a byte every
    `seconds`. wrong_total, wrong_requester, wrong_buyer: signed, but the answer echoes another
    total, requester or buyer; with `lasting` later look-ups do so too. refuse: answered with
    `code`. html_500, unreadable_200: no answer of the protocol, after signing if `signed`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Kind
    count: int | None = Field(default=1, ge=1)
    seconds: float = Field(default=0.0, ge=0, le=600)
    code: FourDigits | None = None
    signed: bool = False
    lasting: bool = False

    @property
    def misreports(self) -> bool:
        return self.kind in ("wrong_total", "wrong_requester", "wrong_buyer")

    @model_validator(mode="after")
    def _code_belongs_to_refuse(self) -> Fault:
        if (self.kind == "refuse") != (self.code is not None):
            raise ValueError('"code" belongs to "refuse", and to it alone')
        return self


def misreport(facts: SealedFacts, fault: Fault) -> SealedFacts:
    if fault.kind == "wrong_total":
        return replace(facts, total=facts.total + 1)
    if fault.kind == "wrong_buyer":
        return replace(facts, buyer_id=_WRONG_BUYER)
    return replace(facts, requested_by=_WRONG_REQUESTER)


class FaultProgram:
    """The faults to come, in order. Thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._faults: list[Fault] = []

    def add(self, fault: Fault) -> None:
        with self._lock:
            self._faults.append(fault)

    def clear(self) -> None:
        with self._lock:
            self._faults.clear()

    def pending(self) -> tuple[Fault, ...]:
        with self._lock:
            return tuple(self._faults)

    def take(self) -> Fault | None:
        with self._lock:
            if not self._faults:
                return None
            fault = self._faults[0]
            if fault.count == 1:
                del self._faults[0]
            elif fault.count is not None:
                self._faults[0] = fault.model_copy(update={"count": fault.count - 1})
            return fault
