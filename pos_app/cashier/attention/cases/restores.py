"""Restored and damaged databases and a replaced secure element: a manager answers with a name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pos_app.cashier.attention.cases.case import (
    ActionContext,
    ActionResult,
    Case,
    CaseFacts,
    Reading,
    Source,
    Step,
    manager_step,
    one_action,
    when,
)
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.cashier.words.moments import moment_text
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.receipt.server_status import JournalRestored, OfferedElement
from pos_app.selling.sale.sale import LackingSales
from pos_app.selling.sale.ticket import Ticket


@dataclass(frozen=True, kw_only=True)
class RestoredJournal(Case):
    """The server's journal is an older one: a manager checks the receipts and closes the mark."""

    restored: JournalRestored
    ended: set[str]
    kind = "restored"
    icon = ("database-backup", "danger")
    level = NoticeKind.DANGER

    def happened(self, texts: Texts, facts: CaseFacts) -> str:
        text_id = f"att.restored.{self.restored.why}"
        text_id = text_id if texts.has(text_id) else "att.restored.other"
        return texts(text_id, when=when(self.since, texts, now=facts.now))

    def steps(self, texts: Texts, facts: CaseFacts) -> tuple[Step, ...]:
        text_ids = "att.step.restored", "att.restored_note", "att.close_restored"
        return manager_step(texts, facts, text_ids, self._close)

    async def _close(self, context: ActionContext, manager: str) -> str:
        await context.services.server_decisions.close_restored(by=manager)
        self.ended.add(self.id)
        return "att.seen_kept"


@dataclass(frozen=True, kw_only=True)
class RestoredTill(Case):
    """The till's file is an older one: a manager looks for the sales that it lacks, and closes the
    mark."""

    lacking: LackingSales
    kind = "restored_till"
    icon = ("database-backup", "danger")
    level = NoticeKind.DANGER

    def why(self, texts: Texts, facts: CaseFacts) -> str:
        return texts.count("att.why.restored_till", self.lacking.many)

    def happened(self, texts: Texts, facts: CaseFacts) -> str:
        found = when(self.since, texts, now=facts.now)
        first, last = self.lacking.first, self.lacking.last
        numbers = str(first) if first == last else f"{first}–{last}"
        many, values = self.lacking.many, {"when": found, "numbers": numbers}
        if files := ", ".join(self.lacking.files):
            return texts.count("att.happened.replaced_till", many, files=files, **values)
        return texts.count("att.happened.restored_till", many, **values)

    def steps(self, texts: Texts, facts: CaseFacts) -> tuple[Step, ...]:
        text_ids = "att.step.restored_till", "att.restored_till_note", "att.close_restored"
        return manager_step(texts, facts, text_ids, self._close)

    def _close(self, context: ActionContext, manager: str) -> ActionResult:
        context.services.sales.close_lacking(by=manager, at=context.services.till.clock.now())
        return "att.seen_kept"


class DamagedTill(Case):
    """Pages of the till's file are damaged; the case stays until the file is mended."""

    kind = "till_damaged"
    icon = ("database-backup", "danger")
    level = NoticeKind.DANGER


@dataclass(frozen=True, kw_only=True)
class NewElement(Case):
    """The processor has another secure element: a manager accepts it."""

    offered: OfferedElement
    ended: set[str]
    kind = "new_element"
    icon = ("credit-card", "warn")

    def why(self, texts: Texts, facts: CaseFacts) -> str:
        return self.offered.uid

    def happened(self, texts: Texts, facts: CaseFacts) -> str:
        uid, known = self.offered.uid, self.offered.known
        return texts("att.happened.new_element", uid=uid, known=known)

    def steps(self, texts: Texts, facts: CaseFacts) -> tuple[Step, ...]:
        text_ids = "att.step.new_element", "att.new_element_note", "att.accept_element"
        return manager_step(texts, facts, text_ids, self._accept)

    async def _accept(self, context: ActionContext, manager: str) -> str:
        await context.services.server_decisions.accept_element(self.offered.uid, by=manager)
        self.ended.add(self.id)
        return "att.seen_kept"


@dataclass(frozen=True, kw_only=True)
class CartsSuspendedCase(Case):
    """Carts from a restored copy of this till's file: the cashier looks whether they were sold."""

    carts: Sequence[Ticket]
    kind = "carts_set_aside"
    icon = ("database-backup", "warn")

    def why(self, texts: Texts, facts: CaseFacts) -> str:
        return texts.count("att.why.carts_set_aside", len(self.carts))

    def happened(self, texts: Texts, facts: CaseFacts) -> str:
        carts = "; ".join(map(_cart_words, self.carts))
        return texts("att.happened.carts_set_aside", carts=carts)

    def steps(self, texts: Texts, facts: CaseFacts) -> tuple[Step, ...]:
        return one_action(texts, "att.step.done_seen", "att.seen", "check", self._seen)

    def _seen(self, context: ActionContext, _word: str) -> ActionResult:
        context.services.till.carts.mark_suspended_seen()
        return ""


class Copies(Source):
    """The restores in the server's last status and in the till's file, without those that a manager
    has answered, and damage of that file."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self._ended: set[str] = set()

    def cases(self, reading: Reading) -> Iterable[Case]:
        found = tuple(self._restored_cases(reading))
        self._ended &= {case.id for case in found}
        return (case for case in found if case.id not in self._ended)

    def _restored_cases(self, reading: Reading) -> Iterable[Case]:
        status = self.services.server.status
        ended = self._ended
        if status is not None and (restored := status.restored) is not None:
            case_id, since = f"restored {restored.epoch}", restored.since
            yield RestoredJournal(id=case_id, since=since, restored=restored, ended=ended)
        if status is not None and (offered := status.processor.offered) is not None:
            case_id = f"element {offered.uid}"
            since = self.noticed(case_id, reading.now)
            yield NewElement(id=case_id, since=since, offered=offered, ended=ended)
        if not self.services.till_looks_whole:
            case_id = "damaged till"
            yield DamagedTill(id=case_id, since=self.noticed(case_id, reading.now))
        if (lacking := self.services.sales.lacking()) is not None:
            yield RestoredTill(id="restored till", since=lacking.since, lacking=lacking)
        if carts := self.services.till.carts.suspended_by_restore():
            yield CartsSuspendedCase(id="carts set aside", since=carts[-1].opened_at, carts=carts)


def _cart_words(cart: Ticket) -> str:
    opened = moment_text(cart.opened_at)
    return f"{amount_text(cart.cart.total)} ({opened}, {cart.cashier})"
