"""Another program, whose SQLite knows no checksums, opens and closes what a killed server left.

Source: exactly-once.md, "Restores, replacements, damage".
"""

from __future__ import annotations

import asyncio
import itertools
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pos_app.adapters.sqlite.integrity import faults_of
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.domain.receipt.receipt_identity import receipt_id
from pos_app.errors import DatabaseDamaged, MachineError
from pos_app.fiscalization.issuing.cancel import cancel
from tests.fakes.faulty_disk import PAGE, checksum, flip
from tests.fakes.inner_connection import connection_of
from tests.integration.journal.test_jobs import PAPER
from tests.integration.journal.test_journal import NOW
from tests.integration.local_api.test_half_done_pairs import CASH, corrected, refused_closing
from tests.integration.local_api.test_pairs import BACK, SALE, act
from tests.integration.local_api.wires import Running, running
from tests.integration.local_api.wronged import DELIVERED
from tests.proofs import Proof

KEYS = [f"key-of-number-{number:02}" for number in range(8)]
LOOK = (
    "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute({0!r}).fetchall();"
    " c.commit(); c.close()"
)
OTHER = SALE | {"payments": {"cash": 600}}


async def left_by_a_kill(folder: Path) -> Path:
    """Leave a journal as a killed program does, with all of it in the log, and return its path."""
    async with running(folder / "live") as server:
        await a_day(server)
        shutil.copytree(folder / "live" / "journal", folder / "killed")
    return folder / "killed" / "journal.db"


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The journal that a killed program left; each test works on a copy."""
    return asyncio.run(left_by_a_kill(tmp_path_factory.mktemp("killed")))


def copied(killed: Path, folder: Path) -> Path:
    return Path(shutil.copytree(killed.parent, folder)) / killed.name


async def a_day(server: Running) -> None:
    sale, other, refund, refused_first, in_doubt, _, closing, copied = map(keyed, KEYS)
    assert (await server.issue(SALE, headers=sale)).status_code == 200
    assert (await server.issue(SALE)).status_code == 200
    number = (await server.issue(SALE, headers=other)).json()["invoiceNumber"]
    assert (await act(server, "refund", number, BACK, headers=refund)).status_code == 200
    server.shop.fault("refuse", code="2310")
    assert (await server.issue(SALE, headers=refused_first)).status_code == 400
    assert (await server.issue(OTHER, headers=refused_first)).status_code == 200
    server.shop.fault("drop")
    await server.issue(OTHER, headers=in_doubt)
    await server.shop.until(KEYS[4], "released")
    cancel(service=server.shop.service, origin="local", key=KEYS[5], cashier="Мика")
    receipt_id = await refused_closing(server, headers=closing)
    assert (await corrected(server, receipt_id, CASH)).status_code == 200
    assert (await act(server, "copy", number, DELIVERED, headers=copied)).status_code == 200
    server.shop.journal.jobs.add(PAPER, key="k" * 16, now=NOW)


def keyed(key: str) -> dict[str, str]:
    return {"Idempotency-Key": key}


def looked_at(path: Path, sql: str = "SELECT count(*) FROM sqlite_schema") -> None:
    """Read the file in another program, with that program's own SQLite."""
    subprocess.run([sys.executable, "-c", LOOK.format(sql), str(path)], check=True)


def told(journal: SqliteJournal) -> Iterator[object]:
    """Yield all that the journal answers about each key, one after the other."""
    for key in KEYS:
        name = receipt_id(origin="local", key=key)
        yield journal.command_by_key("local", key)
        for request in journal.requests_of(name):
            yield request
            yield journal.receipt(request.id), journal.reference(request.id)
            yield journal.chain(request.chain)
            yield journal.absent_of(request.id)
        for found in journal.statuses_of(name):
            yield found
            yield None if found.number is None else journal.status_by_reference(found.number)


def read(path: Path) -> list[object]:
    """Raises MachineError where the journal is not opened."""
    answers = []
    with closing(SqliteJournal(path)) as journal:
        reading = told(journal)
        while True:
            try:
                answers.append(next(reading))
            except StopIteration:
                return answers


def test_a_look_after_a_kill_damages_nothing(killed: Path, folder: Path) -> None:
    ours, path = copied(killed, folder / "ours"), copied(killed, folder / "theirs")
    before = read(ours)
    assert ours.with_name("journal.db-wal").exists(), "our own log stays"
    looked_at(path)
    assert not path.with_name("journal.db-wal").exists()
    assert read(path) == before
    with closing(SqliteJournal(path)) as journal:
        assert faults_of(connection_of(journal)) == []


def test_a_start_that_was_cut_off_goes_on(killed: Path, folder: Path) -> None:
    path = copied(killed, folder / "copy")
    looked_at(path)
    content = path.read_bytes()
    pages = [content[start : start + PAGE] for start in range(0, len(content), PAGE)]
    sealed = [page[:-8] + checksum(page) for page in pages]
    half = len(pages) // 2
    path.write_bytes(b"".join(sealed[:half] + pages[half:]))
    with closing(SqliteJournal(path)) as journal:
        assert faults_of(connection_of(journal)) == []
    assert path.read_bytes()[PAGE:] == b"".join(sealed)[PAGE:]  # sealed in reserved bytes


def test_what_does_not_prove_itself_is_left_as_it_was(
    killed: Path, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = copied(killed, folder / "copy")
    looked_at(path, "UPDATE commands SET accepted_at = accepted_at + 1 WHERE row = 1")
    before = path.read_bytes()
    with pytest.raises(DatabaseDamaged):
        SqliteJournal(path)
    assert path.read_bytes() == before
    assert "has not the receipts, or the time" in caplog.text


def test_a_copy_by_another_program_is_taken(killed: Path, folder: Path) -> None:
    path, copy = copied(killed, folder / "killed"), folder / "copy" / "journal.db"
    copy.parent.mkdir()
    looked_at(path, f"VACUUM INTO '{copy}'")
    assert read(copy) == read(path)
    with closing(SqliteJournal(copy)) as journal:
        assert faults_of(connection_of(journal)) == []


def places(page: bytes, turns: int) -> Iterator[int]:
    """Yield positions of bytes that are not 0, spread over the page."""
    telling = [place for place, byte in enumerate(page[:-8]) if byte]
    step = max(1, len(telling) // turns)
    return itertools.islice(iter(telling[step // 2 :: step]), turns)


@pytest.mark.deadline(3600)
@pytest.mark.faults
def test_a_flipped_byte_in_what_another_program_wrote(
    killed: Path, folder: Path, times: int, proof: Proof
) -> None:
    """Its pages have no checksums: a page that does not prove itself is damaged, and is never
    sealed."""
    path = copied(killed, folder / "killed")
    before = read(copied(killed, folder / "ours"))
    looked_at(path)
    content, outcomes, wrong = path.read_bytes(), {"refused": 0, "read": 0}, []
    flipped = folder / "flipped" / path.name
    for page in range(len(content) // PAGE):
        whole = content[page * PAGE : (page + 1) * PAGE]
        for turn, place in enumerate(places(whole, times // 25 if times > 50 else 1)):
            shutil.rmtree(flipped.parent, ignore_errors=True)
            flipped.parent.mkdir()
            flipped.write_bytes(content)
            flip(flipped, page, place, bits=1 << turn % 8)
            proof.tried += 1
            try:
                if read(flipped) != before:
                    wrong.append((page, place))
                outcomes["read"] += 1
            except MachineError:
                outcomes["refused"] += 1
    proof.lost += len(wrong)
    assert not wrong
    assert min(outcomes.values()) > 0, outcomes
