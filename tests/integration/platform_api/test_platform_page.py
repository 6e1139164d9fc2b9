"""What the page about hosting the platform shows works."""

from __future__ import annotations

import base64
import re
import shlex
from pathlib import Path

import pytest

from pos_app import settings
from pos_app.errors import SettingsBroken
from tests.integration.platform_api.test_platform_program import run, serving
from tests.integration.shown import SHOWN_ADDRESS, send

PAGE = (Path(__file__).parents[3] / "docs" / "platform.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)


def test_from_nothing_to_a_product(folder: Path) -> None:
    def words(line: str, **given: str) -> list[str]:
        for name, value in {"/srv/platform": str(folder), **given}.items():
            line = line.replace(name, value)
        program, platform, *rest = shlex.split(line)
        assert (program, platform) == ("pos-app", "platform")
        return rest

    first, second, third = BLOCKS[0].splitlines()
    account = run(*words(first)).stdout.strip()
    made = run(*words(second, ACCOUNT=account)).stdout
    key, secret = re.findall(r"^(?:key|secret) +(\S+)$", made, re.MULTILINE)
    basic = base64.b64encode(f"{key}:{secret}".encode()).decode()
    with serving(*words(third), "--port", "0") as (_, address):
        for command in BLOCKS[1:3]:
            curl = command.replace("curl -u KEY:SECRET ", "").replace(
                "http://127.0.0.1:8400", SHOWN_ADDRESS
            )
            answer = send(f"{curl} -H 'Authorization: Basic {basic}'", address)
            assert answer.status_code == 201, answer.text


def test_the_settings_that_are_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = BLOCKS[3].split()
    name, _, value = line[0].partition("=")
    monkeypatch.setenv(name, value)
    told = settings.load(folder).platform_server
    assert (told.database_url, told.port) == (value, 8400)
    assert "http://127.0.0.1:8400" in BLOCKS[1]
    for public, kept in (("https://p.example/", "https://p.example"), ("p.example", None)):
        monkeypatch.setenv("POS_APP_PLATFORM_SERVER__PUBLIC_URL", public)
        if kept is None:
            with pytest.raises(SettingsBroken, match="POS_APP_PLATFORM_SERVER__PUBLIC_URL"):
                settings.load(folder)
        else:
            assert settings.load(folder).platform_server.public_url == kept
