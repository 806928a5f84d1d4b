"""The functions of pdf2image 1.17, with recto in place of poppler's programs.

    from recto.pdf2image import convert_from_path

    images = convert_from_path("book.pdf")

``docs/PYTHON.md`` has a table of the parameters.
"""

from ._convert import convert_from_bytes, convert_from_path
from ._info import pdfinfo_from_bytes, pdfinfo_from_path

__all__ = ["convert_from_bytes", "convert_from_path", "pdfinfo_from_bytes", "pdfinfo_from_path"]
