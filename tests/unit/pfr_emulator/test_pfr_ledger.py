"""The processor's memory: counters, numbers, look-ups and stored receipts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import apsw
import pytest

from pos_app import errors
from pos_app.pfr_emulator.codes import Refusal
from pos_app.pfr_emulator.ledger import LEDGER_FILE, Ledger, read_entries
from pos_app.pfr_emulator.processor import Processor
from tests.fakes.inner_connection import connection_of

Sale = Callable[..., bytes]
Open = Callable[..., Processor]
BACK = {
    "referentDocumentNumber": "ABCD1234-ABCD1234-7",
    "referentDocumentDT": "2026-01-04T10:00:00",
}


def signed(processor: Processor, body: bytes, **given: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(processor.sign(body, **given))
    return answer


def test_each_type_and_transaction_counts_for_itself_and_all_together(
    processor: Processor, sale: Sale
) -> None:
    kinds = [
        ("Normal", "Sale"),
        ("Normal", "Sale"),
        ("Normal", "Refund"),
        ("Copy", "Refund"),
        ("Training", "Sale"),
        ("ProForma", "Sale"),
        ("Normal", "Sale"),
    ]
    answers = [
        signed(processor, sale(invoiceType=kind, transactionType=direction, **BACK))
        for kind, direction in kinds
    ]
    assert [answer["invoiceCounter"] for answer in answers] == [
        "1/1ПП",
        "2/2ПП",
        "1/3ПР",
        "1/4КР",
        "1/5ОП",
        "1/6РП",
        "3/7ПП",
    ]
    for answer in answers:
        uid, total, of_type = processor.uid, answer["totalCounter"], answer["invoiceCounter"]
        assert answer["invoiceNumber"] == f"{uid}-{uid}-{total}"
        assert of_type.startswith(f"{answer['transactionTypeCounter']}/{total}")
        assert of_type.endswith(answer["invoiceCounterExtension"])


def test_a_uid_has_eight_letters_and_lives_with_the_folder(
    open_processor: Open, sale: Sale, tmp_path: Path
) -> None:
    first = open_processor()
    uid = first.uid
    assert re.fullmatch(r"[0-9A-Z]{8}", uid)
    signed(first, sale())
    first.close()
    again = open_processor()
    assert again.uid == uid
    assert signed(again, sale())["totalCounter"] == 2
    assert open_processor(folder=tmp_path / "another").uid != uid


def test_a_refusal_raises_no_counter(processor: Processor, sale: Sale) -> None:
    with pytest.raises(Refusal):
        processor.sign(sale(items=[]))
    assert signed(processor, sale())["invoiceCounter"] == "1/1ПП"


def test_the_time_is_belgrade_with_offset_and_milliseconds(
    processor: Processor, sale: Sale
) -> None:
    assert signed(processor, sale())["sdcDateTime"] == "2026-01-05T09:07:03.125+01:00"


def test_an_entry_holds_request_answer_and_what_names_them(
    processor: Processor, sale: Sale, tmp_path: Path
) -> None:
    body = sale(invoiceType=4, extra={"unknown": 1.50})
    answer = signed(processor, body, request_id="a" * 32)
    (entry,) = read_entries(tmp_path / "pfr")
    assert entry.request_id == "a" * 32
    assert entry.number == answer["invoiceNumber"]
    assert entry.total == Decimal("241.00")
    assert (entry.invoice_type, entry.transaction_type) == (4, 0)
    assert (entry.type_counter, entry.total_counter) == (1, 1)
    assert entry.signed_at == datetime(2026, 1, 5, 8, 7, 3, 125_000, tzinfo=UTC)
    assert (entry.requested_by, entry.signed_by) == (processor.uid, processor.uid)
    assert json.loads(entry.request) == json.loads(body)
    assert json.loads(entry.answer) | {"verificationQRCode": None} == answer
    assert [entry] == processor.entries()


def test_equal_content_has_an_equal_hash(processor: Processor, sale: Sale) -> None:
    for body in (
        sale(),
        json.dumps(json.loads(sale()), sort_keys=True).encode(),
        sale(cashier="Ж"),
    ):
        processor.sign(body)
    first, same, other = (entry.content_hash for entry in processor.entries())
    assert first == same != other


def test_a_request_id_looks_up_and_does_not_de_duplicate(processor: Processor, sale: Sale) -> None:
    first = signed(processor, sale(), request_id="r1")
    second = signed(processor, sale(), request_id="r1")
    assert second["totalCounter"] == first["totalCounter"] + 1
    found = processor.find("r1")
    assert found is not None
    assert json.loads(found) == second
    assert processor.find("r2") is None


def test_a_look_up_gives_the_very_same_answer_with_its_qr_image(
    processor: Processor, sale: Sale
) -> None:
    answer = processor.sign(sale(options=None), request_id="r1")
    assert processor.find("r1") == answer


def test_a_processor_may_remember_only_the_last_receipt(processor: Processor, sale: Sale) -> None:
    processor.change(remember="last")
    processor.sign(sale(), request_id="r1")
    assert processor.find("r1") is not None
    processor.sign(sale())
    assert processor.find("r1") is None
    processor.change(remember="all")
    assert processor.find("r1") is not None


def test_the_status_of_an_lpfr_shows_the_last_number(processor: Processor, sale: Sale) -> None:
    assert processor.status()["lastInvoiceNumber"] == ""
    answer = signed(processor, sale())
    assert processor.status()["lastInvoiceNumber"] == answer["invoiceNumber"]


def test_on_a_virtual_pfr_the_signer_changes_and_counts_for_itself(
    open_processor: Open, sale: Sale
) -> None:
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


def test_a_restart_of_the_counters_keeps_the_receipts(processor: Processor, sale: Sale) -> None:
    first = signed(processor, sale())
    processor.restart_counters()
    assert processor.status()["lastInvoiceNumber"] == ""
    again = signed(processor, sale())
    assert again["invoiceNumber"] == first["invoiceNumber"]
    assert len(processor.entries()) == 2


def test_another_element_has_another_uid_and_counts_from_one(
    processor: Processor, sale: Sale
) -> None:
    first = signed(processor, sale())
    uid = processor.replace_element()
    second = signed(processor, sale())
    assert second["requestedBy"] == uid != first["requestedBy"]
    assert second["totalCounter"] == 1
    assert second["mrc"] == first["mrc"]


def test_a_folder_has_one_processor_at_a_time(open_processor: Open) -> None:
    first = open_processor()
    with pytest.raises(errors.AlreadyRunning):
        open_processor()
    first.close()
    open_processor()


def test_a_folder_where_none_was_has_no_ledger(tmp_path: Path) -> None:
    with pytest.raises(errors.NotFound):
        read_entries(tmp_path)


def test_a_file_that_is_no_ledger_is_told(open_processor: Open, tmp_path: Path) -> None:
    folder = tmp_path / "pfr"
    folder.mkdir()
    (folder / LEDGER_FILE).write_bytes(b"not a database " * 100)
    with pytest.raises(errors.DatabaseDamaged):
        open_processor()
    with pytest.raises(errors.DatabaseDamaged):
        read_entries(folder)


def test_somebody_elses_database_is_left_alone(open_processor: Open, tmp_path: Path) -> None:
    folder = tmp_path / "pfr"
    folder.mkdir()
    database = apsw.Connection(str(folder / LEDGER_FILE))
    database.execute("CREATE TABLE entry (x); PRAGMA user_version = 1")
    database.close()
    with pytest.raises(errors.DatabaseDamaged):
        open_processor()


def test_a_ledger_of_a_newer_version_is_left_alone(open_processor: Open, tmp_path: Path) -> None:
    open_processor().close()
    database = apsw.Connection(str(tmp_path / "pfr" / LEDGER_FILE))
    database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(errors.DatabaseTooNew):
        open_processor()


def test_a_folder_that_can_not_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(errors.DataFolderNotWritable):
        Processor.open(folder=tmp_path / "file" / "pfr")


@pytest.mark.parametrize("statement", ["UPDATE entry SET total = '0'", "DELETE FROM entry"])
def test_a_signed_receipt_is_never_changed(
    processor: Processor, sale: Sale, tmp_path: Path, statement: str
) -> None:
    processor.sign(sale())
    database = apsw.Connection(str(tmp_path / "pfr" / LEDGER_FILE))
    with pytest.raises(apsw.ConstraintError, match="never"):
        database.execute(statement)
    database.close()
    assert len(processor.entries()) == 1


def test_the_file_is_written_durably(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path, first_facts={"uid": "ABCD1234"})
    assert connection_of(ledger).pragma("journal_mode") == "wal"
    assert connection_of(ledger).pragma("synchronous") == 2
    ledger.close()


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


@pytest.mark.parametrize(
    "statement",
    ["DROP TABLE made_by", "UPDATE made_by SET steps = 'of another build'"],
    ids=["unmarked", "other steps"],
)
def test_a_ledger_of_an_unreleased_build_is_told_as_such(tmp_path: Path, statement: str) -> None:
    Ledger.open(tmp_path, first_facts={}).close()
    Ledger.open(tmp_path, first_facts={}).close()
    database = apsw.Connection(str(tmp_path / LEDGER_FILE))
    database.execute(statement)
    database.close()
    with pytest.raises(errors.DatabaseDamaged, match="unreleased build") as told:
        Ledger.open(tmp_path, first_facts={})
    assert told.value.kind == "unreleased_ledger"
