"""Fixtures about what is on the page: transparency, forms, layers, content with errors."""

from . import art
from .facts import Fixture, Page
from .pdf import PDF, Sheet, document
from .strokes import centred, write

MODES = [
    *("Normal", "Multiply", "Screen", "Overlay", "Darken", "Lighten", "ColorDodge", "ColorBurn"),
    *(
        "HardLight",
        "SoftLight",
        "Difference",
        "Exclusion",
        "Hue",
        "Saturation",
        "Color",
        "Luminosity",
    ),
]

CIRCLE = 0.5523  # the usual distance of the control points for a quarter of a unit circle


def disc(x, y, r):
    """A circle as four Bézier curves, ready to be filled."""
    k = r * CIRCLE
    return (
        f"{x + r:.2f} {y:.2f} m "
        f"{x + r:.2f} {y + k:.2f} {x + k:.2f} {y + r:.2f} {x:.2f} {y + r:.2f} c "
        f"{x - k:.2f} {y + r:.2f} {x - r:.2f} {y + k:.2f} {x - r:.2f} {y:.2f} c "
        f"{x - r:.2f} {y - k:.2f} {x - k:.2f} {y - r:.2f} {x:.2f} {y - r:.2f} c "
        f"{x + k:.2f} {y - r:.2f} {x + r:.2f} {y - k:.2f} {x + r:.2f} {y:.2f} c h"
    )


def blend_modes(pdf):
    """Sixteen cells: a colour ramp below, three discs in one mode above."""
    ramp = "/FunctionType 2 /Domain [0 1] /N 1 /C0 [0.95 0.75 0.2] /C1 [0.1 0.25 0.55]"
    shading = (
        f"<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 80 80] /Function << {ramp} >> >>"
    )
    states = " ".join(f"/{mode} << /BM /{mode} /ca 0.9 >>" for mode in MODES)
    out = []
    for i, mode in enumerate(MODES):
        x, y = 20 + i % 4 * 95, 340 - i // 4 * 105
        out.append(f"q 1 0 0 1 {x} {y} cm q 0 0 80 80 re W n /Ramp sh Q /{mode} gs ")
        for colour, cx, cy in (
            ("0.9 0.2 0.2", 30, 48),
            ("0.2 0.75 0.4", 50, 48),
            ("0.25 0.4 0.9", 40, 31),
        ):
            out.append(f"{colour} rg {disc(cx, cy, 20)} f ")
        out.append("Q\n" + centred(mode, x + 40, y - 10, 5))
    return Sheet(
        (0, 0, 400, 440),
        "".join(out),
        resources=f"/ExtGState << {states} >> /Shading << /Ramp {shading} >>",
        extra="/Group << /S /Transparency /CS /DeviceRGB >>",
    )


def soft_mask(pdf):
    """A picture of stripes that fades out through a luminosity mask."""
    ramp = "/FunctionType 2 /Domain [0 1] /N 1 /C0 [1] /C1 [0]"
    shading = (
        "<< /ShadingType 3 /ColorSpace /DeviceGray /Coords [200 220 20 200 220 180]"
        f" /Extend [true true] /Function << {ramp} >> >>"
    )
    group = "/Group << /S /Transparency /CS /DeviceGray >>"
    resources = f"/Resources << /Shading << /Glow {shading} >> >>"
    mask = pdf.form("/Glow sh", (400, 440), f"{group} {resources}")
    stripes = "".join(f"{art.tone(i, 0.7, 0.8)} rg {i * 20} 0 20 440 re f\n" for i in range(20))
    state = f"<< /SMask << /Type /Mask /S /Luminosity /G {mask} 0 R >> >>"
    content = f"q /Fade gs\n{stripes}Q\n" + centred("SOFT MASK", 200, 212, 18)
    return Sheet((0, 0, 400, 440), content, resources=f"/ExtGState << /Fade {state} >>")


def groups(pdf):
    """The same three discs in groups: plain, isolated, knockout and both, each at half opacity."""
    body = "0.9 0.25 0.2 rg {} f 0.2 0.7 0.4 rg {} f 0.25 0.4 0.9 rg {} f".format(
        disc(60, 105, 40), disc(100, 105, 40), disc(80, 70, 40)
    )
    forms, out = [], ["0.93 0.9 0.82 rg 0 0 400 440 re f 0.3 0.3 0.35 RG 6 w\n"]
    out.append(" ".join(f"0 {y} m 400 {y + 60} l" for y in range(-60, 440, 30)) + " S\n")
    multiply = "/Resources << /ExtGState << /M << /BM /Multiply >> >> >>"
    for i, name in enumerate(("PLAIN", "ISOLATED", "KNOCKOUT", "ISOLATED KNOCKOUT")):
        isolated, knockout = str("ISO" in name).lower(), str("KNOCK" in name).lower()
        group = f"/Group << /S /Transparency /CS /DeviceRGB /I {isolated} /K {knockout} >>"
        forms.append(f"/G{i} {pdf.form('/M gs ' + body, (160, 160), f'{group} {multiply}')} 0 R")
        x, y = 30 + i % 2 * 180, 240 - i // 2 * 200
        out.append(f"q /Half gs 1 0 0 1 {x} {y} cm /G{i} Do Q\n")
        out.append(centred(name, x + 80, y + 2, 8))
    resources = f"/ExtGState << /Half << /ca 0.6 >> >> /XObject << {' '.join(forms)} >>"
    return Sheet((0, 0, 400, 440), "".join(out), resources=resources)


