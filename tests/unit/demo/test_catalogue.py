"""The demo catalogue keeps the promises of resources/demo/README.md."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PIL import Image, ImageChops

from pos_app.domain.article import barcodes
from pos_app.domain.article.scale_labels import ScaleRules, WeightCode
from tests.scripts import script

Member = dict[str, Any]
Document = dict[str, list[Member]]
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def demo() -> Path:
    return ROOT / "resources" / "demo"


@pytest.fixture(scope="session")
def document(demo: Path) -> Document:
    """catalogue.json; amounts as Decimal, spelled as in the file."""
    text = (demo / "catalogue.json").read_text(encoding="utf-8")
    read: Document = json.loads(text, parse_float=Decimal)
    return read


@pytest.fixture(scope="session")
def sold(document: Document) -> list[Member]:
    """The articles that can be sold: products, and in place of a parent its variants."""
    return [
        article
        for product in document["products"]
        for article in (product["variants"] if product["hasVariants"] else [product])
    ]


@pytest.fixture(scope="session")
def every(document: Document) -> list[Member]:
    """Products, parents and variants."""
    return [
        article for product in document["products"] for article in (product, *product["variants"])
    ]


@pytest.fixture(scope="session")
def categories(document: Document) -> dict[str, str]:
    """Names of categories by id."""
    return {category["id"]: category["name"] for category in document["categories"]}


@pytest.fixture(scope="session")
def writer() -> ModuleType:
    return script("demo_catalogue")


@pytest.fixture(scope="session")
def painter() -> ModuleType:
    return script("demo_pictures")


def test_the_json_is_what_the_script_makes(demo: Path, writer: ModuleType) -> None:
    shipped = (demo / "catalogue.json").read_text(encoding="utf-8")
    assert writer.written(writer.catalogue(demo)) == shipped


def test_eans_are_right_serbian_and_given_once_and_the_store_asks_for_no_printer(
    sold: list[Member], document: Document
) -> None:
    eans = [article["ean"] for article in sold if article["ean"] is not None]
    assert len(set(eans)) == len(eans)
    [store] = document["stores"]
    assert store["printMethod"] == {"thermal": False, "a4": False, "email": False}
    assert len(store["gln"]) == 13
    assert barcodes.check_digit_fits(store["gln"])
    assert all(barcodes.is_gtin(ean) and ean.startswith("860") for ean in eans)
    assert {len(ean) for ean in eans} == {8, 13}
    assert sum(len(ean) == 8 for ean in eans) >= 3


@pytest.mark.parametrize(
    ("code", "name", "kilograms"),
    [
        ("2000016015607", "Банана", "1.560"),
        ("2100013004120", "Сир млади домаћи", "0.412"),
        ("2200101003506", "Сир качкаваљ крављи парче", "0.350"),
    ],
)
def test_the_codes_of_the_scale_in_the_readme_are_right(
    demo: Path, sold: list[Member], code: str, name: str, kilograms: str
) -> None:
    assert code in (demo / "README.md").read_text(encoding="utf-8")
    scanned = barcodes.classify(code, barcodes.CodeRules(ScaleRules()))
    assert isinstance(scanned, WeightCode)
    [article] = [one for one in sold if one["sku"] == scanned.sku]
    assert (article["name"], scanned.quantity.amount) == (name, Decimal(kilograms))


SERBIAN = "АБВГДЂЕЖЗИЈКЛЉМНЊОПРСТЋУФХЦЧЏШ"
UNIT_WORDS = {"g", "kg", "l", "ml", "m", "W", "C"}


@pytest.mark.parametrize(
    ("category", "label", "exceptions"),
    [
        # art. 23 (2) 2: meat and fish, fruit and vegetables; cured meat is neither fresh nor frozen
        ("Воће и поврће", "Е", ""),
        ("Месара", "Е", ""),
        ("Сухомеснато", "Ђ", ""),
        ("Млечно", "Е", ""),
        ("Конзерве", "Ђ", ""),
        ("Слатко", "Ђ", ""),
        ("Пиће", "Ђ", ""),
        ("Хигијена", "Ђ", ""),
        ("Кућна хемија", "Ђ", "Пелет"),
        ("Бебе и љубимци", "Ђ", "Млеко за одојчад"),
        ("Пекара", "Е", "Пица|Сендвич|Палачинка"),
        ("Смрзнуто", "Е", "Пица|Рибљи штапићи|Сладолед|Кнедле"),
        ("Новине и дуван", "Ђ", "Дневни лист|Недељник|Сликовница|Кувар|Семе"),
        ("Основне намирнице", "Ђ", "Брашно|Шећер|Уље|Маст|Мед "),
    ],
)
def test_labels_of_a_category(
    sold: list[Member], categories: dict[str, str], category: str, label: str, exceptions: str
) -> None:
    other = {"Е": "Ђ", "Ђ": "Е"}[label]
    inside = [a for a in sold if categories[a["categories"][0]] == category]
    assert inside
    for article in inside:
        excepted = bool(exceptions) and re.match(exceptions, article["name"]) is not None
        assert article["taxRateLabel"] == (other if excepted else label), article["name"]


def test_exempt_and_outside_are_only_what_the_readme_gives_a_reason_for(sold: list[Member]) -> None:
    reasons = {
        "Г": r"Поштанска марка|Таксена марка",
        "А": r"Допуна|Карта за градски превоз|Срећка|Кауција",
    }
    for label, reason in reasons.items():
        labelled = [a["name"] for a in sold if a["taxRateLabel"] == label]
        assert labelled
        assert [name for name in labelled if not re.match(reason, name)] == []
        assert [a["name"] for a in sold if re.match(reason, a["name"])] == labelled


def test_no_word_mixes_the_scripts(every: list[Member]) -> None:
    # A Latin "a" in a Cyrillic word looks right and is never found by a search.
    for article in every:
        shown = (article["name"], article["subtitle"], article["descriptionPlain"])
        for word in re.findall(r"[^\W\d_]+", " ".join(filter(None, shown))):
            cyrillic = {letter.upper() in SERBIAN for letter in word}
            assert cyrillic == {True} or word in UNIT_WORDS, f"{word} in {article['name']}"


@pytest.fixture(scope="session")
def pictured(every: list[Member]) -> list[Member]:
    return [article for article in every if article["coverImage"]]


def test_every_file_named_exists_and_no_other(demo: Path, pictured: list[Member]) -> None:
    named = {url for article in pictured for url in article["coverImage"]["urls"].values()}
    there = {path.relative_to(demo).as_posix() for path in (demo / "pictures").iterdir()}
    assert named == there


def test_pictures_are_those_of_the_drawings(
    demo: Path, painter: ModuleType, tmp_path: Path
) -> None:
    drawings = sorted((demo / "art").glob("*.svg"))
    assert drawings
    for art in drawings:
        drawn = painter.draw(art, tmp_path)
        with Image.open(drawn) as new, Image.open(demo / "pictures" / drawn.name) as shipped:
            # Another Qt or Pillow may smooth an edge differently: alike, not equal to the byte.
            small = [image.convert("RGB").resize((32, 32)) for image in (new, shipped)]
        apart = ImageChops.difference(*small).tobytes()
        assert max(apart) <= 12, art.name
