"""Articles whose tax labels do not fit a shop that is not in the system of VAT.

Such a shop signs no label of VAT, so its sales of these articles are refused, and one act relabels
them all. A shop in VAT may sell goods with А: their count is told where it enters VAT. Source:
fiscal.md 2.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from pos_app.cashier.attention.cases import case
from pos_app.cashier.services import TillServices
from pos_app.cashier.storage_faults import Where, where_of
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import ButtonKind
from pos_app.domain.tax import doubtful_labels, usual_label
from pos_app.errors import MachineError, PosError
from pos_app.selling.catalogue import bulk_change
from pos_app.selling.catalogue.bulk_act import ActDone
from pos_app.selling.people.rights import Act

POLL_SECONDS = 0.1
RELABEL = "relabel"


@dataclass(frozen=True, kw_only=True)
class LabelsOfVat(case.Case):
    """Articles that can't be sold, because the shop is not in the system of VAT."""

    kind = "labels_of_vat"
    icon = ("percent", "warn")

    articles: int

    def text_of(self, texts: Texts, text_id: str, **values: object) -> str:
        return texts.count(text_id, self.articles, **values)

    def about(self, texts: Texts, facts: case.CaseFacts, *, lines: int) -> str:
        return texts("att.why.labels_of_vat")

    def steps(self, texts: Texts, facts: case.CaseFacts) -> tuple[case.Step, ...]:
        words = texts("att.labels_of_vat.relabel")
        relabel = case.Action(
            RELABEL,
            words,
            relabel_all,
            "tag",
            ButtonKind.FILLED,
            running=texts("att.labels_of_vat.running"),
            right=Act.DECIDE,
            confirm=case.Confirm(
                texts.count("att.labels_of_vat.sure", self.articles),
                words,
                texts("att.labels_of_vat.no"),
            ),
        )
        title, words = texts("att.labels_of_vat.step"), texts("att.labels_of_vat.words")
        return (case.Step(title, words, case.StepState.CURRENT, rows=((relabel,),)),)


async def relabel_all(context: case.ActionContext, _word: str) -> str:
    """Give all these articles the label of a shop outside VAT, as one change of many articles that
    can be taken back in the catalogue."""
    services = context.services
    if services.in_vat:
        return ""
    found = services.table.labelled(doubtful_labels(in_vat=False))
    change = bulk_change.LabelForAll(usual_label(in_vat=False))
    work = services.catalogue_files.change(found.products, change, by=services.cashier)
    while (result := work.result()) is None:  # noqa: ASYNC110 - another process ends it
        await asyncio.sleep(POLL_SECONDS)
    error = result.error if isinstance(result, ActDone) else result
    if isinstance(error, PosError):
        raise error
    return "att.labels_of_vat.done"


class LabelsThatDoNotFit(case.Source):
    """Counts these articles whenever the catalogue was written. While it can't be read, the last
    count stays."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self._since = services.till.clock.now()
        self._many = 0
        self._generation: int | None = None
        """What the catalogue was like when they were counted."""

    def cases(self, reading: case.Reading) -> Iterable[case.Case]:
        if self.services.in_vat:
            self._many, self._generation = 0, None
            return
        self._count(reading)
        if self._many:
            yield LabelsOfVat(id="tax labels", since=self._since, articles=self._many)

    def _count(self, reading: case.Reading) -> None:
        services = self.services
        try:
            generation = services.catalogue.generation()
            if generation == self._generation:
                return
            many = services.table.labelled(doubtful_labels(in_vat=False)).articles
        except MachineError as error:
            if where_of(error) is Where.TILL:
                raise
            return
        if many and not self._many:
            self._since = reading.now
        self._many, self._generation = many, generation
