"""The TLS to a V-PFR shows our certificate, and always verifies the V-PFR's.

Source: fiscal.md 7; exactly-once.md, "Other holes".
"""

from __future__ import annotations

import contextlib
import os
import ssl
import tempfile
from pathlib import Path

from pos_app.adapters.pfr.certificate import CertificateWrong, ClientCertificate
from pos_app.adapters.secrets.secret import Secret
from pos_app.domain.setup.certificate import CertificateFacts, is_pac
from pos_app.domain.setup.processor_setup import SetupWrong
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class VpfrAccess:
    """The access to a V-PFR. pac: the six characters that the V-PFR demands."""

    certificate: CertificateFacts
    tls: ssl.SSLContext
    pac: Secret


def access_with(certificate: ClientCertificate, *, pac: Secret, ca: bytes = b"") -> VpfrAccess:
    """Return the access with a certificate. ca: authorities that are trusted beside the system's,
    PEM or DER. Raises SetupWrong."""
    if not is_pac(pac.reveal()):
        raise SetupWrong("pac", field="pac")
    return VpfrAccess(certificate.facts, client_context(certificate, ca=ca), pac)


def client_context(certificate: ClientCertificate, *, ca: bytes = b"") -> ssl.SSLContext:
    """Trust the system's authorities, and those in `ca` too. Raises SetupWrong."""
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.post_handshake_auth = False  # a server asks for our certificate before the request
    if ca:
        trust_also(context, ca)
    _show(context, certificate)
    return context


def trust_also(context: ssl.SSLContext, ca: bytes) -> None:
    """Trust the certificates in `ca` too. Raises SetupWrong where it has none."""
    try:
        is_text = b"-----BEGIN" in ca
        context.load_verify_locations(cadata=ca.decode("ascii") if is_text else ca)
    except (ssl.SSLError, ValueError) as error:
        raise SetupWrong("ca.processor", field="ca") from error


def check_shown(certificate: ClientCertificate) -> None:
    """Raise CertificateWrong for a certificate that TLS refuses, such as one with a short key."""
    _show(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), certificate)


def _show(context: ssl.SSLContext, certificate: ClientCertificate) -> None:
    """Load the certificate into the context. ssl reads files only: the key in the file is encrypted
    for one use, and the file is deleted before anything is sent."""
    handle, name = tempfile.mkstemp(prefix="pos-app-")  # the file has mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(certificate.pem)
        context.load_cert_chain(name, password=certificate.passphrase)
    except ssl.SSLError as error:
        why = str(error.reason or "no reason told").lower().replace("_", " ")
        raise CertificateWrong("key_refused.tls", why=why) from error
    finally:
        with contextlib.suppress(FileNotFoundError):
            Path(name).unlink()
