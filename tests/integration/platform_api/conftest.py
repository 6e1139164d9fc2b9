"""Both databases, for every test that asks for `database`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.postgresql import postgresql
from tests.fakes.ready_platform import ready_platform
from tests.integration.platform_api.hosted import DatabasePlace
from tests.sweep import alternated


@pytest.fixture(scope="session")
def postgresql_address() -> Iterator[str]:
    with postgresql() as address:
        yield address


KINDS = ("sqlite", "postgresql")
ON_BOTH = {"test_database", "test_relay_rows", "test_schemas", "test_turns_of_slow_work"}
"""Modules about what the databases do differently (locks, rows that are taken, lost connections):
their tests always run on both."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.module.__name__.rpartition(".")[2] not in ON_BOTH:
        alternated(metafunc, "database", KINDS)
    elif "database" in metafunc.fixturenames:
        metafunc.parametrize("database", KINDS, indirect=True)


@pytest.fixture
def database(request: pytest.FixtureRequest, folder: Path) -> DatabasePlace:
    """Return a platform's database; `make faults` runs each test on both kinds."""
    if request.param == "postgresql":
        return DatabasePlace(request.getfixturevalue("postgresql_address"), folder)
    is_about_tables = request.module.__name__.endswith("test_database")
    return DatabasePlace("", folder if is_about_tables else ready_platform(folder))


@pytest.fixture
def file_database(folder: Path) -> DatabasePlace:
    return DatabasePlace("", ready_platform(folder))


@pytest.fixture
def shared(postgresql_address: str, folder: Path) -> DatabasePlace:
    """Return the database of several workers."""
    return DatabasePlace(postgresql_address, folder)
