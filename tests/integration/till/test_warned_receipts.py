"""The warnings that the server sends beside a signed receipt: the till logs them, and the receipt
is never doubted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.selling.server.answers import Issued
from pos_app.selling.server.ports import OutgoingSale
from pos_app.wire.strict_json import dumps
from tests.integration.local_api.test_receipts import KEY, SALE
from tests.integration.local_api.wires import running
from tests.integration.till import test_fiscal_http

WARNING = {"code": "glyph", "message": "A sign was drawn as a mark.", "field": "items[0]"}


async def test_a_real_warning_is_logged_with_its_code(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(folder) as server, LocalApi(server.url, server.install) as api:
        body = SALE | {"receiptDelivery": {"pdf": False, "email": "kupac@example.rs"}}
        till = FiscalHttp(api)
        await till.prove()
        issued = await till.issue(OutgoingSale(KEY, 1, "Мира", json.dumps(body).encode()))
        found = await till.look_up(KEY)
    assert isinstance(issued, Issued)
    assert isinstance(found, Issued)
    warned = [one for one in caplog.records if one.name.endswith("api_client.receipts")]
    assert [one.fields["code"] for one in warned] == ["email_not_sent"] * 2  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "warnings", [[WARNING], [], None, "none", [5], [WARNING | {"field": 7}], {"a": 1}]
)
async def test_a_signed_receipt_is_never_doubted_for_what_is_told_beside_it(
    warnings: object,
) -> None:
    body = dumps(test_fiscal_http.RECEIPT | {"warnings": warnings, "copy": 3})
    async with test_fiscal_http.listening(
        test_fiscal_http.says(test_fiscal_http.http(200, body))
    ) as api:
        assert isinstance(await FiscalHttp(api).issue(test_fiscal_http.PARCEL), Issued)
