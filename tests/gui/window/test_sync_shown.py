"""The status line tells how far a synchronisation is, and no longer than it runs."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path

from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.sync_process import SyncProcess
from pos_app.cashier.window.till_window import TICK_MS
from tests.fakes.foreign_platform import ForeignPlatform
from tests.gui.parts import pass_time
from tests.gui.patience import until
from tests.gui.window.hands import SellIn
from tests.gui.window.shop import Shop


async def test_the_progress_of_a_synchronisation_ends_with_it(
    shop: Shop, sell_in: SellIn, tmp_path: Path
) -> None:
    chosen = shop.services.settings
    data = chosen.data
    open_install(tmp_path / "new", environment=chosen.environment)
    shutil.copy(tmp_path / "new" / "install.json", data)
    with ForeignPlatform().open() as platform:
        for number in range(300):
            platform.add(name=f"Артикал {number}", sku=7000 + number, price=100)
        words = f'url = "{platform.url}"\nkey = "{platform.key}"\njoin = "read"\n'
        (data / "settings.toml").write_text(f"[platform]\n{words}")
        secrets = data / "secrets.toml"
        secrets.write_text(f'platform_secret = "{platform.secret}"\n')
        secrets.chmod(0o600)
        sync = SyncProcess(data=data, minutes=0)
        shop.services = replace(shop.services, sync=sync)
        hands = sell_in(shop)

        def shown() -> str:
            return " ".join(one.state for one in hands.window.status.shown_items())

        def shown_after_a_tick() -> str:
            pass_time(hands.window, TICK_MS)
            return shown()

        running = asyncio.create_task(sync.run())
        try:
            await until(lambda: "од 300" in shown_after_a_tick())
            await until(lambda: sync.progress is None)
            assert "од 300" not in shown_after_a_tick()
        finally:
            running.cancel()
