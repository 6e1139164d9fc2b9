"""Cases that a manager decides: changed articles and products that vanished together, on the
catalogue's page; changes of the store, on its settings page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from pos_app.cashier.attention.cases import case
from pos_app.cashier.services.storage_faults import Where, where_of
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.cashier.words.article_texts import named_list, over_words, reached_words
from pos_app.cashier.words.joining_words import changes_lines
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.text.instant import day_of
from pos_app.errors import MachineError
from pos_app.selling.catalogue.bulk_act import ActState, BulkAct
from pos_app.selling.catalogue.planned_prices import EndedPlan
from pos_app.selling.catalogue.price_labels import labels_due
from pos_app.selling.synchronisation.joining import NO_CHANGES, JoiningQuestion, OpenChanges

_NAMED = 10
"""The most articles that a case names."""


def _on_a_page(
    texts: Texts,
    what: Literal["edits", "store", "names", "joining", "labels"],
    icon: str,
    open_page: Callable[[case.ActionContext], None],
    *words_before: str,
) -> tuple[case.Step, ...]:
    """The single step of a case that a manager decides on another page. words_before: words that
    stand before the usual ones."""

    def run(context: case.ActionContext, _word: str) -> case.ActionResult:
        open_page(context)
        return ""

    button = case.Action("open", texts(f"att.{what}.open"), run, icon, ButtonKind.FILLED)
    words = "\n".join((*words_before, texts("att.edits.words")))
    return (case.Step(texts(f"att.{what}.step"), words, case.StepState.CURRENT, rows=((button,),)),)


def _in_the_catalogue(
    _attention_case: case.Case, texts: Texts, facts: case.CaseFacts
) -> tuple[case.Step, ...]:
    return _on_a_page(texts, "edits", "tag", lambda context: context.open_catalogue())


@dataclass(frozen=True, kw_only=True)
class EditsToDecide(case.Case):
    """Articles changed here and on the platform, or changes that the platform refused. Selling does
    not wait for the decision, because the till uses its own values."""

    kind = "edits_to_decide"
    icon = ("git-compare", "warn")

    lost: int = 0
    """Those that the platform had, until it was put back from an older copy."""

    def about(self, texts: Texts, facts: case.CaseFacts, *, lines: int) -> str:
        if self.lost:
            return texts.count("att.why.edits_to_decide.lost", self.lost)
        return texts("att.why.edits_to_decide")

    steps = _in_the_catalogue


@dataclass(frozen=True, kw_only=True)
class RemovalsToDecide(case.Case):
    """The last list lacks so many products that none of them was removed. They are sold until a
    manager decides. products: their number; they are one question."""

    kind = "removals_to_decide"
    icon = ("git-compare", "warn")

    products: int

    def text_of(self, texts: Texts, text_id: str, **values: object) -> str:
        return texts.count(text_id, self.products, **values)

    def about(self, texts: Texts, facts: case.CaseFacts, *, lines: int) -> str:
        return texts("att.why.removals_to_decide")

    steps = _in_the_catalogue


@dataclass(frozen=True, kw_only=True)
class StoreToDecide(case.Case):
    """The store was changed here and on the platform, or the platform refused the change. The till
    uses its own values."""

    kind = "store_to_decide"
    icon = ("store", "warn")
    safe = EditsToDecide.kind

    def about(self, texts: Texts, facts: case.CaseFacts, *, lines: int) -> str:
        return texts("att.why.store_to_decide")

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        return _on_a_page(texts, "store", "store", lambda context: context.open_store())


@dataclass(frozen=True, kw_only=True)
class NamesToDecide(case.Case):
    """A unit or category was changed here and on the platform, or the platform refused the change.
    The till uses its own words."""

    kind = "names_to_decide"
    icon = ("folder", "warn")
    safe = EditsToDecide.kind

    def about(self, texts: Texts, facts: case.CaseFacts, *, lines: int) -> str:
        return texts("att.why.names_to_decide")

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        return _on_a_page(texts, "names", "folder", lambda context: context.open_names())


@dataclass(frozen=True, kw_only=True)
class JoiningToDecide(case.Case):
    """The platform does not have this shop's articles: a manager checks whose platform it is before
    they go there."""

    kind = "joining_to_decide"
    icon = ("upload", "warn")

    changes: OpenChanges = NO_CHANGES

    def about(self, texts: Texts, facts: case.CaseFacts, *, lines: int) -> str:
        return texts("att.why.joining_to_decide")

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        return _on_a_page(
            texts,
            "joining",
            "settings",
            lambda context: context.open_platform(),
            *changes_lines(self.changes, texts),
        )


@dataclass(frozen=True, kw_only=True)
class _BulkActCase(case.Case):
    """A change of many articles that did not come to its end at once."""

    act: BulkAct

    def text_of(self, texts: Texts, text_id: str, **values: object) -> str:
        what, reached = texts(f"cat.act.{self.act.kind}"), reached_words(self.act, texts)
        return texts(text_id, what=what, reached=reached)

    def about(self, texts: Texts, facts: case.CaseFacts, *, lines: int) -> str:
        return self.why(texts, facts)


@dataclass(frozen=True, kw_only=True)
class BulkActCarriedOn(_BulkActCase):
    """The act was cut by the end of the till, and is carried on by itself."""

    kind = "bulk_act_carried_on"
    group = case.CaseGroup.GOES_ON
    icon = ("loader-circle", "info")
    level = NoticeKind.INFO
    is_under_way = True
    rings = False


@dataclass(frozen=True, kw_only=True)
class BulkActStopped(_BulkActCase):
    """A person, or a fault, stopped the act: a manager decides what becomes of its rest."""

    kind = "bulk_act_stopped"
    icon = ("list", "warn")

    steps = _in_the_catalogue


@dataclass(frozen=True, kw_only=True)
class BulkActOver(_BulkActCase):
    """The till ended before anything of the act was made, or before anybody was told that all of it
    was."""

    kind = "bulk_act_over"
    group = case.CaseGroup.FOR_KNOWING
    icon = ("list", "ink_2")
    level = NoticeKind.INFO

    def text_of(self, texts: Texts, text_id: str, **values: object) -> str:
        return texts(text_id, what=over_words(self.act, texts))

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        def see(context: case.ActionContext, _word: str) -> case.ActionResult:
            context.services.editor.end_act()
            return "att.seen_kept"

        seen = case.Action("seen", texts("att.plans_ended.seen"), see, "check", ButtonKind.FILLED)
        title = texts("att.bulk_act_over.step")
        return (case.Step(title, "", case.StepState.CURRENT, rows=((seen,),)),)


@dataclass(frozen=True, kw_only=True)
class LabelsOfTomorrow(case.Case):
    """Articles whose prices change on a day, and whose labels are not printed yet. It is counted,
    because somebody has to print them; there is nothing to decide. articles: their number; they are
    printed in one go."""

    kind = "labels_of_tomorrow"
    group = case.CaseGroup.FOR_KNOWING
    icon = ("barcode", "ink_2")
    level = NoticeKind.INFO

    articles: int

    def text_of(self, texts: Texts, text_id: str, **values: object) -> str:
        return texts.count(text_id, self.articles, **values)

    def about(self, texts: Texts, facts: case.CaseFacts, *, lines: int) -> str:
        return self.why(texts, facts)

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        return _on_a_page(texts, "labels", "barcode", lambda context: context.open_labels())


class LabelsOfToday(LabelsOfTomorrow):
    kind = "labels_of_today"


@dataclass(frozen=True, kw_only=True)
class PlansEnded(case.Case):
    """Planned prices that were taken off because their articles are of another measure by now,
    became one with another article, or got another price."""

    kind = "plans_ended"
    group = case.CaseGroup.FOR_KNOWING
    icon = ("tag", "ink_2")
    level = NoticeKind.INFO

    plans: tuple[EndedPlan, ...]

    def text_of(self, texts: Texts, text_id: str, **values: object) -> str:
        many = len(self.plans)
        first = [f"{one.name} ({amount_text(one.price)})" for one in self.plans[:_NAMED]]
        return texts.count(text_id, many, named=named_list(first, many), **values)

    def about(self, texts: Texts, facts: case.CaseFacts, *, lines: int) -> str:
        return self.why(texts, facts)

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        def see(context: case.ActionContext, _word: str) -> case.ActionResult:
            context.services.editor.forget_ended_plans(self.plans)
            return "att.seen_kept"

        seen = case.Action("seen", texts("att.plans_ended.seen"), see, "check", ButtonKind.FILLED)
        title = texts("att.plans_ended.step")
        return (case.Step(title, "", case.StepState.CURRENT, rows=((seen,),)),)


class CatalogueEdits(case.Source):
    """Counts the changes, removals, stores, units and categories that a manager has to decide, and
    tells of a change of many articles that was cut."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        now = services.till.clock.now()
        self._since = self._store_since = self._names_since = self._gone_since = now
        self._many = self._lost = self._stores = self._names = self._gone = 0
        self._joining: JoiningQuestion | None = None
        self._act: BulkAct | None = None
        self._ended: tuple[EndedPlan, ...] = ()

    def cases(self, reading: case.Reading) -> Iterable[case.Case]:
        self._count(reading)
        if self._many:
            yield EditsToDecide(
                id="edits to decide", since=self._since, many=self._many, lost=self._lost
            )
        if self._gone:
            yield RemovalsToDecide(
                id="removals to decide", since=self._gone_since, products=self._gone
            )
        if self._stores:
            yield StoreToDecide(id="store to decide", since=self._store_since)
        if self._names:
            yield NamesToDecide(id="names to decide", since=self._names_since)
        if self._joining is not None:
            yield JoiningToDecide(
                id="joining to decide", since=self._joining.at, changes=self._joining.changes
            )
        if self._ended:
            since = self.noticed(PlansEnded.kind, reading.now)
            yield PlansEnded(id=PlansEnded.kind, since=since, plans=self._ended)
        act = self._act
        if act is not None and act.state is ActState.RESUMED:
            yield BulkActCarriedOn(id="bulk act", since=act.at, act=act)
        elif act is not None and act.is_over:
            yield BulkActOver(id="bulk act", since=act.at, act=act)
        elif act is not None and act.state is ActState.STOPPED:
            yield BulkActStopped(id="bulk act", since=act.at, act=act)

    def _count(self, reading: case.Reading) -> None:
        """Count anew; while the catalogue can't be read, the last counts stay and the screen says
        so."""
        try:
            facts = self.services.catalogue.facts()
        except MachineError as error:
            if where_of(error) is Where.TILL:
                raise
            return
        many = facts.conflicts + facts.refused
        if many and not self._many:
            self._since = facts.synced_at or reading.now
        self._many, self._lost = many, facts.lost
        if facts.gone and not self._gone:
            self._gone_since = facts.synced_at or reading.now
        self._gone = facts.gone
        if facts.stores_to_decide and not self._stores:
            self._store_since = facts.synced_at or reading.now
        self._stores = facts.stores_to_decide
        if facts.names_to_decide and not self._names:
            self._names_since = facts.synced_at or reading.now
        self._names = facts.names_to_decide
        self._joining = facts.asked_to_join
        self._act, self._ended = facts.bulk_act, facts.plans_ended


class ComingLabels(case.Source):
    """Counts the labels of today's and tomorrow's prices whenever the catalogue was written, a plan
    began or ended, or a day began. While the catalogue can't be read, the last count stays."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self._due: tuple[date, int] | None = None
        self._counted: tuple[date, int] | None = None

    def cases(self, reading: case.Reading) -> Iterable[case.Case]:
        self._count(reading.now)
        day, many = self._due or (day_of(reading.now), 0)
        if many:
            made = LabelsOfToday if day <= day_of(reading.now) else LabelsOfTomorrow
            case_id = f"labels for {day}"
            yield made(id=case_id, since=self.noticed(case_id, reading.now), articles=many)

    def _count(self, now: datetime) -> None:
        services = self.services
        try:
            counted = (day_of(now), services.catalogue.generation())
            if counted != self._counted:
                self._due = labels_due(services.catalogue, now)
                self._counted = counted
        except MachineError as error:
            if where_of(error) is Where.TILL:
                raise
