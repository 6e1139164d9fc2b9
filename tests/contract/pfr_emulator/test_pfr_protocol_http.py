"""The six paths of protocol v3 over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.contract.pfr_emulator.device import Device
from tests.sweep import each

Request = dict[str, Any]
Serve = Callable[..., Device]


def codes(body: dict[str, Any]) -> dict[str, list[str]]:
    assert set(body) == {"message", "modelState"}
    return {state["property"]: state["errors"] for state in body["modelState"]}


def test_sign_and_look_up(lpfr: Device, sale: Request) -> None:
    sale["options"] = {}
    signed = lpfr.sign(sale, RequestId="a" * 32)
    assert signed.status_code == 200
    assert signed.headers["content-type"] == "application/json"
    found = lpfr.client.get(f"/api/v3/invoices/{'a' * 32}")
    assert found.content == signed.content
    assert signed.json()["verificationQRCode"].startswith("R0lGODlh")
    lines = signed.json()["journal"].split("\r\n")
    name = lines[lines.index("Назив   Цена         Кол.         Укупно") + 1]
    assert len(name) == 40, "a name's only line too (fiscal.md 3.6)"


def test_numbers_are_json_numbers(lpfr: Device, sale: Request) -> None:
    sale["items"][0]["totalAmount"] = 68.46
    text = lpfr.sign(sale).text
    assert '"totalAmount":68.46,' in text
    assert '"rate":20,"amount":11.4100}' in text


@each(("form", "status", "body"), [("404", 404, b""), ("null", 200, b"null"), ("empty", 200, b"")])
def test_an_unknown_request_id(lpfr: Device, form: str, status: int, body: bytes) -> None:
    lpfr.change(unknown_form=form)
    response = lpfr.client.get("/api/v3/invoices/unknown")
    assert (response.status_code, response.content) == (status, body)


@each("path", ["status", "environment-parameters", "attention", "invoices/1"])
def test_a_language_nobody_speaks_is_406(lpfr: Device, path: str) -> None:
    response = lpfr.client.get(f"/api/v3/{path}", headers={"Accept-Language": "de-DE, fr;q=0.5"})
    assert response.status_code == 406


@each(("form", "body"), [("plain", b"1300"), ("quoted", b'"1300"'), ("model_state", None)])
def test_an_lpfr_may_answer_a_bare_code(
    lpfr: Device, sale: Request, form: str, body: bytes | None
) -> None:
    lpfr.change(card="out", refusal_form=form)
    for response in (lpfr.sign(sale), lpfr.client.get("/api/v3/environment-parameters")):
        assert response.status_code == 400
        if body is None:
            assert codes(response.json()) == {"": ["1300"]}
        else:
            assert response.content == body


@each(("body", "kind"), [(b"1234", "text/plain"), (b'"1234"', "application/json")])
def test_the_pin_as_text_or_json(lpfr: Device, body: bytes, kind: str) -> None:
    lpfr.change(pin="required")
    response = lpfr.client.post("/api/v3/pin", content=body, headers={"Content-Type": kind})
    assert (response.status_code, response.text) == (200, "0100")
    assert lpfr.processor.condition.pin == "entered"


@each(("pac", "code"), [("", "2800"), ("12345", "2803"), ("654321", "2805")])
def test_a_vpfr_demands_the_pac(vpfr: Device, sale: Request, pac: str, code: str) -> None:
    vpfr.client.headers["PAC"] = pac
    assert codes(vpfr.sign(sale).json()) == {"PAC": [code]}
    for path in ("status", "environment-parameters", "invoices/1"):
        response = vpfr.client.get(f"/api/v3/{path}")
        assert (response.status_code, codes(response.json())) == (400, {"PAC": [code]})
    assert vpfr.client.get("/api/v3/attention").status_code == 200
    assert vpfr.processor.entries() == []


def test_what_is_no_json_or_beyond_all_measure_is_refused(lpfr: Device) -> None:
    response = lpfr.client.post("/api/v3/invoices", content=b"{}")
    assert response.status_code == 415
    large, kind = b" " * (4 * 1024 * 1024 + 1), {"Content-Type": "application/json"}
    response = lpfr.client.post("/api/v3/invoices", content=large, headers=kind)
    assert response.status_code == 413


def test_one_processor_signs_for_many_callers_one_after_the_other(
    lpfr: Device, sale: Request
) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: lpfr.sign(sale).json(), range(20)))
    assert sorted(answer["totalCounter"] for answer in answers) == list(range(1, 21))
    assert [entry.total_counter for entry in lpfr.processor.entries()] == list(range(1, 21))
