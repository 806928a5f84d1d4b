// A libFuzzer target over layout options, and the layouts that they make.

import DocumentModel
import PageLayout
import RectoGeometry

@testable import RectoCommand

/// One input: options as they are typed, behind a byte that decides the sizes of the pages. Frames are finite, inside the
/// content, and in a window that shows them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLayout(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  guard let first = bytes.first, count < 1 << 12 else { return 0 }
  let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
  let info = DocumentInfo(pageCount: Int(first) % 40)
  guard let options = try? defaults.changed(byTyped: text),
    let configuration = try? options.configuration(for: info, path: "a.pdf"),
    let pages = try? options.sequence(for: info, path: "a.pdf")
  else { return 0 }
  let sizes = PageSizes(
    measured: (0..<info.pageCount).map { index in
      MeasuredSize(
        page: PageIndex(index),
        size: Size(
          width: Double(100 + 37 * (index % 5)),
          height: Double(80 + Int(first) * (index % 3))
        )
      )
    }
  )
  guard
    let layout = try? Layout(
      configuration,
      pages: pages,
      sizes: sizes,
      viewport: Size(width: 640, height: 480)
    )
  else { return 0 }
  let size = layout.contentSize
  precondition(size.width.isFinite && size.height.isFinite, "content without an end")
  precondition(size.width >= 0 && size.height >= 0, "content of less than nothing")
  guard !layout.isEmpty else { return 0 }
  for index in [0, layout.spreadCount / 2, layout.spreadCount - 1] {
    guard let frame = layout.spread(index)?.frame else {
      preconditionFailure("a spread that is missing")
    }
    precondition(
      [frame.minX, frame.minY, frame.width, frame.height].allSatisfy(\.isFinite),
      "a spread without a place"
    )
  }
  return 0
}

private let defaults: LayoutOptions = {
  guard let options = try? LayoutOptions.parse([]) else { preconditionFailure("no options") }
  return options
}()
