"""The till's window on a shop of its own, and the cashier's hands."""

from tests.gui.window.conftest import anew
from tests.gui.window.hands import hands, sell_in, theme
from tests.gui.window.shop_fixtures import bare_template as template
from tests.gui.window.shop_fixtures import shop, shop_data

__all__ = ["anew", "hands", "sell_in", "shop", "shop_data", "template", "theme"]
