"""What is imported in place of Numba where tests marked `compiled` are left out (tests/conftest.py)."""

import pytest

pytest.fail("Numba is loaded by a test that is not marked `compiled`")
