import DocumentModel
import Foundation
import Glibc
import PageLayout
import RectoGeometry
import RectoKit
import RectoTiles
import SystemPackage
import TestSupport
import Testing

/// What a document remembers from one run to the next.
@Suite struct RecordTests {
  /// A hundred pages, each a point wider than the one before, in two nodes. The first node claims
  /// sixty, but ten of its kids are the node itself, which no reader takes for pages.
  private static let lyingBook: [UInt8] = {
    var objects = [
      "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 100 /Kids [3 0 R 4 0 R] >>",
    ]
    func node(_ pages: Range<Int>, selves: Int, number: Int) -> String {
      let kids = Array(repeating: "\(number) 0 R", count: selves) + pages.map { "\($0 + 5) 0 R" }
      let list = kids.joined(separator: " ")
      return "<< /Type /Pages /Parent 2 0 R /Count \(kids.count) /Kids [\(list)] >>"
    }
    objects.append(node(0..<50, selves: 10, number: 3))
    objects.append(node(50..<90, selves: 0, number: 4))
    for page in 0..<90 {
      let parent = page < 50 ? 3 : 4
      objects.append("<< /Type /Page /Parent \(parent) 0 R /MediaBox [0 0 \(100 + page) 50] >>")
    }
    // A page count above the number of objects is rejected.
    objects += Array(repeating: "null", count: 10)
    var text = "%PDF-1.4\n"
    var offsets: [Int] = []
    for (index, object) in objects.enumerated() {
      offsets.append(text.utf8.count)
      text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
    }
    let start = text.utf8.count
    text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
    for offset in offsets {
      let digits = String(offset)
      text += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
    }
    text += "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n"
    return Array(text.utf8)
  }()

  @Test func `a complete walk corrects what a count in the file had led to`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("lying.pdf")
    try Data(Self.lyingBook).write(to: URL(filePath: path))
    let settings = DocumentSettings(
      cache: CacheDirectory(root: FilePath(folder.path("cache"))),
      workerProgram: FilePath(TestPaths.worker.path)
    )
    // Sixty pages are said to lie in front of the second node.
    let first = try Document(FilePath(path), settings: settings)
    #expect(try await first.page(at: 70).size.width == 160)
    // Another run reads the rest, walks the whole tree for it and finds fifty.
    let second = try Document(FilePath(path), settings: settings)
    let all = try await second.measure([0..<90])
    #expect(try all[70]?.get().size.width == 170)
    #expect(try await second.page(at: 70).size.width == 170)
    let third = try Document(FilePath(path), settings: settings)
    #expect(try await third.page(at: 70).size.width == 170)
  }

  @Test(.timeLimit(.minutes(10)))
  func `forged info of a page are read from the file again`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("claim.pdf")
    try ClaimedPages.pdf(2).write(to: URL(filePath: path))
    let cache = CacheDirectory(root: FilePath(folder.path("cache")))
    let settings = DocumentSettings(cache: cache, workerProgram: FilePath(TestPaths.worker.path))
    let document = try Document(FilePath(path), settings: settings)
    var forged = try await document.page(at: 0)
    let real = forged
    forged.size.width = .nan
    forged.userUnit = .nan
    let record = DocumentRecord(try #require(await document.key), in: cache)
    try record.store([(0, forged)])
    let viewer = try await Viewer(
      Document(FilePath(path), settings: settings),
      configuration: LayoutConfiguration(),
      pages: PageSequence(pageCount: 2),
      viewport: Size(width: 500, height: 500),
      scale: 1,
      tileSide: 512
    )
    for _ in 0..<10 {
      guard case .finished = try await viewer.measureMore() else { continue }
      break
    }
    #expect(await viewer.scene.documentLayout.pages.info(of: 0) == real)
    guard case .finished = try await viewer.measureMore() else {
      Issue.record("there is always more to measure")
      return
    }
    #expect(record.pages(around: 0).first?.info == real)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a request for cached pages reads each file of the record once`() async throws {
    let folder = try TemporaryFolder()
    let cache = CacheDirectory(root: FilePath(folder.path("cache")))
    let settings = DocumentSettings(cache: cache, workerProgram: FilePath(TestPaths.worker.path))
    /// Lays out and draws twelve pages, as a command does.
    func request() async throws -> Document {
      let document = try Document(FilePath(TestPaths.fixture("book").path), settings: settings)
      var configuration = LayoutConfiguration()
      configuration.mode = .grid
      configuration.zoom = 0.2
      var layout = try DocumentLayout(
        document,
        configuration: configuration,
        pages: PageSequence(pageCount: try await document.info().pageCount),
        viewport: Size(width: 1200, height: 900)
      )
      let window = try await layout.window(at: .offset(.zero), sizes: .exact)
      let spreads = try await layout.spreads(in: window)
      let tiles = await layout.tiles(of: spreads, in: window, scale: 1, tileSide: 512)
      #expect(try tiles.map { try $0.get().tiles.count }.count == 12)
      return document
    }
    let document = try await request()
    let files = folder.files.filter { $0.contains("/documents/") || $0.contains("/engines/") }
    #expect(files.count == 3)
    let opens = try files.map { try FileOpenings(of: folder.path($0)) }
    _ = try await request()
    for (file, opens) in zip(files, opens) { #expect(opens.count() == 1, "\(file)") }
    withExtendedLifetime(document) {}
  }
}

/// How often a file was opened, as the kernel reports it.
private final class FileOpenings {
  private let descriptor: Int32

  /// Counts from now on.
  init(of path: String) throws {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    try #require(descriptor >= 0)
    // With each closing: the kernel reports equal events in a row once.
    let events = UInt32(IN_OPEN | IN_CLOSE_NOWRITE)
    try #require(inotify_add_watch(descriptor, path, events) >= 0)
  }

  deinit { close(descriptor) }

  /// The number of openings since this was asked last.
  func count() -> Int {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let length = read(descriptor, &buffer, buffer.count)
    guard length > 0 else { return 0 }
    // Events of a file that is watched itself have no name: all are equally long.
    let size = MemoryLayout<inotify_event>.size
    return buffer.withUnsafeBytes { bytes in
      stride(from: 0, to: length, by: size).count { start in
        let event = bytes.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
        return event.mask & UInt32(IN_OPEN) != 0
      }
    }
  }
}
