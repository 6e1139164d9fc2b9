"""The server moves to another port by the settings: till and server as programs."""

from __future__ import annotations

import pytest

from tests.e2e.people_at_till import answers
from tests.e2e.shop import Shop
from tests.ports import free_ports
from tests.sweep import sampled


@pytest.mark.deadline(150)
@pytest.mark.parametrize("by_hand", sampled([False, True]))
async def test_the_server_answers_at_its_new_port_once_the_till_is_opened_anew(
    shop: Shop, by_hand: bool
) -> None:
    """by_hand: somebody else started the server that the first till uses."""
    (port,) = free_ports(1)
    shop.processor()
    if by_hand:
        shop.server()
    words = ["-m", "tests.e2e.people_at_till", "moves", str(shop.data), str(port)]
    till = shop.run(*words, name="till")
    till.until(lambda: till.is_over, seconds=120)
    assert till.lines("saved") == [["saved", str(shop.port), "200", "0"]], till.errors()
    assert till.lines("sold") == [["sold", "done", str(port), "200"]], till.errors()
    assert (await answers(shop.port), await answers(port)) == (0, 0)
    assert f"port = {port}" in (shop.data / "settings.toml").read_text(encoding="utf-8")
