from __future__ import annotations

from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.fakes.escpos_device import EscposDevice, on_network
from tests.gui.parts import lines_of
from tests.gui.reports.test_reports import BREAD, opened, there
from tests.gui.window import real_till
from tests.gui.window.hands import SellIn
from tests.gui.window.real_till import RealTill
from tests.ports import free_ports


@pytest.fixture
def printing(tmp_path: Path, template: Path, sell_in: SellIn) -> Iterator[tuple[RealTill, int]]:
    (port,) = free_ports(1)
    told = f'[printer]\nkind = "network"\naddress = "127.0.0.1:{port}"\n'
    with real_till.opened(tmp_path, template, sell_in, told=told) as real:
        yield real, port


@pytest.mark.long
async def test_it_comes_out_of_the_receipt_printer(printing: tuple[RealTill, int]) -> None:
    real, port = printing
    printer = EscposDevice()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(on_network(printer, port=port))
        await stack.enter_async_context(real.at_work())
        await real.sold(BREAD)
        screen = await opened(real)
        await there(real, screen)
        before = len(printer.printed)
        await real.type("p")
        await real.until(lambda: len(printer.printed) > before)
        await real.until(lambda: "Предато штампачу" in " ".join(lines_of(screen)))
