"""The meaning of a tax label on a day."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

from pos_app.domain.money import tax

NEW_YEAR = datetime(2027, 1, 1, tzinfo=UTC)
BEFORE = datetime(2026, 12, 31, 22, 59, tzinfo=UTC)
NOW = tax.TaxRates(datetime(2015, 1, 1, tzinfo=UTC), {"Ђ": Decimal(20), "Е": Decimal(10)})
THEN = tax.TaxRates(
    NEW_YEAR, {"Ђ": Decimal(22), "Е": Decimal(8), "Г": Decimal(5), "F": Decimal(11)}
)


def test_rates_change_on_their_day() -> None:
    for moment, general in ((BEFORE, 20), (NEW_YEAR, 22)):
        assert tax.rates_by_label((THEN, NOW), moment)[tax.TaxLabel.DJ] == general
    told = dict(tax.rates_by_label((NOW, THEN), NEW_YEAR))
    assert told == {tax.TaxLabel.DJ: 22, tax.TaxLabel.E: 8, tax.TaxLabel.G: 5, tax.TaxLabel.A: 0}


def test_the_published_ones_stand_in_for_what_nobody_told() -> None:
    assert tax.rates_by_label((), NEW_YEAR) == tax.PUBLISHED_RATES
    assert tax.rates_by_label((THEN,), BEFORE) == tax.PUBLISHED_RATES
    sandbox = tax.TaxRates(NOW.valid_from, {"F": Decimal(11)})
    assert tax.rates_by_label((sandbox,), NEW_YEAR) == tax.PUBLISHED_RATES
