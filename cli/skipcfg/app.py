"""The commands and their options. What a command does is imported when it is called."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from skip_config.releases import DEFAULT_DUMP_DIR
from skipcfg.options import (
    Base,
    Format,
    FormatOption,
    IfRelevant,
    Included,
    Jobs,
    Names,
    OneRole,
    Paths,
    PlainFormat,
    PlainFormatOption,
    Role,
    Runtime,
    StdinName,
)
from skipcfg.stopping import Stopped
from skipcfg.streams import OutputError, err, fail

app = typer.Typer(
    name="skipcfg",
    help="Migrate and validate the rollout-skip settings of verl.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # boxes cut long options short, and none of it can be searched or copied
    context_settings={"help_option_names": ["-h", "--help"]},
)

# `UsageError` of whichever click Typer brings along, without importing click.
_UsageError: type[Exception] = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "UsageError")


def _diagnostics(incomplete: str) -> list[str]:
    """Names for shell completion."""
    from skip_config.rules import registry

    return [name for name in registry() if name.startswith(incomplete)]


def _version(value: bool) -> None:
    if value:
        from skipcfg.versions import lines

        typer.echo("\n".join(lines()))
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the versions and exit.")
    ] = False,
) -> None:
    """Migrate and validate the rollout-skip settings of verl."""


@app.command(short_help="Rewrite settings of verl 0.6 to 0.8 for verl 0.9.")
def migrate(
    paths: Paths,
    diff: Annotated[
        bool, typer.Option("--diff", help="Print a unified diff that git apply takes; write nothing.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 if anything would change or needs a decision.")
    ] = False,
    role: Annotated[
        Role,
        typer.Option(
            "--role",
            help="Who gets the settings: rollout_tq is what verl 0.9's default trainer reads, rollout what the older "
            "one reads, async_rollout the fully asynchronous one; auto goes by what each file shows.",
        ),
    ] = Role.AUTO,
    total_steps: Annotated[
        int | None,
        typer.Option("--total-steps", metavar="N", min=1, help="Training steps, for settings that meant every step."),
    ] = None,
    unsafe: Annotated[
        bool, typer.Option("--unsafe", help="Also apply fixes that do not behave exactly the same.")
    ] = False,
    include: Annotated[
        list[Included] | None,
        typer.Option(
            "--include",
            metavar="records|comments|docs",
            help="Also rewrite records of runs (.hydra, outputs), shell blocks in docs, or overrides in comments.",
        ),
    ] = None,
    insert_gen_batch_size: Annotated[
        bool,
        typer.Option(
            "--insert-gen-batch-size",
            help="Insert data.gen_batch_size: null in every YAML file, not only generated ones.",
        ),
    ] = False,
    stdin_filename: StdinName = None,
    jobs: Jobs = None,
    if_relevant: IfRelevant = False,
    output: FormatOption = None,
) -> int:
    """Rewrite old rollout-skip settings (verl 0.6 to 0.8) for verl 0.9, in place."""
    from skip_config.request import Request
    from skipcfg.migrate import Options
    from skipcfg.migrate import migrate as command

    request = Request(
        role=role.value,
        total_steps=total_steps,
        unsafe=unsafe,
        include=frozenset(one.value for one in include or ()),
        insert_gen_batch_size=insert_gen_batch_size,
    )
    return command(paths, request, Options(diff, check, stdin_filename, _format(output), jobs, if_relevant))


@app.command(short_help="Check settings with the rules that verl 0.9 applies.")
def validate(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH",
            help="Files and folders; - reads standard input. With --config-dir: overrides.",
            show_default=False,
        ),
    ] = None,
    config_dir: Annotated[
        str | None, typer.Option("--config-dir", metavar="DIR", help="Compose with Hydra from this folder first.")
    ] = None,
    config_name: Annotated[
        str | None, typer.Option("--config-name", metavar="NAME", help="The config to compose, without .yaml.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 for warnings too.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print findings and nothing else.")] = False,
    select: Annotated[
        Names,
        typer.Option(
            "--select",
            metavar="NAME",
            help="Only findings of this name; may be given again.",
            autocompletion=_diagnostics,
        ),
    ] = None,
    ignore: Annotated[
        Names,
        typer.Option(
            "--ignore",
            metavar="NAME",
            help="No findings of this name; may be given again.",
            autocompletion=_diagnostics,
        ),
    ] = None,
    base: Annotated[
        Base | None,
        typer.Option(
            "--base", help="auto: verl's defaults lie under a file whose defaults list names them; none: they do not."
        ),
    ] = None,
    runtime: Annotated[
        Runtime | None, typer.Option("--runtime", help="Also run the conversion of the verl that is installed here.")
    ] = None,
    check_paths: Annotated[
        bool, typer.Option("--check-paths", help="Also see whether dump directories can be written here.")
    ] = False,
    stdin_filename: StdinName = None,
    jobs: Jobs = None,
    if_relevant: IfRelevant = False,
    output: FormatOption = None,
) -> int:
    """Check configs with the rules that verl 0.9 applies, and find what it would accept and then ignore."""
    from pathlib import Path

    from skipcfg.report import refuse
    from skipcfg.settings import SettingsError, load, unknown_name
    from skipcfg.validate import Options, compose_and_validate
    from skipcfg.validate import validate as command

    try:
        settings = load(Path.cwd())
    except SettingsError as error:
        return refuse(str(error), _format(output))
    options = Options(
        output=_format(output) if output or settings.format is None else settings.format,
        strict=strict or settings.strict,
        quiet=quiet or settings.quiet,
        select=tuple(select or settings.select),
        ignore=(*settings.ignore, *(ignore or ())),
        base=(base.value if base else settings.base) != Base.NONE.value,
        check_paths=check_paths,
        installed=runtime is not None,
        stdin_filename=stdin_filename,
        jobs=jobs,
        if_relevant=if_relevant,
    )
    problem = unknown_name((*options.select, *options.ignore))
    if problem is None and (config_dir is None) != (config_name is None):
        problem = "--config-dir and --config-name go together: add the other one"
    if problem is None and config_dir is None and not paths:
        problem = "name a file or a folder, or give --config-dir and --config-name"
    if problem is not None:
        return refuse(problem, options.output)
    if config_dir is not None and config_name is not None:
        return compose_and_validate(config_dir, config_name, paths or [], options)
    return command(paths or [], options)


@app.command(short_help="Say what a finding means and how to mend it.")
def explain(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="What a finding has in brackets, such as old-setting.",
            show_default=False,
            autocompletion=_diagnostics,
        ),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="Show all of them, one a line.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the page docs/diagnostics.md.")] = False,
) -> int:
    """Say what a finding means and how to mend it."""
    from skipcfg.explain import explain as command

    return command(name, listed, markdown)


def _format(output: Format | None) -> str:
    if output is not None:
        return output.value
    from skipcfg.report import default_format

    return default_format()


@app.command(short_help="Write the part of verl's config that the rules read.")
def generate(
    folder: Annotated[str, typer.Argument(metavar="[DIR]", help="Where the files go.")] = "generated_configs",
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; print a diff and exit 1 when a file is stale.")
    ] = False,
) -> int:
    """Write the slice of verl's composed config that the rules read, one file per way to launch verl."""
    from skipcfg.generate import generate as command

    return command(folder, check)


