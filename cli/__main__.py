"""The command line: ``cosmic``, or ``python -m cli``."""

import errno
import os
import pickle
import sys
from collections.abc import Sequence
from importlib import import_module

import click

# Each is the module of that name in this package. A command imports what it computes with when it runs, so that help comes at once.
COMMANDS = tuple(
    "games characters rules simulate balance tune estimate ladder compare report show replay perft bench resume batch merge".split()
)

# Not the call is wrong but the machine at fault.
_FAULTS = (errno.ENOSPC, errno.EIO, errno.EDQUOT)

EPILOG = """\b
Example: cosmic simulate eidex --deals 100k --policies search:8,basic,random
Exit codes: 0 done, 1 a run failed, 2 the call is wrong, 130 interrupted.
Completion in bash: eval "$(_COSMIC_COMPLETE=bash_source cosmic)"; zsh and fish likewise.
COSMIC_DEBUG=1 shows where an error comes from."""


class _Commands(click.Group):
    """Commands that are imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return import_module(f"cli.{cmd_name}").command if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            from simcore.deck import nearest

            raise click.UsageError(f"no command {args[0]!r}{nearest(args[0], COMMANDS)}; commands are {', '.join(COMMANDS)}")
        return super().resolve_command(ctx, args)


@click.command(cls=_Commands, invoke_without_command=True, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="cosmic-sim", prog_name="cosmic")
@click.pass_context
def cosmic(ctx: click.Context) -> None:
    """A Monte Carlo laboratory for card games."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: whatever goes wrong is told in one line."""
    sys.exit(_run(arguments))


def _run(arguments: Sequence[str] | None) -> int:
    for stream in filter(None, (sys.stdout, sys.stderr)):  # either may be closed
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        code = cosmic.main(arguments, "cosmic", standalone_mode=False)
        if sys.stdout:
            sys.stdout.flush()
        return code or 0
    except click.Abort as error:
        if isinstance(error.__cause__, EOFError):  # click takes it for the end of what a person types
            return _tell(_damaged_cache(), 1)
        return _tell("interrupted", 130)
    except BrokenPipeError:
        # The reader has gone (`| head`); Python would complain about it once more on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        if os.environ.get("COSMIC_DEBUG"):
            raise
        if isinstance(error, click.ClickException):
            return _tell(error.format_message(), error.exit_code)
        if isinstance(error, OSError):
            where = error.filename or "a run folder or the cache of compiled kernels"
            return _tell(f"{where}: {error.strerror or error}", 1 if error.errno in _FAULTS else 2)
        if isinstance(error, ValueError):
            return _tell(str(error), 2)
        if isinstance(error, pickle.UnpicklingError):
            return _tell(_damaged_cache(), 1)
        return _tell(f"internal error, {type(error).__name__}: {error}", 1)


def _damaged_cache() -> str:
    from simcore.jit import cache_folder

    return f"the cache of compiled kernels is damaged; delete {cache_folder()} and call again"


def _tell(message: str, code: int) -> int:
    print("cosmic:", " ".join(message.split()), file=sys.stderr)
    return code


if __name__ == "__main__":
    main()
