"""The condition of the processor, which the control port can change while it runs.

It decides whether invoices are refused before they are read, and the general status codes (gsc).
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from pos_app.pfr_emulator.codes import Code
from pos_app.pfr_emulator.forms import USUAL, Forms
from pos_app.pfr_emulator.options import Mode

FourDigits = Annotated[str, StringConstraints(pattern=r"^\d{4}$")]
Route = Literal["invoices", "lookup", "status", "environment", "attention", "pin"]

_ELEMENT_CODES = {"unreachable": Code.ELEMENT_UNREACHABLE, "mismatch": Code.ELEMENT_MISMATCH}
_PIN_CODES = {"required": Code.PIN_NEEDED, "blocked": Code.CARD_BLOCKED}
_AUDIT_CODES = {"needed": Code.AUDIT_NEEDED, "locked": Code.ELEMENT_LOCKED}


class Condition(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)

    configured: bool = True
    card: Literal["in", "out"] = "in"
    pin: Literal["entered", "required", "blocked"] = "entered"
    element: Literal["ok", "unreachable", "mismatch"] = "ok"
    audit: Literal["ok", "needed", "locked"] = "ok"
    """A forced state; the options' audit limit has the same effect when it is reached."""
    storage_full: bool = False
    internet: bool = True
    warnings: tuple[FourDigits, ...] = ()
    """Further general status codes to show, such as 1999."""
    manufacturer_codes: tuple[FourDigits, ...] = ()
    unreachable: frozenset[Route] = frozenset()
    """Routes on which the connection is closed without an answer."""
    delay_ms: int = Field(default=0, ge=0, le=600_000)
    remember: Literal["all", "last"] = "all"
    unknown_form: Literal["404", "null", "empty"] = "404"
    status_code: FourDigits | None = None
    """A bare code that replaces the status; receipts are signed nevertheless."""
    refusal_form: Literal["model_state", "plain", "quoted"] = "model_state"
    """The form of codes without a property; L-PFRs differ."""
    forms: Forms = USUAL


def blocking_code(condition: Condition, mode: Mode, *, audit: str) -> Code | None:
    """Return the code that prevents signing now; `audit`: as returned by Processor._audit_state."""
    if not condition.configured:
        return Code.NOT_CONFIGURED
    if mode == "lpfr" and condition.card == "out":
        return Code.CARD_ABSENT
    if condition.element in _ELEMENT_CODES:
        return _ELEMENT_CODES[condition.element]
    if mode == "lpfr" and condition.pin in _PIN_CODES:
        return _PIN_CODES[condition.pin]
    return Code.ELEMENT_LOCKED if audit == "locked" else None


def general_codes(condition: Condition, *, audit: str) -> list[str]:
    codes: list[str] = []
    if not condition.configured:
        codes.append(Code.NOT_CONFIGURED)
    if condition.card == "out":
        codes.append(Code.CARD_ABSENT)
    elif condition.pin in _PIN_CODES:
        codes.append(_PIN_CODES[condition.pin])
    if condition.element in _ELEMENT_CODES:
        codes.append(_ELEMENT_CODES[condition.element])
    if audit in _AUDIT_CODES:
        codes.append(_AUDIT_CODES[audit])
    if condition.storage_full:
        codes.append(Code.STORAGE_NEARLY_FULL)
    codes.extend(condition.warnings)
    net = Code.INTERNET_AVAILABLE if condition.internet else Code.INTERNET_UNAVAILABLE
    return [*(codes or [Code.ALL_RIGHT]), net]
