"""The words of book.pdf. A bar (|) marks where a word may be divided."""

TITLE = "The Turning of the Page"
SUBTITLE = "A short account of leaves, measures and scrolls"

EPIGRAPH = ["A page is a promise", "that there is another one."]

CHAPTERS = [
    (
        "The Leaf",
        [
            "^A leaf^ has two sides, and print|ers have a name for each. The side that lies on "
            "the right when a book is open is the *recto*; turn it, and what you see is the "
            "*verso*. The words are older than print|ing, older than paper: scribes wrote *recto "
            "folio* and *verso folio*, on the right leaf and on the turned one, and num|bered "
            "the leaf but once.",
            "From this small fact much follows. The first page of a book stands alone, for there "
            "is nothing to its left but the inside of a cover. Every odd page is a recto, every "
            "even one a verso, and no pub|lisher has yet found a way round it. Pages two and "
            "three face each other; so do four and five. A reader sees a pair, and so the pair, "
            "not the page, is what a de|sign|er composes.",
            "Look at an open book from a distance at which the letters blur. Two grey columns "
            "hang side by side, close to|gether at the fold and far from the edges, higher than "
            "the mid|dle and lower than the top. The inner mar|gins are narrow since the eye "
            "adds them up. The outer ones are wide because thumbs need a place to be.",
            "How wide? Medi|eval work|shops drew two diag|onals across the pair and one across "
            "each page, and let the lines de|cide. The figure over|leaf repeats their "
            "con|struction: where the lines cross, a ninth of the page is found with|out a "
            "ruler, and the column that comes of it has the shape of the page it stands on.",
            "No rule says that a page must be upright, or that it must be as large as its "
            "neigh|bour. A map folds out, a plate lies on its side, a re|ceipt is longer than it "
            "has any right to be. The pair opens all the same: each page is centred on its side "
            "of the fold, or of|fers as much of it|self as there is room for.",
            "Some books be|gin at what others call the end. Where writing runs from right to "
            "left, the recto is the left-hand page and the whole con|struction is seen in a "
            "mir|ror; the thumbs, be|ing two, do not mind.",
        ],
        "The canon: margins in the ratio 2 : 3 : 4 : 6, found with straight lines alone.",
    ),
    (
        "The Measure",
        [
            "^Paper^ was cut as each mill saw fit un|til somebody noticed that one shape is like "
            "no other. Fold a sheet whose sides are as one to the square root of two, and each "
            "half has the shape of the whole. Fold it again, and again: the shape stays.",
            "Lichten|berg wrote of it in 1786 and thought it pleas|ant. It took a cen|tury and a "
            "half to be|come a stand|ard, and now the sheet on your desk is a six|teenth of a "
            "square metre, or would be if its two sides were not rounded to the milli|metre.",
        ],
        "Each sheet is half of the one before: A1 to A8 inside A0.",
    ),
    (
        "The Scroll",
        [
            "^Before^ there were pages there was the scroll, and there was no page to turn. The "
            "reader rolled with one hand what the other un|rolled, and saw a win|dow of the "
            "text: never all of it, never quite the same. To find a place was to wind through "
            "every|thing that came be|fore it.",
            "The codex put an end to that. Cut the roll into leaves, sew them at one side, and "
            "any page is as near as any other. It is the great|est short cut in the his|tory of "
            "read|ing, and it took three hun|dred years to be|lieve in. Those who had scrolls "
            "thought it a note|book for trav|el|lers.",
            "Then came the screen, and with it, of all things, the scroll. Pages hang be|low "
            "each other on a long in|visible rib|bon, and the reader looks at them through a "
            "win|dow again. But there is a differ|ence: this rib|bon need not be wound. Who|ever "
            "knows how tall the pages are knows where each one hangs, and can go there at once; "
            "who|ever does not must guess, and say so, and mend the guess with|out moving what "
            "is be|ing read.",
            "That is the whole art of it. The win|dow touches a few pages; the few are drawn and "
            "the many are not. A book of ten leaves and one of ten thou|sand look the same "
            "through a win|dow, and should cost the same. Leaf, meas|ure and scroll are friends.",
            "And the reader? The reader keeps a fin|ger on a line, turns the glass a lit|tle "
            "larger, a lit|tle smaller, on its side and back, and ex|pects the line to stay "
            "where it was. A place in a book is not a dis|tance from the top, which changes with "
            "every such turn; it is a page and a part of a page, as it was when monks wrote "
            "*folio 12, recto, near the foot*.",
            "So count the leaves, meas|ure those you meet, and leave the others be. They will "
            "still be there when the win|dow comes by. That, af|ter all, is what was prom|ised.",
        ],
        "The window touches pages 3 and 4; only these are drawn.",
    ),
]

PLATE = (
    "Ridges at first light. A picture made by a few lines of arithmetic, turned on its side to "
    "fill the plate."
)

SPECIMEN = [
    (46, "Aa Gg Qq & Rr"),
    (30, "Folio, recto, verso"),
    (22, "The quick brown fox, justified"),
    (16, "Sphinx of black quartz, judge my vow: 0123456789"),
    (12, "Waltz, bad nymph, for quick jigs vex; fjord, office, affluent, flight"),
    (9, "Jackdaws love my big sphinx. – “Voilà!” said Zoë, « très fin » – £12, €34, §56, ¶78"),
]

COLOPHON = (
    "This book was set by a short pro|gram, in the EB Gara|mond of Georg Duffner, after types "
    "cut by Claude Gara|mont and shown on a speci|men sheet of 1592. Its lines were broken a "
    "para|graph at a time. The words, the draw|ings and the pic|ture are its own."
)
