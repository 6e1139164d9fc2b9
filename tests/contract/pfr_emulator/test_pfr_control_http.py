"""The control port over HTTP."""

from __future__ import annotations

from typing import Any

from tests.contract.pfr_emulator.device import Device
from tests.sweep import each

Request = dict[str, Any]


def test_the_state_is_shown_and_changed(lpfr: Device) -> None:
    state = lpfr.control.get("/state").json()
    assert state["mode"] == "lpfr"
    assert state["uid"] == lpfr.processor.uid
    assert state["condition"]["card"] == "in"
    changed = lpfr.control.patch("/state", json={"card": "out", "unreachable": ["pin"]}).json()
    assert changed["condition"] == {**state["condition"], "card": "out", "unreachable": ["pin"]}


def test_the_ledger_is_listed(lpfr: Device, sale: Request) -> None:
    answer = lpfr.sign(sale, RequestId="r1").json()
    lpfr.sign({**sale, "invoiceType": "Training"})
    first, second = lpfr.control.get("/ledger").json()
    assert first["requestId"] == "r1"
    assert first["invoiceNumber"] == answer["invoiceNumber"]
    assert first["totalAmount"] == 241.0
    assert first["request"] == sale
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
    ("method", "path", "body"),
    [
        ("PATCH", "/state", {"card": "lost"}),
        ("PATCH", "/state", {"weather": "fine"}),
        ("PATCH", "/state", ["card"]),
        ("POST", "/faults", {"kind": "explode"}),
        ("POST", "/faults", {"kind": "refuse"}),
        ("POST", "/audit", None),
    ],
)
def test_what_makes_no_sense_is_400(lpfr: Device, method: str, path: str, body: object) -> None:
    response = lpfr.control.request(method, path, json=body)
    assert response.status_code == 400
    assert response.json()["message"]


@each("path", ["/faults", "/services/restart", "/element/replace", "/audit"])
def test_a_form_of_a_web_page_changes_nothing(lpfr: Device, path: str) -> None:
    uid = lpfr.processor.uid
    response = lpfr.control.post(
        path, content=b'{"kind": "drop"}', headers={"Content-Type": "text/plain"}
    )
    assert response.status_code == 400
    assert lpfr.processor.uid == uid
    assert lpfr.processor.faults.pending() == ()
