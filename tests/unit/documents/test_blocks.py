"""A finished document as plain members, and the members that are refused on the way back."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from pos_app.documents.blocks import (
    Document,
    FramedNotice,
    Heading,
    Lines,
    PaymentCode,
    QrCode,
    ShortCode,
    WritingSpace,
    check_own,
    document_of,
    plain,
)
from pos_app.errors import Invalid
from tests.sweep import each

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
BLOCKS = (
    Heading(("Пекара",)), Lines(("а", "")), FramedNotice(("НИЈЕ РАЧУН",)), QrCode("https://a.rs"),
)  # fmt: skip


def document(*blocks: Any) -> Document:
    return Document(title="Пресек", moment=NOW, language="sr-Cyrl", blocks=blocks)


@each("block", [PaymentCode("K:PR", ("Плати",)), ShortCode("R/113892", "11389"), WritingSpace(15)])
def test_a_code_to_pay_by_and_room_to_sign_stand_on_receipts_alone(block: Any) -> None:
    read = document_of(plain(document(*BLOCKS, block)))
    assert read == document(*BLOCKS, block)
    with pytest.raises(Invalid) as refused:
        check_own(read)
    assert refused.value.field == "blocks[4].kind"


@each(
    ("changed", "field"),
    [
        ({"blocks": []}, "blocks"),
        ({"blocks": "lines"}, "blocks"),
        ({"blocks": [{"kind": "lines", "text": ["а"]}] * 501}, "blocks"),
        ({"blocks": [{"kind": "lines", "text": ["а"] * 2501}] * 2}, "blocks"),
        ({"blocks": ["а"]}, "blocks[0]"),
        ({"blocks": [{"kind": "lines", "text": ["а" * 41]}]}, "blocks[0].text"),
        ({"blocks": [{"kind": "notice", "text": ["а" * 21]}]}, "blocks[0].text"),
        ({"blocks": [{"kind": "lines", "text": ["\x1bp0"]}]}, "blocks[0].text"),
        ({"blocks": [{"kind": "heading", "text": "а"}]}, "blocks[0].text"),
        ({"blocks": [{"kind": "lines", "text": [1]}]}, "blocks[0].text"),
        ({"blocks": [{"kind": "qr", "text": ""}]}, "blocks[0].kind"),
        ({"blocks": [{"kind": "picture", "text": ["а"]}]}, "blocks[0].kind"),
        ({"title": ""}, "title"),
        ({"title": "а\nб"}, "title"),
        ({"moment": None}, "moment"),
    ],
)
def test_what_is_no_document_is_refused_by_its_field(changed: dict[str, Any], field: str) -> None:
    with pytest.raises(Invalid) as told:
        document_of(plain(document(*BLOCKS)) | changed)
    assert told.value.field == field
