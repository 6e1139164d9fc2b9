"""The lock of a screen or an act that the person at the till has no right to. Somebody who has the
right lifts the lock by PIN or badge. If nobody signs in, the lock asks for the manager's PIN, which
is chosen at the first visit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from decimal import Decimal
from typing import Protocol

from pos_app.cashier.gate.about import NOTHING_ELSE, About
from pos_app.cashier.services.till_services import TillServices
from pos_app.errors import NotAllowed
from pos_app.selling.people.approving import approver, check_is_another, may_not_approve
from pos_app.selling.people.manager_pin import DEMO_PIN, check_pin, choose_pin
from pos_app.selling.people.people import Person, first_manager
from pos_app.selling.people.rights import Act, Leave


class Permit(Protocol):
    """Runs an act as `Frame.permit` does."""

    def __call__(
        self,
        act: Act,
        then: Callable[[], None],
        *,
        percent: Decimal = Decimal(0),
        about: About = NOTHING_ELSE,
    ) -> None: ...


class ManagerLock:
    """act: the right that the lock protects. on_lifted: called once the lock is lifted. percent: of
    a discount."""

    def __init__(
        self,
        services: TillServices,
        *,
        act: Act,
        on_lifted: Callable[[], None],
        percent: Decimal = Decimal(0),
    ) -> None:
        self.services = services
        self.act = act
        self.percent = percent
        self.lifted_by = ""
        """The name of the person who lifted the lock since the screen was entered, or ""."""
        self._visit = 0
        self._on_open = on_lifted

    @property
    def is_open(self) -> bool:
        """Whether the person who works here has the right, or somebody lifted the lock."""
        if self.lifted_by:
            return True
        return self.services.leave(self.act, self.percent) is Leave.MAY

    def lock(self) -> None:
        """Lock again, when the screen is left. A PIN that is still being tried lifts nothing any
        more."""
        self.lifted_by = ""
        self._visit += 1

    @property
    def lifters(self) -> tuple[Person, ...]:
        return self.services.lifters(self.act, self.percent)

    @property
    def has_pin(self) -> bool:
        """Whether there is a PIN to ask for; else the first PIN is chosen."""
        return self.services.here.person is not None or self.services.manager.is_set()

    async def enter_pin(self, pin: str) -> None:
        """Lift the lock by the manager's PIN, where nobody signs in, unless the screen was left
        meanwhile. Raises NotAllowed."""
        visit, services = self._visit, self.services
        await check_pin(services.manager, pin=pin, clock=services.till.clock)
        if visit == self._visit:
            self.admit(self._manager)

    async def has_demos_pin(self) -> bool:
        return await asyncio.to_thread(self.services.manager.pin_check(), DEMO_PIN)

    def lift(self, pin: str, chosen: Person | None) -> Coroutine[object, object, None]:
        """Lift the lock by the PIN of one of `lifters`, unless the screen was left meanwhile. The
        person is found by the PIN. chosen: whose name was chosen. Raises NotAllowed as
        `approver`."""
        return self._lift(pin, chosen, self._visit)

    async def _lift(self, pin: str, chosen: Person | None, visit: int) -> None:
        services = self.services
        person = await approver(
            services.people,
            pin,
            may=self.lifters,
            chosen=chosen,
            asks=services.here.person,
            clock=services.till.clock,
        )
        if visit == self._visit:
            self.admit(person)

    def show_badge(self, person: Person) -> Person | None:
        """Lift the lock by the badge of a person, if she is one of `lifters`. Return her where the
        PIN is needed too, and None where the lock was lifted. Raises NotAllowed: own_approval,
        may_not_approve."""
        check_is_another(person, self.services.here.person)
        if person not in self.lifters:
            raise may_not_approve(person)
        if self.services.settings.people.badge_needs_pin and person.has_pin:
            return person
        self.admit(person)
        return None

    async def choose_pin(self, pin: str, again: str) -> None:
        """Choose the first PIN of this till, and lift the lock as `enter_pin` does. Raises Invalid
        for the field "pin" or "again"."""
        visit = self._visit
        await choose_pin(self.services.manager, pin=pin, again=again)
        self.services.name_who_is_alone()
        if visit == self._visit:
            self.admit(self._manager)

    @property
    def _manager(self) -> Person:
        manager = first_manager(self.services.people.people())
        assert manager is not None, "somebody has the PIN"
        return manager

    def admit(self, person: Person) -> None:
        """Lift the lock for this person, whose identity is proved."""
        self.lifted_by = person.name
        self._on_open()


def no_lock() -> NotAllowed:
    """The error that the till can't be locked, because nobody could unlock it."""
    return NotAllowed("no_lock")


def never_allowed(act: Act) -> NotAllowed:
    """The error that nobody here may allow this act to the person at the till."""
    return NotAllowed("act_never", act=act.value)
