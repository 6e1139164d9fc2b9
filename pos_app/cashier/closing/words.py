"""Puts into words what stands when the till is closed, and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.window.frame import Busy
from pos_app.cashier.window.what_stands import WhatStands
from pos_app.cashier.words.article_texts import reached_words
from pos_app.cashier.words.receipt_words import since_words
from pos_app.domain.money.number_text import amount_text


class Standing(NamedTuple):
    """what: what stands, with its number. then: what becomes of it."""

    icon: str
    what: str
    then: str


def standing_words(stands: WhatStands, texts: Texts) -> list[Standing]:
    return [*_sales(stands, texts), *_works(stands, texts)]


def _sales(stands: WhatStands, texts: Texts) -> Iterator[Standing]:
    if stands.is_unread:
        yield Standing("hard-drive", texts("closing.unread"), texts("closing.unread.then"))
    if stands.waiting:
        what = texts.count("closing.waiting", stands.waiting)
        yield Standing("clock", what, texts("closing.waiting.then"))
    if stands.doubtful:
        what = texts.count("closing.doubtful", stands.doubtful)
        yield Standing("circle-question-mark", what, texts("closing.doubtful.then"))
    if stands.refused:
        what = texts.count("closing.refused", stands.refused)
        yield Standing("triangle-alert", what, texts("closing.refused.then"))
    if stands.received:
        what = texts("closing.received", amount=amount_text(stands.received))
        yield Standing("banknote", what, texts("closing.received.then"))
    if stands.outgoing:
        what = texts.count("closing.outgoing", stands.outgoing)
        yield Standing("printer", what, texts("closing.outgoing.then"))
    if stands.shift is not None:
        what = since_words(stands.shift, texts, "closing.shift")
        yield Standing("calculator", what, texts("closing.shift.then"))


def _works(stands: WhatStands, texts: Texts) -> Iterator[Standing]:
    for work in dict.fromkeys(stands.works):
        what = texts(f"closing.work.{work}")
        if work is Busy.ACT and stands.act is not None:
            what = f"{what}: {reached_words(stands.act, texts)}"
        yield Standing("loader-circle", what, texts(f"closing.work.{work}.then"))
