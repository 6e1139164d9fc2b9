"""The commands and answers on a page: each is sent unchanged, and its answer compared with the
page."""

from __future__ import annotations

import re
import shlex
from datetime import datetime
from typing import Any

import httpx

from tests.fakes.no_tls import NO_TLS

SHOWN_ADDRESS = "http://127.0.0.1:9999"
ANY = "…"
"""In a text or in place of a number it stands for anything, as a member's name for the members that
the page leaves out."""


def send(command: str, address: str) -> httpx.Response:
    url, *options = shlex.split(command.replace("\\\n", " "))
    pairs = list(zip(options[::2], options[1::2], strict=True))
    assert {option for option, _ in pairs} <= {"-H", "-d"}
    headers = dict(value.split(": ", 1) for option, value in pairs if option == "-H")
    bodies = [value for option, value in pairs if option == "-d"]
    return httpx.request(
        "POST" if bodies else "GET",
        url.replace(SHOWN_ADDRESS, address),
        content=bodies[0] if bodies else None,
        headers=headers,
        trust_env=False,
        verify=NO_TLS,
        timeout=30,
    )


def differences(shown: Any, told: Any, path: str = "") -> list[str]:
    if isinstance(shown, dict) and isinstance(told, dict):
        return _in_members(shown, told, path)
    if isinstance(shown, list) and isinstance(told, list) and len(shown) == len(told):
        pairs = enumerate(zip(shown, told, strict=True))
        return [each for at, (a, b) in pairs for each in differences(a, b, f"{path}[{at}]")]
    return [] if _same(shown, told) else [f"{path}: {shown!r} is shown, {told!r} is told"]


def _in_members(shown: dict[str, Any], told: dict[str, Any], path: str) -> list[str]:
    names = set(shown) - {ANY}
    found = [f"{path}.{name} is not told" for name in names - set(told)]
    if ANY not in shown:
        found += [f"{path}.{name} is not shown" for name in set(told) - names]
    for name in names & set(told):
        found += differences(shown[name], told[name], f"{path}.{name}")
    return found


def _same(shown: Any, told: Any) -> bool:
    if isinstance(shown, str) and isinstance(told, str):
        if _is_moment(shown):
            return _is_moment(told)
        wanted = ".*".join(map(re.escape, shown.split(ANY)))
        return re.fullmatch(wanted, told, re.DOTALL) is not None
    return shown == ANY or (type(shown) is type(told) and bool(shown == told))


def _is_moment(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False
