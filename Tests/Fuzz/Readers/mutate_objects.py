"""Mutations of what objects say: names, numbers, references, page nodes, catalog entries, labels."""

from model import Obj, entries, tokens

ODD = [b"0", b"1", b"-1", b"2", b"3", b"7", b"2147483647", b"2147483648", b"-2147483648", b"4294967295",
       b"4294967296", b"9223372036854775807", b"9223372036854775808", b"99999999999999999999999", b"1e308",
       b"0.0001", b"65536", b"1000000", b"3.5", b"2.0", b"-0", b"+7", b"1-2", b"--5", b".5", b"5.", b"-", b".",
       b"null", b"true", b"(1)", b"()", b"<>", b"[]", b"<< >>", b"/X", b"[1]", b"[[1]]", b"R", b"1 0", b"0 0 R",
       b"99999 0 R", b"1 1 R", b"2147483647 0 R", b"-1 0 R", b"1 65535 R", b"16#20", b"1/A 2", b"0x10"]
KEYS = [b"/Type", b"/Kids", b"/Count", b"/Parent", b"/MediaBox", b"/CropBox", b"/Rotate", b"/UserUnit",
        b"/Resources", b"/Contents", b"/Annots", b"/Pages", b"/PageLabels", b"/Nums", b"/Limits", b"/S", b"/P",
        b"/St", b"/AcroForm", b"/Fields", b"/OCProperties", b"/Subtype", b"/Length", b"/Filter", b"/Size",
        b"/Root", b"/Info", b"/Title", b"/ArtBox", b"/TrimBox", b"/BleedBox", b"/Thumb", b"/Trans", b"/AA",
        b"/Group", b"/StructParents", b"/B", b"/Tabs", b"/Dur", b"/PieceInfo", b"/LastModified", b"/Metadata"]
CATALOG = [b"/AcroForm", b"/OCProperties", b"/Names", b"/Dests", b"/Outlines", b"/ViewerPreferences",
           b"/PageLayout", b"/PageMode", b"/Metadata", b"/URI", b"/StructTreeRoot", b"/Lang", b"/MarkInfo",
           b"/Version", b"/Extensions", b"/OpenAction", b"/AA", b"/Perms", b"/Legal", b"/Collection",
           b"/NeedsRendering", b"/Type", b"/PageLabels", b"/OutputIntents", b"/Pages", b"/BaseUrl"]
INFO = [b"/Title", b"/Author", b"/Subject", b"/Producer", b"/GTS_PDFXVersion", b"/GTS_PDFXConformance",
        b"/GTS_PDFA1Version", b"/GTS_PDFEVersion", b"/GTS_PDFUAVersion", b"/GTS_PDFVTVersion", b"/CreationDate"]
BOX_NUMBERS = [b"0", b"100", b"-100", b"1e3", b"99999999999", b"99999999999999999999", b"0.5", b".5", b"5.", b"--5",
               b"1-2", b"-", b".", b"+5", b"null", b"/N", b"(1)", b"99 0 R", b"1.5-5", b"1.7976931348623157e308",
               b"2147483648", b"-.0", b"00012", b"1.2.3", b"3%c\n", b"0.1234567890123456789", b"123456.789012345"]
#: How often an object of each role is chosen.
WEIGHTS = {"catalog": 5, "pages": 6, "page": 6, "kids": 3, "box": 3, "labels": 3, "info": 2, "form": 2, "oc": 2,
           "resources": 2, "annots": 2, "annot": 2, "drawing": 1, "content": 1, "length": 2, "other": 1}


def pick(rng, doc, roles=None):
    """The number of an object, rather one that matters."""
    names = [name for name in (roles or WEIGHTS) if doc.roles.get(name)]
    if not names:
        return None
    name = rng.choices(names, [WEIGHTS.get(name, 1) for name in names])[0]
    number = rng.choice(doc.roles[name])
    return number if number in doc.objs else None


def dictionaries(parts):
    return [place for place, part in enumerate(parts) if part == b"<<"]


def choose_entry(rng, parts):
    """An entry of one of the dictionaries, rather of the outermost."""
    places = dictionaries(parts)
    if not places:
        return None
    place = places[0] if rng.random() < 0.7 else rng.choice(places)
    found = entries(parts, place)[0]
    return rng.choice(found) if found else None


