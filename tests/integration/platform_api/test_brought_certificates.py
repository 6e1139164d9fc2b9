"""Certificates that anybody may have made: the time that opening takes, addresses, folders."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pos_app import settings
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.pfr import certificate_process
from pos_app.adapters.pfr.certificate import CertificateWrong
from pos_app.adapters.pfr.certificate_process import open_apart
from pos_app.adapters.secrets.secret import Secret
from pos_app.adapters.signers import signer_folders
from pos_app.bootstrap.platform.elements import elements_of
from pos_app.errors import AlreadyRunning, CertificateUnread
from pos_app.fiscalization.open_elements import ElementNotReady
from pos_app.local_api.signer_door import BroughtCertificate
from pos_app.pfr_emulator.authority import Authority
from pos_app.pfr_emulator.caller import CertifiedCaller
from tests.e2e.certified import PASSWORD
from tests.fakes.processor_key import give_key
from tests.integration.platform_api.hosted import Place, problem
from tests.integration.platform_api.relayed import sale, worker

UID = "STRANGER"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    folder = tmp_path_factory.mktemp("authority")
    give_key(folder)
    return Authority.open(folder)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait longer for the reader than a person does: the machine may be busy."""
    monkeypatch.setattr(certificate_process, "_WAITED_SECONDS", 60.0)


def pfx(authority: Authority, url: str = "https://localhost") -> bytes:
    caller = CertifiedCaller(UID, "100000049", "Продавница", "1")
    return authority.issue(caller, url=url, password=PASSWORD)


def test_a_reader_that_does_not_start_says_nothing_of_the_certificate(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    content, python = pfx(authority), sys.executable
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nowhere"))
    for is_stored in (False, True):
        with pytest.raises(CertificateUnread, match="could not be started"):
            open_apart(content, Secret(PASSWORD), is_stored=is_stored)
    for words, error, told in (
        ("kill -9 $$", CertificateUnread, "status -9"),
        (f'exec "{python}" -c "import a_module_that_is_gone"', CertificateUnread, "status 1"),
        (r"printf '\n'; exit 1", CertificateWrong, "can't be read"),
    ):
        reader(tmp_path, words, monkeypatch)
        with pytest.raises(error, match=told):
            open_apart(content, Secret(PASSWORD))


def reader(folder: Path, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a shell program in place of the Python that opens certificates."""
    program = folder / "reader"
    program.write_text(f"#!/bin/sh\n{words}\n", "utf-8")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))


async def test_a_certificate_leads_to_the_state_alone(authority: Authority, folder: Path) -> None:
    """Anybody can write an address into a certificate: nothing is sent there or stored."""
    strangers = [
        "", "https://vsdc.example.rs", "https://purs.gov.rs.example.rs",
        "https://vsdc.suf.purs.gov.rs@example.rs", "https://localhost",
    ]  # fmt: skip
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


HEADERS = {"pfx": "eA==", "password": "x", "pac": "ABC123"}


async def test_without_signers_nothing_is_sent(file_database: Place) -> None:
    async with worker(file_database) as at, at.caller() as caller:
        answer = await caller.post("/fiscalization/receipts", json=sale(None), headers=HEADERS)
        assert problem(answer)[:2] == (400, 40010001)
        found = await caller.get("/fiscalization/receipts/AAAAAAAA-BBBBBBBB-1", headers=HEADERS)
        assert problem(found)[:2] == (400, 40010001)


def journal_of(folder: Path, uid: str, signers: int) -> Path:
    home = signer_folders.signer_folder(folder, signer_folders.home_of(uid, signers))
    return signer_folders.element_folder(home, uid) / "journal" / "journal.db"


def test_elements_are_brought_home_when_the_number_of_signers_changes(folder: Path) -> None:
    uids = [f"ELEMEN{number:02}" for number in range(12)]
    for uid in uids:
        journal = journal_of(folder, uid, 3)
        journal.parent.mkdir(parents=True)
        journal.write_text(uid, "utf-8")
    for number in (2, 5, 1):
        signer_folders.bring_home(folder, number)
        for uid in uids:
            assert journal_of(folder, uid, number).read_text("utf-8") == uid
    with (
        FolderLock(signer_folders.signer_folder(folder, 0) / "signer.lock", what="signer"),
        pytest.raises(AlreadyRunning),
    ):
        signer_folders.bring_home(folder, 2)
