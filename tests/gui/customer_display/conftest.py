"""The till's window, alone or over a real server."""

from tests.gui.window.conftest import anew
from tests.gui.window.hands import hands, sell_in, theme
from tests.gui.window.real_till import real
from tests.gui.window.shop_fixtures import bare_template as template
from tests.gui.window.shop_fixtures import shop, shop_data

__all__ = ["anew", "hands", "real", "sell_in", "shop", "shop_data", "template", "theme"]
