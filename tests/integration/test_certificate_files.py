"""Unusable certificate files: the processor's page names the fault of each, through the server's
HTTP, and the shop sells on while one is tried."""

from __future__ import annotations

import asyncio
import base64
import time
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding

from pos_app import settings
from pos_app.adapters.pfr.certificate import CertificateWrong, open_pfx
from pos_app.adapters.pfr.vpfr_access import check_shown
from pos_app.adapters.secrets.secret import Secret
from pos_app.bootstrap.issuing.processor_access import client_at
from pos_app.domain.setup.processor_setup import ProcessorChange
from pos_app.errors import NotDelivered, Refused
from pos_app.pfr_emulator.caller import CertifiedCaller
from tests.integration.fiscalization.test_vpfr import vpfr
from tests.integration.test_processor_page import running
from tests.pfx_files import (
    CURVE_UNKNOWN,
    PASSWORD,
    RSA_1024,
    RSA_PSS,
    of_two_keys,
    packed_again,
    pfx,
)
from tests.sweep import sampled


def vpfr_with(file: bytes, password: str = PASSWORD) -> ProcessorChange:
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
    """Open a file as the process for it does."""
    opened = open_pfx(file, Secret(PASSWORD))
    check_shown(opened)
    return opened.facts.uid


@pytest.mark.parametrize("typed", sampled([True, False]))
async def test_a_reader_that_hangs_is_told_before_the_till_gives_up(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, typed: bool
) -> None:
    """Otherwise the change would be stored after the till has reported an unknown outcome. The shop
    sells on meanwhile."""
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
    """Pretend that the product is installed, with a launcher that runs these shell commands."""
    launcher = place / "pos-app.exe"
    launcher.write_text(f"#!/bin/sh\n{words}\n", encoding="utf-8")
    launcher.chmod(0o700)
    monkeypatch.setenv("POS_APP_INSTALLED", str(place))


def store(folder: Path, file: bytes, **more: str) -> None:
    """Store the secrets as an unattended installation does."""
    folder.mkdir(exist_ok=True)
    words = {"pfx": base64.b64encode(file).decode(), "password": PASSWORD} | more
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
        store(folder, one.authority.issue(caller, url=one.url, password=PASSWORD), pac="DEV123")
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
