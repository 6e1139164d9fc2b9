"""Look for secrets in the files of the checkout, but for what `.secrets.baseline` knows.

    .venv/bin/python packaging/secret_audit.py             look at all that git holds or would take
    .venv/bin/python packaging/secret_audit.py --accept    what is found is no secret: keep it

Status 1: something was found.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from detect_secrets.core import baseline
from detect_secrets.core.secrets_collection import SecretsCollection

ROOT = Path(__file__).parents[1]
KNOWN = ".secrets.baseline"
"""What was found and is no secret; which finders look, and which files they leave out."""
SEEN = Path("build/without_secrets.json")
"""Marks of files in which nothing new was found; what has not changed is not looked at again."""


def files_of_checkout() -> list[str]:
    """Paths below the root that git holds, and new ones that it does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [name for name in listed.split("\0") if name and name != KNOWN and Path(name).is_file()]


def mark_of(file: str) -> str:
    """The same for the same file with the same content and the same baseline."""
    told = (file.encode(), Path(file).read_bytes(), Path(KNOWN).read_bytes())
    return hashlib.sha256(b"\0".join(told)).hexdigest()


def seen_marks() -> set[str]:
    """Marks of earlier runs; none where they can't be read."""
    try:
        return set(json.loads(SEEN.read_bytes()))
    except (OSError, ValueError, TypeError):
        return set()


def remember(marks: set[str]) -> None:
    """Keep the marks of files in which nothing new was found."""
    SEEN.parent.mkdir(exist_ok=True)
    SEEN.write_text(json.dumps(sorted(marks)), encoding="utf-8")


def found_in(files: Sequence[str]) -> SecretsCollection:
    """Everything in these files that looks like a secret."""
    found = SecretsCollection()
    found.scan_files(*files, num_processors=min(os.cpu_count() or 1, 4))
    return found


def accept(found: SecretsCollection) -> None:
    """Write down what was found as no secret. No line numbers: they move with every edit."""
    for _, secret in found:
        secret.is_secret = False
        secret.line_number = 0
    baseline.save_to_file(found, KNOWN)


def look() -> int:
    """Tell what is new on standard output. Returns the status to end with."""
    known = baseline.load(baseline.load_from_file(KNOWN), KNOWN)
    marks = {file: mark_of(file) for file in files_of_checkout()}
    seen = seen_marks()
    found = found_in([file for file, mark in marks.items() if mark not in seen])
    new = (found - known).json()
    remember({mark for file, mark in marks.items() if file not in new})
    for file, secrets in sorted(new.items()):
        print(*(f"{file}:{one['line_number']}: {one['type']}" for one in secrets), sep="\n")
    if new:
        print("Take it out. Where it is no secret: packaging/secret_audit.py --accept")
    return 1 if new else 0


def main(arguments: Sequence[str]) -> int:
    """Look, or write down. Returns the status to end with."""
    os.chdir(ROOT)
    if not Path(".git").exists():
        print("secret audit: this is no git checkout, so nothing was looked at")
        return 0
    if list(arguments) == ["--accept"]:
        baseline.load(baseline.load_from_file(KNOWN), KNOWN)
        accept(found_in(files_of_checkout()))
        return 0
    return look()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
