"""The people of a till: their names on receipts, their PINs and badges, and how they are let in.

Wrong PINs slow down, for each person alone: the first three cost nothing, from then on each one
doubles the wait. A restart does not shorten it, because what was tried is kept with the person.
Whoever works at a till with one person, or with nobody, is asked nothing.

Source: till.md ("People and rights").
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import field
from datetime import datetime, timedelta
from typing import Protocol

from pos_app.clock import Clock
from pos_app.errors import Invalid, NotAllowed
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.people.rights import Rights, Role

FEWEST_DIGITS, MOST_DIGITS = 4, 8
MOST_DIGITS_BEFORE = 12
"""Of a PIN that was chosen before the PINs of a shop had one length; it is tried with Enter."""
LONGEST_NAME = 50
"""Letters of a cashier's name that every processor takes."""
LEAST_BADGE = 4
FREE_TRIES = 3
FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class Person:
    """pin_length: 0 where it is not known; has_pin: whether there is one."""

    id: int
    name: str
    role: Role
    has_pin: bool = False
    pin_length: int = 0
    has_badge: bool = False

    @property
    def initials(self) -> str:
        """Of the first two words of the name."""
        return "".join(word[0] for word in self.name.split()[:2]).upper()


@dataclass(frozen=True, slots=True)
class WrongTries:
    """How often a wrong PIN was typed since the right one, and when last (UTC)."""

    count: int = 0
    last_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class HiddenPin:
    """A PIN as it is kept: nobody can read it. length: its digits."""

    kept: str = field(repr=False)
    length: int


PinCheck = Callable[[str], bool]
"""Whether that is the PIN; slow on purpose, and safe in any thread."""


class PeopleStore(Protocol):
    """Keeps people, rights and tries. Nobody can read a PIN or a badge of it; whoever was removed
    stays with what they did. Raises what databases raise."""

    def people(self) -> Sequence[Person]:
        """Those who work here, in the order in which they came."""

    def hide_pin(self, pin: str) -> HiddenPin:
        """Slow on purpose, and safe in any thread."""

    def add(self, name: str, role: Role, *, pin: str | HiddenPin = "", badge: str = "") -> Person:
        """All of it or nothing. Raises Invalid, told of "name" where another one is called so, or
        ever was, of "badge" for another's."""

    def change(self, person: Person, *, name: str, role: Role) -> Person:
        """The carts of that name are called otherwise, too. Raises Invalid as `add`, and NotAllowed
        (last_manager) where no manager would be left."""

    def remove(self, person: Person, *, at: datetime) -> None:
        """Raises NotAllowed (last_manager)."""

    def keep_pin(self, person: Person, pin: str | HiddenPin) -> Person:
        """Make this the PIN; wrong tries are forgotten. "" is none."""

    def keep_badge(self, person: Person, code: str) -> Person:
        """Make this code the badge. "" is none. Raises Invalid, told of "badge", for another's."""

    def badge_of(self, code: str) -> Person | None:
        """Whose badge it is."""

    def pin_check(self, person: Person) -> PinCheck:
        """What tries a PIN."""

    def wrong_tries(self, person: Person) -> WrongTries: ...

    def note_try(self, person: Person, *, right: bool, at: datetime) -> None:
        """Count a wrong try with its act, or forget them all. Survives a power cut."""

    def rights(self) -> Rights: ...

    def keep_rights(self, rights: Rights) -> None: ...


def check_name(name: str) -> str:
    """The name as it stands on receipts. Raises Invalid, told of "name"."""
    plain = " ".join(name.split())
    if not 1 <= len(plain) <= LONGEST_NAME:
        raise Invalid(
            f"a name has 1 to {LONGEST_NAME} letters", field="name", kind="name_length",
            most=LONGEST_NAME,
        )  # fmt: skip
    return plain


def shop_digits(people: Sequence[Person]) -> int:
    """How many digits a PIN has here: as many as that of the first manager, where it is known, else
    that of whoever came first; 0 while nobody's is known."""
    manager = first_manager(people)
    first = () if manager is None else (manager,)
    return next((one.pin_length for one in (*first, *people) if one.pin_length), 0)


