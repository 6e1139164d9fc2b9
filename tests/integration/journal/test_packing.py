"""Packed contents of the journal come back as they were, and damage to them is reported."""

from __future__ import annotations

import base64
import hashlib
import zlib
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pos_app.adapters.sqlite.journal import packing
from pos_app.adapters.sqlite.journal.rows import receipt_of
from pos_app.errors import DatabaseDamaged
from tests.bench.big_journal import multiply
from tests.integration.fiscalization.shop import opened
from tests.integration.journal.test_journal import receipt
from tests.sweep import each, examples

FROZEN = {1: "6c058f08f54851d560e45cc62de2b0df2cbc9a214c2827804416255355152583"}
INTERNAL, SIGNATURE = bytes(range(256)), bytes(reversed(range(256)))
SEALED = b"\x03" + b"head of 48 bytes" * 3 + INTERNAL + SIGNATURE + b"tail"


def written(sealed: bytes) -> str:
    return quote(base64.b64encode(sealed), safe="")


def sealed_as(address: str, internal: bytes = INTERNAL) -> bytes:
    """Return that answer as the journal packs it; it is unpacked and compared first."""
    told = replace(
        receipt(),
        verification_url=address,
        encrypted_internal_data=base64.b64encode(internal).decode(),
        signature=base64.b64encode(SIGNATURE).decode(),
    )
    content = packing.answer_packed(told)
    assert packing.answer_of(content) == told
    return content


def test_a_text_that_contents_were_packed_with_never_changes() -> None:
    found = {version: hashlib.sha256(text).hexdigest() for version, text in packing.TEXTS.items()}
    assert found == FROZEN


def test_what_the_address_carries_is_kept_once() -> None:
    short = sealed_as(f"https://suf.purs.gov.rs/v/?vl={written(SEALED)}")
    assert len(short) < len(SEALED) + 250


@each(
    "address",
    [
        "",
        "https://suf.purs.gov.rs/v/?vl=",
        "https://suf.purs.gov.rs/v/?vl=%%%",
        f"https://suf.purs.gov.rs/v/?vl={written(SEALED).lower()}",
        f"https://suf.purs.gov.rs/v/?vl={written(SEALED).rstrip('D3%')}",
        f"https://suf.purs.gov.rs/v/?vl={base64.b64encode(SEALED).decode()}",
        f"https://suf.purs.gov.rs/v/?vl={written(SEALED)}&a=1",
        f"https://suf.purs.gov.rs/v/?vl={written(SEALED)}\0\0",
        f"https://suf.purs.gov.rs/v/?vl={written(b'another')}",
    ],
)
def test_an_address_of_any_form_comes_back(address: str) -> None:
    sealed_as(address)
    sealed_as(address, internal=b"in no address")


@settings(max_examples=examples(60))
@given(st.text(), st.binary(max_size=400), st.binary(max_size=400))
def test_any_answer_comes_back(text: str, sealed: bytes, internal: bytes) -> None:
    words = text.encode("utf-8", "ignore").decode()
    for address in (words, f"{words}?vl={written(sealed)}", f"?vl={words}"):
        told = replace(
            receipt(),
            verification_url=address,
            journal=words,
            messages=None,
            encrypted_internal_data=base64.b64encode(internal).decode(),
            signature=words or None,
        )
        assert packing.answer_of(packing.answer_packed(told)) == told


@given(st.lists(st.binary(), min_size=1, max_size=3))
def test_any_bytes_come_back(parts: list[bytes]) -> None:
    assert packing.unpacked(packing.packed(*parts)) == b"".join(parts)


def test_a_flipped_byte_is_found_wherever_it_is() -> None:
    content = sealed_as(f"https://suf.purs.gov.rs/v/?vl={written(SEALED)}")
    for place in range(len(content)):
        for bit in range(8):
            flipped = bytearray(content)
            flipped[place] ^= 1 << bit
            with pytest.raises(DatabaseDamaged):
                receipt_of(bytes(flipped))


def sealed_by(number: int, content: bytes) -> bytes:
    """Return the content behind a sound head."""
    head = bytes((number,))
    return head + zlib.crc32(content, number).to_bytes(4, "big") + content


@each(
    ("content", "words"),
    [
        (b"", "it is damaged"),
        (b"\x01", "it is damaged"),
        (packing.packed(b"{}")[:-1], "it is damaged"),
        (packing.packed(b"{}") + b"y", "it is damaged"),
        (sealed_by(2, packing.packed(b"{}")[5:]), r"by a later version \(text 2\)"),
        (sealed_by(1, b"no stream"), "can't be read"),
    ],
)
def test_what_can_not_be_unpacked_is_damage_in_words(content: bytes, words: str) -> None:
    with pytest.raises(DatabaseDamaged, match=words) as caught:
        receipt_of(content)
    assert "call support" in caught.value.do


MANY = 1_000
MOST = 2_400
"""Bytes of a receipt with three articles, with all its rows and indexes."""
THREE = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"cash": 400},
    "receiptDelivery": {"pdf": False},
    "items": [{"sku": sku, "quantity": 1, "unitPrice": Decimal("99.99")} for sku in (1, 2, 1)],
}


@pytest.mark.deadline(60)
async def test_a_receipt_takes_so_many_bytes(folder: Path) -> None:
    path = folder / "journal" / "journal.db"
    async with opened(folder) as shop:
        await shop.sell(THREE, key="0123456789abcdef")
    multiply(path, 1)
    few = path.stat().st_size
    multiply(path, MANY, first=1)
    assert (path.stat().st_size - few) / MANY < MOST


# --- rows of existing journals --------------------------------------------------------------------


GOLDEN = Path(__file__).with_name("golden")
PLANS = sorted(path.stem for path in GOLDEN.glob("plan_*.json"))
_END = b"\0"
"""The separator between the JSON of an answer and the bytes of its address."""


def test_every_operation_has_a_plan_here() -> None:
    for name in ("issue", "advance", "close_refund", "close_sale", "copy", "refund", "refund_copy"):
        assert f"plan_{name}" in PLANS


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_keeps_its_bytes(name: str) -> None:
    kept = (GOLDEN / f"{name}.json").read_bytes()
    assert packing.planned_to_json(packing.planned_from_json(kept)) == kept


def test_a_signed_answer_keeps_its_bytes() -> None:
    kept = (GOLDEN / "answer").read_bytes()
    text, mark, sealed = kept.partition(_END)
    receipt = packing.answer_of(packing.packed(text + mark, sealed))
    assert receipt.invoice_number in text.decode()
    assert packing.unpacked(packing.answer_packed(receipt)) == kept
