"""The people of a till have names on receipts, PINs and badges, and sign in by them.

A till with only one person, or with nobody, asks for no PIN. `wrong_pins` has what a wrong PIN
costs. Source: till.md ("People and rights").
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import field
from datetime import datetime
from typing import Protocol

from pos_app.clock import Clock
from pos_app.domain.receipt.request import LONGEST_CASHIER, cashier_fault
from pos_app.errors import Invalid, NotAllowed
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.people.rights import Rights, Role
from pos_app.selling.people.wrong_pins import WrongTries, check_may_try

FEWEST_DIGITS, MOST_DIGITS = 4, 8
LEAST_BADGE = 4


@dataclass(frozen=True, slots=True)
class Person:
    """pin_length is 0 without a PIN."""

    id: int
    name: str
    role: Role
    has_pin: bool = False
    pin_length: int = 0
    has_badge: bool = False

    @property
    def initials(self) -> str:
        return "".join(word[0] for word in self.name.split()[:2]).upper()


@dataclass(frozen=True, slots=True)
class HiddenPin:
    """A PIN in an unreadable form. length: the number of its digits."""

    kept: str = field(repr=False)
    length: int


PinCheck = Callable[[str], bool]
"""Whether that is the PIN; slow on purpose, and safe in any thread."""


class PeopleRepository(Protocol):
    """Keeps people, rights and tries. Nobody can read a PIN or a badge from it; a removed person
    stays in the log of acts. Raises what databases raise."""

    def people(self) -> Sequence[Person]:
        """The people who work here, in the order in which they came."""

    def hide_pin(self, pin: str) -> HiddenPin:
        """Make a PIN unreadable; slow on purpose, and safe in any thread."""

    def add(self, name: str, role: Role, *, pin: str | HiddenPin = "", badge: str = "") -> Person:
        """Add a person, whole or not at all. Raises Invalid for field "name" where another person
        has or had that name, for "badge" where another person has it."""

    def change(self, person: Person, *, name: str, role: Role) -> Person:
        """Change a person; carts under the old name get the new one. Raises Invalid as `add`, and
        NotAllowed (last_manager) where no manager would be left."""

    def remove(self, person: Person, *, at: datetime) -> None:
        """Raises NotAllowed (last_manager)."""

    def keep_pin(self, person: Person, pin: str | HiddenPin) -> Person:
        """Make this the PIN; wrong tries are forgotten. "" removes it."""

    def keep_badge(self, person: Person, code: str) -> Person:
        """Make this code the badge. "" removes it. Raises Invalid for field "badge" where another
        person has it."""

    def badge_of(self, code: str) -> Person | None:
        """The person of a badge."""

    def pin_check(self, person: Person) -> PinCheck:
        """Return the function that tries a person's PIN."""

    def wrong_tries(self, person: Person | None) -> WrongTries:
        """The tries of a person; of None those that were nobody's PIN."""

    def note_try(self, person: Person | None, *, right: bool, at: datetime) -> None:
        """Count a wrong try with its act, or forget them all, as `wrong_tries` has them. Survives
        a power cut."""

    def rights(self) -> Rights: ...

    def keep_rights(self, rights: Rights) -> None: ...


def check_name(name: str) -> str:
    """The name as it stands on receipts. Raises Invalid for field "name"."""
    plain = " ".join(name.split())
    if cashier_fault(name) == "signs":
        raise Invalid("name_signs", field="name")
    if cashier_fault(plain):
        raise Invalid("name_length", field="name", most=LONGEST_CASHIER)
    return plain


def shop_digits(people: Sequence[Person]) -> int:
    """Return the number of digits of a PIN here: of the first manager's PIN, else of the first one
    that there is; 0 if nobody has one."""
    manager = first_manager(people)
    first = () if manager is None else (manager,)
    return next((one.pin_length for one in (*first, *people) if one.pin_length), 0)


def common_digits(people: Sequence[Person]) -> int:
    """Return the number of digits that all PINs here have; 0 where they differ."""
    lengths = {one.pin_length for one in people if one.has_pin}
    return lengths.pop() if len(lengths) == 1 else 0


def check_new_pin(pin: str, again: str, *, digits: int) -> None:
    """Check a new PIN. digits: the length of the shop's PINs, 0 for any. Raises Invalid for field
    "pin" or "again"."""
    is_number = pin.isascii() and pin.isdigit()
    if not digits and not (is_number and FEWEST_DIGITS <= len(pin) <= MOST_DIGITS):
        raise Invalid("pin_digits", field="pin")
    if digits and not (is_number and len(pin) == digits):
        raise Invalid("pin_length", field="pin", digits=digits)
    if pin != again:
        raise Invalid("pin_differs", field="again")


def check_badge(code: str) -> str:
    """Check a code for a badge. Raises Invalid for field "badge"."""
    if len(code) < LEAST_BADGE:
        raise Invalid("badge_short", field="badge")
    return code


def check_no_badge(repository: PeopleRepository, code: str) -> str:
    """Return a code that is nobody's badge. Raises NotAllowed for a badge, whose code is neither
    shown nor kept, because a reader of the screen could make another badge of it."""
    if repository.badge_of(code) is not None:
        raise NotAllowed("badge_read")
    return code


async def try_pin(repository: PeopleRepository, person: Person, pin: str, *, clock: Clock) -> None:
    """Try a person's PIN in a thread of its own, for it is slow on purpose. Raises NotAllowed as
    `check_may_try` and `note_try`."""
    check_may_try(repository.wrong_tries(person), at=clock.now())
    right = await asyncio.to_thread(repository.pin_check(person), pin)
    note_try(repository, person, right=right, at=clock.now())


def note_try(repository: PeopleRepository, person: Person, *, right: bool, at: datetime) -> None:
    """Count the result of a try. Raises NotAllowed (pin_waits, pin_wrong) for a wrong PIN."""
    repository.note_try(person, right=right, at=at)
    if right:
        return
    check_may_try(repository.wrong_tries(person), at=at)
    raise NotAllowed("pin_wrong.person")


def first_manager(people: Sequence[Person]) -> Person | None:
    """The manager whose PIN guards a manager's acts where nobody signs in."""
    return next((one for one in people if one.role is Role.MANAGER), None)


def signs_in(people: Sequence[Person]) -> bool:
    return len(people) > 1
