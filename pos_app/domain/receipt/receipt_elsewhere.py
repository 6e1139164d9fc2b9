"""The shop's other tills are asked for a receipt through the platform.

The server fills these in and the till reads them. Source: till.md ("Receipts"),
platform-contract.md 2.6, 2.7.
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from pos_app.domain.receipt.receipt_overview import PaidBy, PaidOfLabel
from pos_app.lazy_dataclass import dataclass


class SearchEnd(StrEnum):
    NOT_ASKED = "not_asked"
    """The shop is not in public mode."""
    FOUND = "found"
    NOBODY = "nobody"
    """Every other till of the store was asked and has none."""
    PARTLY = "partly"
    """No till that answered has it; some did not answer."""
    AWAY = "away"
    """The platform can't be reached, or did not answer."""
    REFUSED = "refused"
    """The platform does not let this till ask."""


@dataclass(frozen=True, slots=True)
class SearchElsewhere:
    """not_connected: the names of tills that were away; silent: the names of tills that did not
    answer in time. till: the name of the till that has the receipt.

    The other members come from the journal of the found receipt, as far as it can be read;
    by_label: the gross amounts by tax label, empty if the lines don't add up to the receipt's
    total.
    """

    end: SearchEnd
    not_connected: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    till: str = ""
    verification_url: str = field(default="", repr=False)
    payments: tuple[PaidBy, ...] = ()
    by_label: tuple[PaidOfLabel, ...] = ()
