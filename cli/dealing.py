"""A single deal on the table, to be played step by step."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simcore.engine import Experiment
    from simcore.search import Table


def dealt(experiment: "Experiment", deal: int) -> "Table":
    """Table with single deal number *deal* of *experiment* dealt out in its first state."""
    import numpy as np

    from simcore.engine import begin_deal, begin_unit, deal_key, new_table
    from simcore.policies import parse_policy

    table, seed = new_table(experiment), np.uint64(experiment.seed)
    players = np.array([parse_policy(policy) for policy in experiment.policies], np.int64)
    begin_unit(table, experiment.rules[0], seed, players, np.array(experiment.seatings[0]), deal, False)
    begin_deal(table, np.uint64(deal_key(seed, deal, 0)))
    return table
