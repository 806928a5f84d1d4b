import RectoKit

/// Makes a thumbnail of the first page of each PDF in a folder: `library-thumbnails papers thumbnails`.
@main struct LibraryThumbnails {
  static func main() async throws {
    let folders = CommandLine.arguments.dropFirst().map { FilePath($0) }
    guard folders.count == 2 else { return print("library-thumbnails FOLDER THUMBNAILS") }
    let library = DocumentLibrary([folders[0]])
    for folder in library.unreadable { print("\(folder.error.path): \(folder.error)") }
    let run = ThumbnailRun(into: folders[1], size: 256)
    await run.thumbnails(of: library) { document in
      if let failure = document.failure { print("\(document.item.path): \(failure)") }
      for page in document.pages {
        switch page.result {
        case .success(let thumbnail): print("\(document.item.path): \(thumbnail.file)")
        case .failure(let error): print("\(document.item.path): \(error)")
        }
      }
    }
  }
}