def edits(roles=None):
    """A mutation of one object's words, from a function that changes them in place."""

    def wrap(function):
        def mutation(rng, doc):
            number = pick(rng, doc, roles)
            if number is None:
                return False
            obj = doc.objs[number]
            parts = tokens(obj.words)
            if function(rng, doc, parts, number) is False:
                return False
            obj.words = b" ".join(parts)
            return True

        mutation.__name__ = function.__name__
        return mutation

    return wrap


# Names


@edits()
def name_nul(rng, doc, parts, number):
    names = [i for i, part in enumerate(parts) if part.startswith(b"/")]
    if not names:
        return False
    i = rng.choice(names)
    style = rng.randrange(4)
    if style == 0:
        parts[i] += rng.choice([b"#00", b"#00x", b"#00#00"])
    elif style == 1:
        at = rng.randrange(1, len(parts[i]) + 1)
        parts[i] = parts[i][:at] + b"#00" + parts[i][at:]
    else:
        entry = choose_entry(rng, parts)
        if entry is None:
            return False
        name, first, end = entry
        other = [rng.choice(ODD + [b"[0 0 70 70]", b"90"])]
        if style == 3:
            parts[name:name] = [parts[name] + b"#00"] + other
        else:
            parts[end:end] = [parts[name] + b"#00y"] + other


@edits()
def name_escape(rng, doc, parts, number):
    names = [i for i, part in enumerate(parts) if part.startswith(b"/") and len(part) > 1]
    if not names:
        return False
    i = rng.choice(names)
    at = rng.randrange(1, len(parts[i]))
    byte = parts[i][at]
    parts[i] = parts[i][:at] + rng.choice([
        b"#%02x" % byte, b"#%02X" % byte, b"#%x" % (byte >> 4), b"#", b"#zz%c" % byte, b"##%c" % byte,
        b"#20", b"#2f", b"#0a%c" % byte, b"#%02x#" % byte, b"%c#4" % byte]) + parts[i][at + 1 :]


@edits()
def name_long(rng, doc, parts, number):
    entry = choose_entry(rng, parts)
    if entry is None:
        return False
    size = rng.choice([125, 126, 127, 128, 129, 130, 200, 255, 256, 257, 1000, 5000])
    if rng.random() < 0.6:
        parts[entry[0] : entry[0]] = [b"/" + b"L" * size, rng.choice(ODD)]
    else:
        parts[entry[0]] += b"x" * size


@edits()
def key_rename(rng, doc, parts, number):
    entry = choose_entry(rng, parts)
    if entry is None:
        return False
    name = parts[entry[0]]
    parts[entry[0]] = rng.choice([rng.choice(KEYS), name.lower(), name + b" ", name + b"s", name[:-1] or b"/", b"/"])


@edits()
def key_duplicate(rng, doc, parts, number):
    entry = choose_entry(rng, parts)
    if entry is None:
        return False
    name, first, end = entry
    if rng.random() < 0.4:
        value = [rng.choice(ODD + BOX_NUMBERS)]
    elif rng.random() < 0.5:
        value = [rng.choice([b"[0 0 70 70]", b"90", b"/Page", b"/Pages", b"5", b"1 0 R"])]
    else:
        value = parts[first:end]
    place = name if rng.random() < 0.5 else end
    parts[place:place] = [parts[name]] + value
    if rng.random() < 0.2:
        parts[place:place] = [w for i in range(rng.choice([10, 31, 32, 40])) for w in (b"/K%d" % i, b"1")]


@edits()
def key_remove(rng, doc, parts, number):
    entry = choose_entry(rng, parts)
    if entry is None:
        return False
    name, first, end = entry
    part = rng.randrange(4)
    if part < 2:
        del parts[name:end]
    elif part == 2:
        del parts[name]
    else:
        del parts[first:end]


@edits()
def key_insert(rng, doc, parts, number):
    entry = choose_entry(rng, parts)
    if entry is None:
        return False
    parts[entry[0] : entry[0]] = [rng.choice(KEYS), rng.choice(ODD + BOX_NUMBERS)]


# Values


@edits()
def number_odd(rng, doc, parts, number):
    numbers = [i for i, part in enumerate(parts) if part[:1].isdigit() or part[:1] in b"-+."]
    if not numbers:
        return False
    i = rng.choice(numbers)
    if rng.random() < 0.5 and parts[i].isdigit():
        parts[i] = b"%d" % (int(parts[i]) + rng.choice([-1, 1, 2, 10, -10, 100]))
    else:
        parts[i] = rng.choice(ODD + BOX_NUMBERS)


