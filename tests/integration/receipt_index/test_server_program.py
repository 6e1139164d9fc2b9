"""The server as a program makes the list of its receipts by itself."""

from __future__ import annotations

import signal
import time
from contextlib import closing
from io import StringIO
from pathlib import Path

import httpx

from pos_app.adapters.data_folder import JOURNAL, RECEIPT_INDEX
from pos_app.adapters.sqlite.receipt_index.index_file import ReceiptIndexFile
from pos_app.bootstrap.commands.check import WHOLE, check_command
from pos_app.domain.receipt.receipt_list import EVERYTHING, ReceiptQuery
from tests.fakes.no_tls import NO_TLS
from tests.integration.test_server_program import program

WITHIN = 20.0
SALE = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"card": 100},
    "items": [{"quantity": 1, "unitPrice": 100, "article": {"name": "Чај", "taxRateLabel": "Ђ"}}],
    "receiptDelivery": {"pdf": False},
}


def issue(address: str, key: str) -> str:
    answer = httpx.post(
        f"{address}/fiscalization/receipts",
        json=SALE,
        headers={"Idempotency-Key": key},
        trust_env=False,
        verify=NO_TLS,
        timeout=WITHIN,
    )
    assert answer.is_success
    return str(answer.json()["invoiceNumber"])


def grown_to(data: Path, numbers: list[str]) -> None:
    """Wait until the server's file has these receipts, the newest first."""
    end, listed = time.monotonic() + WITHIN, list[str]()
    while listed != numbers and time.monotonic() < end:
        time.sleep(0.02)  # waits for the server
        if (data / RECEIPT_INDEX).exists():
            with closing(ReceiptIndexFile(data / RECEIPT_INDEX, data / JOURNAL)) as file:
                page = file.page(EVERYTHING, None, 50)
                listed = [row.number for row in page.rows]
    assert listed == numbers


def test_what_was_signed_before_and_after_a_kill_is_in_the_list(folder: Path) -> None:
    with program("server", "--data", str(folder), "--port", "0") as (child, address):
        numbers = [issue(address, "a" * 20)]
        grown_to(folder, numbers)
        numbers.insert(0, issue(address, "b" * 20))
        child.send_signal(signal.SIGKILL)
        child.wait()
    with program("server", "--data", str(folder), "--port", "0") as (child, address):
        grown_to(folder, numbers)
        numbers.insert(0, issue(address, "c" * 20))
        grown_to(folder, numbers)
        child.terminate()
        assert child.wait() == 0
    with closing(ReceiptIndexFile(folder / RECEIPT_INDEX, folder / JOURNAL)) as file:
        assert not file.step()
        assert file.state.is_whole
        found = file.page(ReceiptQuery(words="caj"), None, 50)
        assert [row.number for row in found.rows] == numbers
    path = folder / RECEIPT_INDEX
    assert check(folder) == (WHOLE, [])
    path.write_bytes(path.read_bytes()[:-4096] + bytes(4096))
    status, (told,) = check(folder)
    assert (status, told.startswith(f"{RECEIPT_INDEX}: damaged: ")) == (WHOLE, True)
    assert told.endswith("Nothing is lost: the server makes it again of the journal.")


def check(data: Path) -> tuple[int, list[str]]:
    """Return the status of `pos-app check`, and its lines about the list."""
    out = StringIO()
    status = check_command(data, out=out)
    return status, [line for line in out.getvalue().splitlines() if "receipt-index" in line]
