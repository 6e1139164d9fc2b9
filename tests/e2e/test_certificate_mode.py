"""Certificate mode with real programs: platform, signers and a V-PFR over TLS.

Each case has a certificate, and so a lane, of its own.
"""

from __future__ import annotations

import base64
import os
import shutil
import signal
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from pos_app.adapters.signers.signer_folders import home_of, signer_folder
from pos_app.pfr_emulator.authority import Authority
from pos_app.pfr_emulator.caller import CertifiedCaller
from tests.e2e.certified import PAC, PASSWORD, Certificate, Hosted, der, hosted
from tests.e2e.shop import sale, until
from tests.fakes.processor_key import give_key

BREAD = {"name": "Хлеб", "taxRateLabel": "Ђ", "unit": "ком", "gtin": "8600123450144"}
SILENT: dict[str, Any] = {"receiptDelivery": {"pdf": False}}
NO_ROW = "7b0d4f4e-6bb0-4c41-9a1b-9d1a5f3a0b11"
SALE = sale(items=[{"article": BREAD, "quantity": 1, "unitPrice": 58.99}])


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    with hosted(tmp_path_factory.mktemp("certified")) as one:
        yield one


def ok(answer: httpx.Response) -> Any:
    assert answer.status_code == httpx.codes.OK, answer.text
    return answer.json()


def signed_for(platform: Hosted, certificate: Certificate) -> list[str]:
    return [one.number for one in platform.ledger if one.requested_by == certificate.uid]


def test_an_advance_chain_is_issued_looked_up_and_drawn(platform: Hosted) -> None:
    shop = platform.certificate("CHAIN001")
    with platform.caller() as caller:
        ok(caller.get("/cashiers"))
        bread = {"name": "Хлеб", "taxRateLabel": "Ђ", "sku": 7, "price": 100}
        assert caller.post("/products", json=bread).status_code == httpx.codes.CREATED
    advance = sale(
        invoiceType="advance",
        payments={"wiretransfer": 30},
        items=[{"sku": 7, "quantity": 1, "unitPrice": 100}],
        receiptDelivery={"pdf": True, "base64pdf": True},
    )
    first = ok(platform.post(shop, advance, key="advance-of-the-chain"))
    assert first["invoiceNumber"].startswith("CHAIN001-")
    assert "Ана Анић" in first["journal"]
    at = f"/{first['invoiceNumber']}"
    second = ok(platform.post(shop, {"payments": {"cash": 20}, **SILENT}, at=f"{at}/advance"))
    closed = ok(platform.post(shop, {"payments": {"card": 50}, **SILENT}, at=f"{at}/close"))
    assert len(closed) == 2
    sold = closed[1]["invoiceNumber"]
    copy = ok(platform.post(shop, SILENT, at=f"/{sold}/copy"))
    refund = {"payments": {"card": 100}, "buyerId": "10:100000049", **SILENT}
    refunded = ok(platform.post(shop, refund, at=f"/{sold}/refund"))
    numbers = [one["invoiceNumber"] for one in (first, second, *closed, copy, *_listed(refunded))]
    assert signed_for(platform, shop) == numbers

    # Each receipt is found with the certificate and without it; each call gives a new link.
    for of in (shop, None):
        for reference in (
            first["id"],
            "key:advance-of-the-chain",
            first["invoiceNumber"],
            first["id"].upper(),
            first["invoiceNumber"].lower(),
        ):
            found = ok(platform.look_up(reference, of))
            assert found["invoiceNumber"] == first["invoiceNumber"]
    again = ok(platform.post(shop, advance, key="advance-of-the-chain"))
    assert again["invoiceNumber"] == first["invoiceNumber"]
    assert again["pdf"] != first["pdf"]
    for link in (first["pdf"], again["pdf"]):
        with platform.caller() as caller:
            assert caller.get(link).content.startswith(b"%PDF-")
    assert signed_for(platform, shop) == numbers
    other = SALE | {"payments": {"cash": 100}}
    conflict = platform.post(shop, other, key="advance-of-the-chain")
    assert conflict.status_code == httpx.codes.CONFLICT


