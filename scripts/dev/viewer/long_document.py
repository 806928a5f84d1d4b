"""Writes a PDF with many pages of text: long_document.py PAGES FILE.

The first four pages are labeled i to iv, the others from 1 on. Every page has its own text; page 10 has a link to page 5000.
"""

import random
import sys
import zlib

WORDS = (
    "page paper margin column line letter space measure spread leaf fold sheet print ink type serif height width"
    " scale frame window scroll order place size turn table index note word text book edge center corner"
).split()


def content(number):
    """The commands that draw a page."""
    source = random.Random(number)
    lines = [f"BT /F1 20 Tf 72 750 Td (Chapter {number}) Tj ET", "BT /F1 10 Tf 14 TL 72 715 Td"]
    for _ in range(44):
        words = " ".join(source.choice(WORDS) for _ in range(13))
        lines.append(f"({words}) Tj T*")
    lines.append("ET")
    for _ in range(12):
        x, y = source.uniform(60, 500), source.uniform(40, 90)
        lines.append(f"0.2 0.4 0.7 RG {x:.1f} {y:.1f} m {x + 40:.1f} {y + 20:.1f} l S")
    return zlib.compress("\n".join(lines).encode())


def main():
    count, path = int(sys.argv[1]), sys.argv[2]
    with open(path, "wb") as file:
        offsets = {}

        def write(number, body):
            offsets[number] = file.tell()
            file.write(b"%d 0 obj\n" % number + body + b"\nendobj\n")

        file.write(b"%PDF-1.5\n")
        first = 4 + (count + 99) // 100
        nodes = range(4, first)
        write(
            1,
            b"<< /Type /Catalog /Pages 2 0 R /PageLabels << /Nums [0 << /S /r >> 4 << /S /D >>] >> >>",
        )
        write(
            2,
            b"<< /Type /Pages /Count %d /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Kids [%s] >>"
            % (count, b" ".join(b"%d 0 R" % node for node in nodes)),
        )
        write(3, b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>")
        for index, node in enumerate(nodes):
            pages = range(index * 100, min(index * 100 + 100, count))
            kids = b" ".join(b"%d 0 R" % (first + 2 * page) for page in pages)
            write(
                node,
                b"<< /Type /Pages /Parent 2 0 R /Count %d /Kids [%s] >>" % (len(pages), kids),
            )
        for page in range(count):
            number = first + 2 * page
            link = b""
            if page == 9 and count > 5000:
                target = first + 2 * 4999
                link = (
                    b" /Annots [<< /Type /Annot /Subtype /Link /Rect [72 740 200 775] /Border [0 0 0]"
                    b" /Dest [%d 0 R /XYZ 0 600 null] >>]" % target
                )
            write(
                number,
                b"<< /Type /Page /Parent %d 0 R /Contents %d 0 R%s >>"
                % (4 + page // 100, number + 1, link),
            )
            stream = content(page + 1)
            write(
                number + 1,
                b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(stream), stream),
            )
        start = file.tell()
        size = max(offsets) + 1
        file.write(b"xref\n0 %d\n0000000000 65535 f \n" % size)
        for number in range(1, size):
            file.write(b"%010d 00000 n \n" % offsets[number])
        file.write(b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, start))


main()
