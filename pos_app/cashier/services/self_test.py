"""The self-test of a till, from its services; and its findings in words."""

from __future__ import annotations

from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.texts.lookup import Texts
from pos_app.selling.sale.receipt_drafts import PAPER
from pos_app.selling.server.monitor import ServerLink
from pos_app.selling.server.self_test import Finding, MachineFacts, self_test

COUNTED = frozenset({"certificate_days", "waits", "apart", "free", "days", "hours"})
"""Findings that are shown with a number."""


def tested(services: TillServices, machine: MachineFacts) -> tuple[Finding, ...]:
    """machine: the facts that the computer gave."""
    ways, server = services.ways_here, services.server
    return self_test(
        status=server.status if server.link is ServerLink.OURS else None,
        last=next((one for one in services.sales.last(50) if one.receipt is not None), None),
        machine=machine,
        has_platform=services.has_platform,
        synced_at=services.catalogue.facts().synced_at,
        has_printer=not ways.isdisjoint(PAPER),
        gives_paper=not services.usual_delivery.is_without_paper,
        now=services.till.clock.now(),
    )


def finding_words(finding: Finding, texts: Texts) -> str:
    text_id = f"shift.test.{finding.what}.{finding.why}"
    return texts.count(text_id, finding.number) if finding.why in COUNTED else texts(text_id)
