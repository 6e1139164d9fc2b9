"""Who approves an act is found by the PIN. No name is chosen first, because the person who stands
there is often not the one whose name is chosen, and would spend the tries of that one. Nobody
approves an act of her own: a PIN of the person who asks approves nothing, also where it happens to
be the PIN of somebody who may.

A PIN that nobody here has counts for nobody. Such tries slow down every place where somebody
approves, over a restart too. Only time ends that: an approval would free the guesses of whoever has
a PIN or a badge too.

Source: till.md ("People and rights").
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

from pos_app.clock import Clock
from pos_app.errors import NotAllowed
from pos_app.selling.people.people import PeopleRepository, Person, PinCheck
from pos_app.selling.people.wrong_pins import check_may_try, wait_left

UNKNOWN_FORGOTTEN_AFTER = timedelta(hours=1)
"""The time after the last PIN that nobody has in which all of them are forgotten. Two free tries in
each hour are no more than the longest wait lets through."""


def may_not_approve(person: Person) -> NotAllowed:
    """The error that this person is known here, but has no right to approve that act."""
    return NotAllowed("may_not_approve", name=person.name)


def check_is_another(person: Person, asks: Person | None) -> None:
    """Raises NotAllowed (kind own_approval) where that person is the one who asks."""
    if asks is not None and person.id == asks.id:
        raise NotAllowed("own_approval")


async def approver(
    people: PeopleRepository,
    pin: str,
    *,
    may: Sequence[Person],
    chosen: Person | None,
    asks: Person | None,
    clock: Clock,
) -> Person:
    """Return the person whose PIN this is, one of those who may approve.

    may: the people who may. asks: the person who works here, who approves nothing. chosen: the
    one of those who may whose name was chosen or whose badge was shown; that decides where several
    have this PIN. The PINs are tried in a thread, one after the other, because a hash takes time
    and memory on purpose: those of the people who may and of the one who asks, and only if it is
    none of these those of the others. Who waits after wrong PINs is compared too, because the right
    PIN is never told as a wrong one. Raises NotAllowed: pin_waits; pin_shared; own_approval;
    may_not_approve with `name`, for a person who may not; pin_wrong, which alone counts as a try.
    """
    check_may_approve(people, may, at=clock.now())
    with_pin = [one for one in people.people() if one.has_pin]
    own = 0 if asks is None else asks.id
    first = [(one, people.pin_check(one)) for one in with_pin if one in may or one.id == own]
    others = [(one, people.pin_check(one)) for one in with_pin if one not in may and one.id != own]
    right = await asyncio.to_thread(_whose, pin, first)
    known = [] if right else await asyncio.to_thread(_whose, pin, others)
    now = clock.now()
    check_may_approve(people, may, at=now)  # others may have been wrong meanwhile
    for one in right:  # whether somebody who may has this PIN too is told to nobody
        check_is_another(one, asks)
    if known:
        raise may_not_approve(known[0])
    if not right:
        _note_unknown(people, at=now)
        check_may_approve(people, may, at=now)
        raise NotAllowed("pin_wrong.approval")
    if len(right) > 1 and chosen not in right:
        raise NotAllowed("pin_shared")
    found = next((one for one in right if one == chosen), right[0])
    check_may_try(people.wrong_tries(found), at=now)
    people.note_try(found, right=True, at=now)
    return found


def check_may_approve(people: PeopleRepository, may: Sequence[Person], *, at: datetime) -> None:
    """Raises NotAllowed (kind pin_waits with `seconds`) while no PIN is taken: after unknown PINs,
    and where each person who may approve waits after wrong ones."""
    check_may_try(people.wrong_tries(None), at=at)
    tries = [people.wrong_tries(person) for person in may if person.has_pin]
    if tries:
        check_may_try(min(tries, key=lambda tried: wait_left(tried, at=at)), at=at)


def _note_unknown(people: PeopleRepository, *, at: datetime) -> None:
    last = people.wrong_tries(None).last_at
    if last is not None and at - last >= UNKNOWN_FORGOTTEN_AFTER:
        people.note_try(None, right=True, at=at)
    people.note_try(None, right=False, at=at)


def _whose(pin: str, checks: Sequence[tuple[Person, PinCheck]]) -> list[Person]:
    return [one for one, is_right in checks if is_right(pin)]
