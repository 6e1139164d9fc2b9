"""The reason why a TLS connection failed, in one reading for all clients: processor, platform, its
relay, mail and updates.

A failure is read only while a connection is opened; no byte of a request was written then.
"""

from __future__ import annotations

import ssl
from types import MappingProxyType
from typing import NamedTuple

from pos_app.domain.setup.safe_connection import TlsFault

_DEEPEST = 8


class TlsWords(NamedTuple):
    """English words: what is wrong, and what to do."""

    why: str
    cure: str


_CLOCK = "Check this computer's date and time"
_OPERATOR = "tell whoever runs that server"
WORDS = MappingProxyType(
    {
        TlsFault.ISSUER: TlsWords(
            "no authority that is trusted here issued it",
            "Check the address and the network; the file of an own authority is named in ca_file.",
        ),
        TlsFault.NAME: TlsWords("it is for another name", "Check the address."),
        TlsFault.EXPIRED: TlsWords("it has expired", f"{_CLOCK}, or {_OPERATOR}."),
        TlsFault.NOT_YET: TlsWords("it is not valid yet", f"{_CLOCK}."),
        TlsFault.CERTIFICATE: TlsWords("it breaks a rule", f"{_OPERATOR.capitalize()}."),
        TlsFault.PLAIN: TlsWords(
            "no encryption is spoken at that port", "Check the address and its port."
        ),
        TlsFault.REFUSED: TlsWords(
            "it speaks no encryption that is safe enough", f"{_OPERATOR.capitalize()}."
        ),
    }
)
OF_CERTIFICATE = frozenset(TlsFault) - {TlsFault.PLAIN, TlsFault.REFUSED}
"""The faults of a certificate. The others are about the encryption itself."""

_BY_CODE = MappingProxyType(
    {
        2: TlsFault.ISSUER, 18: TlsFault.ISSUER, 19: TlsFault.ISSUER, 20: TlsFault.ISSUER,
        21: TlsFault.ISSUER, 27: TlsFault.ISSUER, 9: TlsFault.NOT_YET, 10: TlsFault.EXPIRED,
        62: TlsFault.NAME, 64: TlsFault.NAME,
    }
)  # fmt: skip
"""The codes of OpenSSL's X509_V_ERR_… ."""
_PLAIN = frozenset(
    {"WRONG_VERSION_NUMBER", "PACKET_LENGTH_TOO_LONG", "RECORD_LAYER_FAILURE", "HTTP_REQUEST"}
)
"""OpenSSL's reasons where the first bytes of an answer are no record of TLS."""


def tls_error(error: BaseException | None) -> ssl.SSLError | None:
    """Return the TLS error that led to this error, or None for an error of another kind."""
    for _ in range(_DEEPEST):
        if error is None or isinstance(error, ssl.SSLError):
            return error
        error = error.__cause__ or error.__context__
    return None


def tls_fault(error: BaseException | None) -> TlsFault | None:
    """Return why a connection that was being opened failed, or None where TLS is not the reason: a
    line that was cut in the middle of it says nothing of that kind."""
    found = tls_error(error)
    if isinstance(found, ssl.SSLCertVerificationError):
        return _BY_CODE.get(found.verify_code, TlsFault.CERTIFICATE)
    if found is None or isinstance(found, ssl.SSLEOFError | ssl.SSLZeroReturnError):
        return None
    if not (reason := found.reason):
        return None
    return TlsFault.PLAIN if reason in _PLAIN else TlsFault.REFUSED


def tls_sentence(fault: TlsFault, *, of: str) -> str:
    """Say in English what is wrong and what to do. of: the other side, such as "the mail server",
    at the beginning of its sentence."""
    words = WORDS[fault]
    if fault in OF_CERTIFICATE:
        return f"{of}'s own certificate is not trusted: {words.why}. {words.cure}"
    return f"There is no safe connection to {of[0].lower()}{of[1:]}: {words.why}. {words.cure}"
