"""Certificate mode without signers, and the folders of elements when the number of signers
changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.signers import signer_folders
from pos_app.errors import AlreadyRunning
from tests.integration.platform_api.hosted import DatabasePlace, problem
from tests.integration.platform_api.relayed import sale, worker

HEADERS = {"pfx": "eA==", "password": "x", "pac": "ABC123"}


async def test_without_signers_nothing_is_sent(file_database: DatabasePlace) -> None:
    async with worker(file_database) as at, at.caller() as caller:
        answer = await caller.post("/fiscalization/receipts", json=sale(None), headers=HEADERS)
        assert problem(answer)[:2] == (400, 40010001)
        found = await caller.get("/fiscalization/receipts/AAAAAAAA-BBBBBBBB-1", headers=HEADERS)
        assert problem(found)[:2] == (400, 40010001)


def test_elements_are_brought_home_when_the_number_of_signers_changes(folder: Path) -> None:
    uids = [f"ELEMEN{number:02}" for number in range(12)]
    for uid in uids:
        journal = (
            signer_folders.element_folder(
                signer_folders.signer_folder(folder, signer_folders.home_of(uid, 3)), uid
            )
            / "journal"
        )
        journal.mkdir(parents=True)
        (journal / "journal.db").write_text(uid, encoding="utf-8")
    for number in (2, 5, 1):
        signer_folders.bring_home(folder, number)
        for uid in uids:
            home = signer_folders.element_folder(
                signer_folders.signer_folder(folder, signer_folders.home_of(uid, number)), uid
            )
            assert (home / "journal" / "journal.db").read_text(encoding="utf-8") == uid
    with (
        FolderLock(signer_folders.signer_folder(folder, 0) / "signer.lock", what="signer"),
        pytest.raises(AlreadyRunning),
    ):
        signer_folders.bring_home(folder, 2)
