"""Turns what a person types to find a receipt into a query of the list.

Each word is read by its form:

    597, abcd1234-8597      the end of a receipt's number
    1.079,00                its amount: a figure with a comma
    20.11.  20.11.2026.     its day; without a year the last such day
    11:42                   its minute, on the day that is asked for
    8600123456789           an item's code or EAN: from eight digits on
    mleko, Мира             words of an item, of a cashier, of a buyer's number

Source: till.md ("Receipts").
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, time, timedelta

from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import parse_amount
from pos_app.domain.receipt.receipt_list import ReceiptQuery
from pos_app.domain.text.instant import beginning_of, day_of, day_typed, minute_of
from pos_app.errors import Invalid

_NUMBER = re.compile(r"\d{1,7}|[0-9A-Za-z]{1,8}-(?:[0-9A-Za-z]{1,8}-)?\d+")
"""Eight digits and more are an item's code, so they are left out here."""
_DAY = re.compile(r"\d{1,2}\.\d{1,2}\.(?:(?:\d{4}|\d{2})\.?)?")
"""Among other words a day without a year ends in a point."""
_MINUTE = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


def asked_by(typed_text: str, within: ReceiptQuery, *, today: date) -> ReceiptQuery:
    """Narrow `within` by the typed words. A typed day replaces its days, and a minute belongs to
    that day, else to the first of `within`, else to today."""
    query, day, minute, words = within, None, None, list[str]()
    for word in typed_text.split():
        if _NUMBER.fullmatch(word):
            query = replace(query, number=word)
        elif _DAY.fullmatch(word) and (found := day_typed(word, today=today)) is not None:
            day = found
        elif (clock := _MINUTE.fullmatch(word)) is not None:
            minute = time(int(clock[1]), int(clock[2]))
        elif (amount := _amount(word)) is not None:
            query = replace(query, least=amount, most=amount)
        else:
            words.append(word)
    if day is not None:
        query = days_of(query, day, day)
    if minute is not None:
        first = today if query.since is None else day_of(query.since)
        since, until = minute_of(first, minute)
        query = replace(query, since=since, until=until)
    return replace(query, words=" ".join(words))


def days_of(query: ReceiptQuery, first: date, last: date) -> ReceiptQuery:
    """The query from the beginning of one day to the end of another, in Belgrade."""
    return replace(query, since=beginning_of(first), until=beginning_of(last + timedelta(days=1)))


def _amount(word: str) -> Money | None:
    if "," not in word:
        return None
    try:
        return parse_amount(word)
    except Invalid:
        return None
