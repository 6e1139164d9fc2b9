"""Articles whose tax labels do not fit what the shop is in the system of VAT.

A shop outside VAT signs no label of VAT, so its sales of such articles are refused, and one act
relabels them all. A shop in VAT may sell goods with А, so it is asked only while it has no article
with VAT at all, by a row that rings no bell: it may have been outside until now. Source: fiscal.md
2, 6.17.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from pos_app.cashier.attention.cases import case
from pos_app.cashier.services import relabelling
from pos_app.cashier.services.storage_faults import Where, where_of
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.words.article_texts import label_text
from pos_app.domain.money.tax import TaxLabel, TaxRates, doubtful_labels
from pos_app.errors import MachineError
from pos_app.selling.people.rights import Act

_ID = "tax labels"


@dataclass(frozen=True, kw_only=True)
class LabelsOfVat(case.Case):
    """Articles that can't be sold, because the shop is not in the system of VAT. spelled: how the
    processor spells А, or None where that is unknown. told: the processor's rates, or None."""

    kind = "labels_of_vat"
    icon = ("percent", "warn")

    articles: int
    spelled: str | None
    told: TaxRates | None = None

    def text_of(self, texts: Texts, text_id: str, **values: object) -> str:
        return texts.count(text_id, self.articles, **values)

    def about(self, texts: Texts, facts: case.CaseFacts, *, lines: int) -> str:
        return texts("att.why.labels_of_vat")

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        title, words = texts("att.labels_of_vat.step"), texts("att.labels_of_vat.words")
        if self.spelled is None and self.told is not None:
            offered = " ".join(self.told.percent)
            words = texts("att.labels_of_vat.not_offered", labels=offered)
            return (case.Step(title, words, case.StepState.CURRENT),)
        if self.spelled != TaxLabel.A.value:
            words = f"{texts('att.labels_of_vat.spelled', label=self.spelled)} {words}"
        relabel = _relabel(
            texts,
            relabelling.RELABEL,
            texts("att.labels_of_vat.relabel"),
            partial(_give, label=TaxLabel.A, in_vat=False),
            sure=texts.count("att.labels_of_vat.sure", self.articles),
        )
        return (case.Step(title, words, case.StepState.CURRENT, rows=((relabel,),)),)


@dataclass(frozen=True, kw_only=True)
class LabelsOutsideVat(case.ForKnowing):
    """All articles of a shop in VAT, which are sold without VAT. It rings no bell, because a shop
    may lawfully sell nothing else. offered: the labels of VAT that the processor has."""

    kind = "labels_outside_vat"
    icon = ("percent", "ink_2")

    articles: int
    offered: tuple[TaxLabel, ...] = ()
    told: TaxRates | None = None

    def text_of(self, texts: Texts, text_id: str, **values: object) -> str:
        return texts.count(text_id, self.articles, **values)

    def about(self, texts: Texts, facts: case.CaseFacts, *, lines: int) -> str:
        return texts("att.why.labels_outside_vat")

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        title = texts("att.labels_outside_vat.step")
        if self.told is None or not self.offered:
            words = texts("att.labels_outside_vat.untold")
            return (case.Step(title, words, case.StepState.CURRENT),)
        rates = {label: self.told.percent[label] for label in self.offered}
        made = []
        for label in self.offered:
            words = label_text(label, rates, texts)
            sure = texts.count("att.labels_outside_vat.sure", self.articles, label=words)
            give = partial(_give, label=label, in_vat=True)
            all_to = texts("att.labels_outside_vat.all_to", label=words)
            made.append(
                _relabel(
                    texts,
                    f"{relabelling.RELABEL} {label}",
                    all_to,
                    give,
                    sure=sure,
                    kind=ButtonKind.PLAIN,
                )
            )
        words = texts("att.labels_outside_vat.words")
        return (
            case.Step(title, words, case.StepState.CURRENT, rows=tuple((one,) for one in made)),
        )


def _relabel(
    texts: Texts,
    name: str,
    words: str,
    run: case.Run,
    *,
    sure: str,
    kind: ButtonKind = ButtonKind.FILLED,
) -> case.Action:
    return case.Action(
        name,
        words,
        run,
        "tag",
        kind,
        running=texts("att.labels_of_vat.running"),
        right=Act.DECIDE,
        confirm=case.Confirm(sure, words, texts("att.no")),
    )


async def _give(
    context: case.ActionContext, _word: str, *, label: TaxLabel, in_vat: bool
) -> Literal["", "att.labels_of_vat.done", "att.labels_outside_vat.done"]:
    services = context.services
    if services.in_vat is not in_vat:
        return ""
    await relabelling.relabel(services, label, in_vat=in_vat)
    return "att.labels_outside_vat.done" if in_vat else "att.labels_of_vat.done"


class LabelsThatDoNotFit(case.Source):
    """Counts these articles whenever the catalogue was written. While it can't be read, the last
    count stays."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self._since = services.till.clock.now()
        self._many = 0
        self._counted: tuple[bool, int] | None = None
        """The answer about VAT, and what the catalogue was like, when they were counted."""

    def cases(self, reading: case.Reading) -> Iterable[case.Case]:
        in_vat = self.services.in_vat
        self._count(reading, in_vat=in_vat)
        if not self._many:
            return
        told = self.services.rates_told
        if in_vat:
            offered = relabelling.choices(self.services, in_vat=True)
            yield LabelsOutsideVat(
                id=_ID, since=self._since, articles=self._many, offered=offered, told=told
            )
        else:
            spelled = relabelling.label_outside_vat(self.services)
            yield LabelsOfVat(
                id=_ID, since=self._since, articles=self._many, spelled=spelled, told=told
            )

    def _count(self, reading: case.Reading, *, in_vat: bool) -> None:
        services = self.services
        try:
            counted = (in_vat, services.catalogue.generation())
            if counted == self._counted:
                return
            many = services.table.labelled(doubtful_labels(in_vat=in_vat)).count
            if many and in_vat and services.table.labelled(doubtful_labels(in_vat=False)).count:
                many = 0
        except MachineError as error:
            if where_of(error) is Where.TILL:
                raise
            if self._counted is not None and self._counted[0] is not in_vat:
                self._many = 0
            return
        if many and not self._many:
            self._since = reading.now
        self._many, self._counted = many, counted
