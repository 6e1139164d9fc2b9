"""Pictures of every scene in every shape, and their faults.

`python -m tests.gui.crawl [FOLDER] [--only SCENE] [--shape SHAPE] [--jobs 2] [--no-pictures]` ends
with 1 when there is a fault. A picture's name consists of scene, language, theme, size and touch
size; `--only` and `--shape` take a part of a name, as `payment-` or `en-light-1024`. `--share N`
looks at a part of the scenes, each in one shape, as the tests do. Each fault is printed once,
with the shapes that have it, and written to FOLDER/findings.txt too. `--beside OLD` takes no
pictures: it lays those of two folders side by side.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.gui.crawl.beside import laid_beside
from tests.gui.crawl.checks import Finding
from tests.gui.crawl.known import known, mended
from tests.gui.crawl.scenes import SCENES
from tests.gui.crawl.walk import as_done, asked_for, begin, work_on, workers

FOLDER = Path("build/screenshots")
MOST_SHAPES = 6
"""The number of shapes that a finding names; the others are counted."""

Found = dict[tuple[str, Finding], list[str]]
"""The shapes in which a scene has a finding."""


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Pictures of every scene, and what is wrong.")
    parser.add_argument("out", type=Path, nargs="?", default=FOLDER)
    parser.add_argument("--only", default="", help="a part of a scene's name")
    parser.add_argument("--shape", default="", help="a part of a shape's name")
    parser.add_argument(
        "--share", type=int, metavar="N", help="a part of the scenes, one shape each, from 0"
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes at once")
    parser.add_argument("--no-pictures", action="store_true", help="only look for what is wrong")
    parser.add_argument(
        "--beside",
        type=Path,
        metavar="OLD",
        help="take none: lay the pictures of OLD left of those of the folder, where they differ",
    )
    return parser.parse_args()


def crawl(asked: argparse.Namespace) -> Found:
    out = None if asked.no_pictures else asked.out
    todo = [
        (scene.title, shape)
        for scene in SCENES
        for shape in asked_for(scene, asked.only, asked.shape, share=asked.share)
    ]
    if not todo:
        told = f"--only {asked.only!r} --shape {asked.shape!r}"
        names = ", ".join(sorted({scene.room for scene in SCENES}))
        sys.exit(f"Nothing is called so: {told}. Scenes begin with {names}.")
    found: Found = {}
    began = time.monotonic()
    with workers(asked.jobs, begin) as pool:
        works = as_done(pool, work_on, ((title, shape, out) for title, shape in todo))
        for number, (place, wrong) in enumerate(works, start=1):
            for one in wrong:
                found.setdefault((place.title, one), []).append(place.shape)
            _progress(number, len(todo), len(found), began)
    return found


def _progress(number: int, whole: int, wrong: int, began: float) -> None:
    left = (time.monotonic() - began) / number * (whole - number) / 60
    line = (
        f"{number * 100 // whole:3} % · {number} of {whole} · {wrong} wrong · {left:.1f} min left"
    )
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{line}  " + "\n" * (number == whole))
    elif number % 50 == 0 or number == whole:
        sys.stderr.write(f"{line}\n")


def told(found: Found) -> Iterator[str]:
    for (title, one), shapes in sorted(
        found.items(), key=lambda item: (str(item[0][1]), item[0][0])
    ):
        more = f" and {len(shapes) - MOST_SHAPES} more" if len(shapes) > MOST_SHAPES else ""
        is_known = " (known)" if known(title, one, shapes) else ""
        where = ", ".join(sorted(shapes)[:MOST_SHAPES])
        yield f"{one.check}{is_known}: {title}: {one.what} [{where}{more}]\n"


def main() -> int:
    asked = _arguments()
    if asked.beside:
        begin()
        sheets = list(laid_beside(asked.beside, asked.out, asked.only, asked.shape))
        sys.stdout.write("".join(f"{sheet}\n" for sheet in sheets))
        return 0
    if not asked.no_pictures:
        asked.out.mkdir(parents=True, exist_ok=True)
    found = crawl(asked)
    is_whole = not (asked.only or asked.shape or asked.share is not None)
    old = list(mended(found)) if is_whole else []
    report = "".join([*told(found), *old])
    sys.stdout.write(report)
    if not asked.no_pictures:
        (asked.out / "findings.txt").write_text(report, encoding="utf-8")
    return int(bool(old) or any(not known(*one, shapes) for one, shapes in found.items()))


if __name__ == "__main__":
    sys.exit(main())
