"""Fixtures with text: scripts of several directions, and pages of several boxes and rotations."""

from .facts import Fixture, Page
from .letters import Font, line
from .pdf import PDF, Sheet, document

SIZE = (300, 420)
BOX = (0, 0, *SIZE)


def rows(font, *texts, x=30, y=370, step=34, size=16):
    """Lines below each other. Those from right to left are written as they are seen."""
    return "".join(line(font, x, y - step * i, text, size) for i, text in enumerate(texts))


def hebrew(font):
    """Seen from left to right."""
    return rows(font, "םלוע םולש", "םלוע abc 123 םולש", "alphabet םולש xyz", "לקש 1250 ריחמ", "שלום"[::-1], "plain line")


def arabic(font):
    """The third line is in presentation forms; the last has one glyph for lam and alef."""
    last = ["م", "ا", "ل", "س", " ", "لا"]
    return rows(font, "ملاعلاب ابحرم", "123 ةحفص", "\ufe8e\ufe92\ufea3\ufeae\ufee3") + line(
        font, 30, 250, last
    )


def vertical(font):
    """Two columns, the first on the right."""
    return line(font, 200, 380, "縦書きの本", 20, "V") + line(font, 160, 380, "日本語の文字", 20, "V")


def latin(font):
    """Ligatures, hyphens, combining characters."""
    lines = [
        ["o", "ffi", "c", "e"],
        "\ufb01sh",
        "an exam-",
        "ple soft\u00ad",
        "hyphen re\u0301sume\u0301",
        "r\u00e9sum\u00e9 \u017fo",
    ]
    return rows(font, *lines, step=20)


def ways(font, pdf, reference):
    """Ways to show text besides the plain one."""
    form = pdf.form(
        line(font, 30, 250, "in a form"), BOX, f"/Resources << /Font << /F {reference} 0 R >> >>"
    )
    bar = pdf.stream("700 0 d0 100 0 500 600 re f")
    table = pdf.stream(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /T def\n"
        "1 begincodespacerange <00> <ff> endcodespacerange\n"
        "1 beginbfrange <61> <7a> <0061> endbfrange\nendcmap end end"
    )
    type3 = pdf.add(
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 -200 700 800] /FontMatrix [0.001 0 0 0.001 0 0]"
        f" /CharProcs << /a {bar} 0 R >> /Encoding << /Differences [97 {'/a ' * 26}] >>"
        f" /FirstChar 97 /LastChar 122 /Widths [{'700 ' * 26}] /Resources << >> /ToUnicode {table} 0 R >>"
    )
    bold = "".join(line(font, 30 + shift, 170, "bold") for shift in (0, 0.4))
    content = (
        "/Span << /ActualText (actual) >> BDC " + line(font, 30, 370, "shown") + "EMC\n"
        + line(font, 30, 330, "visible")
        + "BT 3 Tr /F 16 Tf 30 290 Td " + font.show("invisible") + " Tj ET\n0 Tr\n/X Do\n"
        + "BT /T 16 Tf 30 210 Td (drawn) Tj ET\n" + bold
        + line(font, 30, 10, "outside")
    )
    resources = f"/Font << /F {reference} 0 R /T {type3} 0 R >> /XObject << /X {form} 0 R >>"
    return Sheet(BOX, content, crop=(20, 40, 290, 410), resources=resources)


def odd(font):
    """Glyphs that stand for what is hardly text."""
    meanings = ["0000", "d800", "202b", "", "d835dc9c", "000a", "fffe", "200f"]
    content = ""
    for index, meaning in enumerate(meanings):
        codes = [font.code("a"), font.code("x", meaning), font.code("b")]
        text = "".join(f"{code:04x}" for code in codes)
        content += f"BT /F 16 Tf 30 {370 - 34 * index} Td <{text}> Tj ET\n"
    return content


def scripts():
    pdf = PDF()
    font, upright = Font(), Font(is_vertical=True)
    # Objects whose number has to be known before the font has all of its glyphs.
    holder = pdf.reserve()
    resources = f"/Font << /F {holder} 0 R >>"
    both = f"/Font << /F {holder} 0 R /V {{}} 0 R >>"
    contents = [hebrew(font), arabic(font)]
    sheets = [Sheet(BOX, content, resources=resources) for content in contents]
    column = vertical(upright)
    sheets.append(Sheet(BOX, column, resources=both.format(upright.add(pdf))))
    sheets.append(Sheet(BOX, latin(font), resources=resources))
    sheets.append(ways(font, pdf, holder))
    sheets.append(Sheet(BOX, odd(font), resources=resources))
    sheets.append(Sheet(BOX, "0.5 g 30 30 240 360 re f", resources=resources))
    pdf.put(holder, pdf.objects.pop(font.add(pdf)))
    return Fixture(
        "text-scripts.pdf",
        "Hebrew, Arabic and vertical text, ligatures, hyphens, marks, ActualText, ToUnicode with oddities",
        document(sheets, pdf=pdf),
        [Page(*SIZE)] * 4 + [Page(270, 370)] + [Page(*SIZE)] * 2,
    )


TURNED = {
    0: "1 0 0 1 30 370",
    90: "0 1 -1 0 50 30",
    180: "-1 0 0 -1 270 50",
    270: "0 -1 1 0 250 390",
}


def turned_line(font, matrix, text):
    return f"BT /F 16 Tf {matrix} Tm {font.show(text)} Tj ET\n"


def geometry():
    pdf = PDF()
    font = Font()
    holder = pdf.reserve()
    resources = f"/Font << /F {holder} 0 R >>"

    def sheet(content, **others):
        return Sheet(BOX, content, resources=resources, **others)

    def turned(turn, **others):
        content = turned_line(font, TURNED[turn], f"page turned {turn}")
        return sheet(content, rotate=turn or None, **others)

    slanted = "0.866 0.5 -0.5 0.866 60 60"
    words = turned_line(font, TURNED[0], "level") + turned_line(font, "0 1 -1 0 280 60", "upwards")
    words += turned_line(font, "-1 0 0 -1 200 250", "over") + turned_line(font, slanted, "slanted")
    left = rows(font, "left one", "left two", "left three", size=12, step=16)
    right = rows(font, "right one", "right two", "right three", x=165, size=12, step=16)
    cells = "".join(
        line(font, 30 + 80 * column, 370 - 40 * row, f"r{row}c{column}", 12)
        for row in range(3)
        for column in range(3)
    )
    crop = (20, 40, 280, 400)
    sheets = [turned(turn) for turn in (0, 90, 180, 270)]
    sheets += [
        sheet(words),
        sheet(rows(font, "unit two"), user_unit=2, crop=crop),
        turned(90, crop=crop, user_unit=1.5),
        sheet(left + right),
        sheet(cells),
    ]
    pdf.put(holder, pdf.objects.pop(font.add(pdf)))
    wide = (SIZE[1], SIZE[0])
    pages = [
        *(Page(*SIZE), Page(*wide, 90), Page(*SIZE, 180), Page(*wide, 270), Page(*SIZE)),
        *(Page(520, 720, user_unit=2), Page(540, 390, 90, user_unit=1.5), Page(*SIZE), Page(*SIZE)),
    ]
    return Fixture(
        "text-geometry.pdf",
        "text on rotated pages, rotated text, UserUnit, crop boxes, columns, a table",
        document(sheets, pdf=pdf),
        pages,
    )


def make():
    return [scripts(), geometry()]
