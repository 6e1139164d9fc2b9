"""The table of rights at the till: each role's acts, and who lifts an act that somebody else may
not do.

Each cell is `MAY`, `ASKS` (a colleague who may lifts it in place, by PIN or badge) or `NEVER`; for
the discount it is the percentage up to which nobody is asked. Only cells that differ from the
recommended ones are stored. Source: till.md ("People and rights").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType

from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass


class Role(StrEnum):
    """The roles, from the one with the fewest rights."""

    CASHIER = "cashier"
    LEAD = "lead"
    MANAGER = "manager"


class Act(StrEnum):
    DISCOUNT = "discount"
    PRICE = "price"
    REMOVE_WHILE_PAYING = "remove_paying"
    DROP_CART = "drop_cart"
    REFUND = "refund"
    REFUND_BY_HAND = "refund_by_hand"
    DRAWER = "drawer"
    X_REPORT = "x_report"
    CLOSE_SHIFT = "close_shift"
    CASH_IN_OUT = "cash_in_out"
    TRAINING = "training"
    QUEUE = "queue"
    """Confirm sales while there is no processor."""
    REPRINT = "reprint"
    DECIDE = "decide"
    """Give a manager's answers: a doubt declared absent, an alarm seen, a credit paid out."""
    CATALOGUE = "catalogue"
    REPORTS = "reports"
    SETTINGS = "settings"


class Leave(StrEnum):
    MAY = "may"
    ASKS = "asks"
    NEVER = "never"


def _row(cashier: Leave, lead: Leave, manager: Leave = Leave.MAY) -> Mapping[Role, Leave]:
    return MappingProxyType({Role.CASHIER: cashier, Role.LEAD: lead, Role.MANAGER: manager})


_NOTHING = Decimal(0)
_FREE = _row(Leave.MAY, Leave.MAY)
_LIFTED = _row(Leave.ASKS, Leave.MAY)
_OF_MANAGER = _row(Leave.NEVER, Leave.ASKS)

RECOMMENDED: Mapping[Act, Mapping[Role, Leave]] = MappingProxyType(
    {
        Act.PRICE: _LIFTED,
        Act.REMOVE_WHILE_PAYING: _LIFTED,
        Act.DROP_CART: _FREE,
        Act.REFUND: _LIFTED,
        Act.REFUND_BY_HAND: _OF_MANAGER,
        Act.DRAWER: _LIFTED,
        Act.X_REPORT: _row(Leave.NEVER, Leave.MAY),
        Act.CLOSE_SHIFT: _FREE,
        Act.CASH_IN_OUT: _LIFTED,
        Act.TRAINING: _FREE,
        Act.QUEUE: _FREE,
        Act.REPRINT: _FREE,
        Act.DECIDE: _row(Leave.ASKS, Leave.ASKS),
        Act.CATALOGUE: _row(Leave.ASKS, Leave.ASKS),
        Act.REPORTS: _row(Leave.NEVER, Leave.ASKS),
        Act.SETTINGS: _row(Leave.ASKS, Leave.ASKS),
    }
)
"""Each recommended cell but those of the discount."""
RECOMMENDED_PERCENT: Mapping[Role, int] = MappingProxyType(
    {Role.CASHIER: 5, Role.LEAD: 10, Role.MANAGER: 100}
)
_NEXT = {Leave.MAY: Leave.ASKS, Leave.ASKS: Leave.NEVER, Leave.NEVER: Leave.MAY}


@dataclass(frozen=True, slots=True)
class Rights:
    """cells, percents: the shop's deviations from the recommended ones."""

    cells: Mapping[tuple[Act, Role], Leave] = field(default_factory=dict)
    percents: Mapping[Role, int] = field(default_factory=dict)

    def leave(self, act: Act, role: Role) -> Leave:
        """The content of a cell. A discount without a limit is MAY, any other ASKS."""
        if act is Act.DISCOUNT:
            return Leave.MAY if self.percent(role) == 100 else Leave.ASKS
        return self.cells.get((act, role), RECOMMENDED[act][role])

    def percent(self, role: Role) -> int:
        return self.percents.get(role, RECOMMENDED_PERCENT[role])

    def discount(self, role: Role, percent: Decimal) -> Leave:
        """Whether a role may lower a price by so many percent; a larger discount must be lifted."""
        return Leave.MAY if percent <= self.percent(role) else Leave.ASKS

    def may_lift(self, act: Act, role: Role, *, percent: Decimal = _NOTHING) -> bool:
        """Whether somebody of that role lifts the act for others. percent: of a discount."""
        if role is Role.CASHIER:
            return False
        leave = self.discount(role, percent) if act is Act.DISCOUNT else self.leave(act, role)
        return leave is Leave.MAY

    def turned(self, act: Act, role: Role) -> Rights:
        return self.with_cell(act, role, _NEXT[self.leave(act, role)])

    def with_cell(self, act: Act, role: Role, leave: Leave) -> Rights:
        """The rights with that cell changed. Raises Invalid for field "rights" where no manager
        could reach the settings any more."""
        if act is Act.SETTINGS and role is Role.MANAGER and leave is not Leave.MAY:
            raise Invalid("settings_stay", field="rights")
        cells = {cell: one for cell, one in self.cells.items() if cell != (act, role)}
        if leave is not RECOMMENDED[act][role]:
            cells[act, role] = leave
        return Rights(cells, self.percents)

    def with_percent(self, role: Role, percent: int) -> Rights:
        """The rights with that percentage. Raises Invalid for field "percent" beyond 0 to 100."""
        if not 0 <= percent <= 100:
            raise Invalid("discount_range", field="percent")
        percents = {one: value for one, value in self.percents.items() if one is not role}
        if percent != RECOMMENDED_PERCENT[role]:
            percents[role] = percent
        return Rights(self.cells, percents)

    def changed_from(self, before: Rights) -> tuple[tuple[Act, Role], ...]:
        return tuple(
            (act, role)
            for act in Act
            for role in Role
            if (
                self.percent(role) != before.percent(role)
                if act is Act.DISCOUNT
                else self.leave(act, role) is not before.leave(act, role)
            )
        )


UNSIGNED: Mapping[Act, Leave] = MappingProxyType(
    {
        act: Leave.ASKS
        if act in (Act.REFUND_BY_HAND, Act.CATALOGUE, Act.REPORTS, Act.SETTINGS)
        else Leave.MAY
        for act in Act
    }
)
"""The rights where nobody signs in: anybody may do all but what a manager's PIN guards."""
