internal import DocumentModel
internal import FileSystem
internal import Geometry
internal import PageNumbers
internal import RectoKit
internal import SystemPackage
internal import Tiles

extension DocumentThumbnails {
  /// The JSON line of the document.
  var line: [UInt8] {
    var writer = JSONWriter()
    writer.object { object in
      object.input(item.path)
      if let pageCount { object.member("pages", pageCount) }
      let failure = failure.map { Failure($0, path: item.path) }
      if let failure = failure ?? deviceFailure.map(Failure.init(output:)) {
        object.object("error") { error in
          error.member("code", failure.code)
          error.member("message", failure.message)
        }
      }
      guard !pages.isEmpty else { return }
      object.array("thumbnails") { array in
        for page in pages { array.object { $0.thumbnail(page) } }
      }
    }
    writer.newline()
    return writer.bytes
  }

  /// Prints what failed; returns the first failure.
  func report(_ messages: MessagePrinter) -> Failure? {
    if let cacheFailure {
      messages.warn(code: "cache", path: item.path, cacheFailure.description)
    }
    if let failure {
      let failure = Failure(failure, path: item.path)
      messages.print(failure)
      return failure
    }
    var first: Failure?
    for page in pages {
      guard case .failure(let error) = page.result else {
        if case .success(let thumbnail) = page.result {
          messages.print(
            incomplete: Warnings(incomplete: thumbnail.incomplete),
            path: item.path,
            page: page.pages.lowerBound
          )
        }
        continue
      }
      let failure = Failure(error, path: item.path, pages: page.pages)
      messages.print(failure)
      first = first ?? failure
    }
    return first
  }
}

extension JSONWriter {
  /// The members of a thumbnail, or of the error of pages.
  fileprivate mutating func thumbnail(_ page: PageThumbnail) {
    member("page", page.pages.lowerBound.number)
    if page.pages.count > 1, let last = page.pages.last { member("lastPage", last.number) }
    switch page.result {
    case .failure(let error): self.error(error)
    case .success(let thumbnail):
      path(thumbnail.file, as: "file")
      member("width", thumbnail.size.width)
      member("height", thumbnail.size.height)
      member("bytes", thumbnail.byteCount)
      member("source", thumbnail.source.rawValue)
      if let incomplete = thumbnail.incomplete { member("incomplete", incomplete) }
    }
  }
}
