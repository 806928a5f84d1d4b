internal import DocumentModel
internal import FoundationEssentials
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import RectoTiles
internal import SystemPackage

extension ExportedPage {
  /// Prints the error of the page, or its repairs and whether it is incomplete.
  ///
  /// - Returns: Whether the page failed.
  func report(_ messages: MessagePrinter, path: FilePath) -> Bool {
    switch result {
    case .failure(let error):
      messages.print(Failure(error, path: path, pages: pages))
      return true
    case .success(let file):
      messages.note(file.warnings.repairs, path, page: pages.lowerBound)
      messages.warn(incomplete: file.warnings, path: path, page: pages.lowerBound)
      return false
    }
  }
}

extension JSONWriter {
  /// Writes the members of a written page, or of pages with an error.
  mutating func page(_ page: ExportedPage) {
    pages(page.pages)
    switch page.result {
    case .failure(let error): self.error(error)
    case .success(let picture):
      if let data = picture.data {
        member("picture", Data(data).base64EncodedString())
      } else {
        path(picture.file, as: "file")
      }
      member("width", picture.size.width)
      member("height", picture.size.height)
      member("bytes", picture.byteCount)
      if let count = picture.tileCount { member("tiles", count) }
      member("incomplete", picture.warnings.incomplete)
    }
  }

  /// Writes "error".
  mutating func error(code: String, _ message: String, as name: String = "error") {
    object(name) { object in
      object.member("code", code)
      object.member("message", message)
    }
  }
}
