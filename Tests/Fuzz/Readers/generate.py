"""Small documents from nothing: page trees, resources, labels, forms, in every kind of file."""

from model import Doc, Obj

BOXES = [b"[0 0 200 300]", b"[0 0 300 200]", b"[10 20 210.5 320]", b"[-50 -50 150 100]", b"[0 0 120 120]",
         b"[200 300 0 0]", b"[0 0 595.276 841.89]"]
CROPS = [b"[10 10 100 150]", b"[0 0 50 60]", b"[-10 -10 80 90]", b"[20 30 400 500]"]
STYLES = [b"/D", b"/r", b"/R", b"/a", b"/A", None, b"/X"]
LAYOUTS = [b"/SinglePage", b"/OneColumn", b"/TwoColumnLeft", b"/TwoPageRight"]


def document(rng):
    """A document that is right in every respect."""
    doc = Doc()
    Generator(rng, doc).make()
    return doc


def arrange(rng, doc):
    """Chooses the kind of file that the document becomes."""
    doc.kind = rng.choice(["table", "table", "table", "stream", "stream", "packed", "packed", "hybrid"])
    doc.compress = rng.random() < 0.25
    doc.predictor = rng.random() < 0.1
    doc.widths = rng.choice([(1, 2, 1), (1, 4, 2), (1, 3, 1), (1, 8, 2), (1, 2, 2)])
    doc.row_end = rng.choice([b" \n", b" \n", b"\r\n", b" \r"])
    doc.pack_size = rng.choice([2, 5, 8, 100])
    if rng.random() < 0.2:
        doc.shuffle = rng
    doc.header = rng.choice([b"%PDF-1.7\n", b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", b"%PDF-1.5\r\n", b"%PDF-2.0\n"])
    doc.begin()
    decoys(rng, doc)
    if doc.kind in ("table", "stream") and rng.random() < 0.06:
        linearize(rng, doc)


def decoys(rng, doc):
    """Other definitions of some objects, which only a reader that scans the file finds."""
    if rng.random() < 0.6:
        for role in ("page", "pages", "catalog", "labels"):
            for number in doc.roles.get(role, [])[:3]:
                if rng.random() < 0.5 and number in doc.objs:
                    other = doc.objs[number].copy()
                    if role == "page":
                        other.set(b"/MediaBox", b"[0 0 77 66]")
                    elif role == "pages":
                        other.set(b"/Rotate", b"90")
                    else:
                        other.set(b"/PageLabels", b"<< /Nums [0 << /S /A >>] >>")
                    doc.decoys.append((number, other.words))


def linearize(rng, doc):
    # The section stands in front, so its size must not depend on what it says.
    doc.compress = doc.predictor = False
    pages = len(doc.roles.get("page", [1]))
    first = doc.roles.get("page", [1])[0]
    doc.linearized = {
        b"N": b"%d" % pages, b"O": b"%d" % first, b"E": b"0000000500", b"T": b"0000000600",
        b"H": b"[ 0000000000 0000000000 ]",
    }


class Generator:
    def __init__(self, rng, doc):
        self.rng, self.doc = rng, doc

    def make(self):
        rng, doc = self.rng, self.doc
        catalog = doc.role(doc.add(b""), "catalog")
        count = rng.choice([1, 1, 2, 2, 3, 3, 4, 5, 6, 8])
        self.isLarge = rng.random() < 0.03
        if self.isLarge:
            count = rng.randrange(65, 140)
        self.fields, self.groups = [], []
        self.catalog_extra = b""
        self.shared = doc.role(doc.add(self.resources()), "resources")
        root = self.node(None, count, True)
        self.link_dests()
        words = b"<< /Type /Catalog /Pages %d 0 R" % root
        if rng.random() < 0.3:
            words += b" /PageLabels " + self.labels(count)
        if rng.random() < 0.15:
            words += b" /PageLayout " + rng.choice(LAYOUTS)
        if rng.random() < 0.1:
            words += b" /ViewerPreferences << /Direction /R2L >>"
        if self.fields:
            words += b" /AcroForm " + self.maybe(
                b"<< /Fields [%s] /DA (/Helv 12 Tf 0 g) >>" % b" ".join(self.fields), "form")
        if self.groups:
            off = b" ".join(g for g in self.groups if rng.random() < 0.6)
            config = self.maybe(b"<< /OFF [%s] /Order [%s] >>" % (off, b" ".join(self.groups)), "oc")
            words += b" /OCProperties " + self.maybe(
                b"<< /OCGs [%s] /D %s >>" % (b" ".join(self.groups), config), "oc")
        if rng.random() < 0.1:
            item = doc.role(doc.add(b"<< /Title (x) /Dest [%d 0 R /Fit] >>" % doc.roles["page"][0]), "other")
            words += b" /Outlines << /First %d 0 R /Last %d 0 R /Count 1 >>" % (item, item)
        doc.objs[catalog] = Obj(words + b" >>")
        doc.trailer.append([b"/Root", b"%d 0 R" % catalog])
        if rng.random() < 0.4:
            info = doc.role(doc.add(b"<< /Title (A title) /Producer (p) >>"), "info")
            doc.trailer.append([b"/Info", b"%d 0 R" % info])
        if rng.random() < 0.3:
            doc.trailer.append([b"/ID", b"[<0123456789abcdef> <0123456789abcdef>]"])

    def maybe(self, words, role, chance=0.4):
        """The words, or a reference to an object of them."""
        if self.rng.random() < chance:
            return b"%d 0 R" % self.doc.role(self.doc.add(words), role)
        return words

    # Page tree

    def node(self, parent, count, isRoot=False):
        rng, doc = self.rng, self.doc
        number = doc.role(doc.add(b""), "pages")
        kids = []
        if count <= 4 and not (isRoot and rng.random() < 0.3) or rng.random() < 0.4:
            kids = [self.page(number) for _ in range(count)]
        else:
            rest = count
            while rest > 0:
                part = min(rest, rng.randrange(1, max(2, count // 2 + 1)))
                rest -= part
                alone = part == 1 and rng.random() < 0.5
                kids.append(self.page(number) if alone else self.node(number, part))
        words = b"<< /Type /Pages /Count %d /Kids %s" % (
            count, self.maybe(b"[%s]" % b" ".join(b"%d 0 R" % kid for kid in kids), "kids", 0.1))
        if parent:
            words += b" /Parent %d 0 R" % parent
        words += self.attributes(0.9 if isRoot else 0.15, 0.15, 0.1)
        if isRoot or rng.random() < 0.2:
            words += b" /Resources %d 0 R" % self.shared
        doc.objs[number] = Obj(words + b" >>")
        return number

    def attributes(self, media, crop, rotate):
        rng = self.rng
        words = b""
        if rng.random() < media:
            words += b" /MediaBox " + self.maybe(rng.choice(BOXES), "box", 0.1)
        if rng.random() < crop:
            words += b" /CropBox " + self.maybe(rng.choice(CROPS), "box", 0.1)
        if rng.random() < rotate:
            words += b" /Rotate " + self.maybe(rng.choice([b"90", b"180", b"270", b"-90", b"0", b"450"]), "box", 0.1)
        return words

    def page(self, parent):
        rng, doc = self.rng, self.doc
        number = doc.role(doc.add(b""), "page")
        words = b"<< /Type /Page /Parent %d 0 R" % parent
        words += self.attributes(0.4, 0.15, 0.15)
        if self.isLarge and rng.random() < 0.9:
            doc.objs[number] = Obj(words + b" >>")
            return number
        if rng.random() < 0.05:
            words += b" /UserUnit 2"
        if rng.random() < 0.4:
            words += b" /Resources " + self.maybe(self.resources(), "resources", 0.5)
        streams = [b"%d 0 R" % self.content() for _ in range(rng.choice([1, 1, 1, 2, 3]))]
        if len(streams) == 1 and rng.random() < 0.7:
            words += b" /Contents " + streams[0]
        else:
            words += b" /Contents " + self.maybe(b"[%s]" % b" ".join(streams), "other", 0.2)
        if rng.random() < 0.25:
            notes = [self.annotation(number) for _ in range(rng.choice([1, 1, 2, 3]))]
            words += b" /Annots " + self.maybe(b"[%s]" % b" ".join(notes), "annots", 0.3)
        if rng.random() < 0.05:
            words += b" /Group << /S /Transparency /CS /DeviceRGB >>"
        doc.objs[number] = Obj(words + b" >>")
        return number

    # What pages refer to

    def rectangle(self):
        rng = self.rng
        return b"%.1f %.1f %.1f rg %d %d %d %d re f" % (
            rng.random(), rng.random(), rng.random(), rng.randrange(0, 120), rng.randrange(0, 160),
            rng.randrange(20, 150), rng.randrange(20, 150))

    def content(self):
        rng = self.rng
        words = [self.rectangle()]
        for _ in range(rng.choice([0, 1, 1, 2, 3])):
            words.append(rng.choice([
                b"/G0 gs " + self.rectangle(), b"q /X0 Do Q", b"q 50 0 0 50 20 20 cm /I0 Do Q",
                b"/OC /O0 BDC " + self.rectangle() + b" EMC",
                b"/Pattern cs /P0 scn 10 10 90 90 re f", b"q 20 20 90 90 re W n /S0 sh Q",
                b"/C0 cs 0.5 scn 30 60 50 50 re f", b"BT /T0 20 Tf 20 40 Td (aba) Tj ET",
                self.rectangle(), b"/A gs " + self.rectangle()]))
        data = b"\n".join(words)
        words = b"<< >>"
        if rng.random() < 0.1:
            words = b"<< /Length %d 0 R >>" % self.doc.role(self.doc.add(b"%d" % len(data)), "length")
        elif rng.random() < 0.15:
            import zlib
            data = zlib.compress(data)
            words = b"<< /Filter /FlateDecode >>"
        return self.doc.role(self.doc.add(words, data), "content")

    def resources(self):
        """A resource dictionary."""
        rng = self.rng
        words = b"<<"
        kinds = [(b"ExtGState", b"G0", self.state), (b"XObject", b"X0", self.form),
                 (b"Properties", b"O0", self.group), (b"Pattern", b"P0", self.pattern),
                 (b"Shading", b"S0", self.shading), (b"ColorSpace", b"C0", self.space),
                 (b"Font", b"T0", self.font)]
        for key, name, maker in kinds:
            if rng.random() < 0.3:
                inside = b"<< /%s %s" % (name, maker())
                if key == b"XObject" and rng.random() < 0.5:
                    inside += b" /I0 " + self.image()
                if key == b"ExtGState" and rng.random() < 0.3:
                    inside += b" /A " + self.state()
                words += b" /%s %s" % (key, self.maybe(inside + b" >>", "resources", 0.3))
        return words + b" >>"

    def ref(self, words, data=None, role="drawing"):
        return b"%d 0 R" % self.doc.role(self.doc.add(words, data), role)

    def state(self):
        words = b"<< /Type /ExtGState /ca 0.%d >>" % self.rng.randrange(1, 9)
        return self.maybe(words, "drawing", 0.6)

    def form(self, depth=0):
        words = b"<< /Type /XObject /Subtype /Form /BBox [0 0 100 100]"
        data = self.rectangle()
        if depth < 2 and self.rng.random() < 0.3:
            words += b" /Resources << /XObject << /X1 %s >> >>" % self.form(depth + 1)
            data += b" q .5 0 0 .5 30 30 cm /X1 Do Q"
        return self.ref(words + b" >>", data)

    def image(self):
        data = bytes(self.rng.randrange(256) for _ in range(12))
        return self.ref(b"<< /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceRGB /BitsPerComponent 8 >>", data)

    def group(self):
        group = self.ref(b"<< /Type /OCG /Name (x) >>", role="oc")
        self.groups.append(group)
        return group

    def pattern(self):
        words = b"<< /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 /Resources << >> >>"
        return self.ref(words, b"1 0 1 rg 0 0 5 5 re f")

    def function(self):
        words = b"<< /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >>"
        return self.maybe(words, "drawing")

    def shading(self):
        words = b"<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 100 100] /Function %s >>" % self.function()
        return self.maybe(words, "drawing")

    def space(self):
        return self.maybe(b"[/Separation /Spot /DeviceRGB %s]" % self.function(), "drawing")

    def font(self):
        glyph = self.ref(b"<< >>", b"500 0 0 0 500 500 d1 0 0 400 400 re f")
        words = (b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 500 500] /FontMatrix [.001 0 0 .001 0 0] "
                 b"/FirstChar 97 /LastChar 98 /Widths [500 500] /Encoding << /Differences [97 /a /b] >> "
                 b"/CharProcs << /a %s /b %s >> /Resources << >> >>" % (glyph, glyph))
        return self.ref(words)

    def annotation(self, page):
        rng = self.rng
        rect = b"/Rect [%d %d %d %d]" % (rng.randrange(50), rng.randrange(50), rng.randrange(60, 120), rng.randrange(60, 120))
        look = b"/AP << /N %s >>" % self.ref(b"<< /Subtype /Form /BBox [0 0 50 50] >>", self.rectangle())
        kind = rng.randrange(5)
        if kind == 0:
            words = b"<< %s/Type /Annot /Subtype /Link %s %s /C [1 0 0] DEST >>" % (self.note(), rect, self.border())
        elif kind == 1:
            words = b"<< /Type /Annot /Subtype /Square %s %s /P %d 0 R >>" % (rect, look, page)
        elif kind == 2:
            words = b"<< /Type /Annot /Subtype /Stamp %s %s >>" % (rect, look)
        else:
            words = b"<< /Type /Annot /Subtype /Widget /FT /Btn /T (f%d) %s %s /P %d 0 R >>" % (
                rng.randrange(99), rect, look, page)
        note = self.ref(words, role="annot")
        if kind > 2 and rng.random() < 0.9:
            self.fields.append(note)
        return note

    def border(self):
        """Of most links nothing is drawn."""
        return self.rng.choice([
            b"/Border [0 0 0]", b"/Border [0 0 0]", b"/Border [0 0 0.0]", b"/Border [0 0 3]", b"/Border [0 0 0 [3]]", b"/Border [0 0]",
            b"/Border " + self.ref(b"[0 0 0]"), b"/Border [0 0 0] /BS << /W 2 >>", b""])

    def note(self):
        """An entry that may begin with a long string, of which poppler asks which object it is in."""
        return self.rng.choice([b"", b"", b"/Contents (%s) " % (b"long " * self.rng.choice([3, 30, 120]))])

    def link_dests(self):
        """Where links lead is known when all pages are there."""
        for number in self.doc.roles.get("annot", []):
            obj = self.doc.objs[number]
            if b"DEST" in obj.words:
                page = self.rng.choice(self.doc.roles["page"])
                target = self.rng.choice([
                    b"/Dest [%d 0 R /Fit]", b"/A << /S /GoTo /D [%d 0 R /Fit] >>"]) % page
                obj.words = obj.words.replace(b"DEST", target)

    def labels(self, count):
        rng, doc = self.rng, self.doc

        def entry(first):
            words = b"<<"
            style = rng.choice(STYLES)
            if style:
                words += b" /S " + style
            if rng.random() < 0.4:
                words += b" /P " + rng.choice([b"(A-)", b"<feff0041>", b"(x\\051)", b"()", b"(\\200)"])
            if rng.random() < 0.4:
                words += b" /St %d" % rng.choice([1, 2, 3, 4, 5, 27, 28, 44, 53, 99, 400, 1000])
            return b"%d %s" % (first, self.maybe(words + b" >>", "labels", 0.2))

        firsts = sorted({0} | {rng.randrange(count + 1) for _ in range(rng.choice([0, 1, 2, 3]))})
        if rng.random() < 0.15:
            firsts = firsts[1:]
        if len(firsts) > 1 and rng.random() < 0.4:
            kids = [b"%d 0 R" % doc.role(doc.add(b"<< /Limits [%d %d] /Nums [%s] >>" % (f, f, entry(f))), "labels")
                    for f in firsts]
            return self.maybe(b"<< /Kids [%s] >>" % b" ".join(kids), "labels")
        return self.maybe(b"<< /Nums [%s] >>" % b" ".join(entry(f) for f in firsts), "labels")
