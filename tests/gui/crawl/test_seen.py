"""Texts that somebody saw cut or torn stand whole, in the shape in which they were seen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
SEEN = (
    ("shift-counting", "en-light-1024x768-12mm"),  # "Cheque / s"
    ("shift-counting", "sr-Cyrl-light-1024x768-15mm-150%"),  # "Вауче / ри", "Изброја / на"
    ("settings-rights", "sr-Cyrl-light-1024x768-15mm-150%"),  # "управник · …", "уз одоб…"
    ("settings-removal", "sr-Cyrl-light-1024x768-15mm"),  # "касир · ПИН и з…"
    ("settings-api", "sr-Cyrl-light-1024x768-15mm-150%"),  # "POST /fiscalizati…"
    ("sale-goods_paid", "en-light-1024x768-9mm"),  # "PIB (tax number…"
    ("sale-held", "sr-Cyrl-light-1024x768-15mm-150%"),  # "1.674,72 · Хлеб бели С…"
    ("sale-removed-list", "sr-Cyrl-light-1024x768-15mm"),  # "Хлеб бе…"
    ("sale-large", "sr-Cyrl-light-1024x768-15mm-150%"),  # "бели …"
    ("sale-away", "sr-Cyrl-light-1024x768-15mm-150%"),  # "Пекара…", "Чека издавање ·…"
    ("receipts-offer", "sr-Cyrl-light-1024x768-15mm-150%"),  # "продаја · …"
    ("catalogue-conflicts", "sr-Cyrl-light-1024x768-15mm-150%"),  # "се п…" in the status line
    ("advances-items", "sr-Cyrl-light-1024x768-15mm-150%"),  # "деце…", "Уплаћен / о"
    ("attention-pair", "sr-Cyrl-light-1024x768-15mm-150%"),  # "затвара…"
    ("sign_in-locked", "sr-Cyrl-light-1024x768-15mm-150%"),  # "касир · за…"
)
PROGRAM = """
from tests.gui.crawl.scenes import SCENES
from tests.gui.crawl.test_seen import SEEN
from tests.gui.crawl.walk import begin, work_on

begin()
for title, shape in SEEN:
    (scene,) = (one for one in SCENES if one.title == title)
    (seen,) = (one for one in scene.shapes() if one.name == shape)
    for finding in work_on(title, seen, None)[1]:
        print(title, shape, finding)
"""


def test_what_was_seen_cut_stands_whole() -> None:
    told = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert (told.returncode, told.stdout) == (0, ""), told.stderr
