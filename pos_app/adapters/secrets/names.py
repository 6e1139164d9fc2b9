"""The names of the secrets."""

from __future__ import annotations

MAIL_PASSWORD = "mail_password"
LAN_TOKEN = "lan_token"
PLATFORM_SECRET = "platform_secret"
"""The secret of the key in `platform.key`."""
NEXT_PLATFORM_SECRET = "next_platform_secret"
"""A key that is replacing `platform.key`, with its secret: see `reading.platform_secret`."""
PROCESSOR_PFX = "processor_pfx"
"""The certificate file of a V-PFR, base64."""
PROCESSOR_PASSWORD = "processor_password"
PROCESSOR_PAC = "processor_pac"
KNOWN = (
    MAIL_PASSWORD,
    LAN_TOKEN,
    PLATFORM_SECRET,
    NEXT_PLATFORM_SECRET,
    PROCESSOR_PFX,
    PROCESSOR_PASSWORD,
    PROCESSOR_PAC,
)
OF_PROCESSOR = (PROCESSOR_PFX, PROCESSOR_PASSWORD, PROCESSOR_PAC)
"""These secrets belong together. They are written together once they were tried."""


def variable_of(name: str) -> str:
    return f"POS_APP_{name.upper()}"
