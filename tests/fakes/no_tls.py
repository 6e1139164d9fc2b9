"""A context for callers over plain HTTP: `verify=NO_TLS` spares httpx some 20 ms for reading
authorities, each client."""

import ssl

NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Trusts nobody."""
