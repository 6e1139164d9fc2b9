"""Runs inside the installed tree: opens every scene once, each in its own shape.

`installed-python.exe open_screens.py CHECKOUT HELPERS PICTURES [PART]`: `tests` comes from
CHECKOUT, pytest and its dependencies from HELPERS, all else from the installed tree. The last line
on standard output is "opened N".
"""

from __future__ import annotations

import sys
import traceback
from pathlib import Path


def main() -> None:
    checkout, helpers, pictures, only = [*sys.argv[1:], ""][:4]
    sys.path[:] = [place for place in sys.path if place != str(Path(__file__).parent)]
    sys.path += [checkout, helpers]
    from tests.gui.crawl.scenes import SCENES
    from tests.gui.crawl.walk import begin, work_on

    begin()
    wrong = []
    for scene in SCENES:
        if only not in scene.title:
            continue
        try:
            work_on(scene.title, scene.share(), Path(pictures))
        except Exception:
            traceback.print_exc()
            wrong.append(scene.title)
    import pos_app

    assert pos_app.__file__ is not None
    print("product", pos_app.__file__)
    print("wrong", *wrong)
    print("opened", sum(only in scene.title for scene in SCENES) - len(wrong))


if __name__ == "__main__":
    main()
