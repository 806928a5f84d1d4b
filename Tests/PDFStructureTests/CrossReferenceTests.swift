import RectoGeometry
import Testing

@testable import PDFStructure

@Suite struct CrossReferenceTests {
  private let document = PDFBuilder.flat(3)

  @Test func `a table leads to the pages`() throws {
    #expect(try PageTreeReader(document.table()).objectNumbers() == [3, 4, 5])
  }

  @Test func `a stream leads to the pages`() throws {
    #expect(try PageTreeReader(document.stream()).objectNumbers() == [3, 4, 5])
  }

  @Test func `objects in object streams are found`() throws {
    let bytes = document.stream(compressed: [1, 2, 3, 4, 5])
    #expect(try PageTreeReader(bytes).objectNumbers() == [3, 4, 5])
  }

  @Test func `deflated streams are read`() throws {
    let bytes = document.stream(compressed: [2, 4]) {
      (PDFBuilder.stored($0), "/Filter /FlateDecode")
    }
    #expect(try PageTreeReader(bytes).objectNumbers() == [3, 4, 5])
  }

  @Test func `several filters are undone in order`() throws {
    let bytes = document.stream(compressed: [2, 4]) { data in
      let hex = PDFBuilder.stored(data).map { byte -> String in
        let text = String(byte, radix: 16)
        return text.count == 1 ? "0" + text : text
      }
      return (Array((hex.joined() + ">").utf8), "/Filter [/ASCIIHexDecode /FlateDecode]")
    }
    #expect(try PageTreeReader(bytes).objectNumbers() == [3, 4, 5])
  }

  @Test(arguments: [10, 11, 12, 13, 14, 15, 2])
  func `predictors are undone`(kind: Int) throws {
    // Rows of seven bytes, each with its own PNG filter, as an encoder would write them.
    let bytes = document.stream { data in
      (
        PDFBuilder.stored(PredictorTests.encode(data, columns: 7, kind: kind)),
        "/Filter /FlateDecode /DecodeParms << /Predictor \(kind) /Columns 7 >>"
      )
    }
    #expect(try PageTreeReader(bytes).objectNumbers() == [3, 4, 5])
  }

  @Test func `offsets count from the header, wherever it is in the first kilobyte`() throws {
    var shifted = document
    shifted.junk = Array(repeating: 0x20, count: 1000)
    #expect(try PageTreeReader(shifted.table()).objectNumbers() == [3, 4, 5])
    #expect(try PageTreeReader(shifted.stream()).objectNumbers() == [3, 4, 5])
  }

