"""Whose article codes are whose: the range of this till."""

from __future__ import annotations

from pos_app.adapters.install import open_install
from pos_app.selling.synchronisation.run import range_of
from pos_app.settings import Settings


def codes_of_till(settings: Settings) -> range:
    """The article codes for what is made at this till."""
    told = settings.platform
    if told.sku_to:
        return range(told.sku_from, told.sku_to + 1)
    install = open_install(settings.data, environment=settings.environment)
    return range_of(install.till_id)
