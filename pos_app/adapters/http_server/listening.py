"""Opens sockets to listen on, bound so that nobody else can listen there too.

Source: exactly-once.md, "The open local server", 1 and 7.
"""

from __future__ import annotations

import errno
import socket
import sys

from pos_app.settings import EVERYWHERE, LOOPBACK

ANY_IPV4 = "0.0.0.0"
_BACKLOG = 128
_TRIES = 20
_NO_IPV6 = {errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT}


def listen(host: str, port: int) -> list[socket.socket]:
    """Return listening sockets on host:port; port 0 is any free one.

    The loopback means 127.0.0.1 and ::1, both on the same port; "0.0.0.0" means these, and IPv4
    from elsewhere. Raises OSError.
    """
    if host in LOOPBACK:
        return _on_loopback(port)
    if host == ANY_IPV4:
        return _on_loopback(port, first=ANY_IPV4)
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, _, _, _, address = found[0]
    return [_socket(family, str(address[0]), port)]


def free_port(preferred: int = 0) -> int:
    """Return a port of the loopback where nobody listens now: the preferred one if possible.
    Another program may still be quicker to take it. Raises OSError when there is none."""
    try:
        doors = listen("127.0.0.1", preferred)
    except OSError:
        if not preferred:
            raise
        return free_port()
    port: int = doors[0].getsockname()[1]
    for door in doors:
        door.close()
    return port


def is_in_use(error: OSError) -> bool:
    """Tell whether a socket could not be bound because another program listens there."""
    taken = {errno.EADDRINUSE}
    if sys.platform == "win32":
        # An address held with SO_EXCLUSIVEADDRUSE is reported as "no access".
        taken |= {errno.WSAEADDRINUSE, errno.WSAEACCES, errno.EACCES}
    return error.errno in taken


def reachable(host: str) -> str:
    """Return the host by which this machine's programs reach a server that listens on `host`."""
    if host in LOOPBACK | EVERYWHERE:
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _on_loopback(port: int, *, first: str = "127.0.0.1") -> list[socket.socket]:
    for attempt in range(_TRIES):
        door = _socket(socket.AF_INET, first, port)
        try:
            second = _on_ipv6_loopback(door.getsockname()[1])
        except OSError as error:
            door.close()
            if port or not is_in_use(error) or attempt == _TRIES - 1:
                raise
        else:
            return [door] if second is None else [door, second]
    raise AssertionError("unreachable: the last try returns or raises")


def _on_ipv6_loopback(port: int) -> socket.socket | None:
    """Listen on ::1, or return None on a machine without IPv6."""
    if not socket.has_ipv6:
        return None
    try:
        return _socket(socket.AF_INET6, "::1", port)
    except OSError as error:
        if error.errno in _NO_IPV6:
            return None
        raise


def _socket(family: int, address: str, port: int) -> socket.socket:
    # With the protocol named, asyncio sends small answers at once; else each waits some 40 ms.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform == "win32":
            # Without this option, a program with SO_REUSEADDR could take over an address in use.
            made.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        elif sys.platform == "linux":
            # Here the option only lets a restarted program pass its predecessor's connections in
            # TIME_WAIT.
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, int(address != "::"))
        made.bind((address, port))
        made.listen(_BACKLOG)
        made.setblocking(False)
    except OSError:
        made.close()
        raise
    return made
