"""Links to PDFs live for ten minutes, also beyond a restart, and can't be guessed or forged."""

from __future__ import annotations

import base64
from datetime import UTC, datetime, timedelta

from pos_app.local_api.pdf_links import SECONDS, PdfLinks

TOKEN = "ab" * 32
RECEIPT = "0d7f6c1e00004000800000000000000a"


class Clock:
    def __init__(self) -> None:
        self.at = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at


def test_a_link_lives_ten_minutes_from_each_time_it_is_given() -> None:
    clock = Clock()
    links = PdfLinks(clock, token=TOKEN)
    first = links.give(RECEIPT)
    clock.at += timedelta(seconds=SECONDS - 1)
    second = links.give(RECEIPT)
    assert links.find(first) == links.find(second) == RECEIPT
    clock.at += timedelta(seconds=1)
    assert links.find(first) is None
    assert links.find(second) == RECEIPT
    assert PdfLinks(clock, token=TOKEN).find(second) == RECEIPT, "after a restart"
    assert PdfLinks(clock, token="cd" * 32).find(second) is None, "another installation"


def test_no_byte_of_a_link_can_be_changed() -> None:
    links = PdfLinks(Clock(), token=TOKEN)
    secret = links.give(RECEIPT)
    whole = base64.urlsafe_b64decode(secret + "=" * (-len(secret) % 4))
    for place in range(len(whole)):
        forged = bytearray(whole)
        forged[place] ^= 1
        assert links.find(base64.urlsafe_b64encode(forged).rstrip(b"=").decode()) is None
