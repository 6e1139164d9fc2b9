"""A platform with signers, a V-PFR over TLS, and callers that bring certificates; real programs."""

from __future__ import annotations

import asyncio
import base64
import os
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from queue import Queue
from typing import Any
from urllib.parse import urlsplit

import httpx
from cryptography.hazmat.primitives.serialization import Encoding

from pos_app import settings
from pos_app.adapters.signers.signer_client import Door
from pos_app.adapters.signers.signer_folders import home_of, signer_folder
from pos_app.bootstrap.platform.accounts import add_account, add_key
from pos_app.pfr_emulator.authority import Authority
from pos_app.pfr_emulator.ledger import LedgerEntry, read_entries
from tests.e2e.nursery import door
from tests.e2e.shop import PATIENCE, Program, ask, until
from tests.fakes.mail_server import MailBox, certificates, serving
from tests.fakes.no_tls import NO_TLS
from tests.fakes.processor_key import give_key
from tests.integration.test_server_program import run
from tests.ports import free_ports

PASSWORD = "kanarinac-lozinka-9d41"
PAC = "DEV123"
"""The only PAC of the development V-PFR."""
SIGNERS = 2
RECEIPTS = "/fiscalization/receipts"


@dataclass(frozen=True)
class Certificate:
    uid: str
    serial: str
    pfx: str
    password: str = PASSWORD
    pac: str = PAC

    @property
    def headers(self) -> dict[str, str]:
        return {"pfx": self.pfx, "password": self.password, "pac": self.pac}


