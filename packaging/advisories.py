"""Ask PyPI which locked packages have a known weakness. Needs the internet.

    .venv/bin/python packaging/advisories.py

Status 0: none of them has one; 1: some have, told with the versions that mend it; 2: not all could
be learned, which is said and never passes for "none".
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LOCKS = ("linux", "windows", "dev")


def asked(lock: str) -> tuple[Sequence[Mapping[str, Any]] | None, str]:
    """What pip-audit tells of each package of a lock, None where it tells nothing; its errors."""
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes"]
    command += ["--progress-spinner", "off", "--format", "json", "--timeout", "20"]
    command += ["--requirement", str(ROOT / f"packaging/requirements-{lock}.txt")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not done.stdout.strip():
        return None, done.stderr.strip()
    packages: list[Mapping[str, Any]] = json.loads(done.stdout)["dependencies"]
    return packages, ""


def weaknesses(packages: Sequence[Mapping[str, Any]]) -> list[str]:
    """A line for each known weakness: package, version, its name, what mends it."""
    return [
        f"{package['name']} {package.get('version', '')}: {one['id']}, "
        f"mended in {', '.join(one['fix_versions']) or 'no version yet'}"
        for package in packages
        for one in package.get("vulns", ())
    ]


def unanswered(packages: Sequence[Mapping[str, Any]]) -> list[str]:
    """Names of those of which nothing could be learned."""
    return sorted(package["name"] for package in packages if "skip_reason" in package)


def tell(lock: str) -> int:
    """Ask about one lock and say what came of it. Returns the status that stands for it."""
    packages, error = asked(lock)
    if packages is None:
        last = error.splitlines()[-1] if error else "no answer"
        print(
            f"{lock}: nothing was learned, because PyPI was not reached. This needs the internet."
        )
        print(f"  {last[:200]}")
        return 2
    found, silent = weaknesses(packages), unanswered(packages)
    if len(silent) == len(packages):
        print(f"{lock}: nothing was learned: the index here does not tell PyPI's advisories.")
        return 2
    print(
        f"{lock}: {len(found)} known in {len(packages) - len(silent)} packages", *found, sep="\n  "
    )
    if silent:
        print(f"  not learned of {len(silent)}: {', '.join(silent)}")
    if found:
        return 1
    return 2 if silent else 0


def main() -> int:
    """Ask about every lock. Returns the status to end with."""
    statuses = {tell(lock) for lock in LOCKS}
    return 1 if 1 in statuses else max(statuses)


if __name__ == "__main__":
    sys.exit(main())
