"""Words about a last sale that calls for a person, and about printer and drawer: key -> (Serbian
Cyrillic, English).

`last.care.…` is the strip's headline, with a `.short` one where it is narrow; `last.told.…` has the
parts of the notice over an empty cart.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

LAST: Mapping[str, tuple[str, str]] = MappingProxyType({
    "last.solve": ("Реши", "Solve"),
    "last.solve_name": ("Реши: {what}", "Solve: {what}"),
    "last.amount_of": ("износ {total}", "amount {total}"),
    # --- the strip -------------------------------------------------------------------------------
    "last.care.refused.short": ("Није издат", "Not issued"),
    "last.care.doubt.short": ("У сумњи", "In doubt"),
    "last.care.unreadable.short": ("Нечитљив", "Unreadable"),
    "last.care.unprinted": ("издат, није одштампан", "issued, not printed"),
    "last.care.unprinted.short": ("Није одштампан", "Not printed"),
    "last.care.perhaps_printed": ("издат, можда није одштампан", "issued, perhaps not printed"),
    "last.care.perhaps_printed.short": ("Можда без папира", "Perhaps no paper"),
    "last.care.unsent": ("издат, није послат е-поштом", "issued, e-mail not sent"),
    "last.care.unsent.short": ("Није послат", "Not sent"),
    "last.care.perhaps_sent": ("издат, можда није послат", "issued, perhaps not sent"),
    "last.care.perhaps_sent.short": ("Можда није послат", "Perhaps not sent"),
    # --- the notice over an empty cart -----------------------------------------------------------
    "last.told.refused": ("Рачун није издат", "The receipt was not issued"),
    "last.told.refused.safe": (
        "Продаја је сачувана, али купац још нема рачун.",
        "The sale is kept, but the customer has no receipt yet.",
    ),
    "last.told.doubt": (
        "Не зна се да ли је рачун издат",
        "It is not known whether the receipt was issued",
    ),
    "last.told.doubt.safe": (
        "Продаја је сачувана и не шаље се два пута.",
        "The sale is kept, and is not sent twice.",
    ),
    "last.told.unreadable": (
        "Рачун је издат, али сервер не може да га прочита",
        "The receipt is issued, but the server can't read it",
    ),
    "last.told.unreadable.safe": (
        "Важи под својим бројем; не издајте га поново.",
        "It is valid under its number; do not issue it again.",
    ),
    "last.told.unprinted": (
        "Рачун је издат, али није одштампан",
        "The receipt is issued, but not printed",
    ),
    "last.told.unprinted.safe": (
        "Узрок: {trouble}. Кад се отклони, рачун се штампа сам.",
        "Why: {trouble}. Once that is fixed, the paper comes out by itself.",
    ),
    "last.told.unprinted.failed": (
        "Узрок: {trouble}. Сам се више неће одштампати.",
        "Why: {trouble}. It will not come out by itself any more.",
    ),
    "last.told.perhaps_printed": (
        "Рачун је издат, можда није одштампан",
        "The receipt is issued, and perhaps not printed",
    ),
    "last.told.perhaps_printed.safe": (
        "Погледајте да ли је рачун цео одштампан.",
        "Look whether the paper came out whole.",
    ),
    "last.told.unsent": (
        "Рачун је издат, али није послат е-поштом",
        "The receipt is issued, but its e-mail was not sent",
    ),
    "last.told.unsent.safe": ("Узрок: {trouble}.", "Why: {trouble}."),
    "last.told.perhaps_sent": (
        "Рачун је издат, е-пошта можда није послата",
        "The receipt is issued, its e-mail perhaps not sent",
    ),
    "last.told.perhaps_sent.safe": ("Узрок: {trouble}.", "Why: {trouble}."),
    # --- the bottom line -------------------------------------------------------------------------
    "status.printer": ("Штампач", "Printer"),
    "status.printer.other": ("не штампа", "does not print"),
    "status.printer.away": ("се не јавља", "does not answer"),
    "status.printer.busy": ("је заузет", "is busy"),
    "status.printer.offline": ("искључен или није повезан", "is off or not connected"),
    "status.printer.paper_out": ("нема папира", "has no paper"),
    "status.printer.cover_open": ("отворен поклопац", "has its cover open"),
    "status.printer.cutter": ("заглављен секач папира", "has its paper cutter stuck"),
    "status.printer.not_set_up": ("није подешен", "is not set up"),
    "status.printing": ("Штампа", "Printing"),
    "status.printing.decide": (
        "{n} папир тражи одлуку|{n} папира траже одлуку|{n} папира тражи одлуку",
        "{n} paper needs a decision|{n} papers need a decision",
    ),
    "status.drawer": ("Фиока", "Drawer"),
    "status.drawer.shut": ("није се отворила", "did not open"),
    "status.drawer.unknown": ("можда се није отворила", "perhaps did not open"),
    # --- the drawer that was to open with a sale -------------------------------------------------
    "drawer_of_sale.refused": ("Фиока се није отворила", "The drawer did not open"),
    "drawer_of_sale.refused.safe": ("Продаја је сачувана.", "The sale is kept."),
    "drawer_of_sale.refused.do": (
        "Отворите је кључем или са F10; проверите штампач и кабл фиоке.",
        "Open it with its key or F10; look at the printer and the drawer's cable.",
    ),
    "drawer_of_sale.not_delivered": (
        "Фиока се није отворила: сервер није доступан",
        "The drawer did not open: the server is not available",
    ),
    "drawer_of_sale.not_delivered.safe": ("Продаја је сачувана.", "The sale is kept."),
    "drawer_of_sale.not_delivered.do": (
        "Отворите је кључем.",
        "Open it with its key.",
    ),
    "drawer_of_sale.outcome_unknown": (
        "Не зна се да ли се фиока отворила",
        "It is not known whether the drawer opened",
    ),
    "drawer_of_sale.outcome_unknown.safe": ("Продаја је сачувана.", "The sale is kept."),
    "drawer_of_sale.outcome_unknown.do": (
        "Погледајте је; ако је затворена, притисните F10.",
        "Look at it; if it is shut, press F10.",
    ),
    "works.not_printed": (
        "Продаја и рачуни раде; папир се не штампа",
        "Selling and receipts work; no paper comes out",
    ),
})  # fmt: skip