def check_new_pin(pin: str, again: str, *, digits: int) -> None:
    """Whether it can be a PIN of a shop whose PINs have so many digits, 0 for as many as somebody
    likes. Raises Invalid, told of "pin" or "again"."""
    is_number = pin.isascii() and pin.isdigit()
    if not digits and not (is_number and FEWEST_DIGITS <= len(pin) <= MOST_DIGITS):
        raise Invalid("a PIN has 4 to 8 digits", field="pin", kind="pin_digits")
    if digits and not (is_number and len(pin) == digits):
        raise Invalid(
            f"a PIN here has {digits} digits", field="pin", kind="pin_length", digits=digits
        )
    if pin != again:
        raise Invalid("the two PINs differ", field="again", kind="pin_differs")


def check_badge(code: str) -> str:
    """A code that can be a badge. Raises Invalid, told of "badge"."""
    if len(code) < LEAST_BADGE:
        raise Invalid("a badge has at least 4 signs", field="badge", kind="badge_short")
    return code


def check_no_badge(store: PeopleStore, code: str) -> str:
    """The scanned code, where it is nobody's badge. Raises NotAllowed: who reads a badge on the
    screen could make another one, so it is neither shown nor kept."""
    if store.badge_of(code) is not None:
        raise NotAllowed(
            "This is a badge, not an item.", safe="Nothing was entered.", kind="badge_read"
        )
    return code


def wait_left(tries: WrongTries, *, at: datetime) -> timedelta:
    """How long no PIN is taken.

    | wrong tries | wait after the last |
    | 2           | none                |
    | 3           | 30 s                |
    | 4           | 1 min               |
    | 9 and more  | 30 min              |

    A clock that was put back doesn't make it longer than the whole wait.
    """
    if tries.count < FREE_TRIES or tries.last_at is None:
        return timedelta(0)
    times = 1 << min(tries.count - FREE_TRIES, 10)
    whole = min(FIRST_WAIT * times, LONGEST_WAIT)
    passed = max(at - tries.last_at, timedelta(0))
    return max(whole - passed, timedelta(0))


def check_may_try(store: PeopleStore, person: Person, *, at: datetime) -> None:
    """Raises NotAllowed (kind pin_waits with `seconds`) while no PIN of that person is taken."""
    if left := wait_left(store.wrong_tries(person), at=at):
        raise pin_waits(left)


async def try_pin(store: PeopleStore, person: Person, pin: str, *, clock: Clock) -> None:
    """Whether it is the person's PIN, tried in a thread of its own, for it is slow on purpose.
    Raises NotAllowed as `check_may_try` and `note_try`."""
    check_may_try(store, person, at=clock.now())
    right = await asyncio.to_thread(store.pin_check(person), pin)
    note_try(store, person, right=right, at=clock.now())


def note_try(store: PeopleStore, person: Person, *, right: bool, at: datetime) -> None:
    """What a PIN turned out to be. Raises NotAllowed (pin_waits, pin_wrong) where it is not the
    person's."""
    store.note_try(person, right=right, at=at)
    if right:
        return
    check_may_try(store, person, at=at)
    raise NotAllowed("This is not the PIN.", kind="pin_wrong")


def pin_waits(left: timedelta) -> NotAllowed:
    """No PIN is taken for so long."""
    seconds = -(-left // timedelta(seconds=1))
    return NotAllowed(
        f"Too many wrong PINs: the next one is taken in {seconds} s.",
        kind="pin_waits",
        seconds=seconds,
    )


def first_manager(people: Sequence[Person]) -> Person | None:
    """The one whose PIN guards what a manager does where nobody signs in."""
    return next((one for one in people if one.role is Role.MANAGER), None)


def signs_in(people: Sequence[Person]) -> bool:
    """Whether people sign in: as soon as there are two of them."""
    return len(people) > 1
