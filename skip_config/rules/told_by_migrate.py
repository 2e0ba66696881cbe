"""What `skipcfg migrate` tells; the texts of single findings are made where they are found."""

from __future__ import annotations

from skip_config.diagnostics import Severity
from skip_config.rules import Rule

_FLAT = "actor_rollout_ref:\n  rollout:\n    skip_rollout: true\n"
_NESTED = "actor_rollout_ref:\n  rollout:\n    skip:\n      enable: true\n"
_NOTE, _WARNING, _ERROR = Severity.NOTE, Severity.WARNING, Severity.ERROR


def _told(
    name: str,
    severity: Severity,
    summary: str,
    why: str,
    example: str,
    mend: str,
    *sometimes: Severity,
) -> Rule:
    return Rule(name, severity, summary, why, example, mend, since="0.9.0", sometimes=sometimes)


_MEANING = (
    _told(
        "needs-total-steps",
        _ERROR,
        "The old setting meant every step, and the number of steps is not known.",
        "verl 0.9 wants a list of steps. `trainer.total_training_steps` gives the number when the file sets it; "
        "otherwise it depends on the data set and `trainer.total_epochs`, which no config file says.",
        _FLAT,
        "Run `skipcfg migrate --total-steps N`, where N is what the run's progress bar counts up to.",
    ),
    _told(
        "repeat-last-is-a-choice",
        _ERROR,
        "`repeat_last` with two or more dumped steps has no exact counterpart.",
        "Old: steps 1..N are generated and saved, and each later step gets that of N. New `repeat` with steps 1..T "
        "does that only once dumps 1..N are there; with an empty directory every step gets that of 1.",
        f"{_NESTED}      max_dump_step: 3\n      action: repeat_last\n",
        "Accept the nearest with `--unsafe`, and put the old dumps in place with `skipcfg cache convert`.",
        _WARNING,
    ),
    _told(
        "round-robin",
        _ERROR,
        "`repeat` with two or more dumped steps went round them, which no setting of 0.9 does.",
        "Old: after N steps the batches 1..N came again in turn. New `repeat` reuses the nearest earlier dump. The "
        "round is exact with `cache` and steps 1..T when the dump of step k also lies at k+N, k+2N, …",
        f"{_NESTED}      max_dump_step: 3\n      action: repeat\n",
        "Accept the nearest with `--unsafe`, or put the dumps in place with `skipcfg cache convert`.",
        _WARNING,
    ),
    _told(
        "never-dumped",
        _NOTE,
        "`cache` with `max_dump_step` of 0 or less never saved a step.",
        "The same in verl 0.9 is to switch the role off, and that is written.",
        f"{_NESTED}      max_dump_step: 0\n",
        "Nothing has to be done. To save steps from now on, set `skip.<role>.enable` and `.steps`.",
    ),
    _told(
        "never-repeated",
        _NOTE,
        "The old setting never got past saving steps.",
        "With `max_dump_step` not below the number of training steps, `repeat` and `repeat_last` did what `cache` "
        "does.",
        f"{_NESTED}      max_dump_step: 9\n      action: repeat\ntrainer:\n  total_training_steps: 9\n",
        "Nothing has to be done.",
    ),
    _told(
        "behaviour",
        _NOTE,
        "Whether a migrated run behaves as the old one did, from a model of both runtimes.",
        "The model goes through a first run with an empty directory and a rerun, and compares whose batch each "
        "training step gets.",
        f"{_NESTED}      max_dump_step: 2\n",
        "Nothing has to be done; `skipcfg trace OLD NEW` shows it step by step.",
    ),
    _told(
        "switched-off",
        _NOTE,
        "A setting without exact counterpart that is switched off.",
        "Nothing changes as long as it stays off; switched on, it would not do the same.",
        f"{_NESTED.replace('true', 'false')}      max_dump_step: 3\n      action: repeat\n",
        "Choose the settings when you switch it on.",
    ),
    _told(
        "launcher-unknown",
        _NOTE,
        "Nothing in the file says which trainer runs it.",
        "A YAML file does not know how it is launched, and each trainer of verl 0.9 asks another role. So "
        "`skip.rollout` and `skip.rollout_tq` both get the settings; only the one in use acts.",
        f"{_NESTED}      max_dump_step: 3\n",
        "To write only one, run `skipcfg migrate --role rollout_tq` (verl 0.9's default trainer) or `--role rollout`.",
    ),
    _told(
        "role-depends-on-the-command",
        _ERROR,
        "One setting reaches the fully asynchronous trainer and another one.",
        "`skip.async_rollout` counts prompts as they are fed and the other roles count training steps, so one list "
        "of steps cannot serve both.",
        "",
        "Give each command its own settings.",
    ),
    _told(
        "default-written",
        _WARNING,
        "A command relied on an old default, which is written out and hides what its own config says.",
        "Up to 0.8, `enable=True` alone kept one step, or as many as `max_dump_step` of the config said. verl 0.9 has "
        "no such default, so the command gets it; where its config sets the number, the command now wins.",
        "",
        "If the config that the command names sets it, remove the new setting from the command.",
    ),
    _told(
        "depends-on-the-path",
        _ERROR,
        "Old settings come together differently from one run of a command to the next.",
        "An `if`, or commands that share settings: no rewriting in place means the same for all.",
        "",
        "Write the settings of each case together, in one place.",
    ),
)