@edits()
def reference_change(rng, doc, parts, number):
    refs = [i for i, part in enumerate(parts) if part.endswith(b" R")]
    if not refs:
        return False
    i = rng.choice(refs)
    target, generation = parts[i].split()[:2]
    top = doc.new_number()
    parts[i] = rng.choice([
        b"%d 0 R" % rng.randrange(0, top + 3), b"%d 0 R" % number, b"%s %d R" % (target, rng.choice([1, 2, 65535, 65536])),
        b"0 0 R", b"%d 0 R" % (top + 50), b"0%s 0 R" % target, b"%s 0 R" % (b"%d" % (2**31 + 5)), b"null",
        b"+%s 0 R" % target, b"%s 0  R" % target, b"%s\n%%c\n0 R" % target, b"%s 0 r" % target, b"%s 00 R" % target,
        b"%s %s RR" % (target, generation), b"%s 0 R0" % target, b"%s.0 0 R" % target, b"[%s 0 R]" % target])


@edits()
def value_indirect(rng, doc, parts, number):
    entry = choose_entry(rng, parts)
    if entry is None:
        return False
    _, first, end = entry
    value = b" ".join(parts[first:end])
    new = doc.role(doc.add(value), "other")
    for _ in range(rng.choice([0, 0, 0, 1, 2, 9])):
        new = doc.role(doc.add(b"%d 0 R" % new), "other")
    parts[first:end] = [b"%d 0 R" % new]


@edits()
def value_odd(rng, doc, parts, number):
    entry = choose_entry(rng, parts)
    if entry is None:
        return False
    parts[entry[1] : entry[2]] = [rng.choice(ODD)]


@edits()
def value_inline(rng, doc, parts, number):
    refs = [i for i, part in enumerate(parts) if part.endswith(b" R")]
    if not refs:
        return False
    i = rng.choice(refs)
    target = int(parts[i].split()[0])
    if target not in doc.objs or doc.objs[target].data is not None or len(doc.objs[target].words) > 4000:
        return False
    parts[i] = doc.objs[target].words


@edits()
def object_wrong(rng, doc, parts, number):
    parts[:] = [rng.choice([b"null", b"[]", b"5", b"/Name", b"<< >>", b"(s)", b"", b"%d 0 R" % number, b"1 0 R",
                            b"99 0 R", b"[" + b" ".join(parts) + b"]", b" ".join(parts) + b" " + b" ".join(parts),
                            b"7 " + b" ".join(parts), b"<< " + b" ".join(parts), b" ".join(parts[:-1])])]


@edits()
def white_space(rng, doc, parts, number):
    if not parts:
        return False
    i = rng.randrange(len(parts))
    parts[i] += rng.choice([b"\x00", b"\x0c", b"\r", b"%c\n", b"%c\r", b"\x0b", b"\xa0", b"%", b"\x08", b"{", b"}", b")"])


@edits()
def token_swap(rng, doc, parts, number):
    if len(parts) < 2:
        return False
    i = rng.randrange(len(parts) - 1)
    j = i + 1 if rng.random() < 0.6 else rng.randrange(len(parts))
    parts[i], parts[j] = parts[j], parts[i]


@edits()
def token_remove(rng, doc, parts, number):
    if not parts:
        return False
    del parts[rng.randrange(len(parts))]


@edits()
def deep_nesting(rng, doc, parts, number):
    entry = choose_entry(rng, parts)
    if entry is None:
        return False
    depth = rng.choice([5, 100, 498, 499, 500, 501, 502, 600])
    inside = b"[" * depth + b"1" + b"]" * depth if rng.random() < 0.5 else b"<</A " * depth + b"1" + b">>" * depth
    parts[entry[0] : entry[0]] = [b"/Deep", inside]


# Page nodes


def on_role(role, function):
    def mutation(rng, doc):
        number = pick(rng, doc, [role] if isinstance(role, str) else role)
        if number is None:
            return False
        return function(rng, doc, number, doc.objs[number]) is not False

    mutation.__name__ = function.__name__
    return mutation


