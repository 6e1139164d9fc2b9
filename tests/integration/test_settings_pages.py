"""Pages of the settings at a running server: a processor that is changed, secrets that are kept."""

from __future__ import annotations

import asyncio
import base64
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.serialization import Encoding

from pos_app import settings
from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.setup import processor_at
from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.pfr.certificate import CertificateWrong, open_pfx
from pos_app.adapters.pfr.vpfr_access import check_shown
from pos_app.adapters.platform_http.setup import PlatformSetupInFiles
from pos_app.adapters.secrets.reading import platform_secret
from pos_app.adapters.secrets.secret import Secret
from pos_app.bootstrap.issuing.processor_access import client_at
from pos_app.domain.receipt.server_status import OfferedElement
from pos_app.domain.setup.platform_setup import PlatformChange
from pos_app.domain.setup.printer_setup import PrinterUse
from pos_app.domain.setup.processor_setup import ProcessorSetup
from pos_app.errors import NotDelivered, RemoteError
from pos_app.pfr_emulator.caller import CertifiedCaller
from pos_app.selling.server.ports import ServerProcessorSetup
from tests.e2e.nursery import born
from tests.fakes.no_tls import NO_TLS
from tests.fakes.processor_key import give_key
from tests.integration.fiscalization.test_vpfr import vpfr
from tests.integration.test_backup import killed_at
from tests.pfx_files import CURVE_UNKNOWN, RSA_1024, RSA_PSS, of_two_keys, packed_again, pfx
from tests.pfx_files import PASSWORD as OF_FILE

PASSWORD, PAC, PIN, MAIL = "canary-password-5150", "CAN4RY", "8642", "canary-mail-5151"
SETTINGS = """\
# The manager's own remark.
[processor]
kind = "development"   # until the certificate comes

[esir]
ib = "1234"
"""
SALE: dict[str, Any] = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"cash": 200},
    "items": [
        {
            "quantity": 1,
            "unitPrice": 150,
            "article": {"name": "Сто", "taxRateLabel": "Ђ", "unit": "ком"},
        }
    ],
    "receiptDelivery": {"pdf": False},
}


@dataclass
class Running:
    """The server as a program. log: its whole log, once it has ended."""

    address: str
    folder: Path
    desk: ServerProcessorSetup
    api: LocalApi
    log: str = ""

    async def post(self, key: str) -> httpx.Response:
        async with httpx.AsyncClient(trust_env=False, verify=NO_TLS, timeout=60) as client:
            url, headers = f"{self.address}/fiscalization/receipts", {"Idempotency-Key": key}
            return await client.post(url, json=SALE, headers=headers)

    async def until(self, kind: str) -> ProcessorSetup:
        async with asyncio.timeout(30):
            while True:
                try:
                    setup = await self.desk.setup()
                    if setup.kind == kind and setup.status is not None and setup.status.uid:
                        return setup
                except RemoteError:
                    pass
                await asyncio.sleep(0.1)

    async def offered(self) -> OfferedElement:
        async with asyncio.timeout(30):
            while True:
                with suppress(RemoteError):
                    status = (await self.desk.setup()).status
                    if status is not None and status.offered is not None:
                        return status.offered
                await asyncio.sleep(0.1)


def begin(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "settings.toml").write_text(SETTINGS, encoding="utf-8")
    give_key(folder / "processor")


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[Running]:
    begin(folder)
    words = ("server", "--data", str(folder), "--port", "0")
    with (folder.parent / "server.log").open("w+b") as log:
        child = await asyncio.to_thread(born, *words, errors=log)
        line = await asyncio.to_thread(child.stdout.readline)
        install = open_install(folder, environment="production")
        api = LocalApi(line.strip(), install)
        found = Running(api.url, folder, processor_at(api), api)
        try:
            yield found
        finally:
            await api.close()
            child.terminate()
            await asyncio.to_thread(child.communicate, 20)
            log.seek(0)
            found.log = log.read().decode()


# --- certificate files that can not be used ---