def test_a_taxpayer_outside_vat_signs_no_label_of_vat(platform: Hosted) -> None:
    """Each certificate is its owner's, and what was signed before keeps its labels."""
    outside = platform.certificate("OUTVAT01", tin="100000049")
    inside = platform.certificate("INVAT001", tin="100000057")
    sold = ok(platform.post(outside, SALE))
    told = platform.data / "settings.toml"
    before = told.read_text(encoding="utf-8")
    pibs = '[platform_server]\noutside_vat = ["100000049"]\n'
    told.write_text(f"{before}\n{pibs}", encoding="utf-8")
    try:
        refused = platform.post(outside, SALE)
        assert refused.status_code == httpx.codes.BAD_REQUEST, refused.text
        assert "taxRateLabel" in refused.json()["message"]
        ok(platform.post(inside, SALE))
        without = SALE | {
            "items": [{"article": BREAD | {"taxRateLabel": "А"}, "quantity": 1, "unitPrice": 58.99}]
        }
        ok(platform.post(outside, without))
        back = {"payments": {"card": 58.99}, "buyerId": "10:100000049", **SILENT}
        (refund,) = ok(platform.post(outside, back, at=f"/{sold['invoiceNumber']}/refund"))
        assert [one["label"] for one in refund["taxItems"]] == ["Ђ"]
    finally:
        told.write_text(before, encoding="utf-8")
    assert len(signed_for(platform, outside)) == 3


def _listed(answer: Any) -> list[Any]:
    return answer if isinstance(answer, list) else [answer]


def test_a_signer_killed_before_the_answer_signs_once(platform: Hosted) -> None:
    """While it is away nothing is sent, which is surely so."""
    shop = platform.certificate("KILLED01")
    ok(platform.post(shop, SALE))
    platform.control("POST", "/faults", {"kind": "late_answer", "seconds": 3})
    key, later = "killed-before-the-answer", "the-signer-was-away-then"
    before = len(platform.ledger)
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(platform.post, shop, SALE, key=key)
        until(lambda: len(platform.ledger) > before)
        os.kill(platform.signer_of(shop), signal.SIGKILL)
        until(lambda: not platform.answers(home_of(shop.uid, platform.signers)))
        away = platform.post(shop, SALE, key=later)
        assert (away.status_code, away.json()["code"]) == (400, 40010001), away.text
        lost = asked.result()
    assert lost.status_code == httpx.codes.INTERNAL_SERVER_ERROR, lost.text
    told = lost.json()
    assert (told["code"], told["class"]) == (50080001, "unknown")
    assert platform.look_up(told["receiptId"]).status_code in (httpx.codes.ACCEPTED, 400, 500)
    number = until_issued(platform, shop, key)
    assert (number, len(signed_for(platform, shop))) == (signed_for(platform, shop)[-1], 2)
    assert ok(platform.look_up(told["receiptId"]))["invoiceNumber"] == number
    assert until_issued(platform, shop, later) == signed_for(platform, shop)[-1]
    assert len(signed_for(platform, shop)) == 3


def until_issued(platform: Hosted, shop: Certificate, key: str) -> str:
    def issued() -> str:
        answer = platform.post(shop, SALE, key=key)
        if answer.status_code == httpx.codes.OK:
            return str(answer.json()["invoiceNumber"])
        assert answer.json()["class"] in ("wait", "unknown"), answer.text
        return ""

    return until(issued)


def test_what_is_wrong_is_told_and_nothing_is_signed(platform: Hosted) -> None:
    shop = platform.certificate("WRONG001")
    sent = shop.headers
    cases: list[tuple[dict[str, str], str]] = [
        ({"pfx": sent["pfx"], "password": PASSWORD}, "pac"),
        ({"pac": PAC}, "pfx"),
        (sent | {"password": "neka druga"}, "password"),
        (sent | {"pfx": "bm8gY2VydGlmaWNhdGU="}, "pfx"),
        (sent | {"pfx": "%%%"}, "pfx"),
        (sent | {"pac": "DEV12"}, "pac"),
        (platform.certificate("WRONG001", days=-1).headers, "pfx"),
    ]
    for headers, name in cases:
        answer = platform.post(None, SALE, headers=headers)
        told = answer.json()
        assert (answer.status_code, told["code"]) == (400, 40090001), told
        assert told["validation"]["headers"]["keys"] == [name], told
    large = platform.post(shop, SALE, headers={"X-Filler": "x" * 33_000})
    assert large.status_code == httpx.codes.REQUEST_ENTITY_TOO_LARGE
    for members, status, words in (
        ({"cashierId": None}, 400, "is required"),
        ({"cashierId": ""}, 400, '"cashierId" is not allowed to be empty'),
        ({"cashierId": 7}, 400, '"cashierId" must be a string'),
        ({"cashierId": NO_ROW}, 400, '"cashierId" names no cashier'),
        ({"cashierId": "Нико"}, 400, '"cashierId" names no cashier'),
        ({"storeId": NO_ROW}, 400, '"storeId" names no store'),
        ({"receiptDelivery": {"thermalPrinter": True}}, 400, "thermalPrinter"),
        ({"receiptDelivery": {"a4Printer": True}}, 400, "a4Printer"),
        ({"items": [{"sku": 90, "quantity": 1, "unitPrice": 1}]}, 400, "90 does not exist"),
    ):
        answer = platform.post(shop, SALE | members)
        told = answer.json()["message"]
        assert (answer.status_code, words in told) == (status, True), answer.text
    revoked = platform.certificate("WRONG002")
    platform.control("POST", "/certificates/revoke", {"serial": revoked.serial})
    for refused, kind, name in (
        (replace(shop, pac="DEV999"), "pac_refused", "pac"),
        (revoked, "certificate_revoked", "pfx"),
    ):
        answer = platform.post(refused, SALE)
        told = answer.json()
        assert (answer.status_code, told["class"], told["kind"]) == (400, "cure", kind), answer.text
        assert told["validation"]["headers"]["keys"] == [name], answer.text
    assert not signed_for(platform, shop) + signed_for(platform, revoked)
    ok(platform.post(shop, SALE))  # the wrong PAC of another caller delays nothing


