"""Reads GS1 messages with biip, which knows the elements and their forms.

It takes much for a message that is none ("4006381333931" is element 400 to it), so `barcodes`
decides what it is asked about. Its tables take a tenth of a second to load, so no module imports it
at its begin: a till loads it once its window stands, and the first message does so elsewhere.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from pos_app.domain.article import gs1
from pos_app.domain.article.gs1 import Gs1Message

if TYPE_CHECKING:
    from biip.gs1_element_strings import GS1ElementString, GS1ElementStrings

_LAST_SLASH = re.compile(r"^([^?#]*)/(?=[?#]|$)")
"""That of the path, which says nothing."""
_WITHOUT_VALUE = re.compile(r"[?&;][0-9]{1,4}=?(?=[&;#]|$)")
"""An element of an address that broke off, which biip leaves out."""


def read_gs1(text: str) -> Gs1Message | None:
    """What a message says, or None if it cannot be read to its end: an element that nobody defined,
    one of a wrong form, a day that no calendar has."""
    from biip import ParseError  # noqa: PLC0415 - with the first message

    bare = gs1.without_aim(text)
    if gs1.is_address(bare) and _WITHOUT_VALUE.search(bare):
        return None
    try:
        said = _elements(bare)
    except (ParseError, ValueError):
        return None
    article = said.get(ai="01") or said.get(ai="02")
    if article is None or not all(one.value for one in said):
        return None
    count, last_day = said.get(ai="30") or said.get(ai="37"), said.get(ai="17") or said.get(ai="15")
    return Gs1Message(
        gtin=article.value,
        weight=_decimal(_first(said, "310")),
        price=_decimal(_first(said, "392") or _in_dinars(said)),
        count=int(count.value) if count is not None else None,
        good_until=last_day.date if last_day is not None else None,
        batch=_value(said.get(ai="10")),
        serial=_value(said.get(ai="21")),
    )


def verifier_of(value: str) -> int:
    """The digit that proves the four or five digits of a price or weight on a scale's label (GS1
    General Specifications 7.9.2)."""
    from biip.checksums import gs1_price_weight_check_digit  # noqa: PLC0415

    return gs1_price_weight_check_digit(value)


def _elements(bare: str) -> GS1ElementStrings:
    from biip.gs1_digital_link_uris import GS1DigitalLinkURI  # noqa: PLC0415
    from biip.gs1_messages import GS1Message  # noqa: PLC0415

    if gs1.is_address(bare):
        return GS1DigitalLinkURI.parse(_LAST_SLASH.sub(r"\1", bare)).element_strings
    if gs1.is_in_brackets(bare):
        bare = gs1.without_brackets(bare)
    return GS1Message.parse(bare.lstrip(gs1.FNC1)).element_strings


def _first(said: GS1ElementStrings, kind: str) -> GS1ElementString | None:
    """The first element of a kind whose last digit tells the decimals."""
    return next((one for one in said if one.ai.ai[:3] == kind), None)


def _in_dinars(said: GS1ElementStrings) -> GS1ElementString | None:
    priced = _first(said, "393")
    return priced if priced is not None and priced.pattern_groups[0] == gs1.DINAR else None


def _decimal(element: GS1ElementString | None) -> Decimal | None:
    return element.decimal if element is not None else None


def _value(element: GS1ElementString | None) -> str:
    return element.value if element is not None else ""
