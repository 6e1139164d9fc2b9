"""A shop of real programs, each a process of its own: processor, server, a robot at the till."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, TypeVar

import httpx

from tests.e2e.nursery import Life
from tests.fakes.no_tls import NO_TLS
from tests.ports import free_ports

ROOT = Path(__file__).parents[2]
CATALOGUE = ROOT / "resources" / "demo" / "catalogue.json"
QUIET = 0.4
"""W of these shops, in seconds: longer than any delay of the processor."""
PATIENCE = 60.0
"""Seconds after which waiting fails."""
T = TypeVar("T")


def until(reached: Callable[[], T | None], *, seconds: float = PATIENCE, told: object = "") -> T:
    """Wait until this is true; returns its value. told: a failure's words, or their function."""
    end = time.monotonic() + seconds
    while not (found := reached()):
        assert time.monotonic() < end, told() if callable(told) else told
        time.sleep(0.02)
    return found


def ask(method: str, url: str, *, timeout: float = 30.0, **more: Any) -> httpx.Response:
    """Send one request to a program of ours. Raises httpx.TransportError."""
    return httpx.request(method, url, trust_env=False, verify=NO_TLS, timeout=timeout, **more)


def sale(quantity: int = 1, **members: Any) -> dict[str, Any]:
    """The order of so many breads at 58,99, paid with 200 in cash."""
    usual = {
        "invoiceType": "normal",
        "transactionType": "sale",
        "payments": {"cash": 200},
        "items": [{"sku": 1, "quantity": quantity, "unitPrice": 58.99}],
        "receiptDelivery": {"pdf": False},
    }
    return usual | members


class Program:
    """A program whose output is read as it comes. told: its lines with their seconds."""

    def __init__(
        self,
        words: Sequence[str],
        *,
        env: dict[str, str],
        errors: Path,
        cwd: Path = ROOT,
        nursery: Path | None = None,
    ) -> None:
        """words: after `python`. nursery: the socket of one, where the program starts faster."""
        self._errors = errors
        whole_env = os.environ | env
        with errors.open("ab") as file:
            self.child = (
                Life(nursery, words, errors=file, env=whole_env, cwd=cwd)
                if nursery is not None
                else subprocess.Popen(
                    [sys.executable, *words],
                    stdout=subprocess.PIPE,
                    stderr=file,
                    text=True,
                    cwd=cwd,
                    env=whole_env,
                    start_new_session=True,
                )
            )
        self.told: list[tuple[float, str]] = []
        self._changed = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.child.stdout is not None
        for line in self.child.stdout:
            with self._changed:
                self.told.append((time.monotonic(), line.strip()))
                self._changed.notify_all()

    def lines(self, first_word: str = "") -> list[list[str]]:
        with self._changed:
            words = [line.split() for _, line in self.told]
        return [line for line in words if line and line[0].startswith(first_word)]

    def until(self, reached: Callable[[], Any], *, seconds: float = PATIENCE) -> Any:
        """Wait until its output makes `reached` true; returns that value."""
        end = time.monotonic() + seconds
        while True:
            has_told_all = self.is_over and not self._reader.is_alive()
            if found := reached():
                return found
            left = end - time.monotonic()
            if left <= 0 or has_told_all:
                raise AssertionError(f"not told: {self.told[-5:]}\n{self.errors()}")
            with self._changed:
                self._changed.wait(min(left, 0.05))

    @property
    def is_over(self) -> bool:
        return self.child.poll() is not None

    def wait(self, seconds: float = PATIENCE) -> int:
        """Its exit status; all its output has been read then."""
        try:
            status = self.child.wait(seconds)
        except subprocess.TimeoutExpired as slow:
            raise AssertionError(f"it goes on: {self.told[-5:]}\n{self.errors()}") from slow
        self._reader.join(5.0)
        return status

    def kill(self) -> None:
        self.child.kill()
        self.wait()

    def stop(self) -> None:
        if not self.is_over:
            self.child.terminate()
            try:
                self.child.wait(15.0)
            except subprocess.TimeoutExpired:
                self.child.kill()
        self.wait()

    def close(self) -> None:
        """Kill it where it still runs, and close its output."""
        if not self.is_over:
            self.kill()
        self.child.stdout.close()

    def errors(self) -> str:
        return self._errors.read_text(errors="replace")[-3000:]