@app.command(short_help="Show whose batch each training step gets.")
def trace(
    paths: Annotated[
        list[str], typer.Argument(metavar="FILE [FILE]", help="YAML files or launch scripts.", show_default=False)
    ],
    total_steps: Annotated[
        int | None,
        typer.Option("--total-steps", metavar="N", min=1, help="Training steps, where the file does not say."),
    ] = None,
    role: Annotated[
        OneRole, typer.Option("--role", help="Which role acts, in new configs; auto: that of the trainer.")
    ] = OneRole.AUTO,
    output: PlainFormatOption = PlainFormat.TEXT,
) -> int:
    """Show whose batch each training step gets, first run and rerun; two files side by side."""
    from skipcfg.trace import trace as command

    return command(paths, total_steps, role.value, output.value)


ConfigAndOverrides = Annotated[
    list[str] | None,
    typer.Argument(metavar="CONFIG [OVERRIDE...]", help="A YAML file or launch script, then Hydra overrides."),
]
ConfigDir = Annotated[
    str | None,
    typer.Option("--config-dir", metavar="DIR", help="Compose with Hydra from this folder, instead of naming a file."),
]
ConfigName = Annotated[
    str | None, typer.Option("--config-name", metavar="NAME", help="The config to compose, without .yaml.")
]
TotalSteps = Annotated[
    int | None, typer.Option("--total-steps", metavar="N", min=1, help="Training steps, where the config does not say.")
]


@app.command(short_help="Show which steps of the coming run load a dump.")
def plan(
    arguments: ConfigAndOverrides = None,
    config_dir: ConfigDir = None,
    config_name: ConfigName = None,
    role: Annotated[OneRole, typer.Option("--role", help="Which role's dumps; auto: that of the trainer.")] = (
        OneRole.AUTO
    ),
    total_steps: TotalSteps = None,
    output: PlainFormatOption = PlainFormat.TEXT,
) -> int:
    """Show which steps of the coming run would load a dump, which would generate, and from which directory."""
    from skipcfg.plan import plan_command
    from skipcfg.run_config import Given

    given = Given(arguments or (), config_dir, config_name)
    return plan_command(given, role.value, total_steps, output.value)


