"""Tax labels in JSON: Cyrillic letters, two of which look like Latin ones that callers type."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import Invalid

_MEANT = {
    "A": TaxLabel.A,
    "E": TaxLabel.E,
    "G": TaxLabel.G,
    "\u0110": TaxLabel.DJ,
    "\u00d0": TaxLabel.DJ,
    "DJ": TaxLabel.DJ,
}
"""Latin letters that look or sound like a label; the first two look the same."""


def tax_label(text: str) -> TaxLabel:
    """The label. Raises Invalid, which points out a Latin letter typed for a Cyrillic one."""
    try:
        return TaxLabel(text)
    except ValueError:
        raise Invalid("worded.label", latin=latin_letter(text)) from None


def latin_letter(text: str) -> str:
    """A continuation of an error's words for a label in Latin letters; "" for other texts."""
    meant = _MEANT.get(text.strip().upper())
    if meant is None:
        return ""
    return (
        f': "{text.strip()}" is Latin, the label is the Cyrillic {meant.value}'
        f" (U+{ord(meant.value):04X})"
    )


def _checked(text: str) -> str:
    try:
        return tax_label(text).value
    except Invalid as error:
        raise PydanticCustomError("label", "{words}", {"words": error.what}) from error


LabelText = Annotated[str, AfterValidator(_checked), Field(json_schema_extra={"enum": [*TaxLabel]})]
