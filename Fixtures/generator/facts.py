"""What is known of each fixture, kept beside the code that makes it.

The facts become expected.json for the tests and the table in README.md for people.
"""

from dataclasses import dataclass, field


@dataclass
class Page:
    """One page as it is displayed: points, after /Rotate, times UserUnit."""

    width: float
    height: float
    rotation: int = 0
    label: str | None = None
    user_unit: float = 1
    error: str | None = None


@dataclass
class Fixture:
    """One file: what it shows, and what a reader should find in it."""

    name: str
    shows: str
    data: bytes
    pages: list = field(default_factory=list)
    title: str | None = None
    right_to_left: bool = False
    page_layout: str | None = None
    password: str | None = None
    error: str | None = None
    by: str = "by hand"

    def expected(self):
        """The facts as JSON values; whatever is ordinary is left out."""
        facts = {"error": self.error, "password": self.password, "title": self.title}
        facts["rightToLeft"] = self.right_to_left or None
        facts["pageLayout"] = self.page_layout
        facts = {key: value for key, value in facts.items() if value is not None}
        facts["pages"] = [self.page(i, page) for i, page in enumerate(self.pages)]
        return facts

    @staticmethod
    def page(index, page):
        facts = {"width": round(page.width, 4), "height": round(page.height, 4)}
        facts["rotation"] = page.rotation
        facts["label"] = page.label if page.label is not None else str(index + 1)
        if page.user_unit != 1:
            facts["userUnit"] = page.user_unit
        if page.error:
            facts["error"] = page.error
        return facts
