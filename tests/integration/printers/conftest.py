"""One real CUPS for the whole run, if the machine has one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.integration.printers import cups


@pytest.fixture(scope="session")
def service() -> Iterator[cups.Cups]:
    if cups.WHY_NOT:
        pytest.skip(f"a CUPS of the tests' own {cups.WHY_NOT}")
    with cups.running() as running:
        yield running