def test_each_file_that_can_not_be_used_is_told_by_its_fault(tmp_path: Path) -> None:
    made = tmp_path / "made"
    cases = {
        "rsa 1024": (pfx(made, key=RSA_1024), "key_refused", "too small"),
        "rsa-pss": (pfx(made, key=RSA_PSS), "key_refused", "key"),
        "a curve that is not known": (pfx(made, key=CURVE_UNKNOWN), "key_refused", "not known"),
        "two keys": (of_two_keys(made), "keys", "several keys"),
        "no key": (pfx(made, "-nokeys"), "key", "with its key"),
        "no certificate": (packed_again(made, "-nocerts"), "key", "with its key"),
        "no element": (pfx(made, uid="LIPA"), "facts", "no secure element"),
        "no PFX": (b"-----BEGIN CERTIFICATE-----", "file", "no certificate file"),
    }
    for name, (file, fault, words) in cases.items():
        with pytest.raises(CertificateWrong) as wrong:
            uid_of(file)
        assert (wrong.value.kind, words in str(wrong.value)) == (fault, True), (name, wrong)
    usable = [
        pfx(made),
        packed_again(made, "-legacy"),
        packed_again(made, "-keypbe", "NONE", "-certpbe", "NONE", "-nomac"),
    ]
    assert set(map(uid_of, usable)) == {"VPFR0001"}


def uid_of(file: bytes) -> str:
    opened = open_pfx(file, Secret(OF_FILE))
    check_shown(opened)
    return opened.facts.uid


def launch(place: Path, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    launcher = place / "pos-app.exe"
    launcher.write_text(f"#!/bin/sh\n{words}\n", encoding="utf-8")
    launcher.chmod(0o700)
    monkeypatch.setenv("POS_APP_INSTALLED", str(place))


def store(folder: Path, file: bytes, **more: str) -> None:
    folder.mkdir(exist_ok=True)
    words = {"pfx": base64.b64encode(file).decode(), "password": OF_FILE} | more
    path = folder / "secrets.toml"
    lines = "".join(f'processor_{name} = "{one}"\n' for name, one in words.items())
    path.write_text(lines, encoding="utf-8")
    path.chmod(0o600)


async def test_an_earlier_v_pfr_is_asked_once_its_certificate_can_be_opened(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loop goes on during a slow reader, and the reader's fault is not remembered."""
    async with vpfr(folder.parent / "vpfr") as one:
        caller = CertifiedCaller("VPFR0001", "990000019", "ЛИПА", "1000001-ЛИПА 2")
        store(folder, one.authority.issue(caller, url=one.url, password=OF_FILE), pac="DEV123")
        ca = tmp_path / "ca.pem"
        ca.write_bytes(one.authority.certificate.public_bytes(Encoding.PEM))
        shop = settings.load(folder, processor={"ca_file": str(ca)})
        launch(tmp_path, "sleep 2; exit 3", monkeypatch)
        began = time.monotonic()
        earlier = client_at(one.url, shop)
        asking = asyncio.create_task(earlier.status())
        await asyncio.wait({asking}, timeout=0.1)
        assert time.monotonic() - began < 1
        with pytest.raises(NotDelivered, match="status 3"):
            await asking
        monkeypatch.delenv("POS_APP_INSTALLED")
        assert (await earlier.status()).uid == "VPFR0001"
        await earlier.close()


RECEIPT, A4 = PrinterUse.RECEIPT, PrinterUse.A4


@pytest.mark.skipif(sys.platform != "linux", reason="it forks")
def test_killed_at_any_step_key_and_secret_fit(tmp_path: Path) -> None:
    pairs = {"pk_old": "old-secret", "pk_new": "new-secret"}
    found = list[str]()
    for step in count(1):
        data = tmp_path / str(step)
        open_install(data, environment="production")
        changed(data, "pk_old", pairs["pk_old"])
        lived = killed_at(step, partial(changed, data, "pk_new", pairs["pk_new"]))
        key = settings.load(data).platform.key
        assert platform_secret(key, data=data, variables={}).reveal() == pairs[key], (step, key)
        found.append(key)
        if lived:
            break
    assert (found[-1], set(found)) == ("pk_new", set(pairs))
    assert len(found) > 5


def changed(data: Path, key: str, secret: str) -> None:
    change = PlatformChange(url="https://one.rs/v2", key=key, secret=secret)
    asyncio.run(PlatformSetupInFiles(settings.load(data)).change(change, by="Мира"))
