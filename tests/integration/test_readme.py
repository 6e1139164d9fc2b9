"""What the README shows works as it is shown."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import httpx

from tests.integration.test_server_program import program, run

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def shown_receipt(address: str) -> Any:
    """Send what the README's curl command sends, to a server at another address."""
    found = re.search(r"```sh\ncurl (.*?)```", README, re.DOTALL)
    assert found
    url, *options = shlex.split(found.group(1).replace("\\\n", " "))
    pairs = list(zip(options[::2], options[1::2], strict=True))
    headers = dict(value.split(": ", 1) for option, value in pairs if option == "-H")
    (body,) = [value for option, value in pairs if option == "-d"]
    answer = httpx.post(
        url.replace("http://127.0.0.1:9999", address),
        content=body,
        headers=headers,
        trust_env=False,
        timeout=30,
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_receipt_from_another_program(folder: Path) -> None:
    assert run("demo", "--data", str(folder / "shop"), "--prepare").returncode == 0
    with program("server", "--data", str(folder / "shop"), "--port", "0") as (_, address):
        first, again = shown_receipt(address), shown_receipt(address)
    assert first["totalAmount"] == 117.98
    assert first["invoiceNumber"] == again["invoiceNumber"]
    assert first["pdf"].startswith(address)


def test_every_program_named_is_there() -> None:
    programs = set(re.findall(r"^    pos-app (\w+)", README, re.MULTILINE))
    assert programs == {"demo", "server", "sync", "processor"}
    shown = run("--help").stdout
    assert all(name in shown for name in programs)
