"""Pictures, text, searches and layouts of PDFs, drawn by the program ``recto`` in processes of its own.

    import recto

    with recto.open("book.pdf") as doc:
        doc[4].image(dpi=144).save("page-5.png")

``recto.aio`` is the same for asyncio, and ``recto.pdf2image`` has the functions of pdf2image.
"""

from ._batches import batch_schema, batches
from ._documents import Pictures
from ._errors import DocumentError, EngineError, Error, LimitError, PageError, PasswordError, UsageError
from .document import Document, Page, open
from .engine import Engine
from .layout import Layout, Window
from .values import Box, Hit, Link, OutlineItem, Size

__version__ = "0.2.0"

__all__ = [
    "Box",
    "Document",
    "DocumentError",
    "Engine",
    "EngineError",
    "Error",
    "Hit",
    "Layout",
    "LimitError",
    "Link",
    "OutlineItem",
    "Page",
    "PageError",
    "PasswordError",
    "Pictures",
    "Size",
    "UsageError",
    "Window",
    "batch_schema",
    "batches",
    "open",
]
