"""Fixtures of the whole suite."""

import os

import numpy as np
import pytest
from hypothesis import settings

# The first example may compile a kernel.
settings.register_profile("kernels", deadline=None)
settings.load_profile("kernels")


@pytest.fixture
def seed():
    """Seed of a random test, another one in every run; printed, and repeated by ``COSMIC_TEST_SEED=...``."""
    seed = int(os.environ.get("COSMIC_TEST_SEED") or np.random.SeedSequence().generate_state(1)[0])
    print(f"repeat with COSMIC_TEST_SEED={seed}")
    return seed
