"""Links to PDFs live for ten minutes and can't be guessed."""

from __future__ import annotations

from pos_app.local_api.pdf_links import MOST_BYTES, SECONDS, Pdf, PdfLinks


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_a_link_lives_ten_minutes() -> None:
    clock, pdf = Clock(), Pdf("A-B-1", b"%PDF")
    links = PdfLinks(clock)
    secret = links.give(pdf)
    clock.seconds = SECONDS - 0.1
    assert links.find(secret) == pdf
    clock.seconds = SECONDS
    assert links.find(secret) is None


def test_links_differ_and_have_256_bits() -> None:
    links = PdfLinks(Clock())
    secrets = {links.give(Pdf("A-B-1", b"%PDF")) for _ in range(100)}
    assert len(secrets) == 100
    assert {len(secret) for secret in secrets} == {43}
    assert links.find("") is None


def test_memory_is_bounded() -> None:
    links = PdfLinks(Clock())
    half = Pdf("A-B-1", b"x" * (MOST_BYTES // 2))
    first, second, third = links.give(half), links.give(half), links.give(half)
    assert links.find(first) is None
    assert links.find(second) is half
    assert links.find(third) is half
