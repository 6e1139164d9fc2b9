"""Prices that hold from a day on, or for some days: the till charges them by its own clock.

They belong to this shop, like its marks: no platform has a field for them. Source: till.md
(Catalogue: planned price with start and end).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from datetime import datetime
from decimal import Decimal
from typing import Protocol

from pos_app.domain.money.money import Money
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class PlannedPrice:
    """The price of an article from an instant (included) to another (excluded); UTC.

    ends_at is None for a price that holds until the plan is taken off. percent: of the change of
    many articles that planned it. unit: the symbol of the unit of which it is the price; None for
    that of the article.
    """

    article_id: str
    price: Money
    begins_at: datetime
    ends_at: datetime | None = None
    percent: Decimal | None = field(default=None, compare=False)
    unit: str | None = field(default=None, compare=False)

    def holds_at(self, moment: datetime) -> bool:
        """Tell whether the price is charged at that moment, as `rows.HOLDS` and the view
        `article_v1` of `catalogue.db` do, which is written out because a released step never
        changes with the code."""
        return self.begins_at <= moment and not self.is_over_at(moment)

    def is_over_at(self, moment: datetime) -> bool:
        """Tell whether the plan has ended by that moment."""
        return self.ends_at is not None and self.ends_at <= moment

    def is_usual_at(self, moment: datetime) -> bool:
        """Tell whether the plan has begun and has no end: its price is what the article costs,
        until somebody gives the article another price."""
        return self.ends_at is None and self.holds_at(moment)


@dataclass(frozen=True, slots=True)
class EndedPlan:
    """A planned price that was taken off because its article is measured otherwise by now, became
    one with another article, or got another price: from the platform, by a decision, or by a change
    that was withdrawn."""

    name: str
    price: Money


@dataclass(frozen=True, slots=True)
class ComingPrice:
    """What an article is to cost from a moment on, as its planned price begins or ends; UTC. At
    once, where its label is of a planned price that does not come.

    is_labelled: a label of it was printed. is_ready: the last one is of this change. is_missing:
    the last one says another price, and is not the next one after it, which is yet to come.
    """

    article_id: str
    name: str
    at: datetime
    old: Money | None
    new: Money | None
    is_labelled: bool
    is_ready: bool
    is_missing: bool


class PricePlans(Protocol):
    """The plans of a shop, at most one for each article. Raises what databases raise."""

    def plan_of(self, article_id: str) -> PlannedPrice | None:
        """Return the plan that holds or is to come. One that is over is none."""

    def plan_price(self, plan: PlannedPrice, *, by: str, at: datetime) -> None:
        """Keep the plan of an article in place of an earlier one. One of a unit that measures
        otherwise than the article's is told as ended instead. Raises NotFound."""

    def drop_plan(self, article_id: str, *, by: str, at: datetime) -> None:
        """Take the plan of an article off; there need not be one."""

    def forget_ended_plans(self, seen: Sequence[EndedPlan]) -> None:
        """Tell no more of these plans: a person has seen it."""
