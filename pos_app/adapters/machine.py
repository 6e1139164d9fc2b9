"""Answers what the till's self-test and settings ask of its computer."""

from __future__ import annotations

import shutil
import socket
from datetime import datetime
from pathlib import Path

from pos_app.adapters.backup.sets import last_try, newest
from pos_app.adapters.http_server.listening import free_port

_ELSEWHERE = ("192.0.2.250", 9)
"""An address for documentation (RFC 5737)."""


class MachineHere:
    """The port Machine: the disk of a data folder, the backups in it, and the network."""

    def __init__(self, data: Path) -> None:
        self._data = data

    def free_bytes(self) -> int | None:
        try:
            return shutil.disk_usage(self._data).free
        except OSError:
            return None

    def last_backup(self) -> datetime | None:
        return newest(self._data)

    def backup_failed(self) -> bool:
        tried = last_try(self._data)
        return tried is not None and (tried.error is not None or bool(tried.second_words))

    def can_listen(self, port: int) -> bool:
        return port > 0 and free_port(port) == port

    def addresses(self) -> tuple[str, ...]:
        """Return the addresses, first that of the outgoing route, for which no byte is sent."""
        found = []
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as door:
            try:
                door.connect(_ELSEWHERE)
                found.append(str(door.getsockname()[0]))
            except OSError:
                pass  # the machine is in no network
        try:
            entries = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        except OSError:
            entries = []
        found += [str(one[4][0]) for one in entries]
        return tuple(dict.fromkeys(one for one in found if not one.startswith("127.")))
