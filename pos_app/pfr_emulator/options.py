"""The settings with which a processor starts: its seller and its behaviour."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from pos_app.lazy_dataclass import dataclass
from pos_app.pfr_emulator.rates import PRODUCTION_RATES, RateTable

Mode = Literal["lpfr", "vpfr"]
LANGUAGES = ("sr-Cyrl-RS", "en-US")
"""The languages that a V-PFR lists; the first is the default."""


@dataclass(frozen=True, slots=True)
class Taxpayer:
    """The seller on every receipt. The defaults can't be taken for a real shop."""

    tin: str = "990000019"
    business_name: str = "РАЗВОЈНИ ПРОЦЕСОР – НИЈЕ ФИСКАЛНО"
    location_name: str = "1000001-ПРОБНА ПРОДАВНИЦА"
    """Begins with the number of the premises, as in the register of taxpayers."""
    address: str = "УЛИЦА ЗА ВЕЖБУ 1"
    district: str = "Београд-Пробни"


@dataclass(frozen=True, slots=True)
class Options:
    """Behaviour that does not change while the processor runs."""

    rates: RateTable = PRODUCTION_RATES
    verification_host: str = "sandbox.suf.purs.gov.rs"
    pin: str = "1234"
    pin_tries: int = 3
    """The number of wrong PINs in a row after which the card is blocked."""
    pin_at_start: bool = False
    """Whether an L-PFR waits for the PIN after every start, as a real card does."""
    pac: str = "DEV123"
    surplus_decimals: Literal["refuse", "round"] = "refuse"
    """Amounts with more than 2 decimals are refused with 2806, or rounded half up."""
    category_type_form: Literal["number", "name"] = "number"
    """The spelling of a tax category's kind in the status; some L-PFRs send the name."""
    audit_limit: Decimal = Decimal(100_000_000)
    """The sum of totals after which the element signs nothing until the audit; 1400 is shown from
    75 %. With internet the audit is automatic, and the limit is never reached."""
    most_items: int = 500
    most_payments: int = 50
