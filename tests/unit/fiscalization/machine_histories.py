"""Random histories, each from a number: the same number is the same history."""

from __future__ import annotations

from random import Random

from tests.fakes.simulated_processor import Fate
from tests.unit.fiscalization.machine import Shop, Step
from tests.unit.fiscalization.machine_sales import KEYS, VARIANTS

LONGEST_EXECUTION = 18.0
"""Seconds; W of the machine is 20: longer, as the protocol demands."""
CODES = ("1300", "1500", "2100", "2110", "2210", "2230", "2310", "2400", "2805", "2220", "1999")
CURABLE = ("1300", "1500", "2110", "2210", "2400")
WAITS = (0.0, 0.05, 0.15, 0.3, 1.0, 5.0, 19.0, 21.0, 45.0, 70.0)


def history(number: int) -> tuple[Shop, list[Step]]:
    """The shop and the steps of one history."""
    chance = Random(number)
    shop = Shop(
        counted=chance.random() < 0.8,
        remembers=chance.choice(("all", "last")),
        alone=chance.random() < 0.7,
    )
    return shop, [step(chance) for _ in range(chance.randint(4, 22))]


def step(chance: Random) -> Step:
    """Something that may happen, the usual more often."""
    key = chance.randint(1, KEYS)
    name = chance.choices(list(_WEIGHTS), weights=list(_WEIGHTS.values()))[0]
    match name:
        case "call":
            variant = chance.randrange(VARIANTS) if chance.random() < 0.2 else 0
            return "call", key, variant, chance.random() < 0.95
        case "fate":
            return "fate", fate(chance)
        case "wait":
            return "wait", chance.choice(WAITS)
        case "away" | "mute":
            return name, chance.random() < 0.4
        case "code":
            return "code", chance.choice(CURABLE) if chance.random() < 0.4 else ""
        case "restart_processor":
            return name, chance.random() < 0.5
        case "replace":
            return name, chance.choice(("AAAA1111", "BBBB2222"))
        case "kill_at":
            return name, chance.randint(0, 6), chance.random() < 0.5
        case "full":
            return name, chance.randint(1, 4)
        case "jump":
            return name, chance.choice((-3600.0, -8.0, 8.0, 30.0, 3600.0))
        case "freeze":
            return name, chance.choice((3.0, 12.0, 30.0))
        case "cancel" | "look_up" | "absent" | "found" | "wrong_paper":
            return name, key
        case _:
            return (name,)


_WEIGHTS = {
    "call": 30,
    "fate": 18,
    "wait": 22,
    "kill": 3,
    "kill_at": 5,
    "stop": 2,
    "full": 2,
    "away": 3,
    "mute": 3,
    "code": 3,
    "restart_processor": 3,
    "foreign": 2,
    "replace": 1,
    "jump": 1,
    "freeze": 2,
    "cancel": 3,
    "look_up": 3,
    "absent": 2,
    "found": 2,
    "wrong_paper": 1,
}


def fate(chance: Random) -> Fate:
    """What a POST may suffer; whatever is executed is executed before W has passed."""
    late = chance.choice((0.1, 1.0, 7.0, LONGEST_EXECUTION))
    match chance.randrange(10):
        case 0:
            return Fate(executed=None, told="nothing")
        case 1:
            return Fate(executed=0.1, told="nothing")
        case 2:
            return Fate(executed=late, answered=0.2, told="nothing")
        case 3:
            return Fate(executed=late, answered=late + 0.1)
        case 4:
            return Fate(executed=late, answered=99.0)
        case 5:
            return Fate(executed=None, told="refusal", code=chance.choice(CODES))
        case 6:  # an unlisted code, and signed all the same
            return Fate(executed=0.1, told="refusal", code=chance.choice(("2220", "1999")))
        case 7:
            return Fate(executed=None, sent=False)
        case 8:
            told = chance.choice(("other_total", "other_element"))
            return Fate(told=told, lasting=chance.random() < 0.5)
        case _:
            return Fate(told="the_one_before")