def test_a_cashier_may_be_named_where_only_one_has_the_name(platform: Hosted) -> None:
    shop = platform.certificate("NAMED001")
    number = ok(platform.post(shop, SALE | {"cashierId": " ана  АНИЋ"}))["invoiceNumber"]
    assert "Ана Анић" in ok(platform.look_up(number))["journal"]
    with platform.caller() as caller:
        for _ in range(2):
            assert (
                caller.post("/cashiers", json={"name": "Пера"}).status_code == httpx.codes.CREATED
            )
    answer = platform.post(shop, SALE | {"cashierId": "Пера"})
    assert (answer.status_code, answer.json()["code"]) == (400, 40090001), answer.text
    assert '"cashierId" names several cashiers' in answer.json()["message"]
    assert len(signed_for(platform, shop)) == 1


def test_a_signed_key_is_not_denied_to_credentials_that_prove_nothing(platform: Hosted) -> None:
    shop, key = platform.certificate("SIGNED01"), "signed-with-its-certificate"
    signed = ok(platform.post(shop, SALE | {"clientId": "x"}, key=key))  # ignored there
    no_file = base64.b64encode(b"no certificate").decode()
    for of, what in (
        (replace(shop, password="wrong"), '"password" is not accepted'),
        (replace(shop, pfx=no_file), '"pfx" is not accepted'),
        (None, '"clientId" is required'),
    ):
        answer = platform.post(of, SALE, key=key)
        told = answer.json()
        assert (answer.status_code, told["code"], told["class"]) == (500, 50080001, "unknown")
        assert told["receiptId"] == signed["id"]
        assert what in told["message"], told
        assert "as it was begun" in told["message"], told
        assert "application" not in told["message"], told


def test_a_made_up_certificate_learns_nothing_and_signs_nothing(
    platform: Hosted, tmp_path: Path
) -> None:
    """Another account names the element of a shop: its UID is on each receipt of that shop."""
    shop, key = platform.certificate("MADEUP01"), "the-key-of-the-shop-itself"
    issued = ok(platform.post(shop, SALE, key=key))
    number = issued["invoiceNumber"]
    give_key(tmp_path)
    made = Authority.open(tmp_path).issue(
        CertifiedCaller(shop.uid, "100000049", "", ""), url="https://localhost", password=PASSWORD
    )
    stranger = Certificate(shop.uid, "", base64.b64encode(made).decode())
    with platform.caller(platform.new_account()) as caller:
        cashier = caller.post("/cashiers", json={"name": "Неко"}).json()["id"]

        def told(body: dict[str, Any], asked: str) -> tuple[int, int]:
            answer = caller.post(
                "/fiscalization/receipts",
                json={**body, "cashierId": cashier},
                headers=stranger.headers | {"Idempotency-Key": asked},
            )
            assert number not in answer.text
            return answer.status_code, answer.json()["code"]

        assert told(SALE, key) == (400, 40010001)
        assert told(SALE | {"payments": {"cash": 300}}, key) == (400, 40010001)
        assert told(SALE, "a-key-of-the-stranger-alone") == (400, 40010000)
        assert told(SALE, "a-key-of-the-stranger-alone") == (400, 40010000)
        for reference in (number, f"key:{key}"):
            found = caller.get(f"/fiscalization/receipts/{reference}", headers=stranger.headers)
            assert found.json()["class"] in ("unknown", "wait"), found.text
            assert "client" not in found.json()["message"], found.text
        for reference in (f"key:{key}", issued["id"]):
            found = caller.get(f"/fiscalization/receipts/{reference}")
            open_ = {"receiptId": issued["id"], "state": "handed_over"}
            assert (found.status_code, found.json()) == (202, open_), found.text
        found = caller.get("/fiscalization/receipts/key:a-key-of-the-stranger-alone")
        assert found.status_code == httpx.codes.NOT_FOUND, found.text
    assert signed_for(platform, shop) == [number]
    assert ok(platform.post(shop, SALE, key=key))["invoiceNumber"] == number
    ok(platform.post(shop, SALE))


