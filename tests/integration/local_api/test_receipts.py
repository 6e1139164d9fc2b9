"""Issuing and looking up over HTTP, with the real journal and the development processor."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from pos_app.errors import DiskFull, MachineError
from pos_app.fiscalization.lane.probe import LEAST_ROOM
from tests.integration.local_api.wires import Running, running

KEY = "0123456789abcdef"
SALE: dict[str, Any] = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"cash": 200},
    "items": [{"sku": 1, "quantity": 2, "unitPrice": 58.99}],
    "receiptDelivery": {"pdf": False},
}
KEYED = {"Idempotency-Key": KEY}


def keyed(key: str) -> dict[str, str]:
    return {"Idempotency-Key": key}


def is_sending(server: Running) -> bool:
    return server.shop.journal.in_lane(server.shop.lane.name) is not None


# --- PDF ---------------------------------------------------------------------------------------


async def test_no_pdf_denies_nothing(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    wanted = SALE | {"receiptDelivery": {"pdf": True, "base64pdf": True}}
    async with running(folder) as server:
        linked = (await server.issue(wanted)).json()["pdf"]
        server.pdf.fault = MachineError("font", what="No font for paper.")
        answer = await server.issue(wanted)
        assert (answer.status_code, answer.json()["pdf"]) == (200, None)
        told = [(one["code"], one["field"]) for one in answer.json()["warnings"]]
        assert told == [("pdf_not_made", f"receiptDelivery.{one}") for one in ("pdf", "base64pdf")]
        assert "No font for paper" in caplog.text
        assert "Traceback" not in caplog.text
        opened = await server.ask("GET", linked)
        assert (opened.status_code, opened.json()["code"]) == (500, 50000001)
        server.pdf.fault = RuntimeError("a bug of the renderer")
        answer = await server.issue(wanted)
        assert answer.status_code == 200
        assert answer.json()["pdf"] is answer.json()["base64pdf"] is None
        assert "a bug of the renderer" in caplog.text
        assert "a bug of the renderer" not in answer.text
        server.pdf.fault = None
        assert (await server.ask("GET", linked)).status_code == 200


# --- paths and machine -------------------------------------------------------------------------


async def test_full_disk_is_surely_not_sent(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(folder) as server:

        def full(*_: Any) -> None:
            raise DiskFull(what="There is no room left.")

        with monkeypatch.context() as disk:
            disk.setattr(server.shop.journal, "add_command", full)
            answer = await server.issue(SALE, headers=KEYED)
        body = answer.json()
        assert (answer.status_code, body["code"], body["class"]) == (400, 40010002, "cure")
        assert body["name"] == "StorageNearlyFullError"
        assert (await server.issue(SALE, headers=KEYED)).status_code == 200
        small = shutil.disk_usage(folder)._replace(free=LEAST_ROOM - 1)
        next_one = keyed("fedcba9876543210")
        with monkeypatch.context() as disk:
            disk.setattr(shutil, "disk_usage", lambda _: small)
            answer = await server.issue(SALE, headers=next_one)
            body = answer.json()
            assert (answer.status_code, body["code"], body["class"]) == (400, 40010002, "cure")
            assert body["message"] == "The disk is nearly full: 64 MB must be free."
            told = await server.ask("GET", "/till/status", headers=server.till)
            assert told.json()["processor"]["state"] == "disk"
        told = await server.ask("GET", "/till/status", headers=server.till)
        assert told.json()["processor"]["state"] == "ready"
        assert (await server.issue(SALE, headers=next_one)).status_code == 200
