"""Both databases, for every test that asks for `database`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.postgresql import postgresql
from tests.integration.platform_api.hosted import DatabasePlace


@pytest.fixture(scope="session")
def postgresql_address() -> Iterator[str]:
    with postgresql() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, folder: Path) -> DatabasePlace:
    """Return a platform's database: each test runs on both kinds."""
    is_file = request.param == "sqlite"
    address = "" if is_file else request.getfixturevalue("postgresql_address")
    return DatabasePlace(address, folder)


@pytest.fixture
def file_database(folder: Path) -> DatabasePlace:
    return DatabasePlace("", folder)
