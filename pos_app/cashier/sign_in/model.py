"""The state of signing in, and what becomes of a cart that somebody else left."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.texts.lookup import Say
from pos_app.selling.people.acts import NotedAct, PersonChange, person_text
from pos_app.selling.people.people import HiddenPin, Person, shop_digits, try_pin
from pos_app.selling.people.wrong_pins import wait_left
from pos_app.selling.sale.ticket import Ticket


class SignInModel:
    """The state of the screen; it outlives the widgets that show it."""

    def __init__(self, services: TillServices) -> None:
        self.services = services
        self.locked_by: Person | None = None
        """The person who locked the till, who alone is asked, or None if anybody is asked."""
        self.since: datetime | None = None
        self.hides_cart = False
        """Whether the cart's content is hidden, because the till was left locked and has started
        anew."""
        self.chosen: Person | None = None
        self.outdated: Person | None = None
        """The person whose PIN was right, but has to be replaced first."""
        self.badge_shown: Person | None = None
        """The person whose badge was scanned, and has to be scanned once more, because the person
        is asked about the cart."""
        self.holds = False
        self.scanned: Say | None = None
        """The name or code of what was scanned meanwhile; it was not entered."""

    @property
    def digits(self) -> int:
        """The number of digits of a PIN that is chosen here; 0 for any number."""
        return shop_digits(self.people)

    @property
    def people(self) -> Sequence[Person]:
        return self.services.people.people()

    def begin(self, locked_by: Person | None, *, since: datetime | None = None) -> None:
        """Begin to ask; the till was locked, or has just started. since: the time when it was
        locked, if earlier."""
        people, self.outdated, self.badge_shown = self.people, None, None
        self.services.here.is_locked = True
        self.locked_by = next((one for one in people if one == locked_by), None)
        if self.locked_by is None and len(people) == 1:
            self.locked_by = people[0]
        self.hides_cart = self.locked_by is None and self.services.acts.left_locked() is not None
        self.since = (since or self.services.till.clock.now()) if self.locked_by else None
        self.chosen, self.holds, self.scanned = self.locked_by, False, None

    def ask_anybody(self) -> None:
        """Ask the other people instead of the one who locked the till."""
        others = [one for one in self.people if one != self.locked_by]
        self.hides_cart = False
        self.locked_by, self.chosen = None, others[0] if others else None

    def is_of_another(self, ticket: Ticket) -> bool:
        """Whether the open cart has lines that another person than the chosen one entered."""
        return (
            self.chosen is not None
            and self.services.signs_in
            and not ticket.cart.is_empty
            and ticket.cashier != self.chosen.name
        )

    @property
    def may_take_over(self) -> bool:
        """Whether a cart of somebody else may be continued here."""
        return self.services.settings.people.cart_of_another == "ask"

    def waits(self, person: Person) -> int:
        """Seconds until the next PIN of that person is taken."""
        now = self.services.till.clock.now()
        left = wait_left(self.services.people.wrong_tries(person), at=now)
        return -(-int(left.total_seconds() * 1000) // 1000)

    async def try_pin(self, person: Person, pin: str) -> None:
        """Check that the PIN is the person's. Raises NotAllowed."""
        await try_pin(self.services.people, person, pin, clock=self.services.till.clock)

    def may_choose_pin(self, person: Person) -> bool:
        """Whether the person chooses a PIN here: one who has neither PIN nor badge, or proved to
        have a PIN that is not as long as this shop's."""
        return self.outdated == person or not (person.has_pin or person.has_badge)

    def has_length(self, pin: str) -> bool:
        return self.digits in (0, len(pin))

    async def hide_pin(self, pin: str) -> HiddenPin:
        """Hash the PIN in a thread, because hashing is slow on purpose."""
        return await asyncio.to_thread(self.services.people.hide_pin, pin)

    @contextmanager
    def entering(self, person: Person, pin: HiddenPin | None = None) -> Iterator[None]:
        """Let the person, whose identity is proved, work here from now on, and do what is inside in
        the same transaction. pin: the PIN that the person chose. Raises PosError; then nothing
        changed."""
        services, before = self.services, self.services.here.person
        services.here.person = person if services.signs_in else None
        services.here.is_locked = False
        try:
            with services.acts.together():
                if pin is not None:
                    person = services.people.keep_pin(person, pin)
                    unchanged, changed = person_text(person), person_text(person, PersonChange.PIN)
                    services.note(NotedAct.PERSON, person.name, before=unchanged, after=changed)
                self.note(NotedAct.SIGNED_IN, person)
                yield
        except BaseException:
            services.here.person, services.here.is_locked = before, True
            raise
        self.outdated, self.hides_cart = None, False
        services.here.person = person if services.signs_in else None

    def note(self, done: NotedAct, person: Person | None = None) -> None:
        self.services.note(done, person.name if person else "")
