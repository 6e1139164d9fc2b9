"""The processor's memory: counters, numbers, look-ups and stored receipts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from pos_app import errors
from pos_app.pfr_emulator.ledger import LEDGER_FILE, Ledger, read_entries
from pos_app.pfr_emulator.processor import Processor
from tests.fakes.inner_connection import connection_of
from tests.unit.pfr_emulator.sales import sale

Open = Callable[..., Processor]
BACK = {
    "referentDocumentNumber": "ABCD1234-ABCD1234-7",
    "referentDocumentDT": "2026-01-04T10:00:00",
}


def signed(processor: Processor, body: bytes, **given: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(processor.sign(body, **given))
    return answer


def test_each_type_and_transaction_counts_for_itself_and_all_together(processor: Processor) -> None:
    kinds = [
        ("Normal", "Sale"), ("Normal", "Sale"), ("Normal", "Refund"), ("Copy", "Refund"),
        ("Training", "Sale"), ("ProForma", "Sale"), ("Normal", "Sale"),
    ]  # fmt: skip
    answers = [
        signed(processor, sale(invoiceType=kind, transactionType=direction, **BACK))
        for kind, direction in kinds
    ]
    assert [answer["invoiceCounter"] for answer in answers] == [
        "1/1ПП", "2/2ПП", "1/3ПР", "1/4КР", "1/5ОП", "1/6РП", "3/7ПП",
    ]  # fmt: skip
    for answer in answers:
        uid, total, of_type = processor.uid, answer["totalCounter"], answer["invoiceCounter"]
        assert answer["invoiceNumber"] == f"{uid}-{uid}-{total}"
        assert of_type.startswith(f"{answer['transactionTypeCounter']}/{total}")
        assert of_type.endswith(answer["invoiceCounterExtension"])


def test_a_request_id_looks_up_and_does_not_de_duplicate(processor: Processor) -> None:
    first = signed(processor, sale(), request_id="r1")
    second = signed(processor, sale(), request_id="r1")
    assert second["totalCounter"] == first["totalCounter"] + 1
    found = processor.find("r1")
    assert found is not None
    assert json.loads(found) == second
    assert processor.find("r2") is None


def test_on_a_virtual_pfr_the_signer_changes_and_counts_for_itself(open_processor: Open) -> None:
    processor = open_processor(mode="vpfr")
    answers = [signed(processor, sale()) for _ in range(40)]
    signers = {answer["signedBy"] for answer in answers}
    assert 1 < len(signers) <= 3
    assert processor.uid not in signers
    assert {answer["requestedBy"] for answer in answers} == {processor.uid}
    for signer in signers:
        own = [answer["totalCounter"] for answer in answers if answer["signedBy"] == signer]
        assert own == list(range(1, len(own) + 1))
    assert len({answer["invoiceNumber"] for answer in answers}) == 40


@pytest.mark.parametrize("statement", ["UPDATE entry SET total = '0'", "DELETE FROM entry"])
def test_a_signed_receipt_is_never_changed(
    processor: Processor, tmp_path: Path, statement: str
) -> None:
    processor.sign(sale())
    database = apsw.Connection(str(tmp_path / "pfr" / LEDGER_FILE))
    with pytest.raises(apsw.ConstraintError, match="never"):
        database.execute(statement)
    database.close()
    assert len(processor.entries()) == 1


def count_and_overfill(ledger: Ledger) -> None:
    with ledger.writing():
        assert ledger.count("ABCD1234", 0, 0).total == 1
        ledger.remember(story="x" * 100_000)


def test_a_full_disk_signs_nothing_and_counts_nothing(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path, first_facts={"uid": "ABCD1234"})
    pages = connection_of(ledger).pragma("page_count")
    connection_of(ledger).pragma("max_page_count", pages)
    with pytest.raises(errors.DiskFull):
        count_and_overfill(ledger)
    connection_of(ledger).pragma("max_page_count", 1_000_000)
    with ledger.writing():
        assert ledger.count("ABCD1234", 0, 0).total == 1
    assert ledger.fact("uid") == "ABCD1234"
    ledger.close()


def _foreign(folder: Path) -> None:
    folder.mkdir()
    database = apsw.Connection(str(folder / LEDGER_FILE))
    database.execute("CREATE TABLE entry (x); PRAGMA user_version = 1")
    database.close()


def _newer(folder: Path) -> None:
    folder.mkdir()
    Ledger.open(folder, first_facts={}).close()
    database = apsw.Connection(str(folder / LEDGER_FILE))
    database.execute("PRAGMA user_version = 99")
    database.close()


def _no_database(folder: Path) -> None:
    folder.mkdir()
    (folder / LEDGER_FILE).write_bytes(b"not a database " * 100)


@pytest.mark.parametrize(
    ("prepare", "told"),
    [
        (_foreign, errors.DatabaseDamaged),
        (_newer, errors.DatabaseTooNew),
        (_no_database, errors.DatabaseDamaged),
    ],
)
def test_a_folder_that_has_no_ledger_of_ours_is_told(
    open_processor: Open, tmp_path: Path, prepare: Callable[[Path], Any], told: type[Exception]
) -> None:
    with pytest.raises(errors.NotFound):
        read_entries(tmp_path)
    prepare(tmp_path / "pfr")
    with pytest.raises(told):
        open_processor()
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(errors.DataFolderNotWritable):
        Processor.open(folder=tmp_path / "file" / "pfr")


def test_a_ledger_of_an_unreleased_build_is_told_as_such(tmp_path: Path) -> None:
    for statement in ("UPDATE made_by SET steps = 'of another build'", "DROP TABLE made_by"):
        if not (tmp_path / LEDGER_FILE).exists():
            Ledger.open(tmp_path, first_facts={}).close()
        database = apsw.Connection(str(tmp_path / LEDGER_FILE))
        database.execute(statement)
        database.close()
        with pytest.raises(errors.DatabaseDamaged, match="unreleased build") as told:
            Ledger.open(tmp_path, first_facts={})
        assert told.value.kind == "unreleased_ledger"


def test_a_folder_has_one_processor_at_a_time(open_processor: Open) -> None:
    first = open_processor()
    with pytest.raises(errors.AlreadyRunning):
        open_processor()
    first.close()
    open_processor()
