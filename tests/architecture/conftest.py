"""Tests of the sources, which read all of them."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module", autouse=True)
def _trees_are_no_garbage() -> Iterator[None]:
    """The garbage collector would walk through all syntax trees again and again; none has a circle.

    Trees that are kept are frozen: otherwise the first collection after them, in a test that may
    have deadlines, takes seconds.
    """
    gc.disable()
    yield
    gc.freeze()
    gc.enable()
