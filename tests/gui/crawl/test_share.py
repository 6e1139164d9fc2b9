"""Scenes of the till in one shape of their own, and texts that somebody saw cut or torn, in the
shape in which they were seen; `make screenshots` looks at all shapes.

A program of its own walks through them, because Attention's scenes run a loop of their own.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.gui.crawl import __main__ as crawl
from tests.gui.crawl.scenes import SHARES
from tests.sweep import sampled

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
    ("sale-create", "sr-Cyrl-light-1024x768-15mm-150%"),  # "Цена са ПДВ-о"
    ("sale-torn", "sr-Cyrl-light-1024x768-15mm-150%"),  # a notice without its last line
    ("sale-removed-list", "sr-Cyrl-light-1024x768-15mm-150%"),  # "…" in place of each name
    ("sale-refused_last", "sr-Latn-light-1024x768-15mm-150%"),  # "… 1.674,72"
    ("receipts-list", "en-light-1366x768-15mm-150%"),  # "Numb…"
    ("receipts-copy_waits", "sr-Cyrl-light-1024x768-15mm-150%"),  # keys lower than a finger
    ("receipts-advance_elsewhere", "sr-Cyrl-light-1366x768-15mm-150%"),  # wider than the screen
    ("refund-long", "sr-Latn-light-1024x768-15mm-150%"),  # "…" in place of price and label
    ("refund-of_advance", "sr-Cyrl-light-1024x768-15mm-150%"),  # "ознака…"
    ("refund-corporate", "sr-Cyrl-light-1366x768-15mm-150%"),  # why the money goes no other way
    ("shift-check", "sr-Cyrl-light-1366x768-15mm-150%"),  # "Закључење сме…"
    ("sign_in-at_work", "sr-Cyrl-light-1366x768-15mm-150%"),  # "маркет Л…"
    ("advances-refused", "sr-Cyrl-light-1024x768-15mm-150%"),  # wider than the screen
    ("advances-done", "sr-Cyrl-light-1024x768-15mm-150%"),  # "Лична карта, крај броја …"
    ("reports-asking", "sr-Cyrl-light-1024x768-15mm-150%"),  # "3.000 од 9.89…"
    ("reports-article", "sr-Latn-light-1024x768-15mm-150%"),  # "Хлеб бели Сава 50…"
    ("settings-backup_asked", "sr-Cyrl-light-1024x768-15mm-150%"),  # wider than its page
)
PROGRAM = f"""
SEEN = {SEEN!r}
import sys
sys.modules["hypothesis"] = None
from tests.gui.crawl.__main__ import main
status = main()
if "--share=0" in sys.argv:
    from tests.gui.crawl.scenes import SCENES
    from tests.gui.crawl.walk import work_on
    for title, shape in SEEN:
        (scene,) = (one for one in SCENES if one.title == title)
        (seen,) = (one for one in scene.shapes() if one.name == shape)
        for finding in work_on(title, seen, None)[1]:
            print(title, shape, finding)
            status = 1
sys.exit(status)
"""
"""The walk without what a developer's machine alone has: the installed tree on Windows, which opens
the scenes too, has of the tests' needs only pytest."""


@pytest.mark.parametrize("share", sampled(range(SHARES)))
def test_nothing_is_cut_covered_small_faint_or_unnamed(share: int) -> None:
    command = ["-c", PROGRAM, f"--share={share}", "--no-pictures", "--jobs=1"]
    told = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert told.returncode == 0, told.stdout or told.stderr
    assert "never awaited" not in told.stderr


def test_a_filter_that_nothing_matches_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["crawl", str(tmp_path), "--only=payments-"])
    with pytest.raises(SystemExit, match="payments-"):
        crawl.main()
