"""Reads the shop's certificate for a V-PFR: a PFX file, opened in memory.

Modern files (PBES2) and old ones (RC2, 3DES) are read. Source: fiscal.md 7.
"""

from __future__ import annotations

import contextlib
import secrets
from dataclasses import field
from typing import TYPE_CHECKING, Any

from pos_app import log
from pos_app.adapters.secrets.secret import Secret
from pos_app.characters import one_line
from pos_app.domain.setup.certificate import CertificateFacts
from pos_app.domain.setup.processor_setup import SetupWrong
from pos_app.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization.pkcs12 import PKCS12KeyAndCertificates

_ARC = "1.3.6.1.4.1.49952."
"""The tax administration's extensions are ARC.X.Y.Z. X: 3 production, 5 sandbox. Y: 8 Serbia."""
_TIN, _URL = "6", "7"
"""The Z of the extensions that we read."""
_ENVIRONMENTS = {"3": "production", "5": "sandbox"}
_OF_ENVIRONMENT = "X"
_UTF8_STRING, _PRINTABLE_STRING, _IA5_STRING = 0x0C, 0x13, 0x16
_LONG_FORM = 0x80
LARGEST = 64 * 1024
"""The largest PFX file in bytes; real ones have some 5 KB."""
_KEY_BAGS = tuple(bytes.fromhex(f"060b2a864886f70d010c0a01{one}") for one in ("01", "02"))
"""The beginning of a key in a PFX, bare or encrypted (RFC 7292, 4.2). Programs encrypt the key
itself and leave the list of keys readable."""

_log = log.get(__name__)


class CertificateWrong(SetupWrong):
    """The PFX can't be used. kind: "password", "file", "rounds" (it takes too long to open), "key"
    (it has none with its certificate), "keys" (it has several), "key_refused" or "facts"."""

    def __init__(self, kind: str, /, **more: Any) -> None:
        super().__init__(kind, field="password" if kind == "password" else "pfx", **more)


@dataclass(frozen=True, slots=True)
class ClientCertificate:
    """An opened PFX. pem: the PEM that is shown to a V-PFR: the key, which `passphrase` opens,
    the certificate, and the authorities that came with it. The passphrase is used once."""

    facts: CertificateFacts
    pem: bytes = field(repr=False)
    passphrase: bytes = field(repr=False)


def open_pfx(content: bytes, password: Secret) -> ClientCertificate:
    """Open a PFX. Raises CertificateWrong. A file that a person brought is opened by
    `certificate_process.open_apart`, because it may take very long."""
    # Loading the library takes 40 ms, and a shop without a V-PFR needs none of it.
    from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415
    from cryptography.x509 import DuplicateExtension  # noqa: PLC0415

    if len(content) > LARGEST:
        raise CertificateWrong("file.large")
    try:
        return _client_certificate(_loaded(content, password))
    except (UnsupportedAlgorithm, DuplicateExtension, ValueError) as error:
        # A CertificateWrong is none of these.
        _log.info("a certificate file can't be used: %s", type(error).__name__)
        raise CertificateWrong("key_refused.unknown") from None


def _loaded(content: bytes, password: Secret) -> PKCS12KeyAndCertificates:
    from cryptography.hazmat.primitives.serialization import pkcs12  # noqa: PLC0415

    try:
        opened = pkcs12.load_pkcs12(content, password.reveal().encode())
    except ValueError as error:
        # The library has one class of errors; only its words tell a wrong password from a damaged
        # file.
        if "password" in str(error):
            raise CertificateWrong("password") from None
        raise CertificateWrong("file.other") from None
    if sum(content.count(bag) for bag in _KEY_BAGS) > 1:  # the library would take the first
        raise CertificateWrong("keys")
    return opened


def _client_certificate(opened: PKCS12KeyAndCertificates) -> ClientCertificate:
    """Read an opened PFX. Raises ValueError, UnsupportedAlgorithm where it can't be used."""
    from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415
        BestAvailableEncryption,
        Encoding,
        PrivateFormat,
    )

    if opened.cert is None or opened.key is None:
        raise CertificateWrong("key")
    certificate = opened.cert.certificate
    if opened.key.public_key() != certificate.public_key():
        raise CertificateWrong("key_refused.other")
    facts = facts_of(certificate)
    passphrase = secrets.token_bytes(32).hex().encode()
    key = opened.key.private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(passphrase)
    )
    chain = (certificate, *(more.certificate for more in opened.additional_certs))
    shown = key + b"".join(one.public_bytes(Encoding.PEM) for one in chain)
    return ClientCertificate(facts, shown, passphrase)


def facts_of(certificate: x509.Certificate) -> CertificateFacts:
    """Read the facts of a certificate. Raises CertificateWrong where it names no element: then it
    is no certificate of a V-PFR."""
    from cryptography.x509.oid import NameOID  # noqa: PLC0415

    names = {
        attribute.oid: one_line(str(attribute.value), longest=200)
        for attribute in certificate.subject
    }
    uid = names.get(NameOID.SERIAL_NUMBER, "").strip().upper()
    if not (len(uid) == 8 and uid.isascii() and uid.isalnum()):
        raise CertificateWrong("facts")
    extensions = _extensions(certificate)
    return CertificateFacts(
        uid=uid,
        tin=extensions.get(_TIN, ""),
        url=extensions.get(_URL, "").rstrip("/"),
        shop=names.get(NameOID.COMMON_NAME, "").removeprefix(uid).strip(),
        location=names.get(NameOID.ORGANIZATIONAL_UNIT_NAME, ""),
        organisation=names.get(NameOID.ORGANIZATION_NAME, ""),
        valid_from=certificate.not_valid_before_utc,
        expires=certificate.not_valid_after_utc,
        environment=_ENVIRONMENTS.get(extensions.get(_OF_ENVIRONMENT, ""), ""),
    )


def _extensions(certificate: x509.Certificate) -> dict[str, str]:
    """Return the tax administration's extensions by their Z, and the X of the last one."""
    from cryptography import x509  # noqa: PLC0415

    found: dict[str, str] = {}
    for extension in certificate.extensions:
        name = extension.oid.dotted_string
        if name.startswith(_ARC) and isinstance(extension.value, x509.UnrecognizedExtension):
            found[_OF_ENVIRONMENT] = name.removeprefix(_ARC).partition(".")[0]
            with contextlib.suppress(UnicodeDecodeError):
                found[name.rpartition(".")[2]] = _text(extension.value.value)
    return found


def _text(value: bytes) -> str:
    """Read plain text with or without the head of a DER string: both are documented."""
    if len(value) >= 2 and value[0] in (_UTF8_STRING, _PRINTABLE_STRING, _IA5_STRING):
        more = value[1] - _LONG_FORM if value[1] > _LONG_FORM else 0
        length = int.from_bytes(value[2 : 2 + more], "big") if more else value[1]
        if 2 + more + length == len(value):
            value = value[2 + more :]
    return one_line(value.decode("utf-8").strip(), longest=200)
