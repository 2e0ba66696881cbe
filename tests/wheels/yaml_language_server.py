"""The YAML language server from npm, which VS Code's YAML extension runs: what it says about a file."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from tests.wheel_cache import built_once, run_or_fail

VERSION = "1.25.0"


@cache
def server() -> Path:
    """The server's program, installed by npm outside the repository."""

    def install(place: Path) -> None:
        run_or_fail(["npm", "install", "--silent", "--prefix", str(place), f"yaml-language-server@{VERSION}"])

    place = built_once(f"yaml-language-server-{VERSION}", install)
    return place / "node_modules" / "yaml-language-server" / "bin" / "yaml-language-server"


class Session:
    """One conversation with the server, about files of one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.number = 0
        self.told: list[dict[str, Any]] = []
        self.process = subprocess.Popen(
            ["node", str(server()), "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder
        )
        self.ask("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}})
        self.tell("initialized", {})

    def close(self) -> None:
        """End the server."""
        self.process.kill()
        self.process.communicate()

    def open(self, name: str, text: str) -> str:
        """Open a file that need not exist. Returns its URI."""
        uri = (self.folder / name).as_uri()
        document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return uri

    def problems(self, uri: str) -> list[str]:
        """The problems of an open file, by line: `line:column message`, counted from 1 as editors do."""
        while True:
            for one in self.told:
                if one["method"] == "textDocument/publishDiagnostics" and one["params"]["uri"] == uri:
                    found = [
                        (problem["range"]["start"], problem["message"]) for problem in one["params"]["diagnostics"]
                    ]
                    places = sorted((start["line"] + 1, start["character"] + 1, message) for start, message in found)
                    return [f"{line}:{column} {message}" for line, column, message in places]
            self._take(self._read())

    def completions(self, uri: str, line: int, column: int) -> list[str]:
        """What the server offers at a place (from 1), with the text that it would insert."""
        position = {"line": line - 1, "character": column - 1}
        answer = self.ask("textDocument/completion", {"textDocument": {"uri": uri}, "position": position})
        return [item.get("insertText", item["label"]) for item in answer["items"]]

    def hover(self, uri: str, line: int, column: int) -> str:
        """The text that is shown for the word at a place (from 1)."""
        position = {"line": line - 1, "character": column - 1}
        answer = self.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": position})
        text: str = answer["contents"]["value"]
        return text

    def tell(self, method: str, params: dict[str, Any]) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """Send a request and wait for its answer."""
        self.number += 1
        self._send({"id": self.number, "method": method, "params": params})
        while True:
            message = self._read()
            if message.get("id") == self.number and "method" not in message:
                return message["result"]
            self._take(message)

    def _take(self, message: dict[str, Any]) -> None:
        if "id" in message:  # the server asks for settings: none
            items = message["params"].get("items", []) if message["method"] == "workspace/configuration" else None
            self._send({"id": message["id"], "result": items and [{} for _ in items]})
        else:
            self.told.append(message)

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        assert length, "the language server has ended"
        message: dict[str, Any] = json.loads(self.process.stdout.read(length))
        return message
