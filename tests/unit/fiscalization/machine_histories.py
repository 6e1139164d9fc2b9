"""Random histories, each from a number: the same number is the same history."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from tests.fakes.simulated_processor import Fate, Told
from tests.unit.fiscalization.machine import Step
from tests.unit.fiscalization.machine_promises import VeryLatePromises
from tests.unit.fiscalization.machine_sales import KEYS, VARIANTS
from tests.unit.fiscalization.machine_world import Shop

LONGEST_EXECUTION = 18.0
"""Seconds. W of the machine is 20: it exceeds this, as the protocol demands."""
CODES = ("1300", "1500", "2100", "2110", "2210", "2230", "2310", "2400", "2805", "2220", "1999")
CURABLE = ("1300", "1500", "2110", "2210", "2400")
WAITS = (0.0, 0.05, 0.15, 0.3, 1.0, 5.0, 19.0, 21.0, 45.0, 70.0)


def history(number: int) -> tuple[Shop, list[Step]]:
    """The shop and the steps of one history; one in four contains a known trouble."""
    chance = Random(number)
    shop = Shop(
        counted=chance.random() < 0.8,
        remembers=chance.choice(("all", "last")),
        alone=chance.random() < 0.7,
    )
    steps = [step(chance) for _ in range(chance.randint(4, 22))]
    if chance.random() < 0.25:
        return shop, _mixed(chance, steps[: chance.randint(0, 6)], chance.choice(TROUBLES))
    return shop, steps


def very_late_history(number: int) -> tuple[Shop, list[Step]]:
    """A shop whose processor executes some requests long after W, later than it promises."""
    chance = Random(number)
    shop = Shop(promises=VeryLatePromises)
    late = Fate(executed=chance.choice((25.0, 40.0, 60.05, 90.0)), told="nothing")
    steps = [("fate", late), ("call", 1), ("wait", chance.choice((21.0, 24.0, 30.0, 45.0)))]
    if chance.random() < 0.3:
        steps = list(chance.choice(WRONG_WORDS))
    if chance.random() < 0.05:
        return shop, list(SLIPS_IN)  # its moments leave no room for other steps
    usual = [step(chance) for _ in range(chance.randint(2, 10))]
    kinder = [one for one in usual if one[0] in ("call", "wait", "kill", "stop", "look_up")]
    return shop, [*steps, *kinder]


def _mixed(chance: Random, usual: list[Step], trouble: tuple[Step, ...]) -> list[Step]:
    """Shuffle both lists into each other, each in its own order."""
    mixed, left = list(trouble), len(trouble)
    for one in reversed(usual):
        left = chance.randint(0, left)
        mixed.insert(left, one)
    return mixed


def step(chance: Random) -> Step:
    """A random step; usual ones are more frequent."""
    name = chance.choices(list(_WEIGHTS), weights=list(_WEIGHTS.values()))[0]
    values = _VALUES.get(name)
    return (name, *values(chance)) if values else (name,)


def _key(chance: Random) -> Step:
    return (chance.randint(1, KEYS),)


def _call(chance: Random) -> Step:
    variant = chance.randrange(VARIANTS) if chance.random() < 0.2 else 0
    return (*_key(chance), variant, chance.random() < 0.95)


def _code(chance: Random) -> Step:
    return (chance.choice(CURABLE) if chance.random() < 0.4 else "",)


def _one_of(*values: object) -> Callable[[Random], Step]:
    return lambda chance: (chance.choice(values),)


_VALUES: dict[str, Callable[[Random], Step]] = {
    "call": _call,
    "fate": lambda chance: (fate(chance),),
    "wait": _one_of(*WAITS),
    "away": _one_of(True, False, False),
    "mute": _one_of(True, False, False),
    "code": _code,
    "bare": _one_of("2220", "1999", "", ""),
    "uncounted": _one_of(True, False),
    "restart_processor": _one_of(True, False),
    "replace": _one_of("AAAA1111", "BBBB2222"),
    "kill_at": lambda chance: (chance.randint(0, 6), chance.random() < 0.5),
    "full": _one_of(1, 2, 3, 4),
    "jump": _one_of(-3600.0, -8.0, 8.0, 30.0, 3600.0),
    "freeze": _one_of(3.0, 12.0, 30.0),
    "cancel": _key, "look_up": _key, "absent": _key, "found": _key, "wrong_paper": _key,
}  # fmt: skip
_WEIGHTS = {
    "call": 30, "fate": 18, "wait": 22, "kill": 3, "kill_at": 5, "stop": 2, "full": 2, "away": 3,
    "mute": 3, "code": 3, "bare": 3, "uncounted": 2, "restart_processor": 3, "foreign": 2,
    "replace": 1, "recount": 1, "jump": 1, "freeze": 2, "cancel": 3, "look_up": 3, "absent": 2,
    "found": 2, "wrong_paper": 1,
}  # fmt: skip


LOST = Fate(executed=None, told="nothing")
UNHEARD = Fate(executed=0.1, told="nothing")
SOON = Fate(executed=7.0, told="nothing")
REFUSED_AND_SIGNED = Fate(told="refusal", code="2220")
TROUBLES: tuple[tuple[Step, ...], ...] = (
    # The card is out while a receipt is in doubt, and another program signs meanwhile.
    (("fate", UNHEARD), ("call", 1), ("wait", 0.3), ("foreign",), ("code", "1300"), ("wait", 70.0)),
    # A code stands in place of the status, and the answer is lost.
    (("call", 1), ("wait", 1.0), ("bare", "2220"), ("fate", LOST), ("call", 2), ("wait", 45.0)),
    # The status lacks the counter, and the answer is lost.
    (("call", 1), ("wait", 1.0), ("uncounted", True), ("fate", LOST), ("call", 2), ("wait", 45.0)),
    # Another program signed, and the caller whose probe saw that is gone.
    (("call", 1), ("wait", 1.0), ("foreign",), ("call", 2, 0, False), ("wait", 1.0), ("call", 2),
     ("wait", 1.0)),
    # A person ends a doubt, and the same sale is in doubt again at once.
    (("fate", LOST), ("call", 1), ("wait", 19.0), ("absent", 1), ("fate", SOON), ("call", 1),
     ("wait", 5.0), ("look_up", 1), ("wait", 5.0)),
    # The machine stands still while a receipt is on its way.
    (("fate", replace(SOON, executed=17.0)), ("call", 1), ("wait", 1.0), ("freeze", 30.0)),
    # The counter moved, the receipt is another program's.
    (("fate", LOST), ("call", 1), ("wait", 0.1), ("foreign",), ("wait", 1.0)),
    # A person decides while the processor is being asked.
    (("fate", UNHEARD), ("call", 1), ("wait", 0.31), ("found", 1), ("wait", 1.0)),
    # The body is corrected while the first one is on its way.
    (("fate", SOON), ("call", 1), ("wait", 1.0), ("call", 1, 1), ("cancel", 1), ("wait", 21.0)),
    # The disk is full at every commit in turn.
    (("call", 1), ("full", 1), ("wait", 5.0), ("fate", LOST), ("call", 2), ("full", 2)),
    # The server dies between SENDING and the answer, twice.
    (("kill_at", 1, True), ("call", 1), ("wait", 1.0), ("kill",), ("wait", 5.0), ("call", 1)),
    # The processor refuses a request that it has signed, and has another element when it is asked.
    (("fate", REFUSED_AND_SIGNED), ("call", 1), ("wait", 0.2), ("replace", "BBBB2222")),
    # The processor restarts during the execution of a request.
    (("fate", SOON), ("call", 1), ("wait", 1.0), ("restart_processor", True), ("call", 1)),
)  # fmt: skip


SLIPS_IN: tuple[Step, ...] = (
    # A request is executed between the question whether it exists and the signing of its second
    # attempt.
    ("fate", Fate(executed=60.05, told="nothing")),
    ("call", 1),
    ("wait", 45.0),
    ("call", 2),
)
WRONG_WORDS: tuple[tuple[Step, ...], ...] = (
    # A person says "it does not exist" of a receipt that is signed, or will be soon.
    (("fate", UNHEARD), ("call", 1), ("wait", 0.15), ("mute", True), ("wait", 1.0),
     ("wrong_word", 1), ("mute", False), ("wait", 1.0), ("call", 1)),
    (("fate", SOON), ("call", 1), ("wait", 1.0), ("wrong_word", 1), ("wait", 19.0), ("call", 1)),
    # The lane went on, with the receipt counted, before the person said so.
    (("fate", SOON), ("call", 1), ("wait", 1.0), ("foreign",), ("wait", 21.0), ("call", 2),
     ("wait", 1.0), ("wrong_word", 1), ("call", 1)),
)  # fmt: skip


def fate(chance: Random) -> Fate:
    """A random fate of a POST; an executed request is executed before W has passed."""
    late = chance.choice((0.1, 1.0, 7.0, LONGEST_EXECUTION))
    others: tuple[Told, ...] = ("other_total", "other_element")
    told = chance.choice(others)
    return chance.choice(
        (
            LOST,
            UNHEARD,
            Fate(executed=late, told="nothing"),
            Fate(executed=late, answered=late + 0.1),
            Fate(executed=late, answered=99.0),
            Fate(executed=None, told="refusal", code=chance.choice(CODES)),
            # An unlisted code for a request that is signed all the same.
            Fate(told="refusal", code=chance.choice(("2220", "1999"))),
            Fate(executed=None, sent=False),
            Fate(told=told, lasting=chance.random() < 0.5),
            Fate(told="the_one_before"),
        )
    )
