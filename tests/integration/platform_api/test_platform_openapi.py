"""The platform's OpenAPI document says what it does; and /docs, the viewer of the product."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import BaseModel
from starlette.routing import Route

from pos_app.adapters.clock import SystemClock
from pos_app.platform_api.app import routes_of
from pos_app.platform_api.openapi_routes import DOCS
from pos_app.platform_api.relay.program import relaying
from pos_app.wire.catalogue_input import (
    CashierInput,
    CategoryInput,
    ProductInput,
    UnitInput,
    VariantInput,
)
from pos_app.wire.keys_and_clients import ClientInput, KeyInput
from pos_app.wire.openapi.platform_document import described_operations
from pos_app.wire.store_input import StoreInput
from tests.integration.platform_api.hosted import Place, hosted
from tests.integration.platform_api.serving import key_of_new_account, serving_quietly

NOT_TRUE_HERE = "positive_data_acceptance,ignored_auth,missing_required_header"
"""A valid body may name an unknown or taken row; wrong credentials are soon slowed down."""
NEVER = "deleteKey"
"""It would revoke the key that it asks with."""
ADDRESS = "http://platform.example"
RECEIPTS = "/v2/fiscalization/"
INPUTS: Mapping[str, type[BaseModel]] = {
    "StoreInput": StoreInput, "StoreChange": StoreInput, "ProductInput": ProductInput,
    "ProductChange": ProductInput, "VariantInput": VariantInput, "UnitInput": UnitInput,
    "CategoryInput": CategoryInput, "CashierInput": CashierInput, "KeyInput": KeyInput,
    "ClientChange": ClientInput,
}  # fmt: skip


async def described(place: Place) -> dict[str, Any]:
    async with hosted(place) as platform:
        found: dict[str, Any] = (await platform.client.get(f"{ADDRESS}/openapi.json")).json()
        return found


def operations(document: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method in item.keys() & {"get", "post", "put", "patch", "delete"}:
            yield path, method, item[method]


async def test_each_route_is_described_and_no_other(file_database: Place) -> None:
    async with (
        hosted(file_database) as platform,
        relaying(platform.context.database, SystemClock()) as relay,
    ):
        served = {
            (re.sub(r"\{[^}]*\}", "{}", route.path), method.lower())
            for route in routes_of(platform.context, relay)
            if isinstance(route, Route) and not route.path.startswith(DOCS)
            for method in (route.methods or set()) - {"HEAD"}
        }
    document = await described(file_database)
    told = {(re.sub(r"\{[^}]*\}", "{}", path), method) for path, method, _ in operations(document)}
    assert served == told
    assert {one["operationId"] for _, _, one in operations(document)} == set(described_operations())


OPEN = {"picture", "pdf", "health", "ready", "openapi"}


async def test_who_needs_no_key_is_told_so(file_database: Place) -> None:
    async with hosted(file_database) as platform:
        stranger = httpx.AsyncClient(transport=platform.transport, base_url=ADDRESS)
        for path, method, told in operations(await described(file_database)):
            is_open = told["operationId"] in OPEN
            assert (told.get("security") == []) is is_open, (path, method)
            if path.startswith(RECEIPTS):
                continue  # this platform has no relay
            asked = re.sub(r"\{[^}]*\}", "x", path)
            refused = (await stranger.request(method, asked)).status_code in {401, 429}
            assert refused is not is_open, (path, method)


async def test_what_is_said_of_the_interface(file_database: Place) -> None:
    document = await described(file_database)
    assert (document["openapi"], document["info"]["version"]) == ("3.0.3", "3.0.0")
    assert [each["url"] for each in document["servers"]] == [ADDRESS]
    async with hosted(file_database, public_url="https://shops.example") as platform:
        found = (await platform.client.get(f"{ADDRESS}/openapi.json")).json()
    assert [each["url"] for each in found["servers"]] == ["https://shops.example"]
    schemas = document["components"]["schemas"]
    for name, shape in INPUTS.items():
        members = schemas[name]["properties"]
        sent = {each for each, told in members.items() if told.get("description") not in IGNORED}
        assert sent == {field.alias or each for each, field in shape.model_fields.items()}, name
    issuing = (f"/{{Id}}/{name}" for name in ("advance", "close", "copy", "refund"))
    spec = {
        *product(("/v2/stores", "/v2/products"), ("get", "post")),
        *product(("/v2/stores/{Id}", "/v2/products/{Id}"), ("patch", "delete")),
        *((f"/v2/fiscalization/receipts{path}", "post") for path in ("", *issuing)),
    }
    for path, method, told in operations(document):
        assert ("x-own-member" in told) is ((path, method) not in spec), (path, method)
        if path.startswith(RECEIPTS) and method == "post":
            headers = {each["name"] for each in told["parameters"]}
            assert headers == {"Idempotency-Key", "pfx", "password", "pac"}
    for name in ("Issue", "Advance", "Close", "Copy", "Refund"):
        members = schemas[f"{name}Request"]["properties"]
        assert members["storeId"]["deprecated"] is True
        assert "deprecated" not in members["clientId"]
        assert members["cashierId"]["x-own-member"] is True


IGNORED = ("Of answers; ignored here.", "Of answers; only null is taken: DELETE deletes.")


async def test_the_examples_of_the_catalogue_are_taken(file_database: Place) -> None:
    document = await described(file_database)
    tried = 0
    async with hosted(file_database) as platform:
        for path, method, told in operations(document):
            if (
                method != "post"
                or path.startswith(RECEIPTS)
                or path.endswith(("/files", "/rotate", "/merge"))
            ):
                continue
            for example in told["requestBody"]["content"]["application/json"]["examples"].values():
                answer = await platform.client.post(path.removeprefix("/v2"), json=example["value"])
                assert answer.status_code == 201, (path, answer.text)
                tried += 1
    assert tried == 6


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
