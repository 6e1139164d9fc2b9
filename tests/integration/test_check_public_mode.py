"""A shop in public mode that lost its clientId or the platform's secret: `check`, the start, the
log and the till report it; nothing is made anew in silence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.fakes.no_tls import NO_TLS
from tests.integration.test_check import check
from tests.integration.test_server_program import program

SETTINGS = '[platform]\nurl = "http://127.0.0.1:9/v2"\nkey = "key"\npublic_mode = true\n'


@pytest.fixture
def shop(folder: Path) -> Path:
    """Make a shop whose server worked in public mode; its platform is away."""
    (folder / "settings.toml").write_text(SETTINGS, encoding="utf-8")
    secrets = folder / "secrets.toml"
    secrets.write_text('platform_secret = "secret"\n', encoding="utf-8")
    secrets.chmod(0o600)
    told, log = public_mode(folder)
    assert told["clientId"] == json.loads((folder / "client.json").read_bytes())["client_id"]
    assert "public mode is not connected" not in log
    assert check(folder)[0] == 0
    return folder


def public_mode(folder: Path, **change: object) -> tuple[dict[str, Any], str]:
    """Start a server; return what it reports to the till about public mode, and its log. Health
    reports the state too, without the till's token. change: a change of the platform, sent then."""
    with program("server", "--data", str(folder), "--port", "0") as (server, address):
        install = json.loads((folder / "install.json").read_bytes())
        with httpx.Client(base_url=address, trust_env=False, verify=NO_TLS, timeout=30) as client:
            client.headers["X-Pos-Token"] = install["token"]
            client.headers["X-Pos-Install"] = install["install_id"]
            told = client.get("/till/status").json()["publicMode"]
            if told["state"] == "not_configured":
                health = httpx.get(f"{address}/health", trust_env=False, verify=NO_TLS).json()
                words = {name: told[name] for name in ("state", "code", "words")}
                assert health["publicMode"] == words
            client.post("/till/platform/setup", json={}).raise_for_status()
            if change:
                client.post(
                    "/till/platform/change", json={"change": change, "by": "Ана"}
                ).raise_for_status()
        server.terminate()
        _, log = server.communicate(timeout=30)
    return told, log


def test_a_lost_client_id_is_never_made_anew_in_silence(shop: Path) -> None:
    """It is put back from a backup, or replaced when a manager says so."""
    (held := shop / "client.json").rename(kept := shop / "kept.json")
    status, words = check(shop)
    assert (status, f"The file {held} is missing" in words) == (1, True), words
    told, log = public_mode(shop)
    assert (told["state"], told["code"]) == ("not_configured", "client_lost")
    assert "Put it back from a backup" in told["words"]
    assert f"public mode is not connected: {told['words']}" in log
    assert not held.exists()
    kept.rename(held)
    assert check(shop)[0] == 0
    before = held.read_bytes()
    held.unlink()
    told, _ = public_mode(shop, newClient=True)
    assert told["code"] == "client_lost"
    assert held.read_bytes() != before
    assert check(shop)[0] == 0
    _secret_missing_is_told(shop)


def _secret_missing_is_told(shop: Path) -> None:
    (held := shop / "secrets.toml").rename(kept := shop / "kept.toml")
    status, words = check(shop)
    assert (status, "platform_secret is missing, though the settings name" in words) == (1, True)
    told, log = public_mode(shop)
    assert (told["state"], told["code"]) == ("not_configured", "missing")
    assert "public mode is not connected: Public mode needs platform_secret." in log
    kept.rename(held)
    assert check(shop)[0] == 0
