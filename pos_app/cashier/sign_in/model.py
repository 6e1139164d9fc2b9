"""Who signs in, and what becomes of the cart that somebody else left."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pos_app.cashier.services import TillServices
from pos_app.selling.people.acts import Done
from pos_app.selling.people.people import Person, try_pin, wait_left
from pos_app.selling.sale.ticket import Ticket


class SignInModel:
    """The state of the screen; it outlives the widgets that show it. now: as the till was locked or
    began."""

    def __init__(self, services: TillServices) -> None:
        self.services = services
        self.locked_by: Person | None = None
        """Who locked it, and alone is asked; None asks anybody."""
        self.since: datetime | None = None
        self.chosen: Person | None = None
        self.holds = False
        """Whether the cart of somebody else is to be set aside."""
        self.scanned = ""
        """What was scanned meanwhile, by name or code; it was not entered."""

    @property
    def people(self) -> Sequence[Person]:
        """Those who may sign in."""
        return self.services.people.people()

    def begin(self, locked_by: Person | None) -> None:
        """The till was locked, or begins."""
        people = self.people
        self.locked_by = next((one for one in people if one == locked_by), None)
        if self.locked_by is None and len(people) == 1:
            self.locked_by = people[0]
        self.since = self.services.till.clock.now() if self.locked_by else None
        self.chosen, self.holds, self.scanned = self.locked_by, False, ""
        if locked_by is not None:
            self.note(Done.LOCKED)

    def ask_anybody(self) -> None:
        """Somebody else signs in than who locked it."""
        others = [one for one in self.people if one != self.locked_by]
        self.locked_by, self.chosen = None, others[0] if others else None

    def is_of_another(self, ticket: Ticket) -> bool:
        """Whether the open cart has lines that somebody else entered than who is chosen."""
        return (
            self.chosen is not None
            and self.services.signs_in
            and not ticket.cart.is_empty
            and ticket.cashier != self.chosen.name
        )

    @property
    def may_take_over(self) -> bool:
        """Whether a cart of somebody else may be gone on with here."""
        return self.services.settings.people.cart_of_another == "ask"

    def waits(self, person: Person) -> int:
        """Seconds until the next PIN of that person is taken."""
        now = self.services.till.clock.now()
        left = wait_left(self.services.people.wrong_tries(person), at=now)
        return -(-int(left.total_seconds() * 1000) // 1000)

    async def try_pin(self, person: Person, pin: str) -> None:
        """Whether it is the person. pin: "" of somebody who has none. Raises NotAllowed."""
        if not pin and not person.has_pin and not person.has_badge:
            return
        await try_pin(self.services.people, person, pin, clock=self.services.till.clock)

    def enters(self, person: Person) -> None:
        """The person proved who it is, and works here from now on."""
        services = self.services
        services.here.person = person if services.signs_in else None
        self.note(Done.SIGNED_IN, person)

    def note(self, done: Done, person: Person | None = None) -> None:
        """Keep an act of signing in."""
        self.services.note(done, person.name if person else "")
