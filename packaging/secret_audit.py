"""Looks for secrets in the files of the checkout that are not in `.secrets.baseline`.

    .venv/bin/python packaging/secret_audit.py             check all files that git has or would add
    .venv/bin/python packaging/secret_audit.py --accept    add what is found to the baseline

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
"""Findings that are no secrets; also the detectors, and the files that they skip."""
SEEN = Path("build/without_secrets.json")
"""Hashes of files in which nothing new was found; unchanged files are not checked again."""


def files_of_checkout() -> list[str]:
    """Paths that git tracks, and new ones that it does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [name for name in listed.split("\0") if name and name != KNOWN and Path(name).is_file()]


def hash_of(file: str) -> str:
    parts = (file.encode(), Path(file).read_bytes(), Path(KNOWN).read_bytes())
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def seen_hashes() -> set[str]:
    try:
        return set(json.loads(SEEN.read_bytes()))
    except (OSError, ValueError, TypeError):
        return set()


def remember(hashes: set[str]) -> None:
    SEEN.parent.mkdir(exist_ok=True)
    SEEN.write_text(json.dumps(sorted(hashes)), encoding="utf-8")


def found_in(files: Sequence[str]) -> SecretsCollection:
    found = SecretsCollection()
    found.scan_files(*files, num_processors=min(os.cpu_count() or 1, 4))
    return found


def accept(found: SecretsCollection) -> None:
    """Add the findings to the baseline, without line numbers, which change with every edit."""
    for _, secret in found:
        secret.is_secret = False
        secret.line_number = 0
    baseline.save_to_file(found, KNOWN)


def check() -> int:
    known = baseline.load(baseline.load_from_file(KNOWN), KNOWN)
    hashes = {file: hash_of(file) for file in files_of_checkout()}
    seen = seen_hashes()
    found = found_in([file for file, file_hash in hashes.items() if file_hash not in seen])
    new = (found - known).json()
    remember({file_hash for file, file_hash in hashes.items() if file not in new})
    for file, secrets in sorted(new.items()):
        print(*(f"{file}:{each['line_number']}: {each['type']}" for each in secrets), sep="\n")
    if new:
        print("Take it out. Where it is no secret: packaging/secret_audit.py --accept")
    return 1 if new else 0


def main(arguments: Sequence[str]) -> int:
    os.chdir(ROOT)
    if not Path(".git").exists():
        print("secret audit: this is no git checkout, so nothing was looked at")
        return 0
    if list(arguments) == ["--accept"]:
        baseline.load(baseline.load_from_file(KNOWN), KNOWN)
        accept(found_in(files_of_checkout()))
        return 0
    return check()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