def transparency():
    pdf = PDF()
    sheets = [blend_modes(pdf), soft_mask(pdf), groups(pdf)]
    data = document(sheets, pdf=pdf, compress=True)
    return Fixture(
        "transparency.pdf", "sixteen blend modes, a soft mask, groups", data, [Page(400, 440)] * 3
    )


def form():
    """Widgets and annotations with appearances, and two that must stay invisible."""
    pdf = PDF()

    def look(width, height, content):
        return pdf.form(content, (width, height), "/Resources << >>")

    paper = "1 1 0.9 rg 0.5 0.5 {} {} re f 0.4 0.4 0.5 RG 1 w 0.5 0.5 {} {} re S\n"
    text = look(220, 30, paper.format(219, 29, 219, 29) + write("A TEXT FIELD", 10, 10, 11))
    ticked = look(
        24, 24, paper.format(23, 23, 23, 23) + "0 0.5 0.2 RG 3 w 1 J 5 12 m 10 6 l 19 18 l S"
    )
    empty = look(24, 24, paper.format(23, 23, 23, 23))
    stamp = look(
        160,
        60,
        "0.8 0.1 0.1 RG 3 w 4 4 152 52 re S "
        + centred("APPROVED", 80, 22, 16, colour="0.8 0.1 0.1"),
    )
    wrong = look(200, 40, "1 0 0.6 rg 0 0 200 40 re f")
    widget = "<< /Type /Annot /Subtype /Widget"
    fields = [
        pdf.add(
            f"{widget} /FT /Tx /T (name) /V (A TEXT FIELD) /Rect [40 300 260 330] /F 4"
            f" /AP << /N {text} 0 R >> >>"
        ),
        pdf.add(
            f"{widget} /FT /Btn /T (yes) /V /On /AS /On /Rect [40 250 64 274] /F 4"
            f" /AP << /N << /On {ticked} 0 R /Off {empty} 0 R >> >> >>"
        ),
        pdf.add(
            f"{widget} /FT /Btn /T (no) /V /Off /AS /Off /Rect [80 250 104 274] /F 4"
            f" /AP << /N << /On {ticked} 0 R /Off {empty} 0 R >> >> >>"
        ),
    ]
    note = "<< /Type /Annot /Subtype /Stamp"
    notes = [
        # The appearance, 160 by 60, has to be scaled to fit 100 by 37.5.
        pdf.add(f"{note} /Rect [160 120 260 157.5] /F 4 /AP << /N {stamp} 0 R >> >>"),
        pdf.add(f"{note} /Rect [40 180 240 220] /F 2 /AP << /N {wrong} 0 R >> >>"),
        pdf.add(f"{note} /Rect [40 60 240 100] /F 32 /AP << /N {wrong} 0 R >> >>"),
    ]
    annotations = " ".join(f"{n} 0 R" for n in fields + notes)
    content = write("A FORM", 40, 360, 24)
    sheet = Sheet((0, 0, 300, 420), content, extra=f"/Annots [{annotations}]")
    references = " ".join(f"{n} 0 R" for n in fields)
    data = document([sheet], f"/AcroForm << /Fields [{references}] >>", pdf=pdf)
    shows = "a text field, check boxes and a stamp; a hidden annotation that must not show"
    return Fixture("form.pdf", shows, data, [Page(300, 420)])


def layers():
    """Optional content: one layer on, one off, used by marked content and by a form."""
    pdf = PDF()
    on = pdf.add("<< /Type /OCG /Name (Shown) >>")
    off = pdf.add("<< /Type /OCG /Name (Hidden) >>")
    secret = pdf.form("1 0 0.6 rg 60 60 180 50 re f", (300, 420), f"/OC {off} 0 R")
    content = (
        "/OC /On BDC 0.2 0.55 0.4 rg 60 260 180 80 re f EMC\n"
        "/OC /Off BDC 1 0 0.6 rg 60 150 180 80 re f EMC\n/Secret Do\n"
        + centred("SHOWN", 150, 290, 20, colour="1 1 1")
        + centred("NOTHING BELOW", 150, 240, 8)
    )
    resources = f"/Properties << /On {on} 0 R /Off {off} 0 R >> /XObject << /Secret {secret} 0 R >>"
    properties = (
        f"/OCProperties << /OCGs [{on} 0 R {off} 0 R] /D << /ON [{on} 0 R] /OFF [{off} 0 R] >> >>"
    )
    data = document([Sheet((0, 0, 300, 420), content, resources=resources)], properties, pdf=pdf)
    return Fixture("layers.pdf", "optional content with a hidden layer", data, [Page(300, 420)])


def syntax_errors():
    """Content that is wrong in many ways; what comes before and after can be drawn."""
    good = art.page((0, 0, 300, 420), 1, "ERRORS BELOW")
    bad = [
        "Q Q Q",  # nothing left to restore
        "10 20 rg",  # an operand is missing
        "foo bar 12 qux",  # no such operators
        "/Nowhere Do /None gs",  # no such resources
        "(a string that ends here) Tj",  # text outside of a text object
        "q q q",  # and nothing restores these
        "0.8 0.1 0.1 rg 120 20 60 16 re f",  # which is drawn all the same
        "<</A [1 2 >> BDC",  # brackets that do not match swallow the rest
    ]
    second = art.page((0, 0, 300, 420), 2, "CUT OFF IN A STRING") + "BT (never closed"
    sheets = [Sheet((0, 0, 300, 420), good + "\n".join(bad)), Sheet((0, 0, 300, 420), second)]
    return Fixture(
        "syntax-errors.pdf",
        "content streams with errors; both pages can be drawn, with warnings",
        document(sheets),
        [Page(300, 420)] * 2,
    )


def make():
    return [transparency(), form(), layers(), syntax_errors()]
