"""The six paths of protocol v3 over HTTP."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from pos_app.pfr_emulator.doors import _leads_here
from pos_app.pfr_emulator.ledger import read_entries
from pos_app.pfr_emulator.processor import Processor
from tests.contract.pfr_emulator.device import Device
from tests.e2e.nursery import Life, born
from tests.fakes.no_tls import NO_TLS
from tests.fakes.processor_key import give_key
from tests.sweep import each

Request = dict[str, Any]


def codes(body: dict[str, Any]) -> dict[str, list[str]]:
    assert set(body) == {"message", "modelState"}
    return {state["property"]: state["errors"] for state in body["modelState"]}


def test_sign_and_look_up(lpfr: Device, sale: Request) -> None:
    sale["options"] = {}
    signed = lpfr.sign(sale, RequestId="a" * 32)
    assert (signed.status_code, signed.headers["content-type"]) == (200, "application/json")
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
def test_an_lpfr_answers_a_bare_code(
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
    assert (vpfr.client.get("/api/v3/attention").status_code, vpfr.processor.entries()) == (200, [])


def test_what_is_no_json_or_beyond_all_measure_is_refused(lpfr: Device) -> None:
    response = lpfr.client.post("/api/v3/invoices", content=b"{}")
    assert response.status_code == 415
    large, kind = b" " * (4 * 1024 * 1024 + 1), {"Content-Type": "application/json"}
    response = lpfr.client.post("/api/v3/invoices", content=large, headers=kind)
    assert response.status_code == 413


@each(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost:PORT"}, 200),
        ({"Host": "LOCALHOST:PORT"}, 200),
        ({"Host": "[::1]:PORT"}, 200),
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Host": "evil.example:PORT"}, 421),
        ({"Host": "evil.example"}, 421),
        ({"Host": "localhost:1"}, 421),
        ({"Host": "localhost"}, 421),
        ({"Host": "127.0.0.1:PORT@evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:PORT"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_programs_pass_and_pages_do_not(lpfr: Device, headers: dict[str, str], status: int) -> None:
    for client, path in ((lpfr.client, "/api/v3/status"), (lpfr.control, "/state")):
        port = str(client.base_url.port)
        told = {name: value.replace("PORT", port) for name, value in headers.items()}
        assert client.get(path, headers=told).status_code == status


def test_without_a_host_nobody_is_answered(lpfr: Device) -> None:
    place = urlsplit(lpfr.url)
    with socket.create_connection((place.hostname, place.port), timeout=10) as caller:
        caller.sendall(b"GET /api/v3/status HTTP/1.0\r\n\r\n")
        assert caller.recv(100).startswith(b"HTTP/1.1 421")


@each(
    ("host", "address", "leads"),
    [
        ("192.168.1.7:9998", "192.168.1.7", True),
        ("192.168.1.7:9998", "::ffff:192.168.1.7", True),
        ("[fe80::1]:9998", "fe80::1%eth0", True),
        ("192.168.1.8:9998", "192.168.1.7", False),
        ("192.168.1.7", "192.168.1.7", False),
    ],
)
def test_another_machine_names_what_it_reached(host: str, address: str, leads: bool) -> None:
    assert _leads_here(host, address, 9998) is leads


@contextmanager
def program(data: Path) -> Iterator[tuple[str, Life]]:
    """The processor as a program of its own: its address, and the program to kill."""
    give_key(data / "processor")
    process = born("processor", "--data", str(data), "--port", "0")
    try:
        yield f"{process.stdout.readline().strip()}/api/v3/invoices", process
    finally:
        process.kill()
        process.communicate()


def test_a_kill_right_after_the_answer_loses_nothing(tmp_path: Path, sale: dict[str, Any]) -> None:
    """The ledger is read while the program runs; after a kill the folder is free."""
    answers = []
    for turn in range(3):
        with program(tmp_path) as (url, process):
            for _ in range(3):
                headers = {"RequestId": f"r{turn}"}
                answer = httpx.post(url, json=sale, headers=headers, timeout=10, verify=NO_TLS)
                answers.append(answer)
                assert len(read_entries(tmp_path / "processor")) == len(answers)
            process.kill()
            process.wait(10)
    numbers = [answer.json()["invoiceNumber"] for answer in answers]
    assert [entry.number for entry in read_entries(tmp_path / "processor")] == numbers
    assert [number.rpartition("-")[2] for number in numbers] == [str(n) for n in range(1, 10)]
    processor = Processor.open(folder=tmp_path / "processor")
    assert processor.find("r2") == answers[-1].text
    processor.close()


def test_the_state_is_shown_and_changed(lpfr: Device) -> None:
    state = lpfr.control.get("/state").json()
    assert (state["mode"], state["uid"]) == ("lpfr", lpfr.processor.uid)
    assert state["condition"]["card"] == "in"
    changed = lpfr.control.patch("/state", json={"card": "out", "unreachable": ["pin"]}).json()
    assert changed["condition"] == {**state["condition"], "card": "out", "unreachable": ["pin"]}


def test_the_ledger_is_listed(lpfr: Device, sale: Request) -> None:
    answer = lpfr.sign(sale, RequestId="r1").json()
    lpfr.sign({**sale, "invoiceType": "Training"})
    first, second = lpfr.control.get("/ledger").json()
    assert (first["requestId"], first["invoiceNumber"]) == ("r1", answer["invoiceNumber"])
    assert (first["totalAmount"], first["request"]) == (241.0, sale)
    assert first["answer"]["journal"] == answer["journal"]
    assert (second["requestId"], second["invoiceType"]) == (None, 3)


def test_counters_element_and_audit(lpfr: Device, sale: Request) -> None:
    uid = lpfr.processor.uid
    assert [lpfr.sign(sale).json()["totalCounter"] for _ in range(2)] == [1, 2]
    lpfr.control.post("/services/restart", json={})
    assert lpfr.sign(sale).json()["totalCounter"] == 1
    replaced = lpfr.control.post("/element/replace", json={}).json()["uid"]
    assert replaced != uid
    assert lpfr.sign(sale).json()["invoiceNumber"] == f"{replaced}-{replaced}-1"
    lpfr.change(card="out")
    assert "1300" in lpfr.sign(sale).text
    assert lpfr.client.get("/api/v3/status").json()["gsc"][0] == "1300"
    lpfr.change(card="in", audit="locked")
    assert "2210" in lpfr.sign(sale).text
    lpfr.control.post("/audit", json={})
    assert lpfr.sign(sale).status_code == 200


@each(
    ("method", "path", "body", "told"),
    [
        ("PATCH", "/state", {"card": "lost"}, "card: "),
        ("PATCH", "/state", {"weather": "fine"}, "weather: "),
        ("PATCH", "/state", ["card"], "The body must be a JSON object"),
        ("POST", "/faults", {"kind": "explode"}, "kind: "),
        ("POST", "/faults", {"kind": "refuse"}, "Value error"),
        ("POST", "/audit", None, "The body must be a JSON object"),
    ],
)
def test_what_makes_no_sense_is_400(
    lpfr: Device, method: str, path: str, body: object, told: str
) -> None:
    response = lpfr.control.request(method, path, json=body)
    assert response.status_code == 400
    message = response.json()["message"]
    assert message
    assert message.startswith(told), message
    assert "pydantic" not in message


@each("path", ["/faults", "/services/restart", "/element/replace", "/audit"])
def test_a_form_of_a_web_page_changes_nothing(lpfr: Device, path: str) -> None:
    uid = lpfr.processor.uid
    response = lpfr.control.post(
        path, content=b'{"kind": "drop"}', headers={"Content-Type": "text/plain"}
    )
    assert (response.status_code, lpfr.processor.uid) == (400, uid)
    assert lpfr.processor.faults.pending() == ()
