"""People who sign in at a till of a test."""

from __future__ import annotations

from collections.abc import Collection

from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from pos_app.cashier.gate.manager_lock import ManagerLock
from pos_app.cashier.services.till_services import TillServices
from pos_app.selling.people.people import HiddenPin, Person, first_manager
from pos_app.selling.people.rights import Act, Leave, Role

CASHIERS_LACK = (Act.CATALOGUE, Act.SETTINGS, Act.TRAINING, Act.DECIDE)
"""Acts that a shop may leave to its lead and manager."""
MANAGERS_PIN, CASHIERS_PIN = "2580", "1357"


def quick(pin: str) -> HiddenPin:
    """Hash a PIN with the lowest cost. A hash names its own cost, so that the till checks this one
    without the 20 ms that a PIN costs which a person chose."""
    kdf = Argon2id(salt=bytes(16), length=32, iterations=1, lanes=1, memory_cost=8)
    return HiddenPin(kdf.derive_phc_encoded(pin.encode()), len(pin))


def sign_in(services: TillServices, forbids: Collection[Act] = ()) -> Person:
    """Add a manager and the cashier Драгана, who works here from now on and may never do the acts
    in `forbids`."""
    people = services.people
    people.keep_pin(people.add("Ненад Костић", Role.MANAGER), quick(MANAGERS_PIN))
    person = people.keep_pin(people.add("Драгана Петровић", Role.CASHIER), quick(CASHIERS_PIN))
    rights = people.rights()
    for act in forbids:
        rights = rights.with_cell(act, Role.CASHIER, Leave.NEVER)
    people.keep_rights(rights)
    services.here.person = person
    return person


def let_in(lock: ManagerLock, pin: str) -> None:
    """Sign the manager in by PIN, which is chosen first where there is none. The gate tries a PIN
    in a thread, for which a test without a loop has no room."""
    if not lock.has_pin:
        lock.services.manager.save_pin(quick(pin))
    assert lock.services.manager.pin_check()(pin)
    manager = first_manager(lock.services.people.people())
    assert manager is not None
    lock.admit(manager)
