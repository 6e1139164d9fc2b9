"""Reads the caller from a client certificate of a V-PFR.

The library is imported once a certificate was shown, because loading it takes 60 ms and plain HTTP
does not need it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pos_app.lazy_dataclass import dataclass
from pos_app.pfr_emulator.options import Taxpayer

if TYPE_CHECKING:
    from cryptography import x509

ARC = "1.3.6.1.4.1.49952.5.8."
"""The arc of the extensions in the tax administration's sandbox in Serbia; each of them has plain
text."""
BACK_END, TIN, URL = "5", "6", "7"


@dataclass(frozen=True, slots=True)
class CertifiedCaller:
    """The requester of receipts."""

    uid: str
    tin: str
    shop: str
    location: str

    def taxpayer(self, usual: Taxpayer) -> Taxpayer:
        """Return the seller on its receipts; its address is not in the certificate."""
        return replace(
            usual, tin=self.tin or usual.tin, location_name=self.location or usual.location_name
        )

    @classmethod
    def of_der(cls, certificate: bytes) -> CertifiedCaller:
        """Read a certificate in DER, which TLS has verified."""
        from cryptography import x509  # noqa: PLC0415

        return cls.of(x509.load_der_x509_certificate(certificate))

    @classmethod
    def of(cls, certificate: x509.Certificate) -> CertifiedCaller:
        from cryptography import x509  # noqa: PLC0415
        from cryptography.x509.oid import NameOID  # noqa: PLC0415

        def named(oid: x509.ObjectIdentifier) -> str:
            found = certificate.subject.get_attributes_for_oid(oid)
            return str(found[0].value) if found else ""

        tin = ""
        for extension in certificate.extensions:
            is_tin = extension.oid.dotted_string == ARC + TIN
            if is_tin and isinstance(extension.value, x509.UnrecognizedExtension):
                tin = extension.value.value.decode()
        uid = named(NameOID.SERIAL_NUMBER)
        shop = named(NameOID.COMMON_NAME).removeprefix(uid).strip()
        return cls(uid, tin, shop, named(NameOID.ORGANIZATIONAL_UNIT_NAME))
