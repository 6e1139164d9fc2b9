"""A fiscal item carries its unit behind its name, and both are found again (fiscal.md 6.9)."""

from __future__ import annotations

from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.request import FrozenArticle, name_and_unit
from tests.sweep import each


@each(
    ("printed", "name", "unit"),
    [
        ("Јабуке/кг", "Јабуке", "кг"),
        ("Laminat/m²", "Laminat", "m²"),
        ("Sok 1/2", "Sok 1/2", ""),
        ("Sok 1/2/kom.", "Sok 1/2", "kom."),
        ("Kafa/čaj 200 g", "Kafa/čaj 200 g", ""),
        ("Hleb", "Hleb", ""),
        ("/kg", "/kg", ""),
        ("Hleb/", "Hleb/", ""),
    ],
)
def test_what_was_printed_together_is_found_apart(printed: str, name: str, unit: str) -> None:
    assert name_and_unit(printed) == (name, unit)
    assert FrozenArticle(name, TaxLabel("А"), unit).printed_name == printed
