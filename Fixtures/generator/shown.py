"""Fixtures about what is shown of a page: its boxes, annotations and layers.

What is seen is told by plain colours at known places, so that a test needs no other program.
"""

from .facts import Fixture, Page
from .pdf import PDF, array, document, Sheet, text_string

MEDIA, BLEED, CROP, TRIM, ART = (
    (0, 0, 400, 500),
    (20, 30, 390, 480),
    (40, 50, 380, 470),
    (60.25, 70.5, 350.125, 440.375),
    (100, 120, 300, 400),
)


def filled(colour, box):
    x, y, right, top = box
    return f"{colour} rg {x:g} {y:g} {right - x:g} {top - y:g} re f\n"


def nested():
    """Each box in a colour of its own, the smaller ones on top."""
    return (
        filled("1 0 0", MEDIA)
        + filled("1 1 0", BLEED)
        + filled("0 1 0", CROP)
        + filled("0 0 1", TRIM)
        + filled("0 0 0", ART)
    )


def boxes():
    """Page 3 inherits two boxes; those of its parent that are not inherited must not count."""
    pdf = PDF()
    root, top, middle = (pdf.reserve() for _ in range(3))
    own = f"/BleedBox {array(BLEED)} /TrimBox {array(TRIM)} /ArtBox {array(ART)}"
    far = "[900 900 990 990]"

    def page(parent, entries):
        content = pdf.stream(nested())
        body = f"<< /Type /Page /Parent {parent} 0 R /Resources << >> {entries}".rstrip()
        return pdf.add(f"{body} /Contents {content} 0 R >>")

    both = f"/MediaBox {array(MEDIA)} /CropBox {array(CROP)}"
    kids = [
        page(top, f"{both} {own}"),
        page(top, f"{both} {own} /Rotate 90 /UserUnit 2"),
        page(middle, f"/TrimBox {array(TRIM)}"),
        # Corners in another order, over the edges of the sheet, and partly indirect.
        page(
            top,
            f"{both} /TrimBox [{pdf.add('350.125')} 0 R 440.375 60.25 70.5]"
            " /BleedBox [-100 -100 200 900] /ArtBox [399.5 499.5 1300 1000]",
        ),
        # None of these is a box: the default counts.
        page(top, f"{both} /TrimBox {far} /BleedBox [10 10 10 90] /ArtBox [nan 0 /a 5]"),
        page(top, f"/MediaBox {array(MEDIA)} /BleedBox {array(BLEED)}"),
    ]
    order = [kids[0], kids[1], middle, *kids[3:]]
    references = " ".join(f"{kid} 0 R" for kid in order)
    pdf.put(root, f"<< /Type /Catalog /Pages {top} 0 R >>")
    pdf.put(top, f"<< /Type /Pages /Count {len(kids)} /Kids [{references}] >>")
    pdf.put(
        middle,
        f"<< /Type /Pages /Parent {top} 0 R /Count 1 /Kids [{kids[2]} 0 R] {both}"
        " /TrimBox [0 0 9 9] /ArtBox [0 0 9 9] >>",
    )
    size = (CROP[2] - CROP[0], CROP[3] - CROP[1])
    pages = [
        Page(*size),
        Page(2 * size[1], 2 * size[0], 90, user_unit=2),
        Page(*size),
        Page(*size),
        Page(*size),
        Page(MEDIA[2], MEDIA[3]),
    ]
    return Fixture("boxes.pdf", "all five boxes of pages, each in its colour", pdf.file(root), pages)


def annotations():
    """A square for each combination of flags; the last two squares are form fields.

    On page 2 the list is an object of its own, with an annotation in it that is none.
    """
    pdf = PDF()
    look = {
        name: pdf.form(filled(colour, (0, 0, 40, 40)), (40, 40), "/Resources << >>")
        for name, colour in (("red", "1 0 0"), ("blue", "0 0 1"))
    }

    def body(index, flags, colour, kind="/Subtype /Stamp"):
        x = 20 + 50 * index
        entry = "" if flags is None else f" /F {flags}"
        return (
            f"<< /Type /Annot {kind} /Rect [{x} 20 {x + 40} 60]{entry}"
            f" /AP << /N {look[colour]} 0 R >> >>"
        )

    flags = [None, 4, 2, 6, 32, 36]
    first = [pdf.add(body(i, value, "red")) for i, value in enumerate(flags)]
    field = "/Subtype /Widget /FT /Tx /T "
    fields = [
        pdf.add(body(6, 4, "blue", field + "(printed)")),
        pdf.add(body(7, 0, "blue", field + "(seen)")),
    ]
    second = [body(i, value, "red") for i, value in enumerate(flags)]
    apart = pdf.add("[ " + " ".join(second) + " ]")
    listed = " ".join(f"{n} 0 R" for n in first + fields)
    paper = filled("0.9 0.9 0.9", (0, 0, 420, 80))
    sheets = [
        Sheet((0, 0, 420, 80), paper, extra=f"/Annots [{listed}]"),
        Sheet((0, 0, 420, 80), paper, extra=f"/Annots {apart} 0 R"),
        Sheet((0, 0, 420, 80), paper),
    ]
    form = " ".join(f"{n} 0 R" for n in fields)
    data = document(sheets, f"/AcroForm << /Fields [{form}] >>", pdf=pdf)
    shows = "annotations and fields with all flags about being seen and printed"
    return Fixture("annotations.pdf", shows, data, [Page(420, 80)] * 3)


