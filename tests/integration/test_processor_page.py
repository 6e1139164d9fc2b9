"""A shop's processor is tried and changed while its server runs; its secrets are nowhere in
clear."""

from __future__ import annotations

import asyncio
import base64
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
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
from pos_app.adapters.secrets.secret import Secret
from pos_app.bootstrap.issuing.processor_access import client_at
from pos_app.domain.receipt.server_status import OfferedElement, ProcessorState
from pos_app.domain.setup.processor import PinResult
from pos_app.domain.setup.processor_setup import ProcessorChange, ProcessorSetup
from pos_app.errors import NotDelivered, Refused, RemoteError
from pos_app.pfr_emulator.app import create_app
from pos_app.pfr_emulator.caller import CertifiedCaller
from pos_app.pfr_emulator.cutting import CuttableH11
from pos_app.pfr_emulator.faults import Fault
from pos_app.pfr_emulator.ledger import read_entries
from pos_app.pfr_emulator.options import Options
from pos_app.pfr_emulator.processor import Processor
from pos_app.selling.server.ports import ServerProcessorSetup
from tests.e2e.nursery import born
from tests.fakes.no_tls import NO_TLS
from tests.fakes.processor_key import give_key
from tests.integration.fiscalization.shop import serving
from tests.integration.fiscalization.test_vpfr import Vpfr, vpfr
from tests.integration.test_check import run
from tests.pfx_files import CURVE_UNKNOWN, RSA_1024, RSA_PSS, of_two_keys, packed_again, pfx
from tests.pfx_files import PASSWORD as OF_FILE
from tests.sweep import sampled

PASSWORD, PAC, PIN, MAIL = "canary-password-5150", "CAN4RY", "8642", "canary-mail-5151"
UID = "VPFR0001"
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


def certificate(one: Vpfr) -> bytes:
    caller = CertifiedCaller(UID, "990000019", "ЛИПА", "1000001-ЛИПА 2")
    return one.authority.issue(caller, url=one.url, password=PASSWORD)


def assert_nowhere(folder: Path, log: str, *secrets: str) -> None:
    # A PIN may by chance be within the digits of an identity.
    alone = [
        rb"(?<![0-9a-fA-F])" + re.escape(one.encode()) + rb"(?![0-9a-fA-F])" for one in secrets
    ]
    for path in (one for one in folder.rglob("*") if one.is_file()):
        content = path.read_bytes()
        assert not [one for one in alone if re.search(one, content)], path
    assert not [one for one in secrets if one in log]


