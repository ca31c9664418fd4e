"""Reads the pages of reports, for tests: figures with their keys, ids, texts, commands."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any


class Reader(HTMLParser):
    """What a page holds. `figures` are (number of the run, key, value as it is written, text)."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.figures: list[tuple[int, str, str, str]] = []
        self.ids: list[str] = []
        self.commands: list[str] = []
        self.captions: list[str] = []
        self.tags: set[str] = set()
        self.addresses: list[str] = []
        self.text = ""
        self._open: list[tuple[str, dict[str, Any]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.tags.add(tag)
        self._open.append((tag, found))
        if "id" in found:
            self.ids.append(found["id"])
        self.addresses += [found[name] for name in ("href", "src", "xlink:href") if name in found]
        if "data-key" in found:
            self.figures.append((int(found["data-run"]), found["data-key"], found["data-value"], ""))
        if tag == "code":
            self.commands.append("")
        if tag == "figcaption":
            self.captions.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        tags = [tag for tag, _ in self._open]
        if tags[-1:] in (["style"], ["script"]):
            return
        self.text += data
        if "code" in tags:
            self.commands[-1] += data
        if "figcaption" in tags:
            self.captions[-1] += data
        if self._open and "data-key" in self._open[-1][1]:
            run, key, value, text = self.figures[-1]
            self.figures[-1] = run, key, value, text + data


def value_at(data: Any, key: str) -> Any:
    """What lies at a key, as ``summary.seats.0.score_ci.1``; names may hold points."""
    words = key.split(".")
    while words:
        if isinstance(data, (list, tuple)):
            data = data[int(words.pop(0))]
            continue
        name = next(".".join(words[:size]) for size in range(1, len(words) + 1) if ".".join(words[:size]) in data)
        data, words = data[name], words[len(name.split(".")) :]
    return data
