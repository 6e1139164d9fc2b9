"""What all cases about a sale of this till have in common."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pos_app.cashier.attention.cases.case import (
    Action,
    ActionContext,
    Case,
    CaseFacts,
    Entry,
    Outcome,
    Step,
    Suggestions,
    when,
)
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import ButtonKind
from pos_app.domain.money import Money
from pos_app.domain.number_text import NO_BREAK_SPACE, amount_text
from pos_app.selling.sale import PendingReason, Sale

_REASON = "reason"
_REASONS = ("withdrew", "mistake", "twice")


@dataclass(frozen=True)
class SaleCase(Case):
    """A case about one sale of this till."""

    sale: Sale

    @property
    def id(self) -> str:
        return self.sale.key

    @property
    def since(self) -> datetime:
        return self.sale.frozen_at

    @property
    def total(self) -> Money | None:
        return self.sale.total

    @property
    def cart_id(self) -> int | None:
        return self.sale.cart_id

    @property
    def reason(self) -> PendingReason | None:
        """Why it has no receipt yet."""
        return self.sale.reason

    def about(self, texts: Texts, facts: CaseFacts, *, lines: int) -> str:
        moment = when(self.sale.frozen_at, texts, now=facts.now)
        parts = (
            texts("att.sale_at", when=moment),
            self.sale.cashier,
            texts.count("att.items", lines),
            _tendered(self.sale, texts),
        )
        return " · ".join(part for part in parts if part)

    def drop_step(self, texts: Texts, title: str) -> Step:
        """The sale is cancelled for a reason, ready-made or typed. title: a key."""
        entry = Entry(
            _REASON,
            texts("att.drop_reason"),
            texts("att.drop_reason"),
            letters=1,
            missing=texts("att.reason_needed"),
        )
        words = tuple((key, texts(f"att.reason.{key}")) for key in _REASONS)
        drop = Action(
            "drop", texts("att.drop"), self._drop, icon="trash-2", kind=ButtonKind.DANGER,
            takes=_REASON,
        )  # fmt: skip
        rows = ((Suggestions(_REASON, words),), (entry, drop))
        return Step(texts(title), texts("att.drop_words"), rows=rows)

    def _drop(self, context: ActionContext, reason: str) -> Outcome:
        context.services.outbox.drop(self.sale.key, reason=reason)
        return "att.dropped"

    def mark_seen(self, context: ActionContext, _word: str) -> Outcome:
        """The cashier knows of it."""
        context.services.sales.mark_shown(self.sale.key)
        return ""


def paid_by(sale: Sale, texts: Texts) -> str:
    """How it was paid: "картица", or "готовина 1.000,00, картица 200,00"."""
    parts = sale.taken.tendered.by_method
    return _method(parts[0][0], texts) if len(parts) == 1 else _tendered(sale, texts)


def _tendered(sale: Sale, texts: Texts) -> str:
    parts = sale.taken.tendered.by_method
    return ", ".join(
        f"{_method(method, texts)}{NO_BREAK_SPACE}{amount_text(amount)}" for method, amount in parts
    )


def _method(method: str, texts: Texts) -> str:
    return texts(f"pay.line.{method}").lower()
