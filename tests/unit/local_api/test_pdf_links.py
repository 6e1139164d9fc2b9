"""Links to PDFs live for ten minutes and can't be guessed."""

from __future__ import annotations

import pytest

from pos_app.local_api import pdf_links
from pos_app.local_api.pdf_links import SECONDS, PdfLinks


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_a_link_lives_ten_minutes() -> None:
    clock = Clock()
    links = PdfLinks(clock)
    secret = links.give("a receipt")
    clock.seconds = SECONDS - 0.1
    assert links.find(secret) == "a receipt"
    clock.seconds = SECONDS
    assert links.find(secret) is None


def test_links_differ_and_have_256_bits() -> None:
    links = PdfLinks(Clock())
    secrets = {links.give("a receipt") for _ in range(100)}
    assert len(secrets) == 100
    assert {len(secret) for secret in secrets} == {43}
    assert links.find("") is None


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_links, "MOST", 2)
    links = PdfLinks(Clock())
    first, second, third = links.give("1"), links.give("2"), links.give("3")
    assert links.find(first) is None
    assert links.find(second) == "2"
    assert links.find(third) == "3"
