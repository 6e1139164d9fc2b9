"""The look that was chosen at the till stays for later starts."""

from __future__ import annotations

import pytest

from pos_app import settings
from tests.gui.window.hands import sell_in, theme
from tests.gui.window.real_till import RealTill, real
from tests.gui.window.shop_fixtures import bare_template as template

__all__ = ["real", "sell_in", "template", "theme"]


@pytest.mark.long
async def test_a_theme_and_a_language_of_the_menu_are_there_after_a_kill(real: RealTill) -> None:
    data = real.shop.data
    before = settings.load(data).till
    assert (before.theme, before.language) == ("light", "sr-Cyrl")
    async with real.at_work():
        await real.press("F9")
        await real.tap_words("Изглед: Тамни изглед")
        await real.press("F9")
        await real.tap_words("Језик: English")
        now = settings.load(data).till  # the next start reads this, however this one ends
        assert (now.theme, now.language) == ("dark", "en")
        assert real.hands.window.theme.palette.name == "dark"
