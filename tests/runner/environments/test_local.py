from __future__ import annotations

import pytest

from runner.environments.local import Local
from tests.runner.environments.conformance import ShellContract


class TestLocal(ShellContract):
    @pytest.fixture(scope="class")
    @classmethod
    def spec(cls) -> Local:
        return Local()
