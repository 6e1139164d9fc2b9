"""Clients in other languages make stores, products and pictures at the served platform."""

from __future__ import annotations

import subprocess
from pathlib import Path

import httpx
import pytest

from tests.fakes.no_tls import NO_TLS
from tests.integration.local_api.test_openapi import command as command  # noqa: PLC0414 - e2e has it, too
from tests.integration.platform_api.pictures import opened, picture
from tests.integration.platform_api.serving import key_of_new_account, serving_quietly


@pytest.mark.long
@pytest.mark.parametrize(("form", "ending"), [("JPEG", "JPG"), ("PNG", "png")])
@pytest.mark.parametrize("name", ["catalogue.mjs", "catalogue.php", "Catalogue.cs"])
def test_a_product_with_its_picture(
    name: str, form: str, ending: str, folder: Path, tmp_path: Path
) -> None:
    words = command(name, tmp_path)
    sent = tmp_path / f"hleb beli.{ending}"
    sent.write_bytes(picture(form, size=(800, 600)))
    key = key_of_new_account(folder)
    with serving_quietly(folder) as address:
        words += [f"{address}/v2", *key, str(sent)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
        sku, url = done.stdout.splitlines()
        shown = httpx.get(url, trust_env=False, verify=NO_TLS)
        assert (sku, opened(shown.content).size) == ("1", (128, 96))
        with httpx.Client(base_url=address, auth=key, trust_env=False, verify=NO_TLS) as client:
            (gone,) = client.get("/v2/products?updatedSince=2020-01-01T00:00:00Z").json()
            assert gone["coverImage"]["mimetypeFilename"] == f"image/{form.lower()}"
            assert client.get("/v2/products").json() == client.get("/v2/stores").json() == []
