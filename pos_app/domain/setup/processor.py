"""The status of a fiscal processor (PFR), and the codes of its refusals.

Source: fiscal.md 1 (status, errors), exactly-once.md (Facts).
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from pos_app.domain.money.tax import TaxRates
from pos_app.lazy_dataclass import dataclass


class Cure(StrEnum):
    """The act that a person has to do, as our API names it."""

    PIN = "pin"
    CARD = "card"
    LIMIT = "limit"
    SET_UP = "not_configured"
    CERTIFICATE = "certificate"
    """The fault is in a V-PFR's certificate, its PAC or the trusted authorities."""


class CertificateFault(StrEnum):
    """The reason why a V-PFR and this server do not trust each other, in a word for programs."""

    PAC = "pac_refused"
    REVOKED = "certificate_revoked"
    EXPIRED = "certificate_expired"
    NOT_YET = "certificate_not_yet_valid"
    """The certificate begins on a later day."""
    MISSING = "certificate_missing"
    """The V-PFR was shown no certificate."""
    ISSUER = "certificate_issuer"
    """The V-PFR does not know the authority that issued ours."""
    ELEMENT = "certificate_element"
    """The V-PFR answers for another element than the certificate's."""
    PROCESSOR = "processor_untrusted"
    """No authority that is trusted here issued the V-PFR's own certificate."""
    OTHER = "certificate"
    """The V-PFR does not name the reason."""


CERTIFICATE_FAULTS = frozenset(CertificateFault)


class CertificatePart(StrEnum):
    """The part of a V-PFR's settings that a person corrects."""

    PFX = "pfx"
    PAC = "pac"
    CA = "ca"
    """The trusted authorities."""


PART_AT_FAULT = MappingProxyType(
    {
        CertificateFault.PAC: CertificatePart.PAC,
        CertificateFault.REVOKED: CertificatePart.PFX,
        CertificateFault.EXPIRED: CertificatePart.PFX,
        CertificateFault.NOT_YET: CertificatePart.PFX,
        CertificateFault.MISSING: CertificatePart.PFX,
        CertificateFault.ISSUER: CertificatePart.PFX,
        CertificateFault.ELEMENT: CertificatePart.PFX,
        CertificateFault.PROCESSOR: CertificatePart.CA,
        CertificateFault.OTHER: CertificatePart.PFX,
    }
)


class PinResult(StrEnum):
    """The result of a PIN that a person entered. WRONG uses up one of few tries."""

    ACCEPTED = "accepted"
    WRONG = "wrong"
    BLOCKED = "blocked"
    NO_CARD = "no_card"
    MALFORMED = "malformed"
    REFUSED = "refused"


CODES = MappingProxyType(
    {
        "0000": "all right",
        "0100": "PIN accepted",
        "0210": "internet available",
        "0220": "internet not available",
        "1100": "storage 90 % full",
        "1300": "smart card not present",
        "1400": "audit needed soon",
        "1500": "PIN needed",
        "1999": "undefined warning",
        "2100": "PIN wrong",
        "2110": "card locked",
        "2210": "secure element locked, an audit must be done",
        "2220": "communication with the secure element failed",
        "2230": "secure-element protocol mismatch",
        "2310": "invalid tax labels",
        "2400": "processor not configured",
        "2800": "required",
        "2801": "too long",
        "2802": "too short",
        "2803": "wrong length",
        "2804": "out of range",
        "2805": "invalid value",
        "2806": "invalid format",
        "2807": "list too short",
        "2808": "list too long",
        "2809": "refused, reason not told",
    }
)

CARD_ABSENT, AUDIT_NEEDED = "1300", "1400"
CURES = MappingProxyType(
    {
        "1500": Cure.PIN,
        "2100": Cure.PIN,
        CARD_ABSENT: Cure.CARD,
        "2110": Cure.CARD,
        "2230": Cure.CARD,
        "2210": Cure.LIMIT,
        "2400": Cure.SET_UP,
    }
)
"""The request is surely not signed. A person helps, then it is sent again."""
CURABLE = frozenset(CURES)
PIN_RESULTS = MappingProxyType(
    {
        "0100": PinResult.ACCEPTED,
        "2100": PinResult.WRONG,
        "2110": PinResult.BLOCKED,
        "1300": PinResult.NO_CARD,
        "2806": PinResult.MALFORMED,
    }
)

WARNINGS = (AUDIT_NEEDED, "1100", "2220", "1999", "0220")
"""The warnings that are shown although receipts can be signed, the gravest first."""

WRONG_DOCUMENT = frozenset({"2310", *(str(code) for code in range(2800, 2810))})
"""The document is wrong, and surely not signed."""


def meaning(code: str) -> str:
    return CODES.get(code, "unknown code")


@dataclass(frozen=True, slots=True)
class PfrFault:
    """One code of a refusal, and the property that it names, or ""."""

    code: str
    property: str = ""


@dataclass(frozen=True, slots=True)
class PfrStatus:
    """A processor's status. codes: gsc and mssc together.

    total_counter: the total counter of the last signed receipt, 0 before the first, None if it is
    not given (V-PFR). clock: the processor's time, UTC. tin: the tax number of the certificate, or
    None. unread: names of members that could not be read, as the processor spells them.
    audit_required is None where the processor does not report it.
    """

    uid: str | None
    clock: datetime | None
    total_counter: int | None
    pin_required: bool
    codes: tuple[str, ...] = ()
    rates: tuple[TaxRates, ...] = ()
    tin: str | None = None
    unread: tuple[str, ...] = ()
    audit_required: bool | None = None

    @property
    def needs_audit(self) -> bool | None:
        """Whether receipts have to be read from its element soon, or None where that is unknown."""
        return True if AUDIT_NEEDED in self.codes else self.audit_required

    @property
    def is_bare(self) -> bool:
        return self.uid is None and self.clock is None

    @property
    def trouble_code(self) -> str:
        return next((code for code in self.codes if not code.startswith("0")), "")

    @property
    def warning(self) -> str:
        return next((code for code in WARNINGS if code in self.codes), "")

    @property
    def blocking_code(self) -> str | None:
        for code in self.codes:
            if code in CURABLE:
                return code
        return "1500" if self.pin_required else None
