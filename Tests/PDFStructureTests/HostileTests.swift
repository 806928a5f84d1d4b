import Foundation
import RectoGeometry
import Testing

@testable import PDFStructure

/// Asks a reader everything; answers and refusals are equally fine, traps and loops are not.
func askEverything(_ bytes: [UInt8], limits: ReaderLimits = .standard) {
  guard let reader = try? PageTreeReader(bytes, limits: limits) else { return }
  _ = reader.documentInfo()
  let last = PageIndex(reader.pageCount - 1)
  _ = try? reader.page(at: last)
  _ = try? reader.label(of: PageIndex(reader.pageCount / 2))
  _ = try? reader.pages(in: Range(pageCount: min(reader.pageCount, 100)))
  _ = try? reader.subset(of: [0, last])
}

@Suite(.timeLimit(.minutes(10))) struct HostileTests {
  /// Small limits, so that reaching them takes no time.
  private var small: ReaderLimits {
    var limits = ReaderLimits()
    limits.work = 4 << 20
    limits.objectBytes = 1 << 20
    limits.streamBytes = 1 << 20
    limits.extraVisits = 5000
    limits.kids = 10_000
    limits.smallDocument = 8
    return limits
  }

  @Test func `what the fuzzer found is answered or refused`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Fixtures/fuzz").standardizedFileURL
    let files = try FileManager.default.contentsOfDirectory(
      at: folder,
      includingPropertiesForKeys: nil
    )
    for file in files where file.pathExtension == "pdf" {
      askEverything(Array(try Data(contentsOf: file)))
      askEverything(Array(try Data(contentsOf: file)), limits: small)
    }
  }

  @Test func `a document cut off anywhere is answered or refused`() {
    for file in [PDFBuilder.flat(3).table(), PDFBuilder.flat(3).stream(compressed: [1, 2, 3])] {
      for end in 0..<file.count { askEverything(Array(file[..<end]), limits: small) }
    }
  }

  @Test func `a document with any byte changed is answered or refused`() {
    var labeled = TreeTests.tree(10, fan: 3)
    labeled[1] = "<< /Pages 2 0 R /PageLabels << /Nums [0 << /S /r /P (a) >>] >> >>"
    let files = [
      labeled.table(),
      labeled.stream(compressed: [2, 3, 4]) { (PDFBuilder.stored($0), "/Filter /FlateDecode") },
    ]
    for file in files {
      for index in file.indices {
        for byte in [0x20, 0x28, 0x39, 0x5B] as [UInt8] {
          var bytes = file
          bytes[index] = byte
          askEverything(bytes, limits: small)
        }
      }
    }
  }

  @Test func `a tree with two to the fortieth paths ends at the budget`() throws {
    var builder = PDFBuilder([1: "<< /Pages 2 0 R >>"])
    for level in 2..<42 {
      builder[level] = "<< /Type /Pages /Count 3 /Kids [\(level + 1) 0 R \(level + 1) 0 R] >>"
    }
    builder[42] = "<< /Type /Pages /Count 0 /Kids [] >>"
    let reader = try PageTreeReader(builder.table(), limits: small)
    #expect(reason { () throws(StructureError) in _ = try reader.page(at: 0) } == .limit)
  }

  @Test func `a walk that was given up is not begun again`() throws {
    var builder = PDFBuilder([1: "<< /Pages 2 0 R >>"])
    for level in 2..<42 {
      builder[level] = "<< /Type /Pages /Count 3 /Kids [\(level + 1) 0 R \(level + 1) 0 R] >>"
    }
    builder[42] = "<< /Type /Pages /Count 0 /Kids [] >>"
    let reader = try PageTreeReader(builder.table(), limits: small)
    let first = Result { () throws(StructureError) in try reader.page(at: 0) }
    #expect(reader.store.meter.spent > 10_000)
    let second = Result { () throws(StructureError) in try reader.page(at: 1) }
    #expect(reader.store.meter.spent < 10_000)
    #expect(first == second)
  }

  @Test func `a tree deeper than the budget is refused`() throws {
    var builder = PDFBuilder([1: "<< /Pages 2 0 R >>"])
    for level in 2..<200 {
      builder[level] = "<< /Type /Pages /Count 1 /Kids [\(level + 1) 0 R] >>"
    }
    builder[200] = "<< /Type /Page >>"
    var limits = small
    limits.depth = 198
    let bytes = builder.table()
    #expect(try PageTreeReader(bytes, limits: limits).page(at: 0)?.objectNumber == 200)
    limits.depth = 197
    let reader = try PageTreeReader(bytes, limits: limits)
    #expect(reason { () throws(StructureError) in _ = try reader.page(at: 0) } == .limit)
  }

  @Test(arguments: ["[", "<< /A ", "<</A[", "("])
  func `nesting without an end is refused`(text: String) {
    var builder = PDFBuilder.flat(1)
    builder[3] = "<< /Type /Page /Junk " + String(repeating: text, count: 100_000)
    for bytes in [builder.table(), builder.stream()] {
      #expect(
        reason { () throws(StructureError) in
          _ = try PageTreeReader(bytes, limits: small).page(at: 0)
        } != nil
      )
    }
  }

  @Test func `four hundred and eighty levels of nesting are read on a small stack`() throws {
    var builder = PDFBuilder.flat(1)
    builder[3] =
      "<< /Type /Page /Junk " + String(repeating: "<</A[", count: 239)
      + String(repeating: "]>>", count: 239) + " /MediaBox [0 0 7 9] >>"
    #expect(try PageTreeReader(builder.table()).page(at: 0)?.mediaBox.width == 7)
  }

  @Test func `objects that contain each other's text cost no more than the budget`() throws {
    // Every object begins inside the one before it and runs to the end of the file.
    var builder = PDFBuilder.flat(2000)
    for page in 3..<2003 { builder[page] = "<< /Type /Page /Next << " }
    let reader = try PageTreeReader(builder.table(), limits: small)
    #expect(reason { () throws(StructureError) in _ = try reader.pages(in: 0..<2000) } != nil)
  }

  @Test func `an object larger than its share is refused`() throws {
    var builder = PDFBuilder.flat(1)
    builder[3] = "<< /Type /Page /Junk (" + String(repeating: "x", count: 2 << 20) + ") >>"
    let reader = reason { () throws(StructureError) in
      _ = try PageTreeReader(builder.table(), limits: small).page(at: 0)
    }
    #expect(reader == .limit)
  }

  @Test func `a node with more kids than the budget is refused`() {
    var limits = small
    limits.kids = 99
    let bytes = PDFBuilder.flat(100).table()
    #expect(
      reason { () throws(StructureError) in _ = try PageTreeReader(bytes, limits: limits) }
        == .limit
    )
  }

  @Test func `a cross-reference of two thousand million entries reserves no memory`() {
    var text = String(decoding: PDFBuilder.flat(1).table(), as: UTF8.self)
    text = text.replacing("xref\n0 4\n", with: "xref\n0 2000000000\n")
    #expect(reason { () throws(StructureError) in _ = try PageTreeReader(Array(text.utf8)) } != nil)
  }

  @Test func `an object stream that has fewer objects than it claims has none`() throws {
    let bytes = PDFBuilder.flat(1).stream(compressed: [2, 3])
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("/N 2 "))
    var claimed = bytes
    for index in bytes.indices.dropLast(4) where bytes[index..<index + 4].elementsEqual("/N 2".utf8)
    {
      claimed[index + 3] = 0x39
    }
    #expect(try PageTreeReader(claimed).pageCount == 0)
  }

  @Test func `an object stream that is its own object is refused or missing`() throws {
    var builder = PDFBuilder.flat(1)
    builder[4] = "<< /Type /ObjStm /N 1 /First 4 /Length 4 0 R >>\nstream\n3 0 << >>\nendstream"
    builder[3] = "4 0 R"
    askEverything(builder.table())
    askEverything(builder.stream())
  }

  @Test func `a file cut short while it is open is an error`() throws {
    let bytes = PDFBuilder.flat(5000).table()
    let path = "/tmp/recto-pagetree-\(getpid()).pdf"
    let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer {
      close(descriptor)
      unlink(path)
    }
    try #require(write(descriptor, bytes, bytes.count) == bytes.count)
    let reader = try PageTreeReader(descriptor: descriptor)
    try #require(ftruncate(descriptor, 100) == 0)
    #expect(reason { () throws(StructureError) in _ = try reader.page(at: 2500) } == .changed)
  }

  @Test func `what is no regular file is unreadable`() throws {
    let descriptor = open("/dev/zero", O_RDONLY)
    defer { close(descriptor) }
    #expect(
      reason { () throws(StructureError) in _ = try PageTreeReader(descriptor: descriptor) }
        == .unreadable
    )
    #expect(
      reason { () throws(StructureError) in _ = try PageTreeReader(descriptor: -1) } == .unreadable
    )
  }
}
