"""How this shop reads codes, by its settings: for a scan, a form and the process of an import."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.domain.article.barcodes import CodeRules
from pos_app.domain.article.gs1 import Gs1Message
from pos_app.domain.article.scale_labels import ScaleLayout, ScaleRules
from pos_app.settings import Settings


def code_rules(
    settings: Settings,
    read_gs1: Callable[[str], Gs1Message | None],
    verifier_of: Callable[[str], int],
) -> CodeRules:
    """read_gs1, verifier_of: as in the rules."""
    layouts = tuple(map(ScaleLayout.of, settings.scales.layouts))
    return CodeRules(
        ScaleRules(layouts, verifier_of),
        read_gs1,
        asks_edition_price=settings.till.edition_price == "ask",
        keeps_batch=settings.till.keep_batch,
    )