@dataclass
class Hosted:
    """All running programs. folder: the data of the platform and of the V-PFR, and their logs."""

    folder: Path
    ports: list[int] = field(default_factory=lambda: free_ports(3))
    signers: int = SIGNERS
    more_settings: str = ""
    used_here_alone: bool = True
    nursery: Path | None = None
    running: list[Program] = field(default_factory=list)
    credentials: tuple[str, str] = ("", "")
    cashier: str = ""

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def ledger(self) -> list[LedgerEntry]:
        return read_entries(self.folder / "pfr" / "processor")

    def run(self, *words: str, name: str, nursery: Path | None = None) -> Program:
        log = self.folder / f"{name}.log"
        program = Program(["-m", "pos_app", *words], env={}, errors=log, nursery=nursery)
        self.running.append(program)
        program.until(lambda: program.lines("http") or program.is_over)
        assert not program.is_over, program.errors()
        return program

    def open(self) -> None:
        """Start V-PFR, platform and signers; make an account with a key and a cashier."""
        processor = self.folder / "pfr" / "processor"
        give_key(processor)
        vpfr, control, platform = self.ports
        authority = Authority.open(processor)
        self.data.mkdir()
        (self.data / "processor-ca.pem").write_bytes(
            authority.certificate.public_bytes(Encoding.PEM)
        )
        (self.data / "settings.toml").write_text(
            f'[processor]\nurl = "https://127.0.0.1:{vpfr}"\nca_file = "processor-ca.pem"\n'
            f"quiet_seconds = 0.4\nused_here_alone = {str(self.used_here_alone).lower()}\n"
            f"{self.more_settings}",
            encoding="utf-8",
        )
        words = ["processor", "--data", str(self.folder / "pfr"), "--mode", "vpfr"]
        words += ["--port", str(vpfr), "--control-port", str(control)]
        self.run(*words, name="vpfr", nursery=door())
        self.credentials = self.new_account()
        words = ["platform", "--data", str(self.data), "--port", str(platform)]
        self.run(*words, "--signers", str(self.signers), name="platform", nursery=self.nursery)
        with self.caller() as caller:
            made = caller.post("/cashiers", json={"name": "Ана Анић"})
        assert made.status_code == httpx.codes.CREATED, made.text
        self.cashier = made.json()["id"]
        for signer in range(self.signers):
            until(partial(self.signer, signer))

    def new_account(self) -> tuple[str, str]:
        async def made() -> tuple[str, str]:
            shop = settings.load(self.data)
            key = await add_key(shop, await add_account(shop, "Прва"))
            return key.id, key.secret

        return asyncio.run(made())

    def control(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        url = f"http://127.0.0.1:{self.ports[1]}{path}"
        answer = ask(method, url, json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def certificate(self, uid: str, **order: Any) -> Certificate:
        ordered = {"uid": uid, "password": PASSWORD, "url": "https://localhost", **order}
        made = self.control("POST", "/certificates", ordered)
        return Certificate(uid, made["serial"], made["pfx"])

    def caller(self, credentials: tuple[str, str] | None = None) -> httpx.Client:
        return httpx.Client(
            base_url=f"http://127.0.0.1:{self.ports[2]}/v2",
            auth=credentials or self.credentials,
            trust_env=False,
            verify=NO_TLS,
            timeout=25.0,
        )

    def post(
        self,
        of: Certificate | None,
        body: dict[str, Any],
        *,
        key: str = "",
        at: str = "",
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        """Call one of the operations. at: the rest of the path after that of the receipts."""
        brought = {} if of is None else of.headers
        named = {"Idempotency-Key": key} if key else {}
        with self.caller() as caller:
            return caller.post(
                f"{RECEIPTS}{at}",
                json={"cashierId": self.cashier, **body},
                headers=brought | named | (headers or {}),
            )

    def look_up(self, reference: str, of: Certificate | None = None) -> httpx.Response:
        with self.caller() as caller:
            return caller.get(f"{RECEIPTS}/{reference}", headers={} if of is None else of.headers)

    def told(self, *words: str, is_real: bool = False) -> tuple[int, str]:
        place = ["--data", str(self.data), "--signers", str(self.signers)]
        done = run("platform", *words, *place, is_real=is_real)
        return done.returncode, done.stdout + done.stderr

    def measured(self, name: str, token: str) -> float:
        """The sum of a figure of /metrics over the signers."""
        url = f"http://127.0.0.1:{self.ports[2]}/metrics"
        headers = {"Authorization": f"Bearer {token}"}
        lines = ask("GET", url, headers=headers).text.splitlines()
        return sum(float(line.split()[-1]) for line in lines if line.startswith(f"{name}{{"))

    def signer(self, number: int) -> int:
        """The process id of a signer that answers; 0 for one that does not answer yet."""
        door = self.data / "platform" / "signers" / str(number) / "door.json"
        if not door.exists():
            return 0
        words = f"--signer\0{number}\0".encode()
        for process in Path("/proc").glob("[0-9]*"):
            try:
                told = (process / "cmdline").read_bytes()
            except OSError:
                continue
            if words in told and str(self.data).encode() in told:
                return int(process.name)
        return 0

    def signer_of(self, certificate: Certificate) -> int:
        return self.signer(home_of(certificate.uid, self.signers))

    def answers(self, number: int) -> bool:
        door = Door.read(signer_folder(self.data, number))
        told = urlsplit(door.address)
        with socket.socket() as line:
            return line.connect_ex((str(told.hostname), int(told.port or 0))) == 0

    def processes(self) -> set[int]:
        own = {program.child.pid for program in self.running[1:]}
        return own | {self.signer(number) for number in range(self.signers)} - {0}

    def written(self) -> Iterator[tuple[str, bytes]]:
        """All files of the platform, its logs and drafts, and its lines in the process list."""
        places = [path for path in self.folder.rglob("*") if "pfr" not in path.parts]
        places += Path(os.environ.get("TMPDIR", "/tmp")).glob("pos-app-*")
        for process in self.processes():
            places += [Path(f"/proc/{process}/{name}") for name in ("cmdline", "environ")]
        for path in places:
            if path.is_file():
                yield str(path), path.read_bytes()


@contextmanager
def hosted(folder: Path, **more: Any) -> Iterator[Hosted]:
    """more: members of it. A nursery is for tests that do not look into the platform's process."""
    platform = Hosted(folder, **more)
    try:
        platform.open()
        yield platform
    finally:
        for program in reversed(platform.running):
            program.stop()
            program.close()


@contextmanager
def mailing(folder: Path) -> Iterator[tuple[MailBox, str]]:
    made, box, begun, ended = certificates(folder), MailBox(), Queue[int](), asyncio.Event()

    async def serve() -> None:
        async with serving(box, "tls", made.server) as port:
            begun.put(port)
            await ended.wait()

    with asyncio.Runner() as loop, ThreadPoolExecutor(1) as pool:
        running = pool.submit(loop.run, serve())
        try:
            port = begun.get(timeout=PATIENCE)
            told = f'[mail]\nhost = "localhost"\nport = {port}\nsecurity = "tls"\n'
            yield box, f'{told}sender = "racuni@example.rs"\nca_file = "{made.authority}"\n'
        finally:
            loop.get_loop().call_soon_threadsafe(ended.set)
            running.result()


def der(certificate: Certificate) -> bytes:
    return base64.b64decode(certificate.pfx)
