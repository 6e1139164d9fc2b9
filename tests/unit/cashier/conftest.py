"""Shops on real databases, without a window."""

from __future__ import annotations

from tests.gui.window.shop_fixtures import shop, shop_data, template

__all__ = ["shop", "shop_data", "template"]
