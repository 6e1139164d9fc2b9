"""A PostgreSQL of this test run alone: a cluster in memory, with a socket in its folder."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_USER = "postgres"
_MISSING = (
    "PostgreSQL is not installed: run `packaging/prepare.sh test` as root, or"
    " `apt-get install postgresql`"
)
_START_SECONDS = 300
"""Many test runs may start theirs at once; pg_ctl itself gives up after 60."""
_SWIFT = (
    "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c shared_buffers=16MB"
    " -c max_connections=200"
)
_DURABLE = "-c shared_buffers=16MB -c max_connections=200 -c wal_writer_delay=10s"
"""Commits that need not be durable reach the disk late: a kill loses them, however slow the machine
is."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """options: the server's. address: for libpq."""

    folder: Path
    options: str

    @property
    def address(self) -> str:
        return f"postgresql://{_USER}@/postgres?host={self.folder}"

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    @property
    def postmaster(self) -> int:
        """The number of the process that started all others of the cluster."""
        return int((self._data / "postmaster.pid").read_text().splitlines()[0])

    def make(self) -> None:
        words = ("-A", "trust", "-U", _USER, "--no-sync", "-E", "UTF8")
        self._run("initdb", "-D", self._data, *words)

    def start(self) -> None:
        options = f"-k {self.folder} -c listen_addresses='' {self.options}"
        log = self.folder / "log"
        words = ("-D", self._data, "-w", "-t", str(_START_SECONDS), "-l", log, "-o", options)
        self._run("pg_ctl", *words, "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", self._data, "-m", "immediate", "-w", "stop")

    def kill(self) -> None:
        """Send SIGKILL to the postmaster and to each of its processes; returns when all are
        gone."""
        postmaster = self.postmaster
        of_it = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        for process in (postmaster, *map(int, of_it)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        while any(_runs(process) for process in (postmaster, *map(int, of_it))):
            time.sleep(0.005)
        # Where a dead process is not reaped, the next server takes its number for a living one.
        for lock in (self._data / "postmaster.pid", self.folder / ".s.PGSQL.5432.lock"):
            lock.unlink(missing_ok=True)

    def _run(self, program: str, *words: str | Path) -> None:
        before = ["setpriv", f"--reuid={_USER}", f"--regid={_USER}", "--clear-groups"]
        command = [*(before if os.geteuid() == 0 else []), str(programs() / program)]
        with tempfile.TemporaryFile("w+") as said:  # a pipe would stay open in the server
            done = subprocess.run(
                [*command, *map(str, words)], stdout=said, stderr=said, check=False, cwd="/"
            )
            said.seek(0)
            assert done.returncode == 0, f"{program}: {done.returncode}: {said.read()}{self._log()}"

    def _log(self) -> str:
        log = self.folder / "log"
        return log.read_text(errors="replace")[-2000:] if log.exists() else ""


def programs() -> Path:
    """The folder of initdb and pg_ctl. Raises AssertionError with what to do where there is
    none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    on_path = shutil.which("initdb")
    assert found or on_path, _MISSING
    return found[0].parent if found else Path(str(on_path)).parent


@contextmanager
def postgresql_cluster(*, is_durable: bool = False) -> Iterator[Cluster]:
    """A new, empty cluster that runs until the end of the context.

    is_durable: whether a commit survives a SIGKILL, as in a shop.
    """
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="pos-pg-", dir=memory))
    if os.geteuid() == 0:  # root may not run it
        shutil.chown(folder, _USER, _USER)
    cluster = Cluster(folder, _DURABLE if is_durable else _SWIFT)
    try:
        cluster.make()
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def postgresql() -> Iterator[str]:
    """The address of a new, empty database; its server ends with the context."""
    with postgresql_cluster() as cluster:
        yield cluster.address


def _runs(process: int) -> bool:
    """Whether a process runs, and is no dead one that was not reaped yet."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in ("Z", "X")
