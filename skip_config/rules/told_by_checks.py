"""What `skipcfg validate` tells beside its rules: about itself, Hydra, the machine and the installed verl."""

from __future__ import annotations

from skip_config.diagnostics import Severity
from skip_config.rules import Rule

RULES = (
    Rule(
        name="stale-ignore",
        severity=Severity.WARNING,
        summary="A `# skipcfg: ignore[…]` that silences nothing.",
        why="What it was written for has gone, or the name or the line is not the right one. Left alone it would "
        "hide the next finding.",
        example="skip:\n  rollout: {enable: false}  # skipcfg: ignore[steps-empty] filled later\n",
        mend="Remove the comment, or put it on the line of the finding.",
        since="0.9.0",
    ),
    Rule(
        name="composition-failed",
        severity=Severity.ERROR,
        summary="Hydra cannot compose the config.",
        why="A config that is missing, an override of a key that does not exist, a value that does not parse: the "
        "message is Hydra's own.",
        example="",
        mend="Mend the config or the override that the message names.",
        since="0.6.0",
    ),
    Rule(
        name="override-not-readable",
        severity=Severity.ERROR,
        summary="An override that Hydra's grammar refuses.",
        why="The shell takes quotes off before Hydra reads the word. A `~`, a comma or a brace in a value needs "
        "quotes that reach Hydra.",
        example="",
        mend="Quote the value twice, as in `'skip.rollout_tq.dump_dir=\"~/x\"'`.",
        since="0.6.0",
    ),
    Rule(
        name="override-is-a-sweep",
        severity=Severity.ERROR,
        summary="An override that Hydra takes for several runs.",
        why="`1,2,3` and `range(1,4)` are sweeps, which Hydra refuses without `--multirun`.",
        example="",
        mend="Write a list, quoted for the shell: `'skip.rollout_tq.steps=[1,2,3]'`.",
        since="0.6.0",
    ),
    Rule(
        name="prefix-on-existing-key",
        severity=Severity.ERROR,
        summary="`+` or `~` before a key that verl 0.9 has.",
        why="Hydra refuses to add a key that exists, and the trainer needs the keys that `~` would delete.",
        example="",
        mend="Write the override without prefix.",
        since="0.9.0",
    ),
    Rule(
        name="dump-dir-not-writable",
        severity=Severity.WARNING,
        sometimes=(Severity.ERROR,),
        summary="`dump_dir` cannot be created or written here (with `--check-paths`).",
        why="`rollout` and `async_rollout` print that they failed to dump and go on; `rollout_tq` stops at the first "
        "step that it saves.",
        example="",
        mend="Choose another directory, or run the check on the machine that trains.",
        since="0.9.0",
    ),
    Rule(
        name="transfer-queue-too-old",
        severity=Severity.ERROR,
        summary="The installed TransferQueue cannot save checkpoints of the queue (with `--runtime installed`).",
        why="The asynchronous V1 trainers save the queue with each checkpoint, which needs `save_checkpoint` and "
        "`load_checkpoint`; verl 0.9.1 asks for TransferQueue 0.1.10.",
        example="",
        mend="Run `pip install 'TransferQueue>=0.1.10'`, or set `trainer.save_freq: -1`.",
        since="0.9.0",
    ),
    Rule(
        name="runtime-disagrees",
        severity=Severity.ERROR,
        summary="The installed verl judges the `skip` block otherwise than skipcfg (with `--runtime installed`).",
        why="verl's own conversion was run on the block, and one of the two is wrong.",
        example="",
        mend="This is a bug of skipcfg, or a verl that it does not know; please report it with the file.",
        since="0.9.0",
    ),
    Rule(
        name="runtime-not-run",
        severity=Severity.WARNING,
        summary="`--runtime installed` could not run verl's own conversion.",
        why="verl is not installed here, is older than 0.9, or cannot be imported.",
        example="",
        mend="Run it in the environment that trains.",
        since="0.9.0",
    ),
    Rule(
        name="manager-cannot-start",
        severity=Severity.ERROR,
        summary="Something outside `skip` keeps verl's skip manager from starting.",
        why="All three roles are built at the start, on or off, and each reads the batch size, the number of responses "
        "and the trainer mode of the composed config.",
        example="skip: {}\nactor_rollout_ref: {rollout: {n: many}}\ndata: {}\ntrainer: {v1: {trainer_mode: sync}}\n",
        mend="Set the key that the message names, or compose with verl 0.9's own defaults.",
        since="0.9.0",
    ),
)
