"""The look of the sale on the one application of the tests."""

from tests.gui.ui.conftest import qtbot, theme

__all__ = ["qtbot", "theme"]
