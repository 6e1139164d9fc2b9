"""Compares the target (`Host`) and the web page (`Origin`) that a request names.

Source: RFC 9110 4.2.3 and 7.2 (hosts and default ports), RFC 6454 6 (an origin's text).
"""

from __future__ import annotations

import re

OUR_NAMES = frozenset({"127.0.0.1", "localhost", "[::1]"})
_DEFAULT_PORTS = {"http": 80, "https": 443}
_AUTHORITY = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z_.-]+)(?::(?P<port>[0-9]{1,5}))?")
_ORIGIN = re.compile(r"(?P<scheme>[A-Za-z][0-9A-Za-z+.-]*)://(?P<authority>[^/\s]+)")


def split_authority(text: str) -> tuple[str, int | None] | None:
    found = _AUTHORITY.fullmatch(text)
    if found is None:
        return None
    port = found["port"]
    return found["name"].lower(), None if port is None else int(port)


def is_our_host(host: str, *, names: tuple[str, ...], port: int) -> bool:
    """Whether a `Host` header is one of our names with our port.

    A name set with a port of its own (a forwarded one) is compared with that port.
    """
    target = split_authority(host)
    if target is None:
        return False
    name, target_port = target
    reached = _DEFAULT_PORTS["http"] if target_port is None else target_port
    known = {(ours, port) for ours in OUR_NAMES}
    for entry in names:
        given = split_authority(_with_brackets(entry.strip()))
        if given is not None:
            known.add((given[0], port if given[1] is None else given[1]))
    return (name, reached) in known


def _with_brackets(name: str) -> str:
    return f"[{name}]" if name.count(":") > 1 and not name.startswith("[") else name


def as_origin(text: str) -> str | None:
    """An origin in normal form, for comparison; None for "null" and for an invalid one."""
    found = _ORIGIN.fullmatch(text.strip().rstrip("/"))
    authority = split_authority(found["authority"]) if found else None
    if found is None or authority is None:
        return None
    scheme, (name, port) = found["scheme"].lower(), authority
    if port is None or port == _DEFAULT_PORTS.get(scheme):
        return f"{scheme}://{name}"
    return f"{scheme}://{name}:{port}"