  @Test func `a header beyond the first kilobyte is none`() throws {
    var shifted = document
    shifted.junk = Array(repeating: 0x20, count: 1100)
    #expect(
      reason { () throws(StructureError) in _ = try PageTreeReader(shifted.table()) } == .notPDF
    )
  }

  @Test func `entries of nineteen bytes are read one by one`() throws {
    let bytes = document.table(entryEnd: "\n")
    #expect(try PageTreeReader(bytes).objectNumbers() == [3, 4, 5])
  }

  @Test func `a table that begins at 1 with the head of the free list is left to poppler`() {
    // Poppler moves its rows by one and makes room for one object more than are listed.
    for bytes in [document.table(first: 1), document.table(entryEnd: "\n", first: 1)] {
      #expect(reason { () throws(StructureError) in _ = try PageTreeReader(bytes) } == .unsupported)
    }
  }

  @Test func `a table that leaves out an object is left to poppler`() throws {
    var holed = document
    holed.trailer = "/Size 99"
    #expect(
      reason { () throws(StructureError) in _ = try PageTreeReader(holed.table()) } == .unsupported
    )
  }

  @Test func `an update replaces a page and leaves the others`() throws {
    let old = document.table()
    let start = old.count
    var text = "4 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 7 9] >>\nendobj\n"
    let table = start + text.utf8.count
    let digits = String(start)
    text += "xref\n4 1\n\(String(repeating: "0", count: 10 - digits.count))\(digits) 00000 n \n"
    text += "trailer\n<< /Size 6 /Root 1 0 R /Prev \(try position(of: "xref\n0", in: old)) >>\n"
    text += "startxref\n\(table)\n%%EOF\n"
    let reader = try PageTreeReader(old + Array(text.utf8))
    #expect(try reader.page(at: 1)?.mediaBox == PageBox(x1: 0, y1: 0, x2: 7, y2: 9))
    #expect(try reader.page(at: 2)?.mediaBox == .letter)
  }

  @Test func `sections in a circle are refused when they are needed`() throws {
    var circular = document
    circular[2] = "<< /Type /Pages /Count 3 /Kids [3 0 R 9 0 R 5 0 R] >>"
    circular.trailer = "/Prev 123456"
    var bytes = circular.table()
    let xref = try position(of: "xref\n0", in: bytes)
    let digits = String(xref)
    // The same number of digits, so that nothing moves.
    bytes = replace("123456", with: String(repeating: "0", count: 6 - digits.count) + digits, bytes)
    #expect(
      reason { () throws(StructureError) in
        _ = try PageTreeReader(bytes).objectNumbers()
      } == .needsRepair
    )
  }

  @Test func `a hybrid file's hidden objects are found in its stream`() throws {
    var hybrid = document
    hybrid.objects[4] = nil
    var bytes = hybrid.table()
    // The table stops short of object 4, which only the stream lists.
    let hidden = "4 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 7 9] >>\nendobj\n"
    let tableStart = try position(of: "xref\n0", in: bytes)
    let five = try position(of: "5 0 obj", in: bytes)
    bytes = Array(bytes[..<tableStart])
    let four = bytes.count
    bytes += Array(hidden.utf8)
    let streamStart = bytes.count
    bytes += Array(
      "6 0 obj\n<< /Type /XRef /Size 7 /W [1 4 2] /Index [4 1 6 1] /Length 14 >>\nstream\n".utf8
    )
    bytes += [1] + PDFBuilder.word(four) + [0, 0]
    bytes += [1] + PDFBuilder.word(streamStart) + [0, 0]
    bytes += Array("\nendstream\nendobj\n".utf8)
    let start = bytes.count
    func entry(_ offset: Int) -> String {
      let digits = String(offset)
      return String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
    }
    var text = "xref\n0 4\n0000000000 65535 f \n"
    for name in ["1 0 obj", "2 0 obj", "3 0 obj"] {
      text += entry(try position(of: name, in: bytes))
    }
    text += "5 1\n" + entry(five)
    text += "trailer\n<< /Size 7 /Root 1 0 R /XRefStm \(streamStart) >>\n"
    text += "startxref\n\(start)\n%%EOF\n"
    bytes += Array(text.utf8)
    let reader = try PageTreeReader(bytes)
    #expect(try reader.objectNumbers() == [3, 4, 5])
    #expect(try reader.page(at: 1)?.mediaBox.width == 7)
  }

  @Test func `a missing object is null in a file with streams, and a reason to repair without`()
    throws
  {
    var broken = document
    broken[2] = "<< /Type /Pages /Count 3 /Kids [3 0 R 9 0 R 4 0 R] >>"
    #expect(try PageTreeReader(broken.stream()).objectNumbers() == [3, 4, nil])
    #expect(
      reason { () throws(StructureError) in
        _ = try PageTreeReader(broken.table()).objectNumbers()
      } == .needsRepair
    )
  }

  @Test func `an encrypted file is not ours`() {
    var encrypted = document
    encrypted.trailer = "/Encrypt 9 0 R"
    #expect(
      reason { () throws(StructureError) in _ = try PageTreeReader(encrypted.table()) }
        == .encrypted
    )
    #expect(
      reason { () throws(StructureError) in _ = try PageTreeReader(encrypted.stream()) }
        == .encrypted
    )
  }

  @Test func `an object stream's indirect length is followed`() throws {
    var builder = PDFBuilder([
      1: "<< /Type /Catalog /Pages 2 0 R >>", 3: "<< /Type /Page >>", 4: "61", 5: "0",
    ])
    let header = "2 0 "
    let content = "<< /Type /Pages /Count 5 0 R /Kids 6 0 R /MediaBox [0 0 7 9]>>"
    let data = header + content
    builder[4] = "\(data.utf8.count)"
    builder[5] = "1"
    builder[6] = "[ 3 0 R ]"
    builder[7] = """
      << /Type /ObjStm /N 1 /First \(header.utf8.count) /Length 4 0 R >>
      stream
      \(data)
      endstream
      """
    let plain = builder.stream()
    // Object 2 is free in what the builder wrote; make its row point into object 7.
    let free: [UInt8] = [0, 0, 0, 0, 0, 0xFF, 0xFF]
    let rows = try position(of: "stream\n\u{0}", in: plain) + 7
    #expect(Array(plain[rows + 14..<rows + 21]) == free)
    let linked =
      Array(plain[..<(rows + 14)]) + [2, 0, 0, 0, 7, 0, 0] + Array(plain[(rows + 21)...])
    let reader = try PageTreeReader(linked)
    #expect(try reader.objectNumbers() == [3])
    #expect(try reader.page(at: 0)?.mediaBox.width == 7)
  }

  private func position(of text: String, in bytes: [UInt8]) throws -> Int {
    let word = Array(text.utf8)
    return try #require(
      (0..<bytes.count - word.count).last { bytes[$0..<$0 + word.count].elementsEqual(word) }
    )
  }

  private func replace(
    _ text: String,
    with other: String,
    _ bytes: [UInt8]
  ) -> [UInt8] {
    let word = Array(text.utf8)
    guard
      let place = (0..<bytes.count - word.count).first(where: {
        bytes[$0..<$0 + word.count].elementsEqual(word)
      })
    else { return bytes }
    return Array(bytes[..<place]) + Array(other.utf8) + Array(bytes[(place + word.count)...])
  }
}