@app.command(short_help="Write 1-3,7 as [1,2,3,7].")
def steps(
    ranges: Annotated[
        list[str], typer.Argument(metavar="RANGES", help="Such as 1-128,200; both ends count.", show_default=False)
    ],
) -> int:
    """Write ranges of steps as the list that verl's command line takes: 1-3,7 becomes [1,2,3,7]."""
    from skipcfg.steps import steps as command

    return command(ranges)


@app.command(short_help="Say what is installed here and whether it fits.")
def doctor(
    dump_dir: Annotated[
        str, typer.Option("--dump-dir", metavar="DIR", help="Where dumps would go.")
    ] = DEFAULT_DUMP_DIR,
    output: PlainFormatOption = PlainFormat.TEXT,
) -> int:
    """Say what is installed here, whether it fits together, and what to do where it does not."""
    from skipcfg.doctor import doctor as command

    return command(dump_dir, output.value)


cache = typer.Typer(help="Look at saved rollouts, and keep old ones usable.", no_args_is_help=True)
app.add_typer(cache, name="cache", short_help="Look at saved rollouts; keep old ones usable.")


@cache.command("ls", short_help="List the dumps in a directory.")
def cache_ls(
    directory: Annotated[str, typer.Argument(metavar="DIR", help="A dump directory, or a folder above or below.")],
    output: PlainFormatOption = PlainFormat.TEXT,
) -> int:
    """List the dumps in a directory: runs, steps, sizes, ages, and what is broken."""
    from skipcfg.cache_ls import cache_ls as command

    return command(directory, output.value)


@cache.command("convert", short_help="Put dumps of verl 0.6 to 0.8 where verl 0.9 looks.")
def cache_convert(
    arguments: ConfigAndOverrides = None,
    config_dir: ConfigDir = None,
    config_name: ConfigName = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show all of it, write nothing.")] = False,
    copy: Annotated[bool, typer.Option("--copy", help="Copy instead of hard links.")] = False,
    total_steps: TotalSteps = None,
    output: PlainFormatOption = PlainFormat.TEXT,
) -> int:
    """Put the dumps that verl 0.6 to 0.8 made for a config where verl 0.9 looks for them."""
    from skipcfg.cache_convert import Options
    from skipcfg.cache_convert import cache_convert as command
    from skipcfg.run_config import Given

    given = Given(arguments or (), config_dir, config_name)
    return command(given, Options(dry_run, copy, total_steps, output.value))


@app.command(short_help="Print the JSON Schema of the skip block, for editors.")
def schema(
    full: Annotated[bool, typer.Option("--full", help="Of a whole config or overlay file.")] = False,
) -> int:
    """Print the JSON Schema of the skip block, for editors; docs/editors.md shows how."""
    from skipcfg.schema import schema as command

    return command(full)


_INTERRUPTED = "interrupted; each file is wholly as it was or wholly migrated, so run it again"


def run(arguments: Sequence[str]) -> int:
    """Run the command line.

    Args:
        arguments: What follows the program's name.

    Returns:
        The exit code: 0 done, 1 findings, 2 could not run.
    """
    output = _wanted_format(arguments)
    try:
        result = typer.main.get_command(app).main(list(arguments), prog_name="skipcfg", standalone_mode=False)
    except _UsageError as error:
        return _refuse(error, output)
    except (typer.Abort, KeyboardInterrupt):
        return _interrupted(output, 130)
    except Stopped as stopped:
        return _interrupted(output, stopped.exit_code)
    except OutputError as error:
        reason = str(error.strerror).lower()
        return fail(f"the result cannot be written: {reason}; give standard output another place", as_json=False)
    except BrokenPipeError:
        sys.stderr.close()  # the reader of a pipe has gone, as in `| head`; the interpreter would complain
        return 1
    return result if isinstance(result, int) else 0


def _interrupted(output: str, code: int) -> int:
    from skipcfg.report import refuse

    return refuse(_INTERRUPTED, output, code)


def _refuse(error: Exception, output: str) -> int:
    from skipcfg.report import STRUCTURED, refuse
    from skipcfg.usage import reworded

    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError" and output not in STRUCTURED:
        error.show()  # type: ignore[attr-defined]  # the help, which is what one wants who typed no more
        return 2
    code = refuse(reworded(error.format_message()), output)  # type: ignore[attr-defined]
    err(f"Next: {context.command_path if context else 'skipcfg'} --help")
    return code


def _wanted_format(arguments: Sequence[str]) -> str:
    pairs = zip(arguments, [*arguments[1:], ""], strict=False)
    wanted = [
        value if one == "--format" else one.removeprefix("--format=") for one, value in pairs if "--format" in one
    ]
    return next((name for name in wanted if name in ("json", "sarif", "github")), "text")
