"""A processor is away for eleven minutes with a receipt in doubt; the programs are real."""

from __future__ import annotations

import signal

import pytest

from tests.e2e import audit
from tests.e2e.restored import Asker
from tests.e2e.shop import Shop
from tests.e2e.test_restored import sold, until
from tests.proofs import Proof

pytestmark = pytest.mark.faults


@pytest.mark.long
@pytest.mark.parametrize("fault", ["drop", "sign_then_drop"])
def test_the_processor_is_away_for_eleven_minutes(shop: Shop, fault: str, proof: Proof) -> None:
    """A person is asked; when the processor is back it is asked first, before it gets the next
    sale."""
    running, asker = shop.processor(), Asker(shop)
    words = ("-m", "tests.e2e.fast_time", "server", "--data", str(shop.data))
    server = shop.run(*words, name="fast", is_real=True)
    server.until(lambda: server.lines("http"))
    sold(asker, 1)
    shop.change(unreachable=["lookup"])
    shop.fault(fault)
    assert asker.sell(2).members["class"] == "unknown"
    running.stop()
    server.child.send_signal(signal.SIGUSR1)
    until(lambda: asker.look(2).members.get("state") == "needs_human", seconds=60.0)
    server.child.send_signal(signal.SIGUSR2)
    shop.processor()
    until(lambda: asker.sell(3).number)
    assert [entry.request_id for entry in audit.ledger(shop)] == [
        asker.name_of(number) for number in ((1, 2, 3) if fault == "sign_then_drop" else (1, 3))
    ]
    if fault == "drop":
        waiting = asker.look(2)
        assert (waiting.status, waiting.members["state"]) == (202, "needs_human")
        said = asker.as_manager(f"/till/doubts/{waiting.members['receiptId']}/absent")
        assert said.members == {"state": "released"}
    else:
        assert asker.look(2).number
    sold(asker, 2)
    for number in (1, 2, 3):
        proof.count(signed=asker.signed(number))
    assert (proof.lost, proof.doubled) == (0, 0)
    assert asker.status()["alarms"] == []
