"""Each thing of the window has one word in each language: docs/reference/words.md says which may
not stand for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from pos_app import po_file

ROOT = Path(__file__).parents[2]
TABLE = (ROOT / "docs" / "reference" / "words.md").read_text(encoding="utf-8")
_CELLS = 6
_SYNONYMS = "_also"
_OF_API = "error."


class Word(NamedTuple):
    """A thing, and the pattern of the words that may not stand for it. where: the ids that it holds
    for; is_without: it holds for all others."""

    thing: str
    never: re.Pattern[str]
    where: tuple[str, ...]
    is_without: bool

    def holds_for(self, text_id: str) -> bool:
        return not self.where or text_id.startswith(self.where) is not self.is_without


def words_of(table: str, language: str) -> Iterator[Word]:
    for line in table.splitlines():
        cells = [one.strip() for one in line.strip().strip("|").split("|")]
        if not line.startswith("|") or cells[0] == "thing" or set(line) <= set("|-"):
            continue
        assert len(cells) == _CELLS, f"{cells[0]}: not {_CELLS} columns"
        never = [one for one in cells[2 if language == "sr" else 4].split(", ") if one]
        if never:
            ends = (re.escape(one).replace(r"\*", r"\w*") for one in never)
            pattern = re.compile(rf"(?i)(?<!\w)(?:{'|'.join(ends)})(?!\w)")
            where = cells[5].removeprefix("not ")
            held = tuple(one for one in where.split(", ") if one)
            yield Word(cells[0], pattern, held, is_without=where != cells[5])


def faults(table: str, language: str, forms: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    words = [*words_of(table, language)]
    for text_id, texts in forms.items():
        if text_id.endswith(_SYNONYMS) or (language == "en" and text_id.startswith(_OF_API)):
            continue
        told = re.sub(r"\{\w+\}", "", " ".join(texts))
        for word in words:
            if word.holds_for(text_id) and (wrong := word.never.search(told)):
                yield f"{text_id}: “{wrong[0]}” for {word.thing}"


@pytest.mark.parametrize("language", ["sr", "en"])
def test_each_thing_has_one_word(language: str) -> None:
    assert [*faults(TABLE, language, po_file.own(language).forms)] == []


_ROW = "| badge | значка | картиц*, кључић | badge | card* | sign. |"


@pytest.mark.parametrize(
    ("language", "text_id", "text"),
    [
        ("sr", "sign.badge", "Скенирајте картицу"),
        ("sr", "sign.badge", "Кључић није познат"),
        ("en", "sign.badge", "Scan your card"),
    ],
)
def test_another_word_is_found(language: str, text_id: str, text: str) -> None:
    assert [*faults(_ROW, language, {text_id: (text,)})]
    assert not [*faults(_ROW, language, {"pay.card": (text,)})]
    assert not [*faults(_ROW, language, {f"{text_id}_also": (text,)})]
    assert [*faults(_ROW.replace("sign.", "not pay."), language, {text_id: (text,)})]
