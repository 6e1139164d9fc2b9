"""The id of one request stands in its answer and in the logs of all programs that handled it."""

from __future__ import annotations

import re
import time
import uuid
from pathlib import Path

import httpx

from tests.e2e.shop import PATIENCE, Shop
from tests.e2e.town import SALE, Town, town_of
from tests.fakes.no_tls import NO_TLS


def asked(town: Town, request_id: str, *, worker: int = 0) -> httpx.Response:
    headers = {"Idempotency-Key": uuid.uuid4().hex, "X-Request-Id": request_id}
    with httpx.Client(trust_env=False, verify=NO_TLS, timeout=30.0) as caller:
        return caller.post(
            f"{town.url(worker)}/fiscalization/receipts",
            json=SALE | {"clientId": town.client},
            headers=headers,
            auth=town.credentials,
        )


def lines(log: Path, request_id: str) -> list[str]:
    """The log's lines of a request; one may be written after the answer, so it waits."""
    end = time.monotonic() + PATIENCE
    while True:
        rows = log.read_text(encoding="utf-8", errors="replace").splitlines()
        found = [line for line in rows if line.endswith(f" request={request_id}")]
        if found or time.monotonic() > end:
            return found
        time.sleep(0.02)


def test_a_relayed_receipt_is_found_by_one_id_in_both_logs(shop: Shop) -> None:
    with town_of(shop) as town:
        town.connected()
        answer = asked(town, "of-a-caller.7")
        assert (answer.status_code, answer.headers["x-request-id"]) == (200, "of-a-caller.7")
        (platform,) = lines(shop.folder / "worker-0.log", "of-a-caller.7")
        assert "status=200" in platform
        assert f"key={town.credentials[0]}" in platform
        (server,) = lines(shop.folder / "server.log", "of-a-caller.7")
        assert "operation=issue status=200" in server

        for wrong in ("two words", "a" * 65, "ć", "=x"):
            answer = asked(town, wrong.encode())  # type: ignore[arg-type]
            made = answer.headers["x-request-id"]
            assert re.fullmatch("[0-9a-f]{24}", made)
            assert lines(shop.folder / "server.log", made)
