"""Every word of payment and Attention: in both languages, with the same values."""

from __future__ import annotations

import string

from pos_app.cashier.attention.cases import SOURCES
from pos_app.cashier.attention.cases.case import Case
from pos_app.cashier.payment.faults import FaultPlace
from pos_app.cashier.texts import (
    attention,
    completing,
    jobs,
    more,
    pairs,
    payment,
    restored,
    steps,
    trouble,
)
from pos_app.domain.buyer import BUYER_KINDS, COST_CENTRE_KINDS
from pos_app.domain.payment import PaymentMethod
from pos_app.fiscalization.device_ports import DeviceTrouble
from tests.sweep import each


def kinds(of: type[Case]) -> set[str]:
    """The kinds of a class of cases and of those made of it."""
    own = {of.kind} if hasattr(of, "kind") else set()
    return own.union(*map(kinds, of.__subclasses__()))


KINDS = kinds(Case)
PARTS = (
    payment.TEXTS,
    attention.TEXTS,
    steps.TEXTS,
    more.TEXTS,
    dict(trouble.TEXTS),
    completing.TEXTS,
    jobs.TEXTS,
    pairs.TEXTS,
    restored.TEXTS,
)
ALL = {key: both for part in PARTS for key, both in part.items()}


def values(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@each("key", sorted(ALL))
def test_both_languages_take_the_same_values(key: str) -> None:
    serbian, english = ALL[key]
    assert serbian
    assert english
    assert values(serbian) == values(english)


def test_every_kind_of_case_is_known_here() -> None:
    assert SOURCES
    assert len(KINDS) == 36


def test_no_key_is_written_twice() -> None:
    assert sum(len(part) for part in PARTS) == len(ALL)


def test_plurals_have_all_forms() -> None:
    for key in ("att.items",):
        serbian, english = ALL[key]
        assert (serbian.count("|"), english.count("|")) == (2, 1)


@each(
    "key",
    [
        *(
            f"pay.{kind}.{method}"
            for kind in ("method", "line", "hint")
            for method in PaymentMethod
        ),
        *(f"pay.kind.{kind.key}" for kind in BUYER_KINDS.values()),
        *(f"pay.centre.{kind.key}" for kind in COST_CENTRE_KINDS.values() if kind.code != "60"),
        *(f"att.trouble.{trouble}" for trouble in DeviceTrouble),
        *(f"att.ask.{kind}" for kind in KINDS),
        *(f"att.row.{kind}" for kind in KINDS - {"solved"}),
        *(
            f"pay.{place}"
            for place in (
                FaultPlace.BUYER,
                FaultPlace.DELIVERY,
                FaultPlace.DISCOUNT,
                FaultPlace.TEXT,
                FaultPlace.ADVANCE,
            )
        ),
    ],
)
def test_each_kind_has_its_words(key: str) -> None:
    assert key in ALL
