"""Names this computer, so that a data folder notices that it was copied to another one."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

_LINUX = (Path("/etc/machine-id"), Path("/var/lib/dbus/machine-id"))


def machine_mark() -> str:
    """Return 16 hex digits that stay the same on this computer, "" where the system has no name for
    it. The system's own id is hashed, so that it is kept nowhere."""
    machine_id = _read_machine_id()
    return hashlib.sha256(f"pos-app {machine_id}".encode()).hexdigest()[:16] if machine_id else ""


if sys.platform == "win32":
    import winreg

    def _read_machine_id() -> str:
        try:
            with winreg.OpenKey(
                winreg.HKEY_LOCAL_MACHINE, r"SOFTWARE\Microsoft\Cryptography"
            ) as key:
                return str(winreg.QueryValueEx(key, "MachineGuid")[0])
        except OSError:
            return ""

else:

    def _read_machine_id() -> str:
        for path in _LINUX:
            try:
                if machine_id := path.read_text(encoding="ascii").strip():
                    return machine_id
            except (OSError, UnicodeDecodeError):
                continue
        return ""
