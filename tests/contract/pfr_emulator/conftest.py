"""Processors served over real HTTP, the control port beside the protocol's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from pos_app.pfr_emulator.app import create_app
from pos_app.pfr_emulator.control import create_control_app
from pos_app.pfr_emulator.processor import Processor
from pos_app.pfr_emulator.seal import KEY_FILE, open_key
from tests.contract.pfr_emulator.device import Device, Servers
from tests.fakes.no_tls import NO_TLS


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    """All servers of the session; they must all have stopped at its end."""
    servers = Servers()
    yield servers
    servers.join()


@pytest.fixture(scope="session")
def made_key(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """One signing key for all tests: making one takes longer than most tests."""
    folder = tmp_path_factory.mktemp("key")
    open_key(folder)
    return (folder / KEY_FILE).read_bytes()


@pytest.fixture
def serve(tmp_path: Path, made_key: bytes, servers: Servers) -> Iterator[Callable[..., Device]]:
    """Serves processors opened with the given arguments until the test ends."""
    with ExitStack() as stack:

        def serve_one(**given: Any) -> Device:
            folder = tmp_path / "pfr"
            folder.mkdir(exist_ok=True)
            (folder / KEY_FILE).write_bytes(made_key)
            processor = Processor.open(folder=folder, **given)
            stack.callback(processor.close)
            url = stack.enter_context(servers.serving(create_app(processor)))
            control_url = stack.enter_context(servers.serving(create_control_app(processor)))
            pac = {"PAC": processor.options.pac} if processor.mode == "vpfr" else {}
            client = httpx.Client(
                base_url=url, headers=pac, trust_env=False, timeout=10, verify=NO_TLS
            )
            control = httpx.Client(base_url=control_url, trust_env=False, timeout=10, verify=NO_TLS)
            stack.enter_context(client)
            stack.enter_context(control)
            return Device(processor, folder, url, client, control)

        yield serve_one


@pytest.fixture
def lpfr(serve: Callable[..., Device]) -> Device:
    return serve()


@pytest.fixture
def vpfr(serve: Callable[..., Device]) -> Device:
    """A served V-PFR; its client sends the PAC."""
    return serve(mode="vpfr")


@pytest.fixture
def sale() -> dict[str, Any]:
    return {
        "invoiceType": 0,
        "transactionType": 0,
        "cashier": "Пера",
        "invoiceNumber": "123/1.0",
        "payment": [{"amount": 241.00, "paymentType": 1}],
        "items": [
            {
                "name": "Кафа /ком",
                "quantity": 2,
                "unitPrice": 120.50,
                "totalAmount": 241.00,
                "labels": ["Ђ"],
            }
        ],
        "options": {"omitQRCodeGen": "1"},
    }
