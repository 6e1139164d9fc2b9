"""Clients that are generated from the served OpenAPI documents compile, and sell at that server."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from pathlib import Path

import httpx
import pytest

from tests.e2e.generated_clients import toolchains
from tests.e2e.town import Town
from tests.fakes.no_tls import NO_TLS
from tests.integration.platform_api.pictures import picture

pytestmark = pytest.mark.long

AMOUNTS = ("131072.01", "262144.03", "9999999.99", "16777217.01", "2147483648.37", "99999999999.99")
"""Amounts in dinars that a number of 32 bits does not hold."""


@pytest.mark.parametrize("language", toolchains.LANGUAGES, ids=lambda each: each.name)
def test_each_example_says_how_its_client_is_made(language: toolchains.Language) -> None:
    examples = [each for each in toolchains.PROGRAMS.iterdir() if each.suffix == language.ending]
    assert len(examples) >= 2
    for each in examples:
        head = each.read_text(encoding="utf-8").partition("Arguments")[0]
        words = re.sub(r"\\\n|^// ?", " ", head, flags=re.MULTILINE).split()
        made = ["generate", "-i", "openapi.json", "-o", language.folder, *language.options]
        at = words.index("generate") if "generate" in words else 0
        assert words[at : at + len(made)] == made or each.name == "load.php", each


def served(address: str, place: Path) -> Path:
    answer = httpx.get(f"{address}/openapi.json", trust_env=False, verify=NO_TLS)
    file = place / "openapi.json"
    file.write_bytes(answer.content)
    return file


def platform(town: Town) -> str:
    return town.url(0).removesuffix("/v2")


def ran(words: list[str], place: Path) -> list[list[str]]:
    """The words of the program's output, by line. PYTHONPATH is the folder of the Python client."""
    done = toolchains.tried(words, place, PYTHONPATH=str(place), LANG="C.UTF-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return [line.split() for line in done.stdout.splitlines()]


def total_of(town: Town, number: str) -> Decimal:
    address = f"{town.shop.url}/fiscalization/receipts/{number}"
    answer = httpx.get(address, trust_env=False, verify=NO_TLS)
    total: Decimal = json.loads(answer.text, parse_float=Decimal)["totalAmount"]
    return total


@pytest.mark.deadline(240)
@pytest.mark.parametrize("language", toolchains.LANGUAGES, ids=lambda each: each.name)
def test_a_client_of_the_shop_sells(
    language: toolchains.Language, town: Town, tmp_path: Path
) -> None:
    words = language.program(served(town.shop.url, tmp_path), tmp_path, "sale")
    before = len(town.signed)
    told = ran([*words, f"generated-{language.name}", *AMOUNTS], tmp_path)
    sold, found, refunded, advance, listed, *exact = told
    assert (listed, sold[1:]) == (["listed", advance[1], refunded[1]], found[1:])
    assert (sold[0], float(sold[2])) == ("sale", 117.98)
    assert (found[0], refunded[0], advance[0]) == ("found", "refund", "advance")
    assert len(refunded) == 3, "the refund in cash and its copy"
    numbers = [number for _, number, _ in exact]
    assert town.signed[before:] == [sold[1], *refunded[1:], advance[1], *numbers]
    assert [Decimal(total) for _, _, total in exact] == [Decimal(one) for one in AMOUNTS]
    assert [total_of(town, number) for number in numbers] == [Decimal(one) for one in AMOUNTS]


@pytest.mark.deadline(240)
@pytest.mark.parametrize("language", toolchains.LANGUAGES, ids=lambda each: each.name)
def test_a_client_of_the_platform_keeps_a_catalogue_and_sells(
    language: toolchains.Language, town: Town, tmp_path: Path
) -> None:
    words = language.program(served(platform(town), tmp_path), tmp_path, "catalogue")
    before, photo = len(town.signed), tmp_path / "photo.jpg"
    photo.write_bytes(picture("JPEG"))
    arguments = [*town.credentials, town.client, f"generated-{language.name}", str(photo)]
    store, shown, product, sold, found = ran([*words, *arguments], tmp_path)
    assert (store, shown) == (["store", "True"], ["picture", "image/jpeg"])
    assert (product[:2], float(product[2])) == (["product", "Е"], 60.5)
    assert product[3:] == ["Бели", "1"], "what was not sent stays"
    assert (sold[0], float(sold[2])) == ("sale", 117.98)
    assert (found, town.signed[before:]) == (["found", *sold[1:]], [sold[1]])


@pytest.mark.deadline(240)
@pytest.mark.parametrize("which", ["shop", "platform"])
def test_a_client_by_orval_compiles(which: str, town: Town, tmp_path: Path) -> None:
    address = town.shop.url if which == "shop" else platform(town)
    toolchains.orval(served(address, tmp_path), tmp_path)