def stopped(platform: Hosted) -> None:
    program = platform.running.pop()
    program.stop()
    program.close()


def started(platform: Hosted) -> None:
    words = ["platform", "--data", str(platform.data), "--port", str(platform.ports[2])]
    platform.run(*words, "--signers", str(platform.signers), name="platform")
    until(lambda: all(map(platform.answers, range(platform.signers))))


REFUND = {**SILENT, "payments": {"cash": 58.99}, "buyerId": "10:101234567"}


def test_the_journal_of_an_element_is_put_back(tmp_path: Path) -> None:
    """The witness of the journal stays, and tells that it is older. A V-PFR has no counter."""
    with hosted(tmp_path) as platform:
        shop = platform.certificate("PUTBACK1")
        number = ok(platform.post(shop, SALE, key=uuid.uuid4().hex))["invoiceNumber"]
        element = signer_folder(platform.data, home_of(shop.uid, platform.signers)) / shop.uid
        stopped(platform)
        shutil.copytree(element, tmp_path / "copy")
        started(platform)
        key = uuid.uuid4().hex
        done = platform.post(shop, REFUND, key=key, at=f"/{number}/refund")
        ok(done)
        stopped(platform)
        shutil.rmtree(element)
        shutil.copytree(tmp_path / "copy", element)
        started(platform)
        signed = signed_for(platform, shop)
        again = platform.post(shop, REFUND, key=key, at=f"/{number}/refund")
        assert (again.status_code, again.json()) == (200, done.json()), (
            "the platform has the answer"
        )
        asked = platform.post(shop, REFUND, key=uuid.uuid4().hex, at=f"/{number}/refund")
        assert asked.status_code == httpx.codes.INTERNAL_SERVER_ERROR, asked.text
        assert "a manager has to say" in asked.json()["message"]
        assert signed_for(platform, shop) == signed
        sale = uuid.uuid4().hex
        waits = platform.post(shop, SALE, key=sale)
        assert (waits.status_code, waits.json()["class"]) == (500, "unknown"), waits.text
        for receipt in (asked.json()["receiptId"], waits.json()["receiptId"]):
            told = platform.told("doubts", "absent", shop.uid, receipt, "--by", "Ана")
            assert told == (0, "released\n")
        assert platform.told("doubts", "close", shop.uid, "--by", "Ана") == (0, "closed\n")
        assert platform.told("doubts", "close", shop.uid, "--by", "Ана")[0] == 1
        ok(platform.post(shop, SALE, key=sale))
        ok(platform.post(shop, SALE, key=uuid.uuid4().hex))
        assert len(signed_for(platform, shop)) == len(signed) + 2


def test_secrets_are_written_nowhere(platform: Hosted) -> None:
    """As the last test of this file it looks through everything that the others left."""
    shop = platform.certificate("SECRET01")
    ok(platform.post(shop, SALE))
    platform.control("POST", "/faults", {"kind": "sign_then_drop"})
    platform.post(shop, SALE)
    content = der(shop)
    canaries = {
        "password": PASSWORD.encode(),
        "password as UTF-16": PASSWORD.encode("utf-16-be"),
        "pac": PAC.encode(),
        "pfx": shop.pfx[200:260].encode(),
        "pfx, decoded": content[200:260],
        "secret of the key": platform.credentials[1].encode(),
    }
    seen = 0
    for name, written in platform.written():
        seen += 1
        for what, canary in canaries.items():
            assert canary not in written, (what, name)
    assert seen > 10
