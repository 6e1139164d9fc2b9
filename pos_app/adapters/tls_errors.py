"""The TLS error behind a failed connection, in one reading for the clients of processor and
platform."""

from __future__ import annotations

import ssl

_DEEPEST = 8


def tls_error(error: BaseException | None) -> ssl.SSLError | None:
    """Return the TLS error that led to this error, or None for an error of another kind."""
    for _ in range(_DEEPEST):
        if error is None or isinstance(error, ssl.SSLError):
            return error
        error = error.__cause__ or error.__context__
    return None


def why_untrusted(error: BaseException | None) -> str | None:
    """Return why the certificate of the other side is not trusted (its issuer, name or date), or
    None where the connection failed for another reason."""
    found = tls_error(error)
    return found.verify_message if isinstance(found, ssl.SSLCertVerificationError) else None