@pytest.mark.deadline(120)
async def test_a_shop_goes_over_to_a_v_pfr(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = folder.parent / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    async with vpfr(folder.parent / "vpfr", Options(pac=PAC)) as one, running(folder) as server:
        assert (await server.post("sold-at-the-first-one")).status_code == 200
        await _tried_and_changed(server, one)
        await _answer_lost(server, one)
        await _doubt_stays_where_it_was(server, one)
        with pytest.raises(Refused, match="no PIN"):
            await server.desk.enter_pin(PIN, by="Касир 1")
        assert len(read_entries(folder / "processor")) == 1
        text = (folder / "settings.toml").read_text(encoding="utf-8")
        assert (folder / "settings.last-good.toml").read_text(encoding="utf-8") == text
        assert "# The manager's own remark." in text
        assert 'kind = "vpfr"   # until the certificate comes' in text
    assert_nowhere(folder, server.log, PASSWORD, PAC, PIN)
    assert list(temporary.iterdir()) == []
    status, told = run("check", "--data", str(folder))
    assert (status, PASSWORD in told) == (0, False)
    assert "secrets.sealed: This account has no keyring, so their key is a file" in told
    assert f"certificate of the processor: {UID}, valid until" in told


async def _tried_and_changed(server: Running, one: Vpfr) -> None:
    """Faults show before anything is saved; a manager accepts the right processor."""
    pfx = certificate(one)
    ca = one.authority.certificate.public_bytes(Encoding.PEM)
    whole = ProcessorChange(kind="vpfr", pfx=pfx, password=PASSWORD, pac=PAC, ca=ca, url="")
    wrong = replace(whole, password="wrong")
    faults = {
        "": whole,
        "password": wrong,
        "pac": replace(whole, pac="no"),
        "processor_untrusted": replace(whole, ca=None),
        "pac_refused": replace(whole, pac="OTHER1"),
        "file": ProcessorChange(kind="vpfr"),
        "kind": ProcessorChange(kind="fax"),
        "no_url": ProcessorChange(kind="lpfr", url=""),
        "url": ProcessorChange(kind="lpfr", url="127.0.0.1"),
        "url_https": replace(whole, url="http://127.0.0.1:9"),
        "away": ProcessorChange(kind="lpfr", url="http://127.0.0.1:9"),
    }
    for fault, change in faults.items():
        trial = await server.desk.try_out(change)
        assert trial.fault == fault, trial
    trial = await server.desk.try_out(whole)
    assert (trial.uid, trial.tin, trial.missing_labels) == (UID, "990000019", ())
    assert trial.known_uid is not None  # the element in use is another one
    with pytest.raises(Refused) as refused:
        await server.desk.change(wrong, by="Управник")
    assert refused.value.kind == "password"
    assert (await server.desk.setup()).kind == "development"

    await server.desk.change(whole, by="Управник")
    setup = await server.until("vpfr")
    assert setup.status.state is ProcessorState.ELEMENT, "no card is missing"
    assert setup.certificate == trial.certificate is not None
    assert (setup.has_pac, setup.has_ca, setup.days_left) == (True, True, 364)
    refusal = await server.post("before-it-is-accepted")
    assert refusal.json()["class"] == "cure"
    assert await _accept_offered(server) == UID
    assert (await server.post("sold-at-the-v-pfr")).status_code == 200


async def _answer_lost(server: Running, one: Vpfr) -> None:
    one.processor.faults.add(Fault(kind="sign_then_drop"))
    lost = "an-answer-that-is-lost"
    answer = await server.post(lost)
    async with asyncio.timeout(30):
        while answer.status_code != 200:
            assert answer.json()["class"] in {"unknown", "wait"}, answer.text
            answer = await server.post(lost)
    entries = one.processor.entries()
    assert len(entries) == 2
    assert entries[-1].number == answer.json()["invoiceNumber"]


async def _doubt_stays_where_it_was(server: Running, one: Vpfr) -> None:
    """The other processor never signs it; nor does the shop go back to the development one."""
    one.processor.faults.add(Fault(kind="drop"))
    doubted = "in-doubt-when-it-was-changed"
    assert (await server.post(doubted)).json()["class"] == "unknown"
    back = ProcessorChange(kind="development")
    assert (await server.desk.try_out(back)).fault == "not_fiscal"
    with pytest.raises(Refused, match="does not go back") as refused:
        await server.desk.change(back, by="Управник")
    assert refused.value.kind == "not_fiscal"
    other = server.folder.parent / "other"
    give_key(other)
    card = Processor.open(folder=other)
    try:
        async with serving(create_app(card), http=CuttableH11) as url:
            await server.desk.change(ProcessorChange(kind="lpfr", url=url), by="Управник")
            setup = await server.until("lpfr")
            assert setup.certificate is not None  # it is kept to look the doubt up
            await _accept_offered(server)
            assert (await server.post(doubted)).json()["class"] == "unknown"
            assert (await server.post("sold-at-the-second-one")).status_code == 200
            assert len(card.entries()) == 1
            assert len(one.processor.entries()) == 2
            await server.desk.change(ProcessorChange(kind="vpfr", url=""), by="Управник")
            await server.until("vpfr")
    finally:
        card.close()


@asynccontextmanager
async def l_pfr(folder: Path) -> AsyncIterator[tuple[str, str]]:
    give_key(folder)
    processor = Processor.open(folder=folder)
    try:
        async with serving(create_app(processor), http=CuttableH11) as url:
            yield url, processor.uid
    finally:
        processor.close()


@pytest.mark.deadline(120)
async def test_an_element_that_signed_nothing_gives_its_name_to_nothing(folder: Path) -> None:
    """A shop begins with the development processor, and changes to another before it sells."""
    async with (
        l_pfr(folder.parent / "first") as (first, first_uid),
        l_pfr(folder.parent / "next") as (other, other_uid),
        running(folder) as server,
    ):
        development = await server.until("development")
        assert development.status is not None
        typed = ProcessorChange(kind="lpfr", url=first)
        assert (await server.desk.try_out(typed)).known_uid is None
        await server.desk.change(typed, by="Управник")
        setup = await server.until("lpfr")
        assert (setup.status.uid, setup.status.offered) == (first_uid, None)
        sold = await server.post("sold-at-the-l-pfr")
        assert sold.json()["requestedBy"] == first_uid, sold.text
        trial = await server.desk.try_out(ProcessorChange(kind="lpfr", url=other))
        assert (trial.uid, trial.known_uid) == (other_uid, first_uid)
        await server.desk.change(ProcessorChange(kind="lpfr", url=other), by="Управник")
        offered = await server.offered()
        assert (offered.uid, offered.known) == (other_uid, first_uid)
    assert run("check", "--data", str(folder))[0] == 0


@pytest.mark.deadline(120)
async def test_the_pin_is_given_to_the_card_and_kept_nowhere(folder: Path) -> None:
    give_key(folder.parent / "lpfr")
    card = Processor.open(folder=folder.parent / "lpfr", options=Options(pin=PIN))
    card.change(pin="required")
    try:
        async with serving(create_app(card), http=CuttableH11) as url, running(folder) as server:
            await server.desk.change(ProcessorChange(kind="lpfr", url=url), by="Управник")
            setup = await server.until("lpfr")
            assert setup.status.state is ProcessorState.PIN
            assert await server.desk.enter_pin("9753", by="Касир 1") is PinResult.WRONG
            assert await server.desk.enter_pin(PIN, by="Касир 1") is PinResult.ACCEPTED
            setup = await server.desk.setup()
            assert setup.status.state is ProcessorState.READY
            await _keep_secret(server, "mail_password", MAIL)
    finally:
        card.close()
    assert_nowhere(folder, server.log, PIN, "9753", MAIL)


async def _accept_offered(server: Running) -> str:
    status = (await server.desk.setup()).status
    body = {"uid": status.offered.uid, "by": "Управник"}
    assert (await _tell(server, "/till/element", body)) == 200
    return status.offered.uid


async def _keep_secret(server: Running, name: str, value: str) -> None:
    path, body = "/till/local_api/keep_secret", {"value": value, "by": "Управник"}
    assert (await _tell(server, path, body | {"name": "processor_pac"})) == 404
    assert (await _tell(server, path, body | {"name": name})) == 200


async def _tell(server: Running, path: str, body: dict[str, Any]) -> int:
    api = LocalApi(server.address, open_install(server.folder, environment="production"))
    try:
        return (await api.send(path, body, seconds=20)).status
    finally:
        await api.close()


# --- certificate files that can not be used ---
def vpfr_with(file: bytes, password: str = OF_FILE) -> ProcessorChange:
    url = "https://127.0.0.1:9"
    return ProcessorChange(kind="vpfr", url=url, pfx=file, password=password, pac="AB12CD")


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


@pytest.mark.parametrize("typed", sampled([True, False]))
async def test_a_reader_that_hangs_is_told_before_the_till_gives_up(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, typed: bool
) -> None:
    """Otherwise the change would be stored after the till has told an unknown outcome."""
    launch(tmp_path, "exec sleep 90", monkeypatch)
    file = pfx(tmp_path / "made")
    change = vpfr_with(file)
    if not typed:
        change = ProcessorChange(kind="vpfr", url=change.url, pac=change.pac)
        store(folder, file)
    async with running(folder) as server:
        changing = asyncio.create_task(server.desk.change(change, by="Управник"))
        assert (await server.post("sold-while-the-reader-hangs")).status_code == 200
        assert not changing.done()
        with pytest.raises(Refused) as refused:
            await changing
        assert refused.value.kind == "reader"
    assert not (folder / "secrets.sealed").exists()
    assert 'kind = "development"' in (folder / "settings.toml").read_text(encoding="utf-8")


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
