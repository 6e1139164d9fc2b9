"""A real CUPS for the tests: its queues print into files, fail or wait, as a test says."""

from __future__ import annotations

import getpass
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CUPSD = shutil.which("cupsd", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
ADMIN = shutil.which("lpadmin", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
WHY_NOT = (
    "" if CUPSD and ADMIN and os.geteuid() == 0 else "needs root and cups-daemon and cups-client"
)

BACKEND = """#!/bin/sh
# paper:MODE:/file - the file gets what is printed; MODE is well, fails, or waits (for FILE.go).
[ $# -eq 0 ] && { echo 'direct paper "Unknown" "Paper"'; exit 0; }
rest=${DEVICE_URI#paper:}
mode=${rest%%:*}
file=${rest#*:}
[ "$mode" = fails ] && { echo "ERROR: the paper is jammed" >&2; exit 1; }
while [ "$mode" = waits ] && [ ! -e "$file.go" ]; do sleep 0.05; done
cat ${6:+"$6"} >"$file"
"""


class Cups:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.socket = str(folder / "cups.sock")

    def add_queue(self, name: str, mode: str = "well") -> Path:
        file = self.folder / f"{name}.pdf"
        uri = f"paper:{mode}:{file}"
        options = ("-m", "raw", "-E", "-o", "printer-error-policy=abort-job")
        self.run("lpadmin", "-p", name, "-v", uri, *options)
        return file

    def run(self, command: str, *arguments: str) -> str:
        environment = {**os.environ, "CUPS_SERVER": self.socket, "LC_ALL": "C"}
        environment["PATH"] += ":/usr/sbin:/sbin"
        done = subprocess.run(
            [command, *arguments], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@contextmanager
def running() -> Iterator[Cups]:
    """Run a scheduler in a folder of its own, and remove it with all that it made.

    The folder has a short path: a socket's name may have 107 bytes.
    """
    with tempfile.TemporaryDirectory(prefix="cups-") as made:
        folder = Path(made)
        _write_settings(folder)
        scheduler = subprocess.Popen(
            [str(CUPSD), "-f", "-c", folder / "cupsd.conf", "-s", folder / "cups-files.conf"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            cups = Cups(folder)
            _wait_for(scheduler, cups)
            yield cups
        finally:
            scheduler.terminate()
            scheduler.wait(20)


def _wait_for(scheduler: subprocess.Popen[bytes], cups: Cups) -> None:
    end = time.monotonic() + 20
    while not Path(cups.socket).exists():
        assert scheduler.poll() is None, (cups.folder / "error_log").read_text()
        assert time.monotonic() < end, "CUPS does not start"
        time.sleep(0.05)


def _write_settings(folder: Path) -> None:
    folder.chmod(0o755)
    programs = folder / "programs"
    for name in ("backend", "spool", "cache", "state", "spool/tmp"):
        place = programs / name if name == "backend" else folder / name
        place.mkdir(parents=True)
    for each in Path("/usr/lib/cups").iterdir():
        if each.name != "backend":
            (programs / each.name).symlink_to(each)
    backend = programs / "backend" / "paper"
    backend.write_text(BACKEND)
    backend.chmod(0o700)  # it runs as root, so it can write into the tests' folder
    user = getpass.getuser()
    (folder / "cupsd.conf").write_text(
        f"Listen {folder}/cups.sock\nBrowsing Off\nLogLevel debug\nMaxLogSize 0\n"
        "DefaultAuthType Basic\nWebInterface No\n"
        "<Location />\nOrder allow,deny\nAllow all\n</Location>\n"
        "<Policy default>\n<Limit Cancel-Job>\nAuthType Default\nRequire user @OWNER @SYSTEM\n"
        "Order deny,allow\n</Limit>\n<Limit All>\nOrder deny,allow\n</Limit>\n</Policy>\n"
    )
    (folder / "cups-files.conf").write_text(
        f"ServerRoot {folder}\nServerBin {programs}\nRequestRoot {folder}/spool\n"
        f"TempDir {folder}/spool/tmp\nCacheDir {folder}/cache\nStateDir {folder}/state\n"
        f"AccessLog {folder}/access_log\nErrorLog {folder}/error_log\nPageLog {folder}/page_log\n"
        f"SystemGroup {user}\nSystemGroup root\nSandboxing relaxed\nLogFilePerm 0644\n"
        "FatalErrors none\n"
    )
