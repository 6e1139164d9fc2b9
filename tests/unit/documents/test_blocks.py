from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from pos_app.documents import columns
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


def test_a_block_keeps_to_the_paper_and_to_the_size_of_the_law() -> None:
    with pytest.raises(ValueError, match="at most 40"):
        Lines(("x" * 41,))
    with pytest.raises(ValueError, match="at most 20"):
        FramedNotice(("x" * 21,))
    for letter in ("\n", "\r", "\t", "\x1b", "\u202e"):
        with pytest.raises(ValueError, match="printable"):
            Lines((f"Кафа{letter}",))
    for side, quiet in ((39, 4), (51, 4), (45, 3)):
        with pytest.raises(ValueError, match="40 to 50 mm"):
            QrCode("x", side_mm=side, quiet_modules=quiet)


@each(
    ("text", "shown"),
    [
        ("Кафа\t200g", "Кафа 200g"),
        ("Кафа\x1b[2J", "Кафа [2J"),
        ("Кафа\x00\x07", "Кафа  "),
        ("a\u202egnp.exe", "a gnp.exe"),  # a mark that turns the direction of reading
        ("a\u200bb\u2028c\x85d", "a b c d"),
        ("20\u00a0%", "20 %"),
        ("c\u030cas", "čas"),
        ("Љубав – “ok” €", "Љубав – “ok” €"),
    ],
)
def test_only_letters_signs_and_blanks_reach_the_paper(text: str, shown: str) -> None:
    assert columns.clean(text) == shown
    assert shown.isprintable()


@each(
    ("line", "broken"),
    [
        ("", [""]),
        ("кратко", ["кратко"]),
        ("један два три", ["један", "два три"]),
        ("нај-нај-нај-дужи", ["нај-нај-", "нај-дужи"]),
        ("неподељиво", ["неподељи", "во"]),
    ],
)
def test_a_line_breaks_between_words(line: str, broken: list[str]) -> None:
    assert columns.wrapped(line, 8) == broken


@each(
    ("value", "lines"),
    [
        ("x" * 34, ["Чек: " + " " + "x" * 34]),
        ("x" * 35, ["Чек: " + "x" * 35]),
        ("x" * 36, ["Чек: " + "x" * 35, "x"]),
    ],
)
def test_a_pair_without_room_for_a_blank_is_cut(value: str, lines: list[str]) -> None:
    assert columns.pair("Чек:", value) == lines


# --- a finished document as plain members, and the members that are refused on the way bac -------


NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
BLOCKS = (
    Heading(("Пекара",)), Lines(("а", "")), FramedNotice(("НИЈЕ РАЧУН",)), QrCode("https://a.rs"),
)  # fmt: skip


def document(*blocks: Any) -> Document:
    return Document(title="Пресек", moment=NOW, language="sr-Cyrl", blocks=blocks)


def test_a_paper_of_the_till_is_never_taken_for_signed_words() -> None:
    read = document_of(plain(document(Lines(("ФИСКАЛНИ РАЧУН",), signed=True))))
    assert read == document(Lines(("ФИСКАЛНИ РАЧУН",), signed=False))


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
