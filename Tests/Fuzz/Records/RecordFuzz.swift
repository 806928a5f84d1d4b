// A libFuzzer target over the files of a document's record.
//
// It leaves out the digest at a file's end, which no change of a fuzzer would get past.

import DocumentModel
import RectoBase
import RectoGeometry

@testable import RectoTiles

/// One input: what is read of it is what is read again after it has been written.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRecord(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  readPages(bytes)
  readInfo(bytes)
  return 0
}

private func readPages(_ bytes: [UInt8]) {
  var start = ByteReader(bytes[...])
  guard let first = try? start.readPageIndex() else { return }
  var reader = ByteReader(bytes[...])
  guard let pages = try? RecordedPages(&reader, first: first) else { return }
  precondition(pages.known.count <= RecordedPages.count, "more pages than there is room for")
  var writer = ByteWriter()
  pages.write(to: &writer)
  var again = ByteReader(writer.bytes[...])
  guard let copy = try? RecordedPages(&again, first: first), (try? again.finish()) != nil else {
    preconditionFailure("pages that cannot be read again")
  }
  // Bytes and not values are compared: a size in a file can be no number, which equals nothing.
  var second = ByteWriter()
  copy.write(to: &second)
  precondition(second.bytes == writer.bytes, "other pages")
}

private func readInfo(_ bytes: [UInt8]) {
  var reader = ByteReader(bytes[...])
  guard let info = try? reader.readDocumentInfo() else { return }
  var writer = ByteWriter()
  writer.write(info)
  var again = ByteReader(writer.bytes[...])
  precondition((try? again.readDocumentInfo()) == info, "other info")
}