def notes():
    """Annotations with texts and files, and attached files in a name tree of two levels, one inside another object.

    Page 2 is turned. Links, fields and windows of notes have texts, too, which are no notes.
    """
    pdf = PDF()

    def file(name, text, description=None, kind="text#2Fplain"):
        details = f"/Params << /Size {len(text)} /ModDate (D:20260228120000+01'00') >>"
        data = pdf.stream(text, f"/Type /EmbeddedFile /Subtype /{kind} {details}")
        about = f" /Desc {text_string(description)}" if description else ""
        return (
            f"<< /Type /Filespec /F (old.txt) /UF {text_string(name)}{about}"
            f" /EF << /F {data} 0 R >> >>"
        )

    def note(kind, box, text, entries=""):
        words = "" if text is None else f" /Contents {text_string(text)}"
        if kind == "Highlight":
            x, y, right, top = box
            words += f" /QuadPoints {array((x, top, right, top, x, y, right, y))}"
        return f"<< /Type /Annot /Subtype /{kind} /Rect {array(box)}{words} {entries}".rstrip() + " >>"

    who = "/T (Ada) /M (D:20260301091500Z)"
    first = [
        note("Text", (20, 150, 40, 170), "A remark", who),
        note("Highlight", (60, 100, 160, 120), "Größe \U0001f4a1\nsecond line", "/T (Bo)"),
        note("Highlight", (60, 60, 160, 80), None),
        note("Link", (0, 0, 10, 10), "a link", "/A << /S /URI /URI (https://example.org/) >>"),
        note("Popup", (200, 100, 280, 180), "a window"),
        note("Widget", (0, 20, 10, 30), "a field", "/FT /Tx /T (field)"),
    ]
    second = [
        note("FreeText", (30, 20, 130, 50), "On a turned page", "/DA (0 g)"),
        note("FileAttachment", (150, 20, 170, 40), None, f"/FS {pdf.add(file('page.txt', 'of a page'))} 0 R"),
    ]
    paper = filled("0.95 0.95 0.9", (0, 0, 300, 200))
    sheets = [
        Sheet((0, 0, 300, 200), paper, extra=f"/Annots [{' '.join(f'{pdf.add(n)} 0 R' for n in first)}]"),
        Sheet((0, 0, 300, 200), paper, rotate=90, extra=f"/Annots [{' '.join(second)}]"),
        Sheet((0, 0, 300, 200), paper),
    ]
    alpha = pdf.add(file("alpha.txt", "first", "The first file"))
    direct = f"<< /Limits [(a) (a)] /Names [(a) {alpha} 0 R (no file) << /F (elsewhere) >>] >>"
    kid = pdf.add(f"<< /Limits [(b) (b)] /Names [(b) {file('größe.csv', '1,2', kind='text#2Fcsv')}] >>")
    data = document(
        sheets, f"/Names << /EmbeddedFiles << /Kids [{direct} {kid} 0 R] >> >>", pdf=pdf
    )
    shows = "annotations with texts and files, attached files in a name tree"
    return Fixture("notes.pdf", shows, data, [Page(300, 200), Page(200, 300, 90), Page(300, 200)])


LAYERS = [
    # name, off, printed and viewed by /Usage
    ("Map", False, None, None),
    ("Roads, small", True, None, None),
    ("For print", False, "ON", "OFF"),
    ("For the screen", False, "OFF", "ON"),
    ("English", False, None, None),
    ("Deutsch", True, None, None),
    ("Größe", False, None, None),
    ("Map", True, None, None),
]


def layer_order():
    """A bar for each layer, from the left; the second "Map" is not in the list."""
    pdf = PDF()
    groups = []
    for name, _, printed, viewed in LAYERS:
        usage = ""
        if printed:
            usage = (
                f" /Usage << /Print << /PrintState /{printed} >>"
                f" /View << /ViewState /{viewed} >> >>"
            )
        groups.append(pdf.add(f"<< /Type /OCG /Name {text_string(name)}{usage} >>"))
    content = filled("1 1 1", (0, 0, 400, 60)) + "".join(
        f"/OC /L{i} BDC " + filled("0 0 0", (50 * i + 10, 10, 50 * i + 40, 50)) + "EMC\n"
        for i in range(len(LAYERS))
    )
    properties = " ".join(f"/L{i} {group} 0 R" for i, group in enumerate(groups))
    every = " ".join(f"{group} 0 R" for group in groups)
    off = " ".join(f"{g} 0 R" for g, layer in zip(groups, LAYERS) if layer[1])
    g = [f"{group} 0 R" for group in groups]
    order = f"[{g[0]} [{g[1]}] {g[2]} {g[3]} [(Languages) {g[4]} {g[5]}] {g[6]}]"
    usage = " ".join(
        f"<< /Event /{event} /Category [/{event}] /OCGs [{g[2]} {g[3]}] >>"
        for event in ("View", "Print")
    )
    settings = (
        f"/Order {order} /OFF [{off}] /Locked [{g[1]}] /RBGroups [[{g[4]} {g[5]}]] /AS [{usage}]"
    )
    sheet = Sheet((0, 0, 400, 60), content, resources=f"/Properties << {properties} >>")
    data = document([sheet], f"/OCProperties << /OCGs [{every}] /D << {settings} >> >>", pdf=pdf)
    shows = "nested layers, with headings, for print and for the screen"
    return Fixture("layer-order.pdf", shows, data, [Page(400, 60)])


def make():
    return [boxes(), annotations(), notes(), layer_order()]
