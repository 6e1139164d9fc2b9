"""A PostgreSQL of this test run alone: a cluster in memory, reached by a socket in its folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_USER = "postgres"
_MISSING = (
    "PostgreSQL is not installed: run `packaging/prepare.sh test` as root, or"
    " `apt-get install postgresql`"
)


def programs() -> Path:
    """Where initdb and pg_ctl are. Raises AssertionError with what to do where they are not."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    on_path = shutil.which("initdb")
    assert found or on_path, _MISSING
    return found[0].parent if found else Path(str(on_path)).parent


@contextmanager
def postgresql() -> Iterator[str]:
    """The address of a new, empty database; its server ends with the context."""
    place = programs()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="pos-pg-", dir=memory))
    if os.geteuid() == 0:  # who may not run it
        shutil.chown(folder, _USER, _USER)
    data = folder / "data"
    options = (
        f"-k {folder} -c listen_addresses='' -c fsync=off -c synchronous_commit=off"
        " -c full_page_writes=off -c shared_buffers=16MB -c max_connections=200"
    )
    try:
        _run(place / "initdb", "-D", data, "-A", "trust", "-U", _USER, "--no-sync", "-E", "UTF8")
        _run(place / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start")
        try:
            yield f"postgresql://{_USER}@/postgres?host={folder}"
        finally:
            _run(place / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(program: Path, *words: str | Path) -> None:
    before = ["setpriv", f"--reuid={_USER}", f"--regid={_USER}", "--clear-groups"]
    command = [*(before if os.geteuid() == 0 else []), str(program), *map(str, words)]
    done = subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, cwd="/"
    )
    assert done.returncode == 0, f"{program.name} ended with {done.returncode}"
