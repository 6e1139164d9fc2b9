"""Both databases, for every test that asks for `database`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.postgresql import postgresql
from tests.fakes.ready_platform import ready_platform
from tests.integration.platform_api.hosted import Place
from tests.sweep import alternated


@pytest.fixture(scope="session")
def postgresql_address() -> Iterator[str]:
    with postgresql() as address:
        yield address


KINDS = ("sqlite", "postgresql")
ON_BOTH = {"test_database", "test_relay_rows", "test_turns_of_slow_work"}
"""Modules about what the databases do differently: their tests always run on both."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.module.__name__.rpartition(".")[2] not in ON_BOTH:
        alternated(metafunc, "database", KINDS)
    elif "database" in metafunc.fixturenames:
        metafunc.parametrize("database", KINDS, indirect=True)


@pytest.fixture
def database(request: pytest.FixtureRequest, folder: Path) -> Place:
    """Return a platform's database; `make faults` runs each test on both kinds."""
    if request.param == "postgresql":
        return Place(request.getfixturevalue("postgresql_address"), folder)
    is_about_tables = request.module.__name__.endswith("test_database")
    return Place("", folder if is_about_tables else ready_platform(folder))


@pytest.fixture
def file_database(folder: Path) -> Place:
    return Place("", ready_platform(folder))


@pytest.fixture
def shared(postgresql_address: str, folder: Path) -> Place:
    """Return the database of several workers."""
    return Place(postgresql_address, folder)