@dataclass
class Shop:
    """A data folder, a processor's folder, and the programs that run on them now."""

    folder: Path
    port: int
    processor_port: int
    control_port: int
    running: list[Program] = field(default_factory=list)
    pids: set[int] = field(default_factory=set)
    nursery: Path | None = None
    quiet_seconds: float = QUIET

    @classmethod
    def make(cls, folder: Path, catalogue: Path, nursery: Path | None = None) -> Self:
        """A new shop with the articles of the demo; its programs are started in that nursery."""
        (folder / "data").mkdir(parents=True)
        shutil.copytree(catalogue / "catalogue", folder / "data" / "catalogue")
        port, processor_port, control_port = free_ports(3)
        shop = cls(folder, port, processor_port, control_port, nursery=nursery)
        settings = f"[server]\nport = {shop.port}\n"
        (shop.data / "settings.toml").write_text(settings, encoding="utf-8")
        return shop

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def ledger_folder(self) -> Path:
        return self.folder / "pfr" / "processor"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def join(self, url: str, key: str, secret: str, *, join: str) -> None:
        """Write the settings of that platform, in public mode, and the secret."""
        with (self.data / "settings.toml").open("a", encoding="utf-8") as file:
            file.write(f'[platform]\nurl = "{url}"\nkey = "{key}"\npublic_mode = true\n')
            file.write(f'join = "{join}"\n')
        secrets = self.data / "secrets.toml"
        secrets.touch(0o600)
        secrets.write_text(f'platform_secret = "{secret}"\n', encoding="utf-8")

    def as_till(self) -> dict[str, str]:
        """The headers by which the server knows its till."""
        install = json.loads((self.data / "install.json").read_bytes())
        return {"X-Pos-Token": install["token"], "X-Pos-Install": install["install_id"]}

    def env(self) -> dict[str, str]:
        """The variables that give the server its processor."""
        return {
            "POS_APP_PROCESSOR__URL": f"http://127.0.0.1:{self.processor_port}",
            "POS_APP_PROCESSOR__QUIET_SECONDS": str(self.quiet_seconds),
        }

    def run(self, *words: str, name: str) -> Program:
        log = self.folder / f"{name}.log"
        program = Program(words, env=self.env(), errors=log, nursery=self.nursery)
        self.running.append(program)
        return program

    def processor(self, *wrapper: str) -> Program:
        """Start the development processor with its control port; it is ready when this returns."""
        from tests.fakes.processor_key import give_key  # 8 MiB, which no till has

        give_key(self.ledger_folder)
        words = ["processor", "--data", str(self.folder / "pfr")]
        words += ["--port", str(self.processor_port), "--control-port", str(self.control_port)]
        program = self._product(wrapper, words, "processor")
        program.until(lambda: program.lines("http") or program.is_over)
        return program

    def server(self, *wrapper: str) -> Program:
        """Start the server without a keeper; when this returns, it is ready or dead already."""
        program = self._product(wrapper, ["server", "--data", str(self.data)], "server")
        program.until(lambda: program.lines("http") or program.is_over)
        return program

    def robot(self, *wrapper: str, total: int, own_server: bool = False) -> Program:
        words = ["--data", str(self.data), "--total", str(total)]
        words += ["--own-server"] if own_server else []
        if wrapper:
            return self._product(wrapper, ["robot", *words], "till")
        return self.run("-m", "tests.e2e.robot", *words, name="till")

    def _product(self, wrapper: Sequence[str], words: list[str], name: str) -> Program:
        if wrapper:
            return self.run("-m", "tests.e2e.kill_at", *wrapper, "--", *words, name=name)
        return self.run("-m", "pos_app", *words, name=name)

    def close(self) -> None:
        """End every program that was started here, and the servers that the tills started."""
        for program in self.running:
            program.close()
        for pid in self.pids:
            kill_pid(pid)

    def control(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        address = f"http://127.0.0.1:{self.control_port}{path}"
        answer = ask(method, address, json=body if method != "DELETE" else None)
        assert answer.status_code == httpx.codes.OK, answer.text
        return answer.json()

    def change(self, **members: Any) -> None:
        self.control("PATCH", "/state", members)

    def fault(self, kind: str, **members: Any) -> None:
        self.control("POST", "/faults", {"kind": kind, **members})


def kill_pid(pid: int) -> bool:
    """Send SIGKILL to one of our own server processes; tells whether it was there."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


@contextmanager
def opened(folder: Path, catalogue: Path, nursery: Path | None = None) -> Iterator[Shop]:
    shop = Shop.make(folder, catalogue, nursery)
    try:
        yield shop
    finally:
        shop.close()
