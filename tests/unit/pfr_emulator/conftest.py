"""A processor in a fresh folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pos_app.pfr_emulator.processor import Processor
from pos_app.pfr_emulator.seal import KEY_FILE, open_key

NOON = datetime(2026, 1, 5, 8, 7, 3, 125_999, tzinfo=UTC)


@pytest.fixture(scope="session")
def made_key(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """One signing key for all tests: making one takes longer than most tests."""
    folder = tmp_path_factory.mktemp("key")
    open_key(folder)
    return (folder / KEY_FILE).read_bytes()


@pytest.fixture
def open_processor(tmp_path: Path, made_key: bytes) -> Iterator[Callable[..., Processor]]:
    """Opens processors in the test's folder; all are closed at its end."""
    opened: list[Processor] = []

    def open_one(**given: Any) -> Processor:
        given = {"folder": tmp_path / "pfr", "clock": lambda: NOON, **given}
        given["folder"].mkdir(exist_ok=True)
        (given["folder"] / KEY_FILE).write_bytes(made_key)
        opened.append(Processor.open(**given))
        return opened[-1]

    yield open_one
    for processor in opened:
        processor.close()


@pytest.fixture
def processor(open_processor: Callable[..., Processor]) -> Processor:
    """An L-PFR at 9:07:03 in Belgrade."""
    return open_processor()
