import Testing

@testable import PDFStructure

@Suite struct LexerTests {
  private func lexer(_ text: String) -> Lexer {
    let bytes = Array(text.utf8)
    let meter = WorkMeter(limit: 1 << 20)
    return Lexer(ByteCursor(memory: bytes, at: 0, limit: bytes.count, meter: meter))
  }

  @Test func `whole numbers grow from 32 to 64 bits and then become reals`() throws {
    var lexer = lexer("2147483647 2147483648 -2147483648 9223372036854775807 9223372036854775808")
    guard case .int(2_147_483_647) = try lexer.next(), case .long(2_147_483_648) = try lexer.next(),
      case .int(-2_147_483_648) = try lexer.next(), case .long(.max) = try lexer.next(),
      case .real(9_223_372_036_854_775_808) = try lexer.next(), case .end = try lexer.next()
    else {
      Issue.record("a number was read as something else")
      return
    }
  }

  @Test func `a minus sign inside a fraction is ignored and a second point ends the number`() throws
  {
    var lexer = lexer("1.2-5 3.4.5")
    guard case .real(let first) = try lexer.next(), case .real(let second) = try lexer.next(),
      case .real(let third) = try lexer.next()
    else {
      Issue.record("not three reals")
      return
    }
    #expect(abs(first - 1.25) < 1e-12)
    #expect(abs(second - 3.4) < 1e-12)
    #expect(abs(third - 0.5) < 1e-12)
  }

  @Test func `plain pairs are read as the lexer reads them, or not at all`() throws {
    let pieces = [
      "0", "7", "042", "999999999", "2147483648", " ", "\r\n", "%x\n", "-", "+", ".", "R",
    ]
    var read = 0
    // Every text of one to five pieces.
    for number in 0..<(1...5).reduce(0, { sum, _ in (sum + 1) * pieces.count }) {
      var text = ""
      var rest = number
      while rest >= 0 {
        text += pieces[rest % pieces.count]
        rest = rest / pieces.count - 1
      }
      var lexer = lexer(text)
      var cursor = lexer.cursor
      guard let (first, second) = try cursor.nextPlainPair() else {
        if cursor.position != 0 { Issue.record("\(text.debugDescription) was moved over") }
        continue
      }
      read += 1
      guard case .int(first) = try lexer.next(), case .int(second) = try lexer.next() else {
        Issue.record("\(text.debugDescription): \(first) and \(second)")
        continue
      }
      if try lexer.cursor.peekBehindWhite() != cursor.peek() {
        Issue.record("\(text.debugDescription): another place")
      }
    }
    #expect(read > 500)
  }

  @Test func `names know their escapes`() throws {
    var lexer = lexer("/Media#42ox /A")
    guard case .name(Key.mediaBox) = try lexer.next() else {
      Issue.record("an escape was not read")
      return
    }
  }

  @Test func `names of more than 24 bytes equal themselves and no other`() throws {
    let name = "ANameThatIsLongerThanTwentyFour"
    let others = [
      "ANameThatIsLongerThanTwentyFive", "ANameThatIsLongerThanTwentyFours",
      "ANameThatIsLongerThanTwe", "ANameThatIsShorterThanTwentyFour",
    ]
    var lexer = lexer("/\(name) /\(name) " + others.map { "/\($0)" }.joined(separator: " "))
    guard case .name(let first) = try lexer.next(), case .name(let second) = try lexer.next() else {
      Issue.record("no names")
      return
    }
    #expect(first == second)
    #expect(first.count == 31)
    for _ in others {
      guard case .name(let other) = try lexer.next() else {
        Issue.record("no name")
        return
      }
      #expect(other != first)
    }
  }

  @Test func `strings nest, escape and have an end`() throws {
    var lexer = lexer(#"(a(b)\)c) 7 (endless"#)
    guard case .string = try lexer.next(), case .int(7) = try lexer.next() else {
      Issue.record("the string ended elsewhere")
      return
    }
    #expect(throws: StructureError.self) { try lexer.next() }
  }

  @Test func `comments are white space`() throws {
    var lexer = lexer("% one (\r% two\n12%three")
    guard case .int(12) = try lexer.next(), case .end = try lexer.next() else {
      Issue.record("a comment was read")
      return
    }
  }
}
