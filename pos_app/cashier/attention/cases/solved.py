"""Cases that are over: kept in sight until the day ends."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from datetime import datetime

from pos_app.cashier.attention.cases.case import Case, CaseFacts, Group, short_number, when
from pos_app.cashier.attention.cases.sale_case import SaleCase, paid_by
from pos_app.cashier.texts.lookup import NoticeText, Texts
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.cashier.ui.tokens import Token
from pos_app.selling.sale_state import SaleState


class SolvedCase(Case):
    """Something that had waited for somebody."""

    kind = "solved"
    group = Group.FOR_KNOWING
    icon = ("circle-check", "ok")
    level = NoticeKind.INFO

    def notice(self, texts: Texts, facts: CaseFacts) -> NoticeText:
        happened = self.happened(texts, at=when(self.since, texts, now=facts.now))
        return NoticeText(happened, texts("att.safe.solved"), texts("att.press.solved"))

    @abstractmethod
    def happened(self, texts: Texts, *, at: str) -> str:
        """What came of it. at: when, in words."""


@dataclass(frozen=True)
class SolvedSale(SaleCase, SolvedCase):
    """A sale with its receipt, or one that was cancelled. ended_at: UTC."""

    ended_at: datetime

    @property
    def since(self) -> datetime:
        return self.ended_at

    @property
    def picture(self) -> tuple[str, Token]:
        return self.icon if self._number else ("x", "ink_2")

    def title(self, texts: Texts) -> str:
        if not self._number:
            return texts("att.row.solved.cancelled")
        return texts("att.row.solved.done", number=short_number(self._number))

    def why(self, texts: Texts, facts: CaseFacts) -> str:
        is_done = self.sale.state is SaleState.DONE
        return paid_by(self.sale, texts) if is_done else texts("att.why.cancelled")

    def happened(self, texts: Texts, *, at: str) -> str:
        if not self._number:
            return texts("att.happened.solved.cancelled", when=at)
        return texts("att.happened.solved.done", number=self._number, when=at)

    @property
    def _number(self) -> str:
        return self.sale.receipt.fiscal_number if self.sale.receipt else ""
