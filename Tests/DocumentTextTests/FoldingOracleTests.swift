import TestSupport
import Testing

@testable import DocumentText

/// The folding of each scalar, compared with Python's `unicodedata` and `str.casefold`.
@Suite(.enabled(if: (try? Program.runInPath("python3", ["-c", ""]))?.code == 0, "no python3"))
struct FoldingOracleTests {
  /// Prints scalar and folded form in hexadecimal, for each scalar that Python's Unicode has
  /// assigned. Ideographs and Hangul are sampled.
  private static let script = """
    import sys, unicodedata as u
    case, marks = sys.argv[1] == "1", sys.argv[2] == "1"
    def ignorable(c):
        return (c in (0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFEFF, 0xFFA0)
            or 0x180B <= c <= 0x180F or 0x200B <= c <= 0x200F or 0x202A <= c <= 0x202E
            or 0x2060 <= c <= 0x206F or 0xFE00 <= c <= 0xFE0F or 0xFFF0 <= c <= 0xFFF8
            or 0x1BCA0 <= c <= 0x1BCA3 or 0x1D173 <= c <= 0x1D17A or 0xE0000 <= c <= 0xE0FFF)
    def kept(s):
        s = "".join(c for c in s if not ignorable(ord(c)))
        return s if marks else "".join(c for c in s if u.combining(c) in (0, 9))
    for code in range(0x80, 0x110000):
        c = chr(code)
        if u.category(c) in ("Cn", "Cs", "Co"): continue
        # Most ideographs and most syllables of Hangul.
        if (0x3400 <= code < 0xA000 or 0x20000 <= code < 0x2F800 or 0x30000 <= code < 0x40000
            or 0xAC00 <= code < 0xD7A4) and code % 97: continue
        if c in "\\u2010\\u2011": s = "-"
        elif c.isspace() and code not in range(0x1C, 0x20): s = " "
        elif ignorable(code): s = ""
        else:
            s = u.normalize("NFKD", c)
            if s[0] == " ": s = c
            else:
                s = kept(s)
                if not case: s = kept(u.normalize("NFKD", s.casefold()))
        print("%X" % code, " ".join("%X" % ord(x) for x in s))
    """

  @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
  func `each scalar is folded as by Python`(isCase: Bool, isMarks: Bool) throws {
    let result = try Program.runInPath(
      "python3",
      ["-c", Self.script, isCase ? "1" : "0", isMarks ? "1" : "0"],
      seconds: 60
    )
    #expect(result.code == 0, "\(result.errors)")
    var folding = TextFolding(
      TextQuery("", isCaseSensitive: isCase, isDiacriticSensitive: isMarks),
      keepsHyphenation: false
    )
    var folded = FoldedText()
    var differing: [String] = []
    var count = 0
    for line in result.text.split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { UInt32($0, radix: 16) }
      let scalar = try #require(numbers.first.flatMap(Unicode.Scalar.init))
      let utf8 = Array(String(Character(scalar)).utf8)
      utf8.withUnsafeBufferPointer { folding.fold($0, into: &folded) }
      let own = String(decoding: folded.bytes[..<folded.count], as: UTF8.self)
      count += 1
      if own.unicodeScalars.map(\.value) != Array(numbers.dropFirst()) {
        differing.append("\(line) not \(own.unicodeScalars.map { String($0.value, radix: 16) })")
      }
    }
    #expect(count > 30_000)
    #expect(differing.isEmpty, "\(differing.count): \(differing.prefix(40))")
  }
}
