"""Removes from a folder of packages the files that the product never opens, as a list says.

    .venv/bin/python packaging/prune.py LIST.toml FOLDER

The list has tables `left_out`, each with a `reason` and `patterns` of pathlib from FOLDER; a
pattern that finds nothing ends it with a fault, so that none becomes outdated.
"""

from __future__ import annotations

import shutil
import sys
import tomllib
from pathlib import Path


def main(arguments: list[str]) -> None:
    told, folder = map(Path, arguments)
    for group in tomllib.loads(told.read_text(encoding="utf-8"))["left_out"]:
        for pattern in group["patterns"]:
            found = list(folder.glob(pattern))
            if not found:
                raise SystemExit(f"{told}: {pattern} finds nothing any more.")
            for path in found:
                remove(path)


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


if __name__ == "__main__":
    main(sys.argv[1:])
