"""Opens a PFX that a person brought in a process of its own.

A PFX itself sets how long it takes to open, up to half an hour, and the library that opens it
blocks its whole process meanwhile: a shop could not sell, and a platform could not answer. Here a
file that takes longer than any real one ends its process. Source: fiscal.md 7.
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

from pos_app.adapters.left_alone import read_asked, write_told
from pos_app.adapters.pfr.certificate import CertificateWrong, ClientCertificate, open_pfx
from pos_app.adapters.pfr.vpfr_access import check_shown
from pos_app.adapters.secrets.secret import Secret
from pos_app.domain.setup.certificate import CertificateFacts
from pos_app.errors import CertificateUnread, MachineError
from pos_app.installed import check_own, command

MOST_SECONDS = 0.5
"""The computing time for opening the file; real files take milliseconds, 100,000 rounds 0.1 s."""
_WAITED_SECONDS = 10.0
"""The limit by the clock, also for a process that starts slowly; Windows has this limit alone. The
till waits longer for an answer that needs a certificate."""
_STORED_WAITED_SECONDS = 60.0
"""The limit by the clock for the stored file, where no caller waits. A PC that was just switched
on, with a cold disk and a virus scanner, needs long to start a program."""
_BY_CLOCK_ALONE = sys.platform == "win32"
_BEGUN = b"\n"
"""The process writes this before it opens the file. It is written as bytes, because a text would
get the system's line ends."""
_ENDED_BY_TIMER = -int(getattr(signal, "SIGVTALRM", 255))
_MODULE = "pos_app.adapters.pfr.certificate_process"
_INSTANTS = ("valid_from", "expires")


def open_apart(pfx: bytes, password: Secret, *, is_stored: bool = False) -> ClientCertificate:
    """Open a PFX in another process and wait for it: call it in a thread. is_stored: the shop has
    this file already, and no caller waits for the answer.

    Raises CertificateWrong, also for a file that takes too long; CertificateUnread where the
    process did not start, or ended without a word.
    """
    asked = {"pfx": base64.b64encode(pfx).decode(), "password": password.reveal()}
    child = _asked(json.dumps(asked).encode() + b"\n", is_stored=is_stored)
    if child.returncode == _ENDED_BY_TIMER:
        raise _too_slow()
    # Any other exception was caused by the file, once the process had begun to open it.
    if child.returncode == 1 and child.stdout.startswith(_BEGUN):
        raise CertificateWrong("file.unread")
    if child.returncode:
        raise _unread(f"ended with status {child.returncode}")
    document: dict[str, Any] = json.loads(child.stdout)
    if "unread" in document:
        raise _unread(document["unread"])
    if "what" in document:
        raise CertificateWrong(document["kind"], what=document["what"])
    facts = document["facts"]
    instants = {name: datetime.fromisoformat(facts[name]) for name in _INSTANTS}
    shown, passphrase = document["shown"].encode(), document["passphrase"].encode()
    return ClientCertificate(CertificateFacts(**facts | instants), shown, passphrase)


def _asked(question: bytes, *, is_stored: bool) -> subprocess.CompletedProcess[bytes]:
    most_seconds = _STORED_WAITED_SECONDS if is_stored else _WAITED_SECONDS
    try:
        check_own()
        return subprocess.run(
            command(_MODULE),
            input=question,
            stdout=subprocess.PIPE,
            timeout=most_seconds,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        if _BY_CLOCK_ALONE and error.stdout == _BEGUN and not is_stored:
            raise _too_slow() from None
        raise _unread(f"did not answer within {most_seconds:.0f} s") from None
    except OSError as error:
        raise _unread(f"could not be started: {error.strerror}") from error
    except MachineError:
        raise _unread("was not started: another version of the program was installed") from None


def _unread(why: str) -> CertificateUnread:
    return CertificateUnread(why=why)


def _too_slow() -> CertificateWrong:
    return CertificateWrong("rounds")


def _main() -> None:
    """Answer one question from standard input, through pipes: question and answer have secrets."""
    from cryptography.hazmat.primitives.serialization import pkcs12  # noqa: F401, PLC0415

    # The library is loaded by now: a slow disk does not count as the file's rounds.
    asked = json.loads(read_asked())
    pfx, password = base64.b64decode(asked["pfx"]), Secret(asked["password"])
    _end_in_time()
    write_told(_BEGUN)
    answer: dict[str, Any]
    try:
        opened = open_pfx(pfx, password)
        check_shown(opened)
        facts = asdict(opened.facts)
        facts |= {name: facts[name].isoformat() for name in _INSTANTS}
        answer = {
            "facts": facts,
            "shown": opened.pem.decode(),
            "passphrase": opened.passphrase.decode(),
        }
    except CertificateWrong as error:
        answer = {"what": error.what, "kind": error.kind}
    except OSError as error:  # ssl reads the key from a file only
        answer = {"unread": f"has no place for a moment's file: {error.strerror}"}
    write_told(json.dumps(answer).encode())


def _end_in_time() -> None:
    if sys.platform != "win32":
        # By default the signal ends the process, also within the library.
        signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)


if __name__ == "__main__":
    _main()
