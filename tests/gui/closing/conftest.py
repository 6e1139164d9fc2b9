"""The till's window over a server in memory, or over a real one."""

from tests.gui.window.hands import hands, little, sell_in, theme
from tests.gui.window.real_till import real
from tests.gui.window.shop_fixtures import bare_template as template
from tests.gui.window.shop_fixtures import shop, shop_data

__all__ = ["hands", "little", "real", "sell_in", "shop", "shop_data", "template", "theme"]
