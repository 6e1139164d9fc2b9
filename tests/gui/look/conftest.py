"""The look on the one application of the tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from pos_app.cashier.look.look import Look
from tests.gui.pictures import styled


@pytest.fixture
def look(qapp: QApplication) -> Iterator[Look]:
    """A light look, applied to the application; taken off again at the end."""
    with styled(qapp, Look()) as made:
        yield made
