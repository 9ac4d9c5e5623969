"""cosmic merge: the parts of a run become one."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.batch import PLAN, Job, check_folder, report, write_table
from cli.options import json_option, quiet_option
from cli.plan import read_plan
from cli.running import command_line, finish, play, progress

if TYPE_CHECKING:
    from simcore.results import Run


@click.command("merge", epilog="Example: cosmic merge part-1 part-2 --out whole")
@click.argument("parts", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder of the whole, new or empty.")
@json_option
@quiet_option
@click.pass_context
def command(ctx: click.Context, parts: tuple[Path, ...], out: Path, as_json: bool, quiet: bool) -> None:
    """Make one run of the parts RUN... of it, or one batch of the parts of it.

    The parts were played by --part, here or on other machines. The whole is, to the byte, what it would be if it had been played at
    once. Parts that overlap, leave a gap, or were played by other rules or sources are refused.
    """
    from simcore.results import open_run

    if all((part / PLAN).is_file() for part in parts):
        _merge_batches(parts, out, as_json, quiet)
    else:
        ctx.exit(finish(_merged([open_run(part) for part in parts], out, quiet), None, as_json, quiet))


def _merged(runs: "Sequence[Run]", out: Path, quiet: bool) -> "Run":
    from simcore.results import merge

    with progress("chunks", sum(run.info["chunks"] or 0 for run in runs), quiet) as on_progress:
        return merge(runs, out, command_line(), on_progress)


def _merge_batches(parts: Sequence[Path], out: Path, as_json: bool, quiet: bool) -> None:
    from simcore.results import differences, locked, merged_configuration, open_run, write_whole

    plan, *others = (read_plan(part / PLAN) for part in parts)
    for part, other in zip(parts[1:], others, strict=True):
        if [(run.name, run.configuration) for run in other.runs] != [(run.name, run.configuration) for run in plan.runs]:
            raise ValueError(f"{parts[0]} and {part} are no parts of one batch: their plans differ")
    check_folder(out)
    found = {run.name: [open_run(part / run.name) for part in parts if (part / run.name).exists()] for run in plan.runs}
    for planned in plan.runs:
        if not found[planned.name]:
            raise ValueError(f"run {planned.name} is in none of the parts")
        if differs := differences(planned.configuration, merged_configuration(found[planned.name])):
            texts = ", ".join(f"{name} {mine} in the plan, {theirs} in the parts" for name, mine, theirs in differs)
            raise ValueError(f"the parts do not make the whole of run {planned.name}: {texts}")
    out.mkdir(parents=True, exist_ok=True)
    with locked(out):
        write_whole(out / PLAN, plan.source)
        jobs = []
        for planned in plan.runs:
            job = Job(planned, out / planned.name)
            job.run = _merged(found[planned.name], job.folder, quiet)
            play(job.run, None, quiet)
            jobs.append(job)
        write_table(out, plan, jobs)
    report(out, jobs, as_json, quiet)
