"""Tax labels by the law's groups, and the letters of texts on screen and receipt."""

from __future__ import annotations

import re
from typing import Any

import pytest

Member = dict[str, Any]

SERBIAN = "АБВГДЂЕЖЗИЈКЛЉМНЊОПРСТЋУФХЦЧЏШ"
SIGNS = " %,.-/+()°–„“:;!?"
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


def test_names_use_letters_that_the_font_has(every: list[Member]) -> None:
    allowed = set(SERBIAN + SERBIAN.lower() + SIGNS + "0123456789" + "".join(UNIT_WORDS))
    for article in every:
        words = article["name"] + (article["variantName"] or "") + (article["subtitle"] or "")
        assert set(words) <= allowed, article["name"]


def test_no_word_mixes_the_scripts(every: list[Member]) -> None:
    # A Latin "a" in a Cyrillic word looks right and is never found by a search.
    for article in every:
        shown = (article["name"], article["subtitle"], article["descriptionPlain"])
        for word in re.findall(r"[^\W\d_]+", " ".join(filter(None, shown))):
            cyrillic = {letter.upper() in SERBIAN for letter in word}
            assert cyrillic == {True} or word in UNIT_WORDS, f"{word} in {article['name']}"