_VALUES = (
    _told(
        "no-counterpart",
        _ERROR,
        "A setting of a fork that nothing in verl 0.9 corresponds to.",
        "No release had it. What it did has to be said in other words, or not at all.",
        f"{_NESTED}      load_dir: /data/old\n",
        "Remove it, and choose `skip.<role>` by hand where it mattered.",
        _WARNING,
        _NOTE,
    ),
    _told(
        "old-value-unknown",
        _ERROR,
        "An old value that the new settings depend on, and that only a shell or another layer knows.",
        "A list of steps cannot be made from a number that is not there.",
        f"{_NESTED}      max_dump_step: ${{oc.env:STEPS}}\n",
        "Write the value into the file, or choose `skip.<role>.steps` by hand.",
    ),
    _told(
        "old-value-refused",
        _ERROR,
        "An old value that the old runtime refused too, or read otherwise than it looks.",
        "It has no meaning that could be carried over.",
        f"{_NESTED}      max_dump_step: many\n",
        "Mend the value, then run `skipcfg migrate` again.",
    ),
    _told(
        "two-generations",
        _ERROR,
        "Settings of two generations are switched on at once.",
        "Which of `skip_rollout` and `skip.enable` counted depends on the release that ran.",
        f"{_FLAT}    skip:\n      enable: true\n",
        "Remove the settings that your release did not read.",
    ),
    _told(
        "old-and-new-differ",
        _ERROR,
        "Old and new settings stand together and say different things.",
        "verl 0.9 reads only the new ones; which of them is meant is not for a program to guess.",
        f"{_NESTED}      max_dump_step: 3\nskip:\n  rollout_tq:\n    enable: false\n    steps: [1]\n",
        "Remove the ones that are wrong.",
    ),
)

