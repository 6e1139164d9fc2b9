"""Certificates that anybody may have made: the time that opening takes, and the addresses in
them."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.serialization import PrivateFormat
from cryptography.hazmat.primitives.serialization.pkcs12 import (
    load_key_and_certificates,
    serialize_key_and_certificates,
)

from pos_app import settings
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.pfr.certificate import CertificateWrong, open_pfx
from pos_app.adapters.pfr.certificate_process import open_apart
from pos_app.adapters.secrets.secret import Secret
from pos_app.bootstrap.platform.elements import elements_of
from pos_app.errors import CertificateUnread
from pos_app.fiscalization.open_elements import ElementNotReady
from pos_app.local_api.signer_door import BroughtCertificate
from pos_app.pfr_emulator.authority import Authority
from pos_app.pfr_emulator.caller import CertifiedCaller
from tests.e2e.certified import PASSWORD
from tests.fakes.processor_key import give_key
from tests.integration.fiscalization.test_vpfr import LEGACY
from tests.sweep import sampled

UID = "STRANGER"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    folder = tmp_path_factory.mktemp("authority")
    give_key(folder)
    return Authority.open(folder)


def pfx(authority: Authority, url: str = "https://localhost") -> bytes:
    caller = CertifiedCaller(UID, "100000049", "Продавница", "1")
    return authority.issue(caller, url=url, password=PASSWORD)


def test_what_is_read_in_a_process_of_its_own_is_the_same(authority: Authority) -> None:
    for content, password in ((pfx(authority), PASSWORD), (LEGACY.read_bytes(), "abc")):
        facts = open_apart(content, Secret(password)).facts
        assert facts == open_pfx(content, Secret(password)).facts
        with pytest.raises(CertificateWrong) as told:
            open_apart(content, Secret("druga"))
        assert (told.value.kind, told.value.field) == ("password", "password")


def of_too_many_rounds(authority: Authority) -> bytes:
    """Return a certificate that would stop this process for many seconds, or with more rounds for
    hours."""
    content = pfx(authority)
    key, certificate, _ = load_key_and_certificates(content, PASSWORD.encode())
    assert isinstance(key, EllipticCurvePrivateKey)
    rounds = 70_000  # three bytes, as those that replace them
    locked = PrivateFormat.PKCS12.encryption_builder().kdf_rounds(rounds).build(PASSWORD.encode())
    whole = serialize_key_and_certificates(b"x", key, certificate, None, locked)
    # Remove its MAC, which would reveal the changed rounds: SEQUENCE, version 3, authSafe.
    end = 7 + 4 + int.from_bytes(whole[9:11], "big")
    bare = whole[:2] + (end - 4).to_bytes(2, "big") + whole[4:end]
    assert open_apart(bare, Secret(PASSWORD)).facts.uid == UID
    slow = bare.replace(b"\x02\x03" + rounds.to_bytes(3, "big"), b"\x02\x03\x7f\xff\xff")
    assert slow != bare
    return slow


def test_a_reader_that_does_not_start_says_nothing_of_the_certificate(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    content = pfx(authority)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nowhere"))
    for is_stored in (False, True):
        with pytest.raises(CertificateUnread, match="could not be started"):
            open_apart(content, Secret(PASSWORD), is_stored=is_stored)
    reader(tmp_path, "kill -9 $$", monkeypatch)
    with pytest.raises(CertificateUnread, match="status -9"):
        open_apart(content, Secret(PASSWORD))


def test_a_reader_whose_imports_fail_says_nothing_of_the_certificate(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    content, python = pfx(authority), sys.executable
    reader(tmp_path, f'exec "{python}" -c "import a_module_that_is_gone"', monkeypatch)
    with pytest.raises(CertificateUnread, match="status 1"):
        open_apart(content, Secret(PASSWORD))
    reader(tmp_path, r"printf '\n'; exit 1", monkeypatch)
    with pytest.raises(CertificateWrong, match="can't be read"):
        open_apart(content, Secret(PASSWORD))


@pytest.mark.parametrize("is_stored", sampled([False, True]))
def test_every_file_has_the_same_rounds(authority: Authority, *, is_stored: bool) -> None:
    began = time.monotonic()
    with pytest.raises(CertificateWrong, match="more rounds"):
        open_apart(of_too_many_rounds(authority), Secret(PASSWORD), is_stored=is_stored)
    assert time.monotonic() - began < 30


def test_what_the_reader_writes_has_the_same_ends_of_lines_on_every_system(
    authority: Authority,
) -> None:
    """On Windows a program's text ends its lines with two characters; this test does the same."""
    words = (
        "import runpy, sys; sys.stdout.reconfigure(newline='\\r\\n');"
        "runpy.run_module('pos_app.adapters.pfr.certificate_process', run_name='__main__')"
    )
    asked = {"pfx": base64.b64encode(pfx(authority)).decode(), "password": PASSWORD}
    done = subprocess.run(
        [sys.executable, "-P", "-c", words],
        input=json.dumps(asked).encode() + b"\n",
        stdout=subprocess.PIPE,
        check=True,
    )
    assert done.stdout.startswith(b"\n{")


def test_a_stored_certificate_is_opened_on_a_pc_that_is_slow_to_start(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A new certificate is refused there, and not called wrong."""
    content, python = pfx(authority), sys.executable
    reader(tmp_path, f'sleep 12; exec "{python}" "$@"', monkeypatch)
    with ThreadPoolExecutor(1) as beside:
        brought = beside.submit(open_apart, content, Secret(PASSWORD))
        assert open_apart(content, Secret(PASSWORD), is_stored=True).facts.uid == UID
        with pytest.raises(CertificateUnread, match="did not answer within 10 s"):
            brought.result()


def reader(folder: Path, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a shell program in place of the Python that opens certificates."""
    program = folder / "reader"
    program.write_text(f"#!/bin/sh\n{words}\n", encoding="utf-8")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))


async def test_a_certificate_leads_to_the_tax_administration_alone(
    authority: Authority, folder: Path
) -> None:
    """Anybody can write an address into a certificate: nothing is sent there or stored."""
    strangers = [
        "",
        "https://vsdc.example.rs",
        "http://vsdc.suf.purs.gov.rs",
        "https://purs.gov.rs.example.rs",
        "https://xpurs.gov.rs",
        "https://vsdc.suf.purs.gov.rs@example.rs",
        "https://127.0.0.1",
        "https://localhost",
    ]
    cases = [("", url, "no V-PFR of the tax administration") for url in strangers]
    cases += [("", "https://vsdc.suf.purs.gov.rs", '"esir.ib"')]
    cases += [("https://vpfr.example.rs", "https://localhost", '"esir.ib"')]
    lock = FolderLock(folder / "signer.lock", what="signer")
    for set_here, url, words in cases:
        told = settings.load(folder, processor={"url": set_here} if set_here else {})
        elements = elements_of(told, folder / "signer", lock)
        brought = BroughtCertificate(pfx(authority, url), PASSWORD, "DEV123")
        with pytest.raises(ElementNotReady, match=words):
            async with elements.opened(UID, brought):
                pass
        with pytest.raises(ElementNotReady, match="another secure element"):
            async with elements.opened("OTHER001", brought):
                pass
        await elements.close()
    lock.close()
    assert not (folder / "signer").exists()
