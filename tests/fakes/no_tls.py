"""For callers over plain HTTP: `verify=NO_TLS` spares httpx 20 ms for authorities, each client."""

from __future__ import annotations

import ssl

NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Trusts nobody."""
