"""What the README shows is what the commands understand and print."""

import json
import re
import shlex
from pathlib import Path

import click
import pytest

from cli.__main__ import cosmic
from cli.plan import read_plan
from simcore.scenario import replay

ROOT = Path(__file__).parents[1]
README, BATCHES = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/batches.md"))
SECTION = README.partition("\n## Scenarios\n")[2].partition("\n## ")[0]
SCENARIOS = re.findall(r"```json\n(.*?)```.*?```text\n(.*?)```", SECTION, re.DOTALL)
COMMANDS = [command for command in re.findall(r"`(cosmic [^`]+)`", README + BATCHES) if not command.startswith("cosmic: ")]


@pytest.mark.parametrize("scenario, transcript", SCENARIOS, ids=["deal", "position", "COSMOS", "Schafkopf"])
def test_a_scenario_of_the_readme_is_told_as_the_readme_tells_it(scenario, transcript):
    assert replay(json.loads(scenario)).lines == transcript.splitlines()


@pytest.mark.parametrize("document, n_runs", [(README, 12), (BATCHES, 10)], ids=["README", "batches"])
def test_a_plan_of_the_documents_is_one(document, n_runs, tmp_path):
    (plan,) = (text for text in re.findall(r"```toml\n(.*?)```", document, re.DOTALL) if "[run." in text)
    (tmp_path / "plan.toml").write_text(plan)
    assert len(read_plan(tmp_path / "plan.toml").runs) == n_runs


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme_can_be_called_like_that(command):
    name, *arguments = shlex.split(command)[1:]
    context = click.Context(cosmic)
    found = cosmic.get_command(context, name)
    assert found is not None
    found.make_context(name, arguments or ["--help"], context, resilient_parsing=not arguments)
