"""The status and the environment parameters of protocol v3."""

from __future__ import annotations

from datetime import datetime

from pos_app.lazy_dataclass import dataclass
from pos_app.pfr_emulator.belgrade import BELGRADE
from pos_app.pfr_emulator.condition import Condition, general_codes
from pos_app.pfr_emulator.options import LANGUAGES, Mode, Options
from pos_app.pfr_emulator.rates import RateGroup, TaxCategory, in_force

MAKE = "Development processor"
MODEL = "pfr_emulator"
_SOFTWARE_VERSION = "1.0"
_API = "https://api.sandbox.suf.purs.gov.rs"


@dataclass(frozen=True, slots=True)
class Device:
    """The device's present state; `last_number` is "" before the first receipt."""

    mode: Mode
    uid: str
    serial: str
    last_number: str
    audit: str
    condition: Condition
    options: Options

    @property
    def has_element(self) -> bool:
        """Whether the secure element can be read; always in a V-PFR."""
        return self.mode == "vpfr" or self.condition.card == "in"


def status(device: Device, *, now: datetime) -> dict[str, object]:
    """Return the status. Without the card an L-PFR knows neither its UID nor the tax rates."""
    answer: dict[str, object] = {
        "sdcDateTime": device.condition.forms.time(now),
        "supportedLanguages": list(LANGUAGES),
        "uid": device.uid if device.has_element else None,
        "taxCoreApi": _API,
    }
    if device.has_element:
        table = device.options.rates
        answer["currentTaxRates"] = _group(in_force(table, now), device.options)
        answer["allTaxRates"] = [_group(group, device.options) for group in table]
    return answer | _local_part(device) if device.mode == "lpfr" else answer


def environment() -> dict[str, object]:
    return {
        "organizationName": "Пореска управа – РАЗВОЈНИ ПРОЦЕСОР",
        "serverTimeZone": str(BELGRADE),
        "street": "Саве Машковића 3-5",
        "city": "Београд",
        "country": "RS",
        "endpoints": {
            "taxpayerAdminPortal": "https://tap.sandbox.suf.purs.gov.rs",
            "taxCoreApi": _API,
            "vsdc": "https://vsdc.sandbox.suf.purs.gov.rs",
            "root": "https://sandbox.suf.purs.gov.rs",
        },
        "environmentName": "Development",
        "logo": "",
        "ntpServer": "pool.ntp.org",
        "supportedLanguages": list(LANGUAGES),
    }


def _local_part(device: Device) -> dict[str, object]:
    condition = device.condition
    return {
        "isPinRequired": device.has_element and condition.pin == "required",
        "auditRequired": device.audit != "ok",
        "lastInvoiceNumber": device.last_number if device.has_element else None,
        "protocolVersion": "3.0",
        "secureElementVersion": "3.0" if device.has_element else None,
        "hardwareVersion": "1.0",
        "softwareVersion": _SOFTWARE_VERSION,
        "deviceSerialNumber": device.serial,
        "make": MAKE,
        "model": MODEL,
        "mssc": list(condition.manufacturer_codes),
        "gsc": general_codes(condition, audit=device.audit),
    }


def _group(group: RateGroup, options: Options) -> dict[str, object]:
    return {
        "validFrom": group.valid_from.astimezone(BELGRADE).isoformat(),
        "groupId": group.group_id,
        "taxCategories": [
            _category(category, order, options)
            for order, category in enumerate(group.categories, start=1)
        ],
    }


def _category(category: TaxCategory, order: int, options: Options) -> dict[str, object]:
    as_name = options.category_type_form == "name"
    return {
        "name": category.name,
        "categoryType": category.kind.protocol_name if as_name else category.kind,
        "orderId": order,
        "taxRates": [{"rate": rate, "label": label} for label, rate in category.rates.items()],
    }
