"""The token of programs on other machines, where the server listens on the LAN.

Source: exactly-once.md, "The open local server", 1.
"""

from __future__ import annotations

import os
import re

from pos_app.adapters.secrets.names import LAN_TOKEN
from pos_app.adapters.secrets.plain_file import FILE_NAME
from pos_app.adapters.secrets.reading import read_secret
from pos_app.errors import SettingsBroken
from pos_app.settings import EVERYWHERE, Settings

_STRONG = re.compile(r"[\x21-\x7e]{32,128}")


def is_strong(token: str) -> bool:
    """Tell whether a token is too long to be guessed, and can be sent."""
    return _STRONG.fullmatch(token) is not None


def lan_token(settings: Settings) -> str | None:
    """Return the shared token, or None where the server listens to this machine alone. Raises
    SettingsBroken while there is none, or one that could be guessed or can't be sent."""
    if settings.server.host not in EVERYWHERE:
        return None
    token = read_secret(LAN_TOKEN, data=settings.data, variables=os.environ).reveal()
    if is_strong(token):
        return token
    path = settings.data / FILE_NAME
    raise SettingsBroken("lan.weak" if token else "lan.missing", name=LAN_TOKEN, path=str(path))
