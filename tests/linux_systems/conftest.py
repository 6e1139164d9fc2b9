"""Other systems than this one, each in a folder: `make package-test`."""

from __future__ import annotations

import os

FOLDER = os.environ.get("POS_APP_TEST_SYSTEMS", "")
"""Where the systems are laid out."""

collect_ignore_glob = [] if FOLDER else ["test_*.py"]
