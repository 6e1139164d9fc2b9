"""The words that are typed to find a receipt."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from pos_app.domain.money.money import Money
from pos_app.domain.receipt import receipt_list
from pos_app.domain.receipt.receipt_identity import relay_origin
from pos_app.domain.receipt.receipt_list import EVERYTHING, ReceiptQuery
from pos_app.selling.receipts.export import OF_LINES, OF_RECEIPTS, line_rows, receipt_row
from pos_app.selling.receipts.search_words import asked_by
from tests.sweep import each
from tests.unit.selling.test_shift_report import row as listed

TODAY = date(2026, 11, 20)
MIDNIGHT = datetime(2026, 11, 19, 23, tzinfo=UTC)
"""The beginning of that day in Belgrade."""


@each(
    ("typed", "asked"),
    [
        ("", EVERYTHING),
        ("597", ReceiptQuery(number="597")),
        ("abcd1234-8597", ReceiptQuery(number="abcd1234-8597")),
        ("ABCD1234-ABCD1234-8597", ReceiptQuery(number="ABCD1234-ABCD1234-8597")),
        ("1.079,00", ReceiptQuery(least=Money("1079"), most=Money("1079"))),
        ("412,97", ReceiptQuery(least=Money("412.97"), most=Money("412.97"))),
        ("8600123456789", ReceiptQuery(words="8600123456789")),
        ("mleko Мира", ReceiptQuery(words="mleko Мира")),
        ("млеко 597", ReceiptQuery(words="млеко", number="597")),
        ("20.11.", ReceiptQuery(since=MIDNIGHT, until=MIDNIGHT + timedelta(days=1))),
        ("11:42", ReceiptQuery(since=MIDNIGHT + timedelta(hours=11, minutes=42),
         until=MIDNIGHT + timedelta(hours=11, minutes=43))),
        ("20.11.26 20.11", ReceiptQuery(since=MIDNIGHT, until=MIDNIGHT + timedelta(days=1),
         words="20.11")),
        ("8:05 20.11.2026.", ReceiptQuery(since=MIDNIGHT + timedelta(hours=8, minutes=5),
         until=MIDNIGHT + timedelta(hours=8, minutes=6))),
        ("25:10 31.2. 1,,2", ReceiptQuery(words="25:10 31.2. 1,,2")),
    ],
)  # fmt: skip
def test_each_word_is_read_by_its_form(typed: str, asked: ReceiptQuery) -> None:
    assert asked_by(typed, EVERYTHING, today=TODAY) == asked


@each(
    ("typed", "since", "until"),
    [
        ("0:30 29.3.2026.", "2026-03-28T23:30", "2026-03-28T23:31"),
        ("2:30 29.3.2026.", "2026-03-29T01:30", "2026-03-29T01:30"),  # the clock left it out
        ("11:42 29.3.2026.", "2026-03-29T09:42", "2026-03-29T09:43"),
        ("23:59 29.3.2026.", "2026-03-29T21:59", "2026-03-29T22:00"),
        ("11:42 25.10.2026.", "2026-10-25T10:42", "2026-10-25T10:43"),
        ("2:30 25.10.2026.", "2026-10-25T00:30", "2026-10-25T01:31"),  # it is shown twice
        ("25.10.2026.", "2026-10-24T22:00", "2026-10-25T23:00"),  # 25 hours
    ],
)
def test_a_minute_is_that_of_the_clock_on_both_days_of_a_change(
    typed: str, since: str, until: str
) -> None:
    asked = asked_by(typed, EVERYTHING, today=TODAY)
    assert asked.since == datetime.fromisoformat(since).replace(tzinfo=UTC)
    assert asked.until == datetime.fromisoformat(until).replace(tzinfo=UTC)


# --- the sheet of receipts for a bookkeeper: its words are those of the list ---------------------


@each(
    ("program", "words"),
    [
        (relay_origin(account="f285f11e", client="324b330c"), "преко платформе"),
        (receipt_list.LOCAL_PROGRAM, "на овом рачунару"),
        ("till:8b0c", "Каса"),
        ("веб-продаја", "веб-продаја"),
    ],
)
@each("by_lines", [False, True])
def test_the_program_of_a_receipt_is_told_in_words(
    program: str, words: str, *, by_lines: bool
) -> None:
    receipt = listed(1, "770", "0", program=program)
    rows = line_rows(receipt, {}) if by_lines else [receipt_row(receipt)]
    (row,) = rows
    heads = OF_LINES if by_lines else OF_RECEIPTS
    assert row[heads.index("Програм")] == words
