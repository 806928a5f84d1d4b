import Foundation
import RectoBase
import RectoGeometry
import SystemPackage
import Testing

@testable import RectoCommand

/// The JSON writer and reader.
@Suite struct JSONWriterTests {
  private static func text(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func `objects and arrays are nested with commas between members`() {
    let text = Self.text { writer in
      writer.object { object in
        object.member("a", 1)
        object.array("b") { array in
          array.value(1)
          array.value("x")
          array.object { $0.member("c", true) }
          array.object { _ in }
        }
        object.array("d") { _ in }
        object.object("e") { $0.null("f") }
      }
    }
    #expect(text == #"{"a":1,"b":[1,"x",{"c":true},{}],"d":[],"e":{"f":null}}"#)
  }

  @Test func `a missing string is not written`() {
    let text = Self.text { writer in
      writer.object { object in
        object.member("a", nil)
        object.member("b", "" as String?)
      }
    }
    #expect(text == #"{"b":""}"#)
  }

  @Test func `lines are separate values`() {
    let text = Self.text { writer in
      for number in 1...2 {
        writer.object { $0.member("n", number) }
        writer.newline()
      }
    }
    #expect(text == "{\"n\":1}\n{\"n\":2}\n")
  }

  @Test func `what was taken is not written again`() {
    var writer = JSONWriter()
    writer.openObject()
    writer.member("a", 1)
    #expect(writer.take() == Array(#"{"a":1"#.utf8))
    writer.member("b", 2)
    writer.closeObject()
    #expect(writer.take() == Array(#","b":2}"#.utf8))
  }

  static let strings: [(String, String)] = [
    ("", #""""#), ("a\"b\\c", #""a\"b\\c""#), ("\n\t\r", #""\n\t\r""#),
    ("\u{0}\u{1b}\u{7f}", #""\u0000\u001b\u007f""#), ("é😀", #""é😀""#),
    ("a\u{85}b\u{202e}é\u{2028}", #""a\u0085b\u202eé\u2028""#),
  ]

  @Test(arguments: strings)
  func `strings are escaped, and read back unchanged`(value: String, json: String) throws {
    #expect(Self.text { $0.value(value) } == json)
    #expect(try JSONValue(parsing: Array(json.utf8)) == .string(value))
    #expect(try JSONDecoder().decode(String.self, from: Data(json.utf8)) == value)
  }

  static let numbers: [(Double, String)] = [
    (0, "0"), (-0.0, "0"), (1, "1"), (-1.5, "-1.5"), (0.1 + 0.2, "0.3"), (1e-7, "0"),
    (-0.000001, "-0.000001"), (999_999_999.999999, "999999999.999999"), (1e9, "1000000000"),
    (1e21, "1000000000000000000000"), (9_007_199_254_740_992, "9007199254740992"), (.nan, "0"),
    (.infinity, "0"),
  ]

  @Test(arguments: numbers)
  func `numbers have no exponent and at most six decimals`(value: Double, text: String) {
    #expect(value.decimal == text)
    #expect(Self.text { $0.value(value) } == text)
  }

  @Test func `the extreme integers are written`() {
    #expect(Self.text { $0.value(Int.min) } == "-9223372036854775808")
    #expect(Self.text { $0.value(Int.max) } == "9223372036854775807")
  }

  @Test func `a path that is not UTF-8 is followed by its bytes`() {
    let path = FilePath(bytes: [0x61, 0xFF])
    let text = Self.text { writer in
      writer.object { $0.path(path) }
    }
    #expect(text == "{\"path\":\"a\u{FFFD}\",\"pathBytes\":\"Yf8=\"}")
    #expect(
      Self.text { writer in writer.object { $0.path("a b", as: "file") } } == #"{"file":"a b"}"#
    )
  }

  @Test func `a rectangle has a position and a size`() {
    let text = Self.text { writer in
      writer.object { $0.rect("r", Rect(x: 1, y: 2.5, width: 3, height: 4)) }
    }
    #expect(text == #"{"r":{"x":1,"y":2.5,"width":3,"height":4}}"#)
  }

  // MARK: Reading

  @Test func `a text is read into values`() throws {
    let text = #" {"a" : [1, -2.5e1, true, false, null], "b\u00e9\ud83d\ude00": {} } "#
    #expect(
      try JSONValue(parsing: Array(text.utf8))
        == .object([
          "a": .array([.number(1), .number(-25), .bool(true), .bool(false), .null]),
          "bé😀": .object([:]),
        ])
    )
  }

  static let malformed: [(String, String)] = [
    ("", "invalid JSON at column 1: unexpected end"),
    ("{} x", "invalid JSON at column 4: unexpected text after the value"),
    ("{a:1}", "invalid JSON at column 2: expected a member name"),
    (#"{"a" 1}"#, "invalid JSON at column 6: expected a colon"),
    (#"{"a":1,"a":2}"#, "invalid JSON at column 13: duplicate member \"a\""),
    (#"{"a":1"#, "invalid JSON at column 7: expected a comma or a closing brace"),
    ("[1 2]", "invalid JSON at column 4: expected a comma or a closing bracket"),
    ("[1,]", "invalid JSON at column 4: expected a value"),
    ("tru", "invalid JSON at column 1: invalid literal"),
    ("01", "invalid JSON at column 3: expected a value"),
    ("1.", "invalid JSON at column 3: incomplete number"),
    ("1e400", "invalid JSON at column 6: number out of range"),
    (#""a"#, "invalid JSON at column 3: unterminated string"),
    ("\"\n\"", "invalid JSON at column 3: control character in a string"),
    (#""\x""#, "invalid JSON at column 4: unknown escape"),
    (#""\u12g4""#, "invalid JSON at column 4: expected four hexadecimal digits"),
  ]

  @Test(arguments: malformed)
  func `a syntax error has a position and a reason`(text: String, message: String) throws {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: Array(text.utf8)) }
    #expect(error?.description == message)
  }

  @Test func `nesting is limited to 64`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    _ = try JSONValue(parsing: nested(64))
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: nested(65)) }
    #expect(error?.reason == "nested deeper than 64")
  }
}
