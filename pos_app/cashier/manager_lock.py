"""The manager's PIN in front of a screen: asked for at each visit, chosen at the first one."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.cashier.services import TillServices
from pos_app.selling.people.manager_pin import check_pin, choose_pin


class ManagerLock:
    """What the models of such screens have in common. let_in: called once the PIN was right."""

    def __init__(self, services: TillServices, *, let_in: Callable[[], None]) -> None:
        self.services = services
        self.is_open = False
        """Whether the PIN was typed since the screen was entered."""
        self._told_open = let_in

    @property
    def has_pin(self) -> bool:
        return self.services.manager.is_set()

    def enter_pin(self, pin: str) -> None:
        """Let the manager in. Raises NotAllowed."""
        check_pin(self.services.manager, pin=pin, at=self.services.till.clock.now())
        self._let_in()

    def choose_pin(self, pin: str, again: str) -> None:
        """The first PIN of this till. Raises Invalid, told of "pin" or "again"."""
        choose_pin(self.services.manager, pin=pin, again=again)
        self._let_in()

    def _let_in(self) -> None:
        self.is_open = True
        self._told_open()


def may_refund(*, by_hand: bool, needs_manager: bool) -> bool:
    """Whether whoever is at the till may refund; else the manager's PIN lifts it. Nobody signs in
    yet, so everybody may, unless the shop says otherwise; by hand a manager alone (fiscal.md
    6.6)."""
    return not by_hand and not needs_manager
