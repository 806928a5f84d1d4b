import DocumentModel
import Foundation
import RectoGeometry
import RenderWorkers
import SystemPackage
import TestSupport

/// Runs `body` with a pool of one worker over a file: what cannot be trusted cannot hurt the test.
func withPool<Result: Sendable>(
  _ file: URL,
  password: String? = nil,
  text: TextPlacement = .precise,
  _ body: (WorkerPool) async throws -> Result
) async throws -> Result {
  let descriptor = try FileDescriptor.open(file.path, .readOnly)
  defer { try? descriptor.close() }
  let settings = WorkerPool.Settings(
    executable: FilePath(TestPaths.worker.path),
    password: password,
    workers: 1,
    limits: WorkerLimits(open: 30, measure: 30, draw: 30),
    text: text
  )
  let pool = WorkerPool(settings, document: descriptor)
  let result = try await body(pool)
  await pool.close()
  return result
}

/// Does something with each element, two at a time.
func twoAtATime<Element: Sendable, Result: Sendable>(
  _ elements: [Element],
  _ body: @escaping @Sendable (Element) async throws -> Result
) async throws -> [Result] {
  try await withThrowingTaskGroup(of: Result.self) { group in
    var waiting = elements.makeIterator()
    for _ in 0..<2 {
      if let element = waiting.next() { group.addTask { try await body(element) } }
    }
    var results: [Result] = []
    for try await result in group {
      results.append(result)
      if let element = waiting.next() { group.addTask { try await body(element) } }
    }
    return results
  }
}

/// poppler's own tools, killed when they take too long.
enum Peer {
  /// A page as `pdftocairo` draws it; nil when it does not.
  static func picture(
    of file: URL,
    page: PageIndex = 0,
    dotsPerInch: Double,
    password: String? = nil
  ) async throws -> Picture? {
    let result = try await blocking {
      try Program.runInPath(
        "pdftocairo",
        ["-png", "-singlefile", "-cropbox", "-r", "\(dotsPerInch)"]
          + ["-f", "\(page.number)", "-l", "\(page.number)"]
          + (password.map { ["-upw", $0] } ?? []) + [file.path, "-"]
      )
    }
    return Picture(png: Array(result.output))
  }

  /// What `pdfinfo` prints about all pages; nil when it cannot open the file.
  static func pages(of file: URL) async throws -> PopplerPages? {
    try await blocking { try PopplerPages(file) }
  }

  /// Waiting for a process blocks: not on a thread that tasks need.
  private static func blocking<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Swift.Result { try body() }) }
    }
  }
}
