"""A stroke alphabet: letters as polylines, so that a page says what it is without any font.

Every glyph stands on a grid four units wide and six high, y up. A glyph is written as pairs of
digits, x then y; a space lifts the pen.
"""

ADVANCE = 6

GLYPHS = {
    "0": "103041453616050110",
    "1": "152620 1030",
    "2": "05163645440040",
    "3": "0516364544334241301001 1333",
    "4": "30360242",
    "5": "460604344341301001",
    "6": "4536160501103041423303",
    "7": "064610",
    "8": "13040516364544331302011030414233",
    "9": "0110304145361605041343",
    "A": "0004264440 0242",
    "B": "00063645443303 3342413000",
    "C": "4536160501103041",
    "D": "00062644422000",
    "E": "46060040 0333",
    "F": "460600 0333",
    "G": "45361605011030414323",
    "H": "0006 4046 0343",
    "I": "2026 1030 1636",
    "J": "0110203136",
    "K": "0006 460340",
    "L": "060040",
    "M": "0006234640",
    "N": "00064046",
    "O": "103041453616050110",
    "P": "00063645443303",
    "Q": "103041453616050110 2240",
    "R": "00063645443303 2340",
    "S": "453616050413334241301001",
    "T": "0646 2620",
    "U": "060110304146",
    "V": "062046",
    "W": "0610233046",
    "X": "0046 0640",
    "Y": "062346 2320",
    "Z": "06460040",
    "-": "1333",
    "+": "0343 2125",
    "=": "0242 0444",
    "/": "0046",
    ".": "2020",
    ",": "2110",
    ":": "2121 2424",
    "'": "2625",
    "(": "36241230",
    ")": "16243210",
    " ": "",
}


def width(text, height):
    """The width of `text` from the first stroke's left to the last one's right."""
    return (len(text) * ADVANCE - 2) * height / 6 if text else 0


def path(text, x, y, height):
    """The path operators of `text` with its lower left corner at (x, y), without the paint."""
    unit = height / 6
    out = []
    for character in text.upper():
        for stroke in GLYPHS[character].split():
            points = [(int(stroke[i]), int(stroke[i + 1])) for i in range(0, len(stroke), 2)]
            for i, (px, py) in enumerate(points):
                out.append(f"{x + px * unit:.2f} {y + py * unit:.2f} {'l' if i else 'm'}")
        x += ADVANCE * unit
    return " ".join(out)


def write(text, x, y, height, colour="0.12 0.14 0.2", weight=0.13):
    """Operators that stroke `text` in an RGB colour; `weight` is the pen's share of the height."""
    pen = f"{height * weight:.2f} w 1 J 1 j {colour} RG"
    return f"q {pen} {path(text, x, y, height)} S Q\n"


def centred(text, x, y, height, **style):
    """As `write`, centred on x and on the baseline y."""
    return write(text, x - width(text, height) / 2, y, height, **style)
