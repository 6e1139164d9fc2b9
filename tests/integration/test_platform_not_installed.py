"""The platform names what it lacks where only the till is installed, as on Windows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

WITHOUT_A_PACKAGE = """
import sys
sys.modules["sqlalchemy"] = None  # as where it is not installed
from pos_app.__main__ import main
sys.exit(main())
"""


def test_the_platform_names_what_it_lacks_and_where_to_host_it(tmp_path: Path) -> None:
    words = ("platform", "--data", str(tmp_path / "data"), "account", "list")
    told = subprocess.run(
        [sys.executable, "-c", WITHOUT_A_PACKAGE, *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert told.returncode == 1
    assert '"sqlalchemy"' in told.stderr
    assert 'pip install "pos-app[platform]"' in told.stderr
    assert "Linux" in told.stderr
    assert "Traceback" not in told.stderr
    assert not (tmp_path / "data").exists()