def page_count(rng, doc, number, obj):
    value = obj.get(b"/Count")
    if value and value.isdigit() and rng.random() < 0.5:
        value = b"%d" % (int(value) + rng.choice([-2, -1, 1, 2, 5, 60, 100, 1000]))
    else:
        value = rng.choice(ODD + [None, b"1.0", b"65", b"64", b"100000"])
    obj.set(b"/Count", value)


def page_kids(rng, doc, number, obj):
    words = obj.get(b"/Kids") or b"[]"
    kids = tokens(words)[1:-1] if words.startswith(b"[") else [words]
    other = rng.choice([number, rng.randrange(1, doc.new_number() + 2), rng.choice(doc.roles["pages"]),
                        rng.choice(doc.roles.get("page") or [1]), rng.choice(doc.roles["catalog"])])
    new = rng.choice([
        b"%d 0 R" % other, b"%d 1 R" % other, b"null", b"5", b"[%d 0 R]" % other, b"<< >>",
        b"<< /Type /Page /MediaBox [0 0 33 44] >>", b"(x)", b"/Page", b"99999 0 R",
        b"<< /Type /Pages /Count 1 /Kids [%d 0 R] >>" % other, doc.objs[other].words if other in doc.objs else b"3 0 R"])
    style = rng.randrange(6)
    if style < 2:
        kids.insert(rng.randrange(len(kids) + 1), new)
    elif style == 2 and kids:
        kids[rng.randrange(len(kids))] = new
    elif style == 3 and kids:
        kids.append(rng.choice(kids))
    elif style == 4:
        rng.shuffle(kids)
    else:
        obj.set(b"/Kids", rng.choice([None, b"null", new, b"[]", b"<< >>"]))
        return
    obj.set(b"/Kids", b"[" + b" ".join(kids) + b"]")
    if style < 2 and rng.random() < 0.5:
        count = obj.get(b"/Count") or b"0"
        if count.isdigit():
            obj.set(b"/Count", b"%d" % (int(count) + 1))


def page_type(rng, doc, number, obj):
    obj.set(b"/Type", rng.choice([
        None, b"/Page", b"/Pages", b"/Template", b"/page", b"(Page)", b"null", b"/P#61ge", b"/Catalog", b"5", b"/",
        b"%d 0 R" % doc.role(doc.add(rng.choice([b"/Page", b"/Pages", b"null"])), "other"), b"99 0 R", b"/Page#00"]))


def page_parent(rng, doc, number, obj):
    obj.set(b"/Parent", rng.choice([
        None, b"%d 0 R" % number, b"null", b"99999 0 R", b"%d 0 R" % rng.choice(doc.roles["pages"]), b"1 0 R", b"5",
        b"<< /Rotate 90 >>"]))


def page_box(rng, doc, number, obj):
    key = rng.choice([b"/MediaBox", b"/MediaBox", b"/CropBox"])
    parts = [rng.choice([b"0", b"0", b"10", rng.choice(BOX_NUMBERS)]), rng.choice([b"0", rng.choice(BOX_NUMBERS)]),
             rng.choice([b"200", b"200", rng.choice(BOX_NUMBERS)]), rng.choice([b"300", rng.choice(BOX_NUMBERS)])]
    style = rng.randrange(8)
    if style == 0:
        parts.pop()
    elif style == 1:
        parts.append(b"5")
    elif style == 2:
        rng.shuffle(parts)
    elif style == 3:
        i = rng.randrange(4)
        parts[i] = b"%d 0 R" % doc.role(doc.add(parts[i]), "other")
    box = b"[" + b" ".join(parts) + b"]"
    if style == 4:
        box = rng.choice([b"null", b"5", b"[]", b"[[0 0 5 5]]", b"<< >>", b"(0 0 5 5)", b"99 0 R", b"[0 0 0 0]",
                          b"{0 0 5 5}", b"[0 0 5 5", b"0 0 5 5]", b"[0 0 5,5 5]"])
    elif style == 5:
        box = b"%d 0 R" % doc.role(doc.add(box), "box")
    obj.set(key, box)


def page_rotate(rng, doc, number, obj):
    value = rng.choice([b"90", b"-90", b"450", b"45", b"91", b"360", b"720", b"-450", b"90.0", b"+90", b"1e2"] + ODD)
    if rng.random() < 0.2:
        value = b"%d 0 R" % doc.role(doc.add(value), "box")
    obj.set(rng.choice([b"/Rotate", b"/Rotate", b"/Rotate", b"/UserUnit"]), value)


