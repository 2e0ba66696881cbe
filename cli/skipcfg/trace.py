"""`skipcfg trace`: whose batch each training step gets, in a first run and in a rerun."""

from __future__ import annotations

import json
from collections.abc import Sequence

from skip_config.diagnostics import Diagnostic
from skip_config.files import reason
from skip_config.formats import kind_of
from skip_config.reading import read_regular
from skip_config.releases import MANAGER, dotted
from skip_config.runtime import RERUN, Refused, Step, Unknown
from skip_config.trace import NO_SETTINGS, RUNS, Trace, TraceRole, differing_steps, step_list, stretches, trace_text
from skip_config.trace_script import trace_script
from skipcfg import next_command
from skipcfg.reading import decode
from skipcfg.streams import err, fail, out, printable

WIDEST = 20
"""Most steps that are shown one by one; above, steps in a row at which the same happens are one line."""


def trace(paths: Sequence[str], total_steps: int | None, role: TraceRole, output: str) -> int:
    """Trace one file, or two side by side. Returns the exit code: 1 where two differ."""
    as_json = output == "json"
    if len(paths) > 2:
        return fail(f"name one file, or two to compare; {len(paths)} are named", as_json)
    traces: list[Trace] = []
    for path in paths:
        try:
            source = decode(read_regular(path), path)
        except (OSError, ValueError) as error:
            return fail(f"{path}: {reason(error)}", as_json)
        if isinstance(source, Diagnostic):
            return fail(f"{path}: {source.message}; {source.help}", as_json)
        kind = kind_of(path, source.text)
        if kind not in (None, "yaml", "shell"):
            return fail(f"{path}: trace reads YAML and launch scripts; put the settings of this file into one", as_json)
        ways = trace_script(source, total_steps=total_steps, role=role) if kind == "shell" else []
        if len(ways) > 1:
            return fail(
                f"{path}: its commands get {len(ways)} different settings; put one of them into a file of its own to "
                "trace it",
                as_json,
            )
        text = "" if kind == "shell" else source.text  # of a script, what its commands get was looked at already
        found = ways[0] if ways else trace_text(text, filename=path, total_steps=total_steps, role=role)
        if isinstance(found, Refused):
            return fail(f"{path}: verl would refuse this: {found.reason}; mend it, then trace it again", as_json)
        if isinstance(found, Unknown):
            return fail(f"{path}: {_with_advice(found.reason)}", as_json)
        traces.append(found)
    differing = differing_steps(traces[0].runs, traces[1].runs) if len(traces) == 2 else ([], [])
    if as_json:
        out(json.dumps({"version": 1, "files": [one.as_dict() for one in traces]}) + "\n")
    else:
        out(printable(rendered(traces, differing)))
        _summary(traces, differing)
    return 1 if any(differing) else 0


def _with_advice(reason: str) -> str:
    if "--total-steps" in reason:
        return reason
    return f"{reason}, which only the run knows: write the value into a copy of the file, and trace that"


def rendered(traces: Sequence[Trace], differing: tuple[list[int], list[int]]) -> str:
    """The table: a line per run and file, one above the other for each run."""
    lines = [f"{_letter(index, traces)}{one.path}: {one.setting}" for index, one in enumerate(traces)]
    if max(one.total_steps for one in traces) <= WIDEST:
        lines += ["", *_columns(traces, differing), "", *_legend(traces)]
    else:
        lines += ["", *_folded(traces, differing)]
    return "\n".join(lines) + "\n"


def _letter(index: int, traces: Sequence[Trace]) -> str:
    return f"{'AB'[index]}  " if len(traces) == 2 else ""


def _columns(traces: Sequence[Trace], differing: tuple[list[int], list[int]]) -> list[str]:
    last = max(one.total_steps for one in traces)
    rows: list[tuple[str, list[str]]] = [("step", [str(step) for step in range(1, last + 1)])]
    for number, name in enumerate(RUNS):
        for index, one in enumerate(traces):
            cells = [_cell(step) for step in one.runs[number].steps]
            rows.append((f"{name} {_letter(index, traces)}".rstrip(), cells + ["-"] * (last - len(cells))))
        if differing[number]:
            rows.append(("differs", ["^" if step in differing[number] else "" for step in range(1, last + 1)]))
    head = max(len(name) for name, _ in rows)
    width = max(len(cell) for _, cells in rows for cell in cells)
    return [f"{name:<{head}}  {'  '.join(f'{cell:>{width}}' for cell in cells)}".rstrip() for name, cells in rows]


def _cell(step: Step) -> str:
    if step.loaded_from is not None:
        return str(step.batch)
    return f"{'+' if step.saved_at is not None else '*'}{step.batch}"


def _legend(traces: Sequence[Trace]) -> list[str]:
    cells = {_cell(step)[0] for one in traces for run in one.runs for step in run.steps}
    lines = ["The number is the step that generated the batch.  +  generated and saved"]
    if "*" in cells:
        lines[0] += "   *  generated, not saved"
    lines[0] += "   no mark: loaded"
    if any(step.batch > RERUN for one in traces for step in one.runs[1].steps):
        lines.append(f"{RERUN} + n: generated by the rerun at its step n.")
    return lines


def _folded(traces: Sequence[Trace], differing: tuple[list[int], list[int]]) -> list[str]:
    lines = []
    for number, name in enumerate(RUNS):
        for index, one in enumerate(traces):
            lines.append(f"{name} {_letter(index, traces)}".rstrip())
            lines += [f"  {_range(s.first, s.last):<13}{s.what}" for s in stretches(one.runs[number])]
        if differing[number]:
            lines.append(f"  differs at {step_list(differing[number])}")
    return lines


def _range(first: int, last: int) -> str:
    return f"step {first}" if first == last else f"steps {first}-{last}"


def _summary(traces: Sequence[Trace], differing: tuple[list[int], list[int]]) -> None:
    if len(traces) == 1 and traces[0].setting == NO_SETTINGS:
        err("Next: name the config or script that verl is launched with; nothing here sets rollout skip.")
    elif len(traces) == 1:
        generated = [sum(step.loaded_from is None for step in run.steps) for run in traces[0].runs]
        err(f"{traces[0].total_steps} steps: the first run generates {generated[0]}, the rerun {generated[1]}.")
        err("Next: name a second file to compare, such as the migrated one.")
    elif any(differing):
        where = [f"in the {name} at {step_list(steps)}" for name, steps in zip(RUNS, differing, strict=True) if steps]
        err(f"The two differ {' and '.join(where)}.")
        old = next((one for one in traces if not one.setting.startswith(f"{dotted(MANAGER.place)}.")), traces[0])
        err(f"Next: to see why, and what can be done: {next_command.command('skipcfg migrate --diff', (), [old.path])}")
    else:
        err(f"Same behaviour for {traces[0].total_steps} steps, first run and rerun.")
