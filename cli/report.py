"""cosmic report: a run as one page."""

from pathlib import Path

import click


@click.command("report", epilog="Example: cosmic report cosmic-runs/eidex-7 --out eidex.html --png plots")
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File of the page [default: RUN/report.html].")
@click.option("--png", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="Write the plots as images into DIR, too.")
def command(folder: Path, out: Path | None, png: Path | None) -> None:
    """RUN as one page that opens in any browser and needs no network.

    Tables that can be sorted and searched, plots with intervals, distributions, what was played, and what the numbers do not say.
    """
    try:
        from simcore.report import write_page, write_plots
    except ModuleNotFoundError as error:
        raise click.UsageError(f"a report needs the package {error.name}: pip install 'cosmic-sim[report]'") from error
    out = out or folder / "report.html"
    write_page(folder, out)
    click.echo(out)
    for file in write_plots(folder, png) if png else ():
        click.echo(file)
