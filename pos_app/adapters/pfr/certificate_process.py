"""A PFX that somebody brought, opened in a process of its own.

How long a PFX takes to open is written in it, up to half an hour, and the library that opens it
holds up its whole process for so long: a shop could not sell, a platform not answer. Here a file
that takes longer than any real one ends its reader. Source: fiscal.md 7.
"""

from __future__ import annotations

import base64
import json
import signal
import subprocess
import sys
from dataclasses import asdict
from datetime import datetime
from typing import Any

from pos_app.adapters.pfr.certificate import CertificateWrong, ClientCertificate, open_pfx
from pos_app.adapters.pfr.vpfr_access import check_shown
from pos_app.adapters.secrets.secret import Secret
from pos_app.domain.certificate import CertificateFacts
from pos_app.installed import command

MOST_SECONDS = 0.5
"""Of a processor; real files take some milliseconds, 100,000 rounds 0.1 s."""
_MOST_WAITED_SECONDS = 10.0
"""By the clock, also for a process that starts slowly; Windows has this limit alone."""
_ENDED_BY_TIMER = -int(getattr(signal, "SIGVTALRM", 255))
_MODULE = "pos_app.adapters.pfr.certificate_process"
_INSTANTS = ("valid_from", "expires")


def open_apart(pfx: bytes, password: Secret) -> ClientCertificate:
    """Waits for the other process: call it in a thread. Raises CertificateWrong, also for a file
    that takes too long."""
    asked = {"pfx": base64.b64encode(pfx).decode(), "password": password.reveal()}
    try:
        child = subprocess.run(
            command(_MODULE),
            input=json.dumps(asked).encode(),
            stdout=subprocess.PIPE,
            timeout=_MOST_WAITED_SECONDS,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _too_slow() from None
    if child.returncode == _ENDED_BY_TIMER:
        raise _too_slow()
    if child.returncode:
        raise CertificateWrong("The certificate file can't be read.", kind="file")
    told: dict[str, Any] = json.loads(child.stdout)
    if "what" in told:
        raise CertificateWrong(told["what"], kind=told["kind"])
    facts = told["facts"]
    instants = {name: datetime.fromisoformat(facts[name]) for name in _INSTANTS}
    shown, passphrase = told["shown"].encode(), told["passphrase"].encode()
    return ClientCertificate(CertificateFacts(**facts | instants), shown, passphrase)


def _too_slow() -> CertificateWrong:
    what = "The certificate file asks for more rounds to open it than any real one."
    return CertificateWrong(what, kind="rounds")


def _main() -> None:
    """Answer one question of standard input, to the pipe of who asked: both have secrets."""
    asked = json.loads(sys.stdin.buffer.read())
    pfx, password = base64.b64decode(asked["pfx"]), Secret(asked["password"])
    _end_in_time()
    told: dict[str, Any]
    try:
        opened = open_pfx(pfx, password)
        check_shown(opened)
        facts = asdict(opened.facts)
        facts |= {name: facts[name].isoformat() for name in _INSTANTS}
        told = {
            "facts": facts,
            "shown": opened.shown.decode(),
            "passphrase": opened.passphrase.decode(),
        }
    except CertificateWrong as error:
        told = {"what": error.what, "kind": error.kind}
    sys.stdout.write(json.dumps(told))


def _end_in_time() -> None:
    if sys.platform != "win32":
        # Its default is to end the process, also within the library.
        signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)


if __name__ == "__main__":
    _main()
