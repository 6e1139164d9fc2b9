"""Verification URL, signature and QR code, checked by a decoder written from the protocol page."""

from __future__ import annotations

import base64
import hashlib
import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import zxingcpp
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from PIL import Image, ImageOps

from pos_app.errors import DatabaseDamaged
from pos_app.pfr_emulator.processor import Processor
from pos_app.pfr_emulator.seal import KEY_FILE, open_key
from tests.unit.pfr_emulator.sales import sale


def decode(payload: bytes) -> dict[str, Any]:
    """The verification payload, read byte by byte."""
    length = payload[43]
    rest = payload[44 + length :]
    assert len(rest) == 256 + 256 + 16
    assert hashlib.md5(payload[:-16]).digest() == payload[-16:]
    return {
        "version": payload[0],
        "requested_by": payload[1:9].decode("ascii"),
        "signed_by": payload[9:17].decode("ascii"),
        "total_counter": int.from_bytes(payload[17:21], "little"),
        "type_counter": int.from_bytes(payload[21:25], "little"),
        "total": Decimal(int.from_bytes(payload[25:33], "little")) / 10_000,
        "time": datetime(1970, 1, 1, tzinfo=UTC)
        + timedelta(milliseconds=int.from_bytes(payload[33:41], "big")),
        "kind": payload[41],
        "direction": payload[42],
        "buyer": payload[44 : 44 + length].decode("ascii"),
        "internal": rest[:256],
        "signature": rest[256:512],
        "covered": payload[: 44 + length + 256],
    }


def payload_of(answer: dict[str, Any]) -> dict[str, Any]:
    query = parse_qs(urlsplit(answer["verificationUrl"]).query, strict_parsing=True)
    assert list(query) == ["vl"]
    return decode(base64.b64decode(query["vl"][0], validate=True))


def signed(processor: Processor, body: bytes) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(processor.sign(body))
    return answer


def test_the_payload_tells_what_was_signed(processor: Processor) -> None:
    signed(processor, sale())
    signed(processor, sale(invoiceType="Training"))
    answer = signed(
        processor,
        sale(
            transactionType="Refund",
            buyerId="10:100000024",
            referentDocumentNumber="ABCD1234-ABCD1234-7",
            referentDocumentDT="2026-01-04T10:00:00",
            items=[
                {
                    "name": "x",
                    "quantity": 1,
                    "unitPrice": 1,
                    "totalAmount": 123456789.01,
                    "labels": ["Ђ"],
                }
            ],
        ),
    )
    payload = payload_of(answer)
    assert payload["version"] == 3
    assert payload["requested_by"] == payload["signed_by"] == processor.uid
    assert (payload["total_counter"], payload["type_counter"]) == (3, 1)
    assert payload["total"] == Decimal("123456789.01")
    assert payload["time"] == datetime(2026, 1, 5, 8, 7, 3, 125_000, tzinfo=UTC)
    assert (payload["kind"], payload["direction"]) == (0, 1)
    assert payload["buyer"] == "10:100000024"
    assert payload["internal"] == base64.b64decode(answer["encryptedInternalData"])
    assert payload["signature"] == base64.b64decode(answer["signature"])
    for buyer in (None, "1", "10:" + "1" * 17):
        assert payload_of(signed(processor, sale(buyerId=buyer)))["buyer"] == (buyer or "")


def test_the_signature_covers_everything_before_it(processor: Processor) -> None:
    payload = payload_of(signed(processor, sale()))
    arguments = (padding.PKCS1v15(), hashes.SHA256())
    processor.public_key.verify(payload["signature"], payload["covered"], *arguments)
    forged = payload["covered"].replace(processor.uid.encode(), b"FORGED00")
    with pytest.raises(InvalidSignature):
        processor.public_key.verify(payload["signature"], forged, *arguments)


def test_the_qr_image_holds_the_url(processor: Processor) -> None:
    answer = signed(processor, sale(options=None, buyerId="10:" + "1" * 17))
    gif = base64.b64decode(answer["verificationQRCode"], validate=True)
    assert gif[:6] == b"GIF89a"
    image = Image.open(BytesIO(gif)).convert("L")
    with_quiet_zone = ImageOps.expand(image, border=16, fill=255)
    (found,) = zxingcpp.read_barcodes(with_quiet_zone)
    assert found.text == answer["verificationUrl"]
    assert found.format is zxingcpp.BarcodeFormat.QRCode
    assert found.ec_level == "L"


def test_the_key_is_made_once_and_is_nobody_elses_to_read(tmp_path: Path) -> None:
    first = open_key(tmp_path)
    mode = (tmp_path / KEY_FILE).stat().st_mode & 0o777
    assert mode == 0o600
    assert first.key_size == 2048
    assert open_key(tmp_path).private_numbers() == first.private_numbers()
    assert [file.name for file in tmp_path.iterdir()] == [KEY_FILE]
    for content in (b"", b"-----BEGIN PRIVATE KEY-----\n", b"\x00" * 100):
        (tmp_path / KEY_FILE).write_bytes(content)
        with pytest.raises(DatabaseDamaged):
            open_key(tmp_path)
        assert (tmp_path / KEY_FILE).read_bytes() == content, "a damaged key is not replaced"
