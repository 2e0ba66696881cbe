"""PowerShell and cmd: their own continuation, quotes and variables, and nothing of bash."""

from __future__ import annotations

import pytest

from skip_config.migrate import migrate_source
from skip_config.request import Request
from skip_config.source import Source

RUN = "python -m verl.trainer.main_ppo"
OLD = "actor_rollout_ref.rollout"

POWERSHELL = {
    "a list is quoted as a whole": (
        f"{RUN} `\r\n  {OLD}.skip.enable=True `\r\n  {OLD}.skip.max_dump_step=2\r\n",
        f"{RUN} `\r\n  skip.rollout_tq.enable=True `\r\n  'skip.rollout_tq.steps=[1,2]'\r\n",
    ),
    "a word in quotes stays one": (f'{RUN} "{OLD}.skip_dump_dir=$D/a b"', f'{RUN} "skip.rollout_tq.dump_dir=$D/a b"'),
    "an array that is splatted": (
        f'$A = @(\n  "a.b=1",\n  "{OLD}.skip.enable=True"\n)\n{RUN} @A',
        f'$A = @(\n  "a.b=1",\n  "skip.rollout_tq.enable=True",\n  "skip.rollout_tq.steps=[1]"\n)\n{RUN} @A',
    ),
    "an array on one line": (
        f"$a = '{OLD}.skip.enable=True', 'x.y=1'\n{RUN} $a",
        f"$a = 'skip.rollout_tq.enable=True', 'skip.rollout_tq.steps=[1]', 'x.y=1'\n{RUN} $a",
    ),
    "a here-string with an odd quote": (
        f'$a = @"\nIt\'s\n"@\n{RUN} {OLD}.skip_dump_dir=a',
        f'$a = @"\nIt\'s\n"@\n{RUN} skip.rollout_tq.dump_dir=a',
    ),
    "a comma goes on": (
        f"{RUN} `\n  '{OLD}.skip.enable=True',\n  'a.b=1'",
        f"{RUN} `\n  'skip.rollout_tq.enable=True',\n  'skip.rollout_tq.steps=[1]',\n  'a.b=1'",
    ),
    "a backtick before a line end in a word": (f"a`\n'{OLD}.skip.enable=True'", f"a`\n'{OLD}.skip.enable=True'"),
    "many steps are written out": (
        f"{RUN} {OLD}.skip.max_dump_step=17",
        f"{RUN} 'skip.rollout_tq.steps=[{','.join(map(str, range(1, 18)))}]'",
    ),
    "a removed last line": (f"{RUN} `\n  a.b=1 `\n  ~{OLD}.skip\n", f"{RUN} `\n  a.b=1\n"),
}


@pytest.mark.parametrize(("before", "after"), POWERSHELL.values(), ids=POWERSHELL.keys())
def test_powershell(before: str, after: str) -> None:
    assert migrate_source(Source(before, "run.ps1"), Request()).text == after


CMD = {
    "a caret goes on": (
        f"{RUN} ^\r\n  {OLD}.skip.enable=True ^\r\n  {OLD}.skip.dump_dir=%D%\r\n",
        f"{RUN} ^\r\n  skip.rollout_tq.enable=True ^\r\n  skip.rollout_tq.steps=[1] ^\r\n"
        "  skip.rollout_tq.dump_dir=%D%\r\n",
    ),
    "a variable": (
        f'set "O={OLD}.skip.enable=True a.b=1"\r\n{RUN} %O%\r\n',
        f'set "O=skip.rollout_tq.enable=True skip.rollout_tq.steps=[1] a.b=1"\r\n{RUN} %O%\r\n',
    ),
    "a word in quotes stays one": (f'{RUN} "{OLD}.skip_dump_dir=D:\\a b"', f'{RUN} "skip.rollout_tq.dump_dir=D:\\a b"'),
    "a variable that grows": (
        f"set O=trainer.use_v1=False\nset O=%O% {OLD}.skip.enable=True\n{RUN} %O% {OLD}.skip.max_dump_step=1",
        f"set O=trainer.use_v1=False\nset O=%O% skip.rollout.enable=True\n{RUN} %O% skip.rollout.steps=[1]",
    ),
}


@pytest.mark.parametrize(("before", "after"), CMD.values(), ids=CMD.keys())
def test_cmd(before: str, after: str) -> None:
    assert migrate_source(Source(before, "run.bat"), Request()).text == after


@pytest.mark.parametrize(("name", "variable"), [("run.ps1", "$N"), ("run.bat", "%N%")])
def test_a_count_in_a_variable_is_left(name: str, variable: str) -> None:
    text = f"{RUN} {OLD}.skip.enable=True {OLD}.skip.max_dump_step={variable}"
    migration = migrate_source(Source(text, name), Request())
    assert migration.text == text
    assert [one.name for one in migration.diagnostics] == ["old-value-unknown"]


@pytest.mark.parametrize(
    ("name", "text", "column"),
    [
        ("run.ps1", f"{RUN} '{OLD}.skip.enable=True\n", 33),
        ("run.ps1", f'{RUN} {OLD}.skip.enable=True "a\n', 76),
        ("run.ps1", f'$a = @"\n {RUN} {OLD}.skip.enable=True\n', 6),
        ("run.bat", f'{RUN} "{OLD}.skip.enable=True\n', 33),
        ("run.bat", f"{RUN} ^\r  {OLD}.skip.enable=True\r", 34),
    ],
)
def test_what_is_broken_is_told_at_its_place(name: str, text: str, column: int) -> None:
    migration = migrate_source(Source(text, name), Request())
    assert migration.text == text
    assert [(one.name, one.column) for one in migration.diagnostics] == [("script-not-readable", column)]


def test_a_quote_of_another_command_is_none_of_ours() -> None:
    assert migrate_source(Source(f'echo 1" wide\n{RUN} {OLD}.skip_dump_dir=a', "run.bat"), Request()).changed


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run.ps1", f"# {OLD}.skip.enable=True\n"),
        ("run.ps1", f'Write-Host "{OLD}.skip.enable=True"\n'),
        ("run.bat", f"rem {OLD}.skip.enable=True\n"),
        ("run.bat", f"echo {OLD}.skip.enable=True\n"),
    ],
)
def test_comments_and_printed_text_are_notes(name: str, text: str) -> None:
    migration = migrate_source(Source(text, name), Request())
    assert migration.text == text
    assert [one.severity.value for one in migration.diagnostics] == ["note"]
