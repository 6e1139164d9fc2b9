"""The platform's OpenAPI document says what it does; and /docs, the viewer of the product."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from pos_app.wire.openapi.platform_document import described_operations
from tests.integration.platform_api.hosted import Place, hosted
from tests.integration.platform_api.serving import key_of_new_account, serving_quietly

NOT_TRUE_HERE = "positive_data_acceptance,ignored_auth,missing_required_header"
"""A valid body may name an unknown or taken row; wrong credentials are soon slowed down."""
NEVER = "deleteKey"
"""It would revoke the key that it asks with."""
ADDRESS = "http://platform.example"


async def described(place: Place) -> dict[str, Any]:
    async with hosted(place) as platform:
        found: dict[str, Any] = (await platform.client.get(f"{ADDRESS}/openapi.json")).json()
        return found


def schemathesis(
    folder: Path, place: Path, address: str, *words: str
) -> subprocess.CompletedProcess[str]:
    """Run schemathesis. address: that of a PostgreSQL, or "" for the file."""
    key, secret = key_of_new_account(folder, address)
    clean = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    command = [sys.executable, "-m", "schemathesis.cli", "run", "--auth", f"{key}:{secret}"]
    command += ["--generation-deterministic", "--no-color", "--checks", "all"]
    command += ["--exclude-checks", NOT_TRUE_HERE, "--exclude-operation-id", NEVER]
    command += words
    with serving_quietly(folder, POS_APP_PLATFORM_SERVER__DATABASE_URL=address) as served:
        return subprocess.run(
            [*command, f"{served}/openapi.json"],
            cwd=place,
            env=clean,
            capture_output=True,
            text=True,
            timeout=1500,
            check=False,
        )


@pytest.mark.long
def test_schemathesis_finds_no_answer_without_its_document(database: Place, tmp_path: Path) -> None:
    done = schemathesis(database.folder, tmp_path, database.address, "--max-examples", "10")
    assert done.returncode == 0, done.stdout + done.stderr
    asked = described_operations().keys() - {
        "openapi",
        NEVER,
    }  # it does not ask for the document again
    assert f"Tested: {len(asked)}" in done.stdout
    assert "mostly returned 429" not in done.stdout


async def test_the_page_and_its_parts_come_from_here(file_database: Place) -> None:
    async with (
        hosted(file_database) as platform,
        httpx.AsyncClient(
            transport=platform.transport, base_url="http://platform.example"
        ) as anybody,
    ):
        page = await anybody.get("/docs")
        assert page.headers["content-type"].startswith("text/html")
        assert (await anybody.get("/docs/")).content == page.content
        policy = page.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self';")
        assert "http" not in policy
        named = re.findall(r'(?:src|href)="(/[^"]*)"', page.text)
        assert len(named) == 3
        parts = [await anybody.get(path) for path in named]
        for part in parts:
            assert (part.status_code, part.headers["x-content-type-options"]) == (200, "nosniff")
        assert "persistAuthorization: false" in parts[-1].text
        for path in ("/docs/LICENSE", "/docs/..%2ftexts%2fsr.po", "/docs/a/b"):
            assert (await anybody.get(path)).status_code == 404