def page_wrap(rng, doc, number, obj):
    """Nodes of the tree between a page and its parent."""
    words = obj.get(b"/Kids") or b""
    kids = tokens(words)[1:-1]
    if not kids:
        return False
    i = rng.randrange(len(kids))
    inner = kids[i]
    for _ in range(rng.choice([1, 1, 2, 5, 50, 499, 501, 600])):
        extra = rng.choice([b"", b"", b"", b" /Rotate 90", b" /MediaBox [0 0 50 60]", b" /Parent 99 0 R"])
        new = doc.role(doc.add(b"<< /Type /Pages /Count 1 /Kids [%s]%s >>" % (inner, extra)), "pages")
        inner = b"%d 0 R" % new
    kids[i] = inner
    obj.set(b"/Kids", b"[" + b" ".join(kids) + b"]")


def many_pages(rng, doc, number, obj):
    """More pages than are walked on first use, by the same kids again and again."""
    kids = tokens(obj.get(b"/Kids") or b"")[1:-1]
    if not kids:
        return False
    count = rng.choice([63, 64, 65, 66, 100, 250])
    if rng.random() < 0.5:
        kids = (kids * count)[:count]
    else:
        kids += [b"%d 0 R" % doc.add(b"<< /Type /Page /MediaBox [0 0 %d 20] >>" % (i + 1)) for i in range(count)]
    obj.set(b"/Kids", b"[" + b" ".join(kids) + b"]")
    obj.set(b"/Count", b"%d" % (len(kids) + rng.choice([0, 0, 0, -1, 1])))


# Catalog, information, labels


def catalog_key(rng, doc, number, obj):
    top = doc.new_number()
    key = rng.choice(CATALOG)
    value = rng.choice([b"%d 0 R" % (top + 7), b"99999 0 R", rng.choice(ODD), b"%d 0 R" % rng.randrange(1, top),
                        b"%d 1 R" % rng.randrange(1, top), None, b"<< /A %d 0 R >>" % (top + 7), b"/1.7", b"/2.0"])
    if rng.random() < 0.2:
        inner = rng.choice([b"/Base", b"/Direction", b"/HideToolbar", b"/D", b"/OCGs", b"/Fields", b"/XFA", b"/DR",
                            b"/NeedAppearances", b"/First", b"/Dests", b"/JavaScript", b"/PrintScaling", b"/Nums"])
        value = b"<< %s %s >>" % (inner, value or b"null")
    obj.set(key, value)


def info_key(rng, doc):
    top = doc.new_number()
    value = rng.choice([b"%d 0 R" % (top + 7), rng.choice(ODD), b"(PDF/X-1:2001)", b"(PDF/A-1a:2005)", b"(" + b"x" * 5000 + b")",
                        b"<feff00>", b"(\\377\\376a\\000)", b"%d 0 R" % rng.randrange(1, top)])
    key = rng.choice(INFO)
    numbers = doc.roles.get("info")
    if numbers and numbers[0] in doc.objs:
        doc.objs[numbers[0]].set(key, value)
    else:
        number = doc.role(doc.add(b"<< %s %s >>" % (key, value)), "info")
        doc.trailer.append([b"/Info", b"%d 0 R" % number])
    return True


