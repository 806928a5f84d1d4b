"""Writes PDFs by hand, object by object, so that every byte is ours and the same on each run."""

import zlib
from dataclasses import dataclass


def number(value):
    """A number as PDF syntax: at most four decimals, no exponent."""
    return f"{value:.4f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def array(values):
    return "[" + " ".join(number(v) for v in values) + "]"


def text_string(text):
    """A text string in PDFDocEncoding where ASCII will do, otherwise in UTF-16."""
    if text.isascii():
        return "(" + text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)") + ")"
    return "<FEFF" + text.encode("utf-16-be").hex().upper() + ">"


class PDF:
    """The objects of a file under construction; object numbers count from 1."""

    def __init__(self, version="1.7"):
        self.version = version
        self.objects = {}
        self.reserved = 0

    def reserve(self):
        """An object number whose body comes later, or never."""
        self.reserved += 1
        return self.reserved

    def put(self, reference, body):
        self.objects[reference] = body if isinstance(body, bytes) else body.encode("latin-1")
        return reference

    def add(self, body):
        return self.put(self.reserve(), body)

    def stream(self, data, entries="", compress=False):
        """A stream object; `entries` are the dictionary's entries besides /Length."""
        data = data if isinstance(data, bytes) else data.encode("latin-1")
        if compress:
            data = zlib.compress(data, 9)
            entries += " /Filter /FlateDecode"
        head = f"<< {entries} /Length {len(data)} >>".replace("<<  ", "<< ")
        return self.add(head.encode("latin-1") + b"\nstream\n" + data + b"\nendstream")

    def form(self, content, box, entries=""):
        """A form XObject, for which `box` is width and height from the origin or four corners."""
        box = box if len(box) == 4 else (0, 0, *box)
        head = f"/Type /XObject /Subtype /Form /BBox {array(box)}"
        return self.stream(content, f"{head} {entries}".rstrip())

    def file(self, root, trailer=""):
        """The whole file with a classic cross-reference table."""
        out = bytearray(f"%PDF-{self.version}\n".encode() + b"%\xe2\xe3\xcf\xd3\n")
        offsets = {}
        for reference in sorted(self.objects):
            offsets[reference] = len(out)
            out += b"%d 0 obj\n" % reference + self.objects[reference] + b"\nendobj\n"
        table = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (self.reserved + 1)
        for reference in range(1, self.reserved + 1):
            if reference in offsets:
                out += b"%010d 00000 n \n" % offsets[reference]
            else:
                out += b"0000000000 65535 f \n"
        out += b"trailer\n<< /Size %d /Root %d 0 R" % (self.reserved + 1, root)
        out += f" {trailer}".rstrip().encode("latin-1")
        out += b" >>\nstartxref\n%d\n%%%%EOF\n" % table
        return bytes(out)


@dataclass
class Sheet:
    """One page: its boxes as written, its content, and whatever else its dictionary holds."""

    media: tuple | None
    content: str
    crop: tuple | None = None
    rotate: int | str | None = None
    user_unit: float | None = None
    resources: str = ""
    extra: str = ""

    def dictionary(self, parent, content):
        parts = [f"<< /Type /Page /Parent {parent} 0 R"]
        if self.media is not None:
            parts.append(f"/MediaBox {array(self.media)}")
        if self.crop is not None:
            parts.append(f"/CropBox {array(self.crop)}")
        if self.rotate is not None:
            parts.append(f"/Rotate {self.rotate}")
        if self.user_unit is not None:
            parts.append(f"/UserUnit {number(self.user_unit)}")
        if self.resources is not None:
            parts.append(f"/Resources << {self.resources} >>".replace("<<  >>", "<< >>"))
        parts.append(f"/Contents {content} 0 R")
        return " ".join(parts + [self.extra]).rstrip() + " >>"


def document(sheets, catalog="", info="", pdf=None, compress=False):
    """A file with these pages in a flat tree.

    `catalog` and `info` are further entries of those dictionaries; `pdf` may hold objects already,
    to which resources refer.
    """
    pdf = pdf or PDF()
    root, pages = pdf.reserve(), pdf.reserve()
    kids = []
    for sheet in sheets:
        kids.append(pdf.reserve())
        content = pdf.stream(sheet.content, compress=compress)
        pdf.put(kids[-1], sheet.dictionary(pages, content))
    references = " ".join(f"{kid} 0 R" for kid in kids)
    pdf.put(pages, f"<< /Type /Pages /Count {len(kids)} /Kids [{references}] >>")
    pdf.put(root, f"<< /Type /Catalog /Pages {pages} 0 R {catalog}".rstrip() + " >>")
    trailer = f"/Info {pdf.add(f'<< {info} >>')} 0 R" if info else ""
    return pdf.file(root, trailer)
