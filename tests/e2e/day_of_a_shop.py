"""A day of a shop as data: the cashier's acts in their order, and the troubles meanwhile.

A day is drawn from a seed. Acts on one receipt are a thread: a sale and its refunds, an advance
with its payments and its end. Threads are interleaved, as customers are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random

SCANNED = (
    "8609910700134",
    "8609951100139",
    "8609951100238",
    "8609951100337",
    "8609953300131",
    "8609912100130",
    "8609912800139",
    "8609912800238",
)
TYPED = ("2", "3", "4", "5", "6", "7", "21", "22", "37", "52")
"""Article codes of the demo shop; all of these are sold by the piece."""
SAME_LABEL = SCANNED[:4]
"""Goods with one tax label: an advance of unknown amount is not split."""


class Kind(StrEnum):
    """The acts of a cashier."""

    SALE = "sale"
    REFUND = "whole refund"
    REFUND_LINE = "refund of one line"
    REFUND_OWN_ERROR = "refund on the shop's own error"
    EXCHANGE = "exchange for dearer goods"
    EXCHANGE_BACK = "exchange for goods that cost no more"
    COPY = "copy"
    CORRECT_PAYMENT = "corrected payment"
    CORRECT_BUYER = "corrected buyer"
    PROFORMA = "proforma"
    SELL_PROFORMA = "proforma sold"
    PAY_PROFORMA = "proforma as an advance"
    ADVANCE = "advance"
    UNKNOWN_ADVANCE = "advance of unknown amount"
    PAYMENT = "further payment"
    CLOSING = "closing"
    REFUND_ADVANCE = "refund of an advance"
    CLOSE_ELSEWHERE = "closing of an advance of another system"


REFUNDS = frozenset({Kind.REFUND, Kind.REFUND_LINE, Kind.REFUND_OWN_ERROR, Kind.REFUND_ADVANCE})
CORRECTIONS = frozenset({Kind.CORRECT_PAYMENT, Kind.CORRECT_BUYER})
EXCHANGES = frozenset({Kind.EXCHANGE, Kind.EXCHANGE_BACK})


class Way(StrEnum):
    """The ways of a customer to pay."""

    CASH = "exact cash"
    CARD = "exact card"
    GIVEN = "cash with change"
    MIXED = "cash and card"


class Trouble(StrEnum):
    KILL = "the server is killed once the act is confirmed"
    AWAY = "the processor goes before the act"
    BACK = "the processor comes back after the act"


@dataclass(frozen=True, slots=True)
class Act:
    """thread: acts on the same receipts share it. kill_after: seconds from the key to the kill.
    paid: the amount that was paid at another system."""

    kind: Kind
    thread: int
    goods: tuple[str, ...] = ()
    way: Way = Way.CASH
    trouble: Trouble | None = None
    kill_after: float = 0.0
    paid: int = 0


@dataclass(frozen=True, slots=True)
class Day:
    """The number of each kind of act. refunds counts those of sales; on top come advances that are
    given back, all exchanges, advances of another system, and proformas opened as an advance."""

    sales: int
    refunds: int
    copies: int
    corrections: int
    chains: int
    proformas: int
    kills: int
    away: int


WHOLE = Day(
    sales=200, refunds=40, copies=20, corrections=10, chains=15, proformas=5, kills=6, away=2
)
_KILLED = (Kind.REFUND, Kind.SALE, Kind.CORRECT_PAYMENT, Kind.CLOSING, Kind.COPY, Kind.EXCHANGE)
"""Kinds whose server is killed, in turn."""
_AWAY_SALES = 3
_BREAD, _MILK, _COFFEE, _ROLL, _BUREK = SCANNED[0], SCANNED[1], SCANNED[5], "4", "6"
"""Their prices are 58,99, 139,99, 349,99, 35,00 and 165,00."""
_EXCHANGED = (
    (Way.CASH, _ROLL, Kind.EXCHANGE, _BREAD),
    (Way.CASH, _BUREK, Kind.EXCHANGE_BACK, _BREAD),
    (Way.CASH, _BREAD, Kind.EXCHANGE_BACK, _BREAD),
    (Way.CARD, _COFFEE, Kind.EXCHANGE_BACK, _MILK),
    (Way.CARD, _ROLL, Kind.EXCHANGE, _MILK),
)
"""The payment, the returned article, the act, and the articles that are taken instead. In cash 24
come in, 106 go out, and none moves; of the card's 349,99 there go 210,00 back to it, and to its
35,00 there come 105."""


def acts(day: Day, seed: int) -> list[Act]:
    chance = Random(seed)
    threads = [*_acted_on(day, chance), *_chains(day, chance), *_offers(day, chance)]
    threads += [*_exchanges(), *_from_elsewhere(), *_paid_offers()]
    plain = day.sales - sum(thread[0].kind is Kind.SALE for thread in threads)
    plain -= day.away * _AWAY_SALES
    threads += [[_sale(chance)] for _ in range(plain)]
    threads += [_away(chance) for _ in range(day.away)]
    numbered = [
        [replace(act, thread=number) for act in thread] for number, thread in enumerate(threads)
    ]
    return _with_kills(list(_woven(numbered, chance)), day.kills, chance)


def short() -> list[Act]:
    """Most kinds of act once or twice; the server is killed once, and the processor goes once."""
    sale = Act(Kind.SALE, 0, (SCANNED[0], SCANNED[1], TYPED[0]))
    killed = Act(Kind.CORRECT_PAYMENT, 1, trouble=Trouble.KILL, kill_after=0.05)
    return [
        replace(sale, way=Way.MIXED),
        Act(Kind.ADVANCE, 2, SCANNED[4:6]),
        replace(sale, thread=1),
        Act(Kind.COPY, 0),
        killed,
        Act(Kind.PAYMENT, 2, way=Way.CARD),
        Act(Kind.UNKNOWN_ADVANCE, 3, SAME_LABEL[:1]),
        Act(Kind.REFUND_LINE, 0),
        Act(Kind.PROFORMA, 4, SCANNED[:1]),
        Act(Kind.SALE, 7, (_ROLL,)),
        Act(Kind.SALE, 5, (_ROLL,), Way.GIVEN, Trouble.AWAY),
        Act(Kind.SALE, 6, (_ROLL,), Way.CARD, Trouble.BACK),
        Act(Kind.CLOSING, 2),
        Act(Kind.REFUND, 0),
        Act(Kind.REFUND_ADVANCE, 3),
        Act(Kind.SELL_PROFORMA, 4),
        Act(Kind.EXCHANGE, 7, (_BREAD,)),
        Act(Kind.CLOSE_ELSEWHERE, 8, (_COFFEE,), paid=200),
    ]


def _sale(chance: Random, way: Way | None = None) -> Act:
    goods = chance.choices(SCANNED, k=chance.randint(1, 3))
    goods += chance.choices(TYPED, k=chance.randint(0, 2))
    return Act(Kind.SALE, 0, tuple(goods), way or chance.choice(list(Way)))


def _acted_on(day: Day, chance: Random) -> Iterator[list[Act]]:
    """Sales with the acts on their receipts."""
    kinds = (Kind.REFUND, Kind.REFUND_LINE, Kind.REFUND_OWN_ERROR)
    for number in range(day.refunds):
        kind = kinds[number % 3]
        yield [_sale(chance, list(Way)[number % len(Way)]), Act(kind, 0)]
    for _ in range(day.copies):
        yield [_sale(chance), Act(Kind.COPY, 0)]
    for number in range(day.corrections):
        kind = Kind.CORRECT_BUYER if number % 2 else Kind.CORRECT_PAYMENT
        way = (Way.CASH, Way.CARD)[number // 2 % 2]
        yield [_sale(chance, way), Act(kind, 0, way=way)]


def _chains(day: Day, chance: Random) -> Iterator[list[Act]]:
    """Advances that are paid further and closed, given back, or left open; every third one is of
    unknown amount."""
    for number in range(day.chains):
        is_unknown = number % 3 == 1
        kind = Kind.UNKNOWN_ADVANCE if is_unknown else Kind.ADVANCE
        # For an unknown amount one article is ordered, which the closing need not name.
        goods = (
            (chance.choice(SAME_LABEL),)
            if is_unknown
            else tuple(chance.choices(SCANNED, k=chance.randint(2, 3)))
        )
        thread = [Act(kind, 0, goods)]
        ways = [chance.choice((Way.CASH, Way.CARD)) for _ in range(1 + number % 2)]
        thread += [Act(Kind.PAYMENT, 0, way=way) for way in ways]
        if number % 3 == 2:
            thread.append(Act(Kind.REFUND_ADVANCE, 0))
        elif number % 7 != 6:
            thread.append(Act(Kind.CLOSING, 0, way=chance.choice((Way.CASH, Way.CARD))))
        yield thread


def _offers(day: Day, chance: Random) -> Iterator[list[Act]]:
    for _ in range(day.proformas):
        goods = tuple(chance.choices(SCANNED, k=2))
        yield [Act(Kind.PROFORMA, 0, goods), Act(Kind.SELL_PROFORMA, 0)]


def _exchanges() -> Iterator[list[Act]]:
    for way, back, kind, new in _EXCHANGED:
        yield [Act(Kind.SALE, 0, (back,), way), Act(kind, 0, (new,))]


def _from_elsewhere() -> Iterator[list[Act]]:
    """Advances of another system: with a rest to pay, and paid in full."""
    yield [Act(Kind.CLOSE_ELSEWHERE, 0, (_COFFEE, _BUREK), paid=200)]
    yield [Act(Kind.CLOSE_ELSEWHERE, 0, (_BUREK,), paid=165)]


def _paid_offers() -> Iterator[list[Act]]:
    for way in (Way.CASH, Way.CARD):
        offer = Act(Kind.PROFORMA, 0, (_COFFEE, _MILK))
        yield [offer, Act(Kind.PAY_PROFORMA, 0), Act(Kind.CLOSING, 0, way=way)]


def _away(chance: Random) -> list[Act]:
    """Sales while the processor is away; nothing else comes between."""
    sold = [_sale(chance) for _ in range(_AWAY_SALES)]
    sold[0] = replace(sold[0], trouble=Trouble.AWAY)
    sold[-1] = replace(sold[-1], trouble=Trouble.BACK)
    return sold


def _woven(threads: list[list[Act]], chance: Random) -> Iterator[Act]:
    left = [list(thread) for thread in threads]
    while left:
        thread = chance.choices(left, weights=[len(one) for one in left])[0]
        yield thread.pop(0)
        if thread and thread[0].kind is Kind.SALE:  # nothing comes between while it is away
            yield from thread
            thread.clear()
        if not thread:
            left.remove(thread)


def _with_kills(acts: list[Act], kills: int, chance: Random) -> list[Act]:
    for number in range(kills):
        kind = _KILLED[number % len(_KILLED)]
        places = [at for at, act in enumerate(acts) if act.kind is kind and act.trouble is None]
        at = chance.choice(places)
        after = chance.choice((0.0, 0.03, 0.1, 0.2))
        acts[at] = replace(acts[at], trouble=Trouble.KILL, kill_after=after)
    return acts


def many(acts: Sequence[Act], *kinds: Kind) -> int:
    return sum(act.kind in kinds for act in acts)
