"""Words for what a platform says of one field, as `pos_app/wire/reading.py` and the platforms of
others word it. What is not known here is told in general; the platform's own line stands behind
"Details"."""

from __future__ import annotations

import re
from collections.abc import Callable

from pos_app.cashier.texts.lookup import Texts

_TOLD: tuple[tuple[re.Pattern[str], Callable[[Texts, int], str]], ...] = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"is required$", lambda texts, _: texts("fault.field.required")),
        (r"must have (\d+) digits", lambda texts, n: texts.count("fault.field.digits", n)),
        (
            r"length must be less than or equal to (\d+)",
            lambda texts, n: texts.count("fault.field.length", n),
        ),
        (r"must be (?:a number|an integer|a whole number)", lambda texts, _: texts("number.only")),
        (r"must be greater than 0$", lambda texts, _: texts("fault.field.above_zero")),
        (r"must be greater than or equal to 0", lambda texts, _: texts("fault.field.negative")),
        (r"already exists", lambda texts, _: texts("fault.field.taken")),
        (r"does not exist", lambda texts, _: texts("fault.field.missing")),
    )
)


def field_fault_words(error: str, texts: Texts) -> str:
    """Return words for what is wrong with the field that an error names."""
    for pattern, words in _TOLD:
        if told := pattern.search(error):
            return words(texts, int(told[1]) if told.groups() else 0)
    return texts("fault.field.refused")
