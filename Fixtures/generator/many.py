"""Large documents for tests: any number of pages, each showing its own number."""

from . import strokes
from .art import tone
from .pdf import PDF, array

# Page number k has the size at k − 1 modulo their count.
SIZES = [(595.276, 841.89), (612, 792), (841.89, 595.276), (419.528, 595.276)]


def content(number):
    """A tint, a frame and the number, its digits drawn by shared forms of 4 × 6 units."""
    w, h = SIZES[(number - 1) % len(SIZES)]
    digits = str(number)
    unit = min(w * 0.7 / (len(digits) * strokes.ADVANCE - 2), h * 0.4 / 6)
    x, y = w / 2 - (len(digits) * strokes.ADVANCE - 2) / 2 * unit, h / 2 - 3 * unit
    out = [f"{tone(number, 0.1, 0.99)} rg 0 0 {w} {h} re f"]
    out.append(f"{tone(number, 0.75, 0.42)} RG 2 w 1 1 {w - 2:g} {h - 2:g} re S")
    out.append(f".8 w 1 J 1 j {unit:.3f} 0 0 {unit:.3f} {x:.2f} {y:.2f} cm")
    out.append(" 1 0 0 1 6 0 cm ".join(f"/D{digit} Do" for digit in digits))
    return "\n".join(out)


def tree(pdf, leaves, fan, parent):
    """Hangs `leaves` below `parent` in a balanced tree; yields (leaf, its parent).

    `parent` is the number of a /Pages object that is filled in here. A `fan` of 0 means flat.
    """
    if not fan or len(leaves) <= fan:
        yield from ((leaf, parent) for leaf in leaves)
        kids = leaves
    else:
        share = fan
        while share * fan < len(leaves):
            share *= fan
        kids = []
        for start in range(0, len(leaves), share):
            part = leaves[start : start + share]
            kids.append(pdf.reserve())
            pdf.put(kids[-1], f"/Parent {parent} 0 R")
            yield from tree(pdf, part, fan, kids[-1])
    own = pdf.objects.get(parent, b"").decode()
    references = " ".join(f"{kid} 0 R" for kid in kids)
    body = f"<< /Type /Pages {own} /Count {len(leaves)} /Kids [{references}] >>"
    pdf.put(parent, body.replace("  ", " "))


def write(count, fan=0):
    """The bytes of a document of `count` pages; `fan` limits the kids of each tree node."""
    pdf = PDF()
    root, top = pdf.reserve(), pdf.reserve()
    pdf.put(root, f"<< /Type /Catalog /Pages {top} 0 R >>")
    drawn = {d: pdf.form(strokes.path(d, 0, 0, 6) + " S", (-1, -1, 5, 7)) for d in "0123456789"}
    digits = " ".join(f"/D{digit} {form} 0 R" for digit, form in drawn.items())
    pdf.put(top, f"/Resources << /XObject << {digits} >> >>")
    pages = [pdf.reserve() for _ in range(count)]
    for number, (page, parent) in enumerate(tree(pdf, pages, fan, top), 1):
        box = array((0, 0, *SIZES[(number - 1) % len(SIZES)]))
        shown = pdf.stream(content(number))
        pdf.put(
            page, f"<< /Type /Page /Parent {parent} 0 R /MediaBox {box} /Contents {shown} 0 R >>"
        )
    return pdf.file(root)
