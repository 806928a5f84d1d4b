// SPDX-License-Identifier: GPL-2.0-or-later

internal import CLinux
internal import DocumentModel
internal import Glibc

/// Draws a built-in page, so that everything that a process loads once is loaded: the list of fonts, the substitutes of
/// the standard fonts, poppler's tables, the encoder, the Swift runtime's tables.
enum WarmUp {
  /// Draws the page like a worker, and discards the replies.
  ///
  /// The page stays open: poppler frees its tables with the last document.
  ///
  /// - Parameter sink: The descriptor that replies are written to.
  /// - Returns: Whether the page could be opened.
  static func run(repliesTo sink: Int32) -> Bool {
    let page = SamplePage.file
    let file = memfd_create("page", 1)
    guard file >= 0, dup2(file, WorkerDescriptors.document) >= 0 else { return false }
    close(file)
    let count = page.withUnsafeBytes {
      write(WorkerDescriptors.document, $0.baseAddress, $0.count)
    }
    guard count == page.count,
      let session = try? RequestLoop(replies: sink, layers: [], requiresSandbox: false).run(
        SamplePage.requests
      )
    else { return false }
    _ = Unmanaged.passRetained(session)
    return true
  }
}
