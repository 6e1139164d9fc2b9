"""Asks PyPI which locked packages have known vulnerabilities. Needs the internet.

    .venv/bin/python packaging/advisories.py

Status 0: none has; 1: some have, printed with the versions that fix them; 2: not all packages could
be checked, which is printed and never counts as "none".
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


def audited(lock: str) -> tuple[Sequence[Mapping[str, Any]] | None, str]:
    """pip-audit's result for each package of a lock, or None without one; and its errors."""
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes"]
    command += ["--progress-spinner", "off", "--format", "json", "--timeout", "20"]
    command += ["--requirement", str(ROOT / f"packaging/requirements-{lock}.txt")]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    if not finished.stdout.strip():
        return None, finished.stderr.strip()
    packages: list[Mapping[str, Any]] = json.loads(finished.stdout)["dependencies"]
    return packages, ""


def weaknesses(packages: Sequence[Mapping[str, Any]]) -> list[str]:
    """A line for each known vulnerability: package, version, its id, versions that fix it."""
    return [
        f"{package['name']} {package.get('version', '')}: {found['id']}, "
        f"mended in {', '.join(found['fix_versions']) or 'no version yet'}"
        for package in packages
        for found in package.get("vulns", ())
    ]


def unanswered(packages: Sequence[Mapping[str, Any]]) -> list[str]:
    return sorted(package["name"] for package in packages if "skip_reason" in package)


def report(lock: str) -> int:
    packages, error = audited(lock)
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
    statuses = {report(lock) for lock in LOCKS}
    return 1 if 1 in statuses else max(statuses)


if __name__ == "__main__":
    sys.exit(main())
