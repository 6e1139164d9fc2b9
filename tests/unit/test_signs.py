"""The visible signs of a text."""

from __future__ import annotations

import pytest

from pos_app.characters import is_blank
from tests.sweep import each

UNSEEN = (
    *("", " \t", "\u00a0\u3000", "\u200b\u200c\u200d\u2060\ufeff", "\u00ad"),
    *("\u200e\u200f\u202a\u202e\u2066\u2069\u061c", "\u0301\u0302", "\ufe0f", "\U000e0041"),
    *("\u115f\u1160\u3164\uffa0", "\u2800", "\x00\x1b", "\ue000"),
)


@each("text", UNSEEN)
def test_nothing_of_it_can_be_seen(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", ["а", "e\u0301", "\u200e.", "🍞", "漢", "-"], ids=ascii)
def test_something_of_it_can_be_seen(text: str) -> None:
    assert not is_blank(text)
