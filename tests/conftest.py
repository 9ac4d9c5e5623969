"""Fixtures of the whole suite."""

import os

import numpy as np
import pytest
from hypothesis import settings

# The first example may compile a kernel.
settings.register_profile("kernels", deadline=None)
settings.load_profile("kernels")


# Tests of a game stay together in one process, which compiles its kernels once; the others stay together by file. In some files the game
# is a parameter.
BY_PARAMETER = ("test_conformance", "test_core")
GAMES = {
    "cosmic-eidex": ("cosmic-eidex", "characters", "knowledge", "balance", "fuzz"),
    "schafkopf": ("schafkopf",),
    "cosmos": ("cosmos",),
    "eleusis": ("eleusis",),
    "eidex": ("eidex",),
}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    from xdist.scheduler import LoadScopeScheduling

    class ByGame(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            module, _, name = nodeid.rpartition("/")[2].partition(".py::")
            text = name.partition("[")[2] if module in BY_PARAMETER else module
            return next((game for game, words in GAMES.items() if any(word in text for word in words)), module)

    return ByGame(config, log)


@pytest.fixture
def seed():
    """Seed of a random test, another one in every run; printed, and repeated by ``COSMIC_TEST_SEED=...``."""
    seed = int(os.environ.get("COSMIC_TEST_SEED") or np.random.SeedSequence().generate_state(1)[0])
    print(f"repeat with COSMIC_TEST_SEED={seed}")
    return seed
