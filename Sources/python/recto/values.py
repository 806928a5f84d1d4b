"""What documents consist of. Lengths are in points (1/72 inch) from the top left of the page as it is displayed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

P = TypeVar("P")


class Size(NamedTuple):
    """A width and a height."""

    width: float
    height: float


class Box(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Hit(Generic[P]):
    """Where the words of a search are: page, text, the text around it, and a box for each line that they are on."""

    page: P
    text: str
    before: str
    after: str
    areas: list[Box]


@dataclass(frozen=True)
class Link:
    """A link on a page. ``target`` has the members of ``docs/COMMAND.md``; ``kind`` is one of them.

    ``page`` is the number of the page that it leads to, from 1, and ``uri`` its address; None if it has none.
    """

    areas: list[Box]
    kind: str
    page: int | None
    uri: str | None
    target: dict[str, Any]


@dataclass(frozen=True)
class OutlineItem:
    """An entry of the outline, on a ``level`` from 0. ``page`` is the number of its page, from 1, or None."""

    title: str
    level: int
    page: int | None
    target: dict[str, Any]


def box(fields: dict[str, float]) -> Box:
    """A rectangle of a reply."""
    return Box(fields["x"], fields["y"], fields["width"], fields["height"])


def link(fields: dict[str, Any]) -> Link:
    """A link of a reply."""
    target = fields["target"]
    page = target.get("page") if target["kind"] == "page" else None
    return Link([box(area) for area in fields["areas"]], target["kind"], page, target.get("uri"), target)


def outline(items: list[dict[str, Any]], level: int = 0) -> list[OutlineItem]:
    """The entries of a reply, each in front of those below it."""
    entries = []
    for item in items:
        target = item.get("target", {})
        page = target.get("page") if target.get("kind") == "page" else None
        entries.append(OutlineItem(item["title"], level, page, target))
        entries += outline(item.get("items", []), level + 1)
    return entries
