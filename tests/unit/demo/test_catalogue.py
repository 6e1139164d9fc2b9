"""The demo catalogue keeps the promises of resources/demo/README.md."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops

from tests.scripts import script

Member = dict[str, Any]
Document = dict[str, list[Member]]
ROOT = Path(__file__).resolve().parents[3]


DEMO = ROOT / "resources" / "demo"
DOCUMENT: Document = json.loads(
    (DEMO / "catalogue.json").read_text(encoding="utf-8"), parse_float=Decimal
)
"""Amounts as Decimal, spelled as in the file."""
PRODUCTS = DOCUMENT["products"]
EVERY = [article for product in PRODUCTS for article in (product, *product["variants"])]
SOLD = [one for one in EVERY if not one["hasVariants"]]
"""Products, and in place of a parent its variants."""
CATEGORIES = {category["id"]: category["name"] for category in DOCUMENT["categories"]}
PICTURED = [article for article in EVERY if article["coverImage"]]


def test_the_json_is_what_the_script_makes() -> None:
    writer = script("demo_catalogue")
    shipped = (DEMO / "catalogue.json").read_text(encoding="utf-8")
    assert writer.written(writer.catalogue(DEMO)) == shipped


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
def test_labels_of_a_category(category: str, label: str, exceptions: str) -> None:
    other = {"Е": "Ђ", "Ђ": "Е"}[label]
    inside = [a for a in SOLD if CATEGORIES[a["categories"][0]] == category]
    assert inside
    for article in inside:
        excepted = bool(exceptions) and re.match(exceptions, article["name"]) is not None
        assert article["taxRateLabel"] == (other if excepted else label), article["name"]


def test_exempt_and_outside_are_only_what_the_readme_gives_a_reason_for() -> None:
    reasons = {
        "Г": r"Поштанска марка|Таксена марка",
        "А": r"Допуна|Карта за градски превоз|Срећка|Кауција",
    }
    for label, reason in reasons.items():
        labelled = [a["name"] for a in SOLD if a["taxRateLabel"] == label]
        assert labelled
        assert [name for name in labelled if not re.match(reason, name)] == []
        assert [a["name"] for a in SOLD if re.match(reason, a["name"])] == labelled


def test_no_word_mixes_the_scripts() -> None:
    # A Latin "a" in a Cyrillic word looks right and is never found by a search.
    for article in EVERY:
        shown = (article["name"], article["subtitle"], article["descriptionPlain"])
        for word in re.findall(r"[^\W\d_]+", " ".join(filter(None, shown))):
            cyrillic = {letter.upper() in SERBIAN for letter in word}
            assert cyrillic == {True} or word in UNIT_WORDS, f"{word} in {article['name']}"


def test_every_file_named_exists_and_no_other() -> None:
    named = {url for article in PICTURED for url in article["coverImage"]["urls"].values()}
    there = {path.relative_to(DEMO).as_posix() for path in (DEMO / "pictures").iterdir()}
    assert named == there


def test_pictures_are_those_of_the_drawings(tmp_path: Path) -> None:
    painter = script("demo_pictures")
    drawings = sorted((DEMO / "art").glob("*.svg"))
    assert drawings
    for art in drawings:
        drawn = painter.draw(art, tmp_path)
        with Image.open(drawn) as new, Image.open(DEMO / "pictures" / drawn.name) as shipped:
            # Another Qt or Pillow may smooth an edge differently: alike, not equal to the byte.
            small = [image.convert("RGB").resize((32, 32)) for image in (new, shipped)]
        apart = ImageChops.difference(*small).tobytes()
        assert max(apart) <= 12, art.name
