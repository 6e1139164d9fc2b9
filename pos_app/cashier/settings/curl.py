"""Writes the request of another program as a command that sends it again, for a shell of Linux or a
Mac. To find a fault a person changes the command. The command has the request's key, so it gives
the same receipt again, and nothing is signed a second time."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from pos_app.domain.receipt.server_status import LoggedHeader, LoggedRequest

_BY_CURL = frozenset(
    {
        "host",
        "content-length",
        "connection",
        "keep-alive",
        "accept",
        "accept-encoding",
        "user-agent",
        "transfer-encoding",
        "expect",
        "te",
    }
)
"""Headers that curl itself writes to fit what it sends."""
_AND = " \\\n  "


def curl_of(request: LoggedRequest, address: str) -> str:
    """Return the command. request: with headers and body. address: the address of the server on
    this computer, such as "http://127.0.0.1:9999"."""
    parts = [f"curl -sS -i -g --path-as-is -X {shlex.quote(request.method)}"]
    parts.append(shlex.quote(f"{address}{request.target}"))
    named = request.host
    if named and f"http://{named}" != address:
        parts.append(_header("Host", named))
    parts += [_header(one.name, one.value) for one in _kept(request.headers or ())]
    if request.body:
        parts.append(f"--data-raw {shlex.quote(request.body)}")
    return _AND.join(parts)


def _kept(headers: Sequence[LoggedHeader]) -> list[LoggedHeader]:
    return [one for one in headers if one.name.lower() not in _BY_CURL]


def _header(name: str, value: str) -> str:
    """Return curl's option; a header without a value is sent with a semicolon."""
    return f"-H {shlex.quote(f'{name}: {value}' if value else f'{name};')}"
