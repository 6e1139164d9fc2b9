"""A server with a low limit of open files: callers that only connect take none away from a sale."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from pos_app.adapters.http_server.protocol import ConnectionLimits
from tests.fakes.no_tls import NO_TLS
from tests.integration.test_server_program import SALE, demo_shop
from tests.sweep import each

pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")

LOG_AT_MOST = 100_000
PATIENCE = 20.0
LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
from pos_app.__main__ import main
sys.exit(main({words!r}))
"""


def limited(*words: str, soft: int, hard: int) -> list[str]:
    """Return the command that runs our program under such a limit."""
    code = LIMITED.format(soft=soft, hard=hard, words=list(words))
    return [sys.executable, "-c", code]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo_shop(tmp_path_factory.mktemp("files") / "shop")


def test_idle_connections_cost_no_sale_and_no_log(demo: Path) -> None:
    log = demo.parent / "log"
    command = limited("server", "--data", str(demo), "--port", "0", soft=32, hard=64)
    with (
        log.open("wb") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as server,
        contextlib.ExitStack() as stack,
    ):
        address = server.stdout.readline().strip()
        try:
            limits = Path(f"/proc/{server.pid}/limits")
            if limits.exists():
                assert re.search(r"Max open files +64 +64 ", limits.read_text())
            where = ("127.0.0.1", int(address.rpartition(":")[2]))
            for _ in range(3):
                for _ in range(100):
                    stack.enter_context(socket.create_connection(where, PATIENCE))
                answer = sold(address)  # on a new connection: an idle one may be closed
                assert answer.status_code == 200, answer.text
                assert answer.json()["base64pdf"]
            assert health(address) == 200
            told = log.read_text(encoding="utf-8")
            assert len(told) < LOG_AT_MOST
            assert not re.search("Traceback|Too many open files|out of system resource", told), told
        finally:
            server.send_signal(signal.SIGTERM)
            assert server.wait(PATIENCE) == 0


def sold(address: str) -> httpx.Response:
    url = f"{address}/fiscalization/receipts"
    return httpx.post(url, json=SALE, trust_env=False, verify=NO_TLS, timeout=PATIENCE)


def health(address: str) -> int:
    return httpx.get(
        f"{address}/health", trust_env=False, verify=NO_TLS, timeout=PATIENCE
    ).status_code


@each(
    ("files", "connections", "others"),
    [(64, 16, 8), (256, 160, 64), (1024, 512, 64), (4096, 512, 64), (sys.maxsize, 512, 64)],
)
def test_a_server_bears_what_files_allow(files: int, connections: int, others: int) -> None:
    bearable = ConnectionLimits().within(files)
    assert (bearable.connections, bearable.open_connections) == (connections, others)
    assert bearable.backlog >= 2
    few = ConnectionLimits(connections=1, open_connections=1).within(files)
    assert (few.connections, few.open_connections) == (1, 1)
