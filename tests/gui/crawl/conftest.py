"""The look of the sale on the one application of the tests."""

from __future__ import annotations

from tests.gui.look.conftest import look, qtbot

__all__ = ["look", "qtbot"]