def label_tree(rng, doc, number, obj):
    """A tree of page labels that is odd in one place."""
    def entry(first):
        return b"%s << %s >>" % (first, b" ".join(
            w for w in (rng.choice([b"/S /D", b"/S /r", b"/S /R", b"/S /a", b"/S /A", b"", b"/S /X", b"/S (D)", b"/S 9 0 R"]),
                        rng.choice([b"", b"", b"/P (p\\055)", b"/P <feff20ac>", b"/P /x", b"/P (" + b"y" * 300 + b")",
                                    b"/P <efbbbf41>", b"/P (\\000a)", b"/P <fffe4100>"]),
                        rng.choice([b"", b"", b"/St 3", b"/St 0", b"/St -1", b"/St 1999", b"/St 4000", b"/St 2147483647", b"/St 1.5",
                                    b"/St 30000", b"/St (1)", b"/St 9 0 R"])) if w))

    keys = [rng.choice([b"0", b"1", b"2", b"3", b"-1", b"0", b"1000", b"2147483647", b"0.0", b"null", b"(0)", b"99999999999"])
            for _ in range(rng.choice([1, 2, 3, 4]))]
    if rng.random() < 0.6:
        keys = [b"0"] + keys[1:]
    if rng.random() < 0.7:
        keys = sorted(keys)
    nums = [entry(key) for key in keys]
    if rng.random() < 0.2:
        nums[rng.randrange(len(nums))] = rng.choice([b"0", b"0 5", b"0 null", b"0 99 0 R", b"<< >>", b"0 [] ", b"0 /D"])
    if rng.random() < 0.4:
        kids = []
        for words in nums:
            limits = rng.choice([b"", b"/Limits [0 0]", b"/Limits [5 1]", b"/Limits 3"])
            kids.append(b"%d 0 R" % doc.role(doc.add(b"<< %s /Nums [%s] >>" % (limits, words)), "labels"))
        if rng.random() < 0.2:
            kids.append(rng.choice([kids[0], b"99 0 R", b"null", b"%d 0 R" % number, b"<< /Nums [0 << /S /A >>] >>"]))
        tree = b"<< /Kids [%s] >>" % b" ".join(kids)
    else:
        tree = b"<< /Nums [%s] >>" % b" ".join(nums)
    if rng.random() < 0.5:
        tree = b"%d 0 R" % doc.role(doc.add(tree), "labels")
    obj.set(b"/PageLabels", tree)


# Resources, annotations


def resource_marks(rng, doc, number, obj):
    """What a subset must not take for a page, a field or a link."""
    key, value = rng.choice([
        (b"/Type", b"/Page"), (b"/Type", b"/Pages"), (b"/Type", b"/Catalog"), (b"/Subtype", b"/Link"), (b"/Parent", b"2 0 R"),
        (b"/Kids", b"[1 0 R]"), (b"/A", b"1 0 R"), (b"/Dest", b"[3 0 R /Fit]"), (b"/P", b"3 0 R"), (b"/Pages", b"2 0 R"),
        (b"/Type", b"/Annot"), (b"/FT", b"/Tx"), (b"/Fields", b"[]"), (b"/OC", b"99 0 R"), (b"/Type", b"/ObjStm")])
    obj.set(key, value)


def stream_length(rng, doc, number, obj):
    if obj.data is None:
        return False
    size = len(obj.data)
    value = rng.choice([b"%d" % (size + rng.choice([-9, -1, 1, 2, 9, 100, 10000])), b"0", b"99 0 R", b"%d 0 R" % number,
                        rng.choice(ODD), b"%d 0 R" % doc.role(doc.add(b"%d" % size), "length")])
    obj.set(b"/Length", value)


def stream_filter(rng, doc, number, obj):
    if obj.data is None:
        return False
    obj.set(rng.choice([b"/Filter", b"/DecodeParms", b"/F", b"/FFilter", b"/DP"]), rng.choice([
        b"/FlateDecode", b"[/FlateDecode]", b"[/FlateDecode /FlateDecode]", b"/Fl", b"/ASCIIHexDecode", b"/Crypt",
        b"null", b"[null]", b"[]", b"<< /Predictor 12 >>", b"99 0 R", b"/Nonsense", b"/Flate#44ecode", b"/LZWDecode"]))


MUTATIONS = [
    (4, name_nul), (3, name_escape), (2, name_long), (2, key_rename), (4, key_duplicate), (3, key_remove),
    (3, key_insert), (4, number_odd), (4, reference_change), (3, value_indirect), (3, value_odd), (2, value_inline),
    (3, object_wrong), (2, white_space), (2, token_swap), (2, token_remove), (1, deep_nesting),
    (4, on_role("pages", page_count)), (5, on_role("pages", page_kids)), (3, on_role(["page", "pages"], page_type)),
    (2, on_role(["page", "pages"], page_parent)), (5, on_role(["page", "pages"], page_box)),
    (4, on_role(["page", "pages"], page_rotate)), (1, on_role("pages", page_wrap)), (1, on_role("pages", many_pages)),
    (5, on_role("catalog", catalog_key)), (3, info_key), (5, on_role("catalog", label_tree)),
    (2, on_role(["resources", "drawing", "annot", "oc", "form", "page"], resource_marks)),
    (2, on_role(["content", "drawing"], stream_length)), (1, on_role(["content", "drawing"], stream_filter)),
]
