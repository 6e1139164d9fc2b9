"""The client generated from the tax administration's OpenAPI drives the processor."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import dti_tax_core_vsdc_api_client_swagger as official
import pytest
from dti_tax_core_vsdc_api_client_swagger.rest import ApiException

from pos_app.pfr_emulator.belgrade import BELGRADE
from pos_app.pfr_emulator.options import Options
from pos_app.pfr_emulator.rates import SANDBOX_RATES
from tests.contract.pfr_emulator.device import Device

Serve = Callable[..., Device]


def client_of(device: Device) -> official.ApiClient:
    configuration = official.Configuration()
    configuration.host = device.url
    client = official.ApiClient(configuration)
    client.set_default_header("PAC", device.processor.options.pac)
    return client


def invoice(**changes: Any) -> official.InvoiceRequest:
    given = {
        "date_and_time_of_issue": datetime(2026, 1, 3, 10, 0, 0, tzinfo=BELGRADE),
        "cashier": "Пера",
        "buyer_id": "10:100000024",
        "invoice_type": 4,
        "transaction_type": 0,
        "invoice_number": "123/1.0",
        "payment": [official.Payment(amount=100.0, payment_type=4)],
        "items": [
            official.Item(
                gtin="8600000000000",
                name="10: Аванс",
                quantity=1.0,
                labels=["Ђ"],
                unit_price=100.0,
                total_amount=100.0,
            )
        ],
        "options": {"omitQRCodeGen": "0", "omitTextualRepresentation": "0"},
        **changes,
    }
    return official.InvoiceRequest(**given)


@pytest.fixture(params=["vpfr", "lpfr"])
def device(request: pytest.FixtureRequest, serve: Serve) -> Device:
    return serve(mode=request.param)


def test_it_signs_looks_up_and_refunds(device: Device) -> None:
    client = client_of(device)
    client.set_default_header("RequestId", "0123456789abcdef0123456789abcdef")
    api = official.InvoicesApi(client)
    result = api.invoices_create_invoice(invoice())
    assert isinstance(result, official.InvoiceResult)
    assert result.requested_by == device.processor.uid
    assert result.invoice_number == f"{result.requested_by}-{result.signed_by}-1"
    assert (result.invoice_counter, result.total_amount) == ("1/1АП", 100.0)
    assert result.sdc_date_time.utcoffset() is not None
    (tax,) = result.tax_items
    assert (tax.label, tax.rate, tax.amount, tax.category_type) == ("Ђ", 20, 16.6667, 0)
    empty = [name for name, value in result.to_dict().items() if value in (None, "", [])]
    assert empty == []
    assert api.invoices_get_signed_invoice("0123456789abcdef0123456789abcdef") == result
    refund = official.InvoicesApi(client_of(device)).invoices_create_invoice(
        invoice(
            transaction_type=1,
            referent_document_number=result.invoice_number,
            referent_document_dt=result.sdc_date_time,
        )
    )
    assert (refund.invoice_counter_extension, refund.total_amount) == ("АР", 100.0)
    assert result.invoice_number in refund.journal


def test_it_learns_of_what_is_unknown_or_refused(device: Device) -> None:
    api = official.InvoicesApi(client_of(device))
    with pytest.raises(ApiException) as caught:
        api.invoices_get_signed_invoice("unknown")
    assert caught.value.status == 404
    bad = invoice()
    bad.items[0].labels = ["?"]
    with pytest.raises(ApiException) as caught:
        api.invoices_create_invoice(bad)
    assert caught.value.status == 400
    assert "2310" in caught.value.body


def test_it_parses_the_status_and_the_environment(device: Device) -> None:
    api = official.StatusApi(client_of(device))
    status = api.status_get_status()
    assert isinstance(status, official.GetStatusResponse)
    assert status.uid == device.processor.uid
    rates = {
        rate.label: rate.rate
        for category in status.current_tax_rates.tax_categories
        for rate in category.tax_rates
    }
    assert rates == {"Ђ": 20.0, "Е": 10.0, "Г": 0.0, "А": 0.0}
    assert [group.group_id for group in status.all_tax_rates] == [1, 2, 3]
    assert all(group.valid_from.utcoffset() is not None for group in status.all_tax_rates)
    environment = api.status_get_tax_authority_params()
    assert isinstance(environment, official.TaxCorePublicConfiguration)
    assert environment.country == "RS"
    assert environment.endpoints["vsdc"].startswith("https://")
    data, code, _ = api.status_attention_with_http_info()
    assert (data, code) == ("", 200)


def test_it_parses_the_sandbox_status(serve: Serve) -> None:
    device = serve(mode="vpfr", options=Options(rates=SANDBOX_RATES))
    status = official.StatusApi(client_of(device)).status_get_status()
    kinds = {c.name: c.category_type for c in status.current_tax_rates.tax_categories}
    assert (kinds["VAT"], kinds["TOTL"], kinds["PBL"]) == (0, 1, 2)
