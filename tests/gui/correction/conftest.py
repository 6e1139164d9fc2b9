"""The till's window over a real server."""

from tests.gui.window.hands import sell_in, theme
from tests.gui.window.real_till import real
from tests.gui.window.shop_fixtures import bare_template as template

__all__ = ["real", "sell_in", "template", "theme"]
