"""What a stranger's PFX says, read in a process of its own.

How long a PFX takes to open is written in it, up to half an hour, and the library that opens it
holds up its whole process for so long. Here a file that takes longer than any real one ends its
reader. Not for Windows. Source: fiscal.md 7.
"""

from __future__ import annotations

import asyncio
import base64
import json
import signal
import subprocess
import sys
from dataclasses import asdict
from datetime import datetime
from typing import Any

from pos_app.adapters.pfr.certificate import CertificateWrong, open_pfx
from pos_app.adapters.secrets.secret import Secret
from pos_app.domain.certificate import CertificateFacts
from pos_app.installed import command

MOST_SECONDS = 0.5
"""Of a processor; real files take some milliseconds, 100,000 rounds 0.1 s."""
_MODULE = "pos_app.adapters.pfr.certificate_process"
_INSTANTS = ("valid_from", "expires")


async def read_facts(pfx: bytes, password: str) -> CertificateFacts:
    """Raises CertificateWrong, also for a file that takes too long."""
    asked = {"pfx": base64.b64encode(pfx).decode(), "password": password}
    child = await asyncio.create_subprocess_exec(
        *command(_MODULE), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        told, _ = await child.communicate(json.dumps(asked).encode())
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    if child.returncode == -signal.SIGVTALRM:
        what = "The certificate file asks for more rounds to open it than any real one."
        raise CertificateWrong(what, kind="file")
    if child.returncode:
        raise CertificateWrong("The certificate file can't be read.", kind="file")
    members: dict[str, Any] = json.loads(told)
    if "what" in members:
        raise CertificateWrong(members["what"], kind=members["kind"])
    instants = {name: datetime.fromisoformat(members[name]) for name in _INSTANTS}
    return CertificateFacts(**members | instants)


def _main() -> None:
    """Answer one question of standard input, which has secrets; nothing of them is printed."""
    asked = json.loads(sys.stdin.buffer.read())
    pfx, password = base64.b64decode(asked["pfx"]), Secret(asked["password"])
    # Its default is to end the process, also within the library.
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
    try:
        facts = asdict(open_pfx(pfx, password).facts)
        told = facts | {name: facts[name].isoformat() for name in _INSTANTS}
    except CertificateWrong as error:
        told = {"what": error.what, "kind": error.kind}
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    _main()
