"""Tests on other systems, each in a folder: `make package-test`."""

from __future__ import annotations

import os

FOLDER = os.environ.get("POS_APP_TEST_SYSTEMS", "")
"""The folder in which the systems are made."""

collect_ignore_glob = [] if FOLDER else ["test_*.py"]
