"""Compiles once, before the workers start, what each of them would compile for itself.

In a new checkout, or after a change of many files, all workers compile the same files at the same
time: the product, and the tests, whose asserts pytest rewrites (which takes most of the time).
Nothing depends on this: the workers compile any file that is left.
"""

from __future__ import annotations

import compileall
import multiprocessing
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

# pytest has no public way to do it; its version is locked.
from _pytest.assertion.rewrite import (
    PYC_TAIL,
    _rewrite_test,
    _write_pyc,
    assertstate_key,
    get_cache_dir,
)

ROOT = Path(__file__).parents[1]
REWRITTEN = ("test_*.py", "conftest.py")
FEW = 20
"""Up to this number, changed files are left to the workers."""


def compile_for_workers(config: pytest.Config) -> None:
    """Compile the files that have changed since they were compiled, on all processors."""
    if sys.dont_write_bytecode or not hasattr(os, "fork"):
        return
    tests = [path for name in REWRITTEN for path in (ROOT / "tests").rglob(name)]
    late = [path for path in tests if _is_late(path)]
    if len(late) < FEW:
        return
    others = [path for room in ("pos_app", "tests") for path in (ROOT / room).rglob("*.py")]
    others = sorted(set(others) - set(tests))
    many = os.cpu_count() or 1
    forks = multiprocessing.get_context("fork")
    halves = [
        forks.Process(target=_compile, args=(late[n::many], others[n::many], config))
        for n in range(many)
    ]
    for half in halves:
        half.start()
    for half in halves:
        half.join()


def _pyc_of(path: Path) -> Path:
    return get_cache_dir(path) / (path.name.removesuffix(".py") + PYC_TAIL)


def _is_late(path: Path) -> bool:
    pyc = _pyc_of(path)
    return not pyc.exists() or pyc.stat().st_mtime < path.stat().st_mtime


def _compile(tests: Sequence[Path], others: Sequence[Path], config: pytest.Config) -> None:
    sys.settrace(None)  # nothing of the product runs here
    for path in tests:
        pyc = _pyc_of(path)
        pyc.parent.mkdir(exist_ok=True)
        try:
            source_hash, code = _rewrite_test(path, config)
        except SyntaxError:
            continue  # the worker that loads it says so
        _write_pyc(config.stash[assertstate_key], code, source_hash, pyc)
    for path in others:
        compileall.compile_file(path, quiet=2)