_PLACES = (
    _told(
        "cannot-move-here",
        _ERROR,
        "Old settings in a file that Hydra places below `actor_rollout_ref`.",
        "The new settings live at the top level, which such a file cannot reach.",
        "# @package actor_rollout_ref.rollout\nskip_rollout: true\n",
        "Set `skip.<role>` in the primary config or on the command line, and remove the old keys.",
    ),
    _told(
        "old-setting-inherited",
        _ERROR,
        "Old settings that come in by an alias or a merge key.",
        "Other places may share them, so they cannot simply be taken out.",
        "x: &x {skip_rollout: true}\nactor_rollout_ref:\n  rollout:\n    <<: *x\n",
        "Write `skip.<role>` at the top level, and take the old keys out of the shared mapping.",
    ),
    _told(
        "old-settings-twice",
        _ERROR,
        "Old settings in two places of one file.",
        "`rollout` at the top level is short for `actor_rollout_ref.rollout`; where both have old keys, one was never "
        "read.",
        f"{_FLAT}rollout:\n  skip_rollout: false\n",
        "Remove those that no run reads, then run `skipcfg migrate` again.",
    ),
    _told(
        "old-setting-in-sweep",
        _ERROR,
        "A sweep over an old setting.",
        "verl 0.9 has no such key, and Hydra stops.",
        "hydra:\n  sweeper:\n    params:\n      actor_rollout_ref.rollout.skip.enable: true,false\n",
        "Sweep over `skip.<role>` instead.",
    ),
    _told(
        "dotted-key",
        _WARNING,
        "A key with dots in YAML, which is one literal name.",
        "Hydra's dots belong to the command line; in a file nothing reads such a key.",
        "skip.rollout_tq.enable: true\n",
        "Write the keys below one another, or remove it.",
    ),
    _told(
        "interpolation-to-old-setting",
        _ERROR,
        "An interpolation points at an old setting that has no counterpart in verl 0.9.",
        "It would not resolve, or mean something else.",
        f"{_FLAT}x: ${{actor_rollout_ref.rollout.skip_rollout}}\n",
        "Write the value out, or point it at `skip.<role>.<field>`.",
    ),
    _told(
        "anchor-in-use",
        _ERROR,
        "An anchor on something that goes is used elsewhere.",
        "Taking it out would leave a file that no longer loads.",
        "actor_rollout_ref:\n  rollout:\n    skip: &s\n      enable: true\nother: *s\n",
        "Write the aliased value out, then run `skipcfg migrate` again.",
    ),
    _told(
        "cannot-rewrite",
        _ERROR,
        "Old settings that cannot be taken out of the text.",
        "They share a line with something else in a way that leaves no clean cut.",
        "",
        "Part the lines, then run `skipcfg migrate` again.",
    ),
    _told(
        "variable-used-as-one-word",
        _ERROR,
        "A shell variable that holds one argument would have to hold several.",
        "One old setting becomes several new ones, and a quoted variable stays one word.",
        "",
        "Put the settings into an array, then run `skipcfg migrate` again.",
    ),
    _told(
        "text-after-continuation",
        _WARNING,
        "Something stands behind a backslash at the end of a line.",
        "The command ends there, and the next lines are no part of it.",
        "",
        "Remove what is behind the backslash.",
    ),
    _told(
        "made-complete",
        _NOTE,
        "A complete config gets the keys that verl 0.9's own have besides.",
        "verl's generated configs, and the configs that runs record, have no defaults behind them. verl 0.9 reads the "
        "whole `skip` block of such a config, and lists `data.gen_batch_size` beside `data.train_batch_size`.",
        "",
        "Nothing has to be done: the values are verl's defaults, and change nothing.",
    ),
    _told(
        "pattern-names-old-setting",
        _WARNING,
        "A `sed` or `grep` pattern names an old setting.",
        "It will match nothing in a file that is migrated.",
        "",
        "Adapt the pattern to the new keys.",
    ),
    _told(
        "vendored",
        _NOTE,
        "A vendored copy of verl with settings of an older release.",
        "Its files belong to verl; changing them would break the copy.",
        "",
        "Upgrade verl instead of editing its files.",
    ),
    _told(
        "record",
        _NOTE,
        "Old settings in the record of a run.",
        "`.hydra/`, `outputs/`, `wandb/` and logs tell what happened, and are left alone.",
        "",
        "To rewrite them all the same, run `skipcfg migrate --include records`.",
    ),
    _told(
        "result-not-verified",
        _ERROR,
        "The migrated text did not pass skipcfg's own check, and the file was left as it was.",
        "Every result is read again, must hold no old key, mean what was translated and leave all else equal.",
        "",
        "This is a bug of skipcfg; please report it with the file.",
    ),
)

_CODE = (
    _told(
        "removed-import",
        _ERROR,
        "An import of a module that verl 0.9 removed.",
        "The trainers of verl 0.9 call `verl.utils.skip.SkipManager` themselves; `verl.utils.rollout_skip` is gone.",
        "",
        "Remove the import and what uses it, and set `skip.rollout_tq` or `skip.rollout`.",
        _WARNING,
    ),
    _told(
        "removed-key-read",
        _WARNING,
        "Code reads or sets a setting that verl 0.9 does not have.",
        "`.get()` finds nothing there, silently; attribute access raises.",
        "",
        "Read `skip.<role>` instead, or leave it to verl's skip manager.",
        _ERROR,
    ),
    _told(
        "default-never-used",
        _WARNING,
        "A default of `.get()` for `gen_batch_size` that never comes.",
        "The key is there and null since verl 0.9, so `.get()` returns None and not its second argument.",
        "",
        'Write `.get("gen_batch_size") or fallback`.',
    ),
    _told(
        "override-not-followed",
        _ERROR,
        "An old setting in a word whose way to the command cannot be followed.",
        "skipcfg cannot tell what the command gets.",
        "",
        "Write it as a word of its own, or move it by hand.",
    ),
    _told(
        "too-many-steps",
        _ERROR,
        "A list of all steps would be longer than anyone wants in a config.",
        "verl 0.9 wants each step named.",
        "",
        "Give fewer steps with `--total-steps`, as many as you mean to run.",
    ),
    _told(
        "old-dumps",
        _NOTE,
        "The dump directory holds dumps of an older release.",
        "verl 0.9 looks for its own in other places and generates anew.",
        "",
        "Run `skipcfg cache convert FILE --dry-run`, then without `--dry-run`.",
    ),
)

RULES = (*_MEANING, *_VALUES, *_PLACES, *_CODE)
