"""Gives all articles whose label does not fit the shop's answer about VAT another label, as one
change of many articles that is planned whole and can be taken back in the catalogue.

A person starts it, in Attention or with the answer that is saved. Source: fiscal.md 2, 6.17.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from pos_app.cashier.services.slices import take_slice
from pos_app.cashier.services.till_services import TillServices
from pos_app.domain.money.tax import TaxLabel, doubtful_labels, is_of_vat, labels_of_shop
from pos_app.domain.setup.processor_setup import ProcessorChange
from pos_app.errors import NotAllowed, PosError
from pos_app.selling.catalogue import bulk_change
from pos_app.selling.catalogue.bulk_act import ActDone, PlannedRow
from pos_app.selling.catalogue.bulk_plan import row_of

POLL_SECONDS = 0.1
RELABEL = "relabel"
"""The name of the act that runs meanwhile; the till is not closed without asking."""


def label_outside_vat(services: TillServices) -> str | None:
    """The label for a shop outside VAT as the processor spells it: А while it told no rates. None
    where it has none for that, or several."""
    told = services.rates_told
    return TaxLabel.A.value if told is None else told.label_outside_vat


def choices(services: TillServices, *, in_vat: bool) -> tuple[TaxLabel, ...]:
    """The labels that articles may get which do not fit the answer. One of a shop in VAT is chosen
    among those that the processor offers; there are none while it told no rates."""
    if not in_vat:
        return () if label_outside_vat(services) is None else (TaxLabel.A,)
    told = services.rates_told
    offered = () if told is None else told.percent
    return tuple(
        label for label in labels_of_shop(in_vat=True) if is_of_vat(label) and label in offered
    )


async def relabel(services: TillServices, label: TaxLabel, *, in_vat: bool) -> None:
    """Give the label to all articles whose label does not fit the answer. The processor's own
    spelling of А is stored first where it has another. Raises PosError."""
    if label not in choices(services, in_vat=in_vat):
        raise NotAllowed("label_not_offered", label=label.value)
    if not in_vat:
        await _spell_outside_vat(services)
    unfit = doubtful_labels(in_vat=in_vat)
    found = services.table.labelled(unfit)
    rows = await _planned(services, found.products, bulk_change.LabelForAll(label, unfit))
    work = services.catalogue_files.change(rows, by=services.cashier)
    while (result := work.result()) is None:  # noqa: ASYNC110 - another process ends it
        await asyncio.sleep(POLL_SECONDS)
    error = result.error if isinstance(result, ActDone) else result
    if isinstance(error, PosError):
        raise error


async def _planned(
    services: TillServices, product_ids: Sequence[str], change: bulk_change.BulkChange
) -> list[PlannedRow]:
    rows = list[PlannedRow]()
    lines = bulk_change.preview(services.catalogue, product_ids, change)
    while not take_slice(lines, lambda line: rows.append(row_of(line))):  # noqa: ASYNC110 - it works
        await asyncio.sleep(0)
    return rows


async def _spell_outside_vat(services: TillServices) -> None:
    spelled = label_outside_vat(services)
    if spelled in (None, TaxLabel.A.value):
        return
    setup = services.processor_setup
    if setup is None:
        raise NotAllowed("label_not_offered", label=TaxLabel.A.value)
    label_map = {**(await setup.setup()).label_map, TaxLabel.A.value: spelled}
    await setup.change(ProcessorChange(label_map=label_map), by=services.cashier)
