import DocumentModel
import Foundation
import PDFEngine
import TestSupport
import Testing

/// Windows whose pieces do not fit the file, because it was changed.
@Suite struct WindowPieceTests {
  private func code(_ pieces: [DocumentSubset.Piece]) throws -> DocumentError.Code? {
    let handle = try FileHandle(forReadingFrom: TestPaths.fixture("book"))
    defer { try? handle.close() }
    do throws(DocumentError) {
      _ = try PDFDocument(descriptor: handle.fileDescriptor, pieces: pieces)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `a stream that cannot be decoded is a changed file`() throws {
    #expect(try code([.inflated(0..<100, count: 1000)]) == .changed)
    #expect(try code([.inflated(0..<2, count: 1)]) == .changed)
    #expect(try code([.inflated(0..<1 << 40, count: 1)]) == .changed)
  }

  @Test func `a stream of another size is a changed file`() throws {
    let bytes = [UInt8](try Data(contentsOf: TestPaths.fixture("book")))
    let text = Array("/FlateDecode".utf8)
    let filter = try #require(bytes.firstRange(of: text))
    let start = try #require(bytes[filter.upperBound...].firstRange(of: Array("stream\n".utf8)))
    let end = try #require(bytes[start.upperBound...].firstRange(of: Array("endstream".utf8)))
    let stream = start.upperBound..<end.lowerBound
    // One byte is too few for whatever it holds, a gigabyte too many.
    #expect(try code([.inflated(stream, count: 1)]) == .changed)
    #expect(try code([.inflated(stream, count: 1 << 30)]) == .changed)
  }
}
