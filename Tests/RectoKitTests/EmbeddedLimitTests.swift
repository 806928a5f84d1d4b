import DocumentModel
import Foundation
import RectoGeometry
import RectoKit
import RenderWorkers
import SystemPackage
import TestSupport
import Testing

/// Pages that may be replaced by the picture embedded in them, and that end their worker.
@Suite(.timeLimit(.minutes(10))) struct EmbeddedLimitTests {
  /// Draws the second page of a fixture.
  ///
  /// - Parameters:
  ///   - fixture: The name of the fixture.
  ///   - limits: The limits of the worker.
  ///   - allowsEmbedded: Whether the embedded picture is wanted.
  /// - Returns: The code of the error, and how many workers were started.
  /// - Throws: An error if the document cannot be opened.
  private func draw(
    _ fixture: String,
    _ limits: WorkerLimits,
    allowsEmbedded: Bool
  ) async throws -> (code: DocumentError.Code?, starts: Int) {
    let folder = try TemporaryFolder()
    let program = folder.url.appending(path: "worker")
    let starts = folder.path("starts")
    try Executable.write("echo >>'\(starts)'; exec '\(TestPaths.worker.path)' \"$@\"", to: program)
    let document = try Document(
      FilePath(TestPaths.fixture(fixture).path),
      settings: DocumentSettings(
        cache: nil,
        workers: 1,
        limits: limits,
        rasterizer: .cairo,
        workerProgram: FilePath(program.path)
      )
    )
    var code: DocumentError.Code?
    do throws(DocumentError) {
      _ = try await document.pictures(
        of: 1,
        geometry: PictureGeometry(size: .longestSide(128)),
        reducedTo: [],
        allowsEmbedded: allowsEmbedded
      )
    } catch {
      code = error.code
    }
    await document.close()
    return (code, try Data(contentsOf: URL(filePath: starts)).count)
  }

  @Test(arguments: [
    ("endless-forms", WorkerLimits(draw: 0.5), DocumentError.Code.timeLimit),
    ("memory", WorkerLimits(memory: 300_000_000), .memoryLimit),
  ])
  func `a page that exceeds a limit is tried once, whether or not its embedded picture is wanted`(
    fixture: String,
    limits: WorkerLimits,
    code: DocumentError.Code
  ) async throws {
    let plain = try await draw(fixture, limits, allowsEmbedded: false)
    let embedded = try await draw(fixture, limits, allowsEmbedded: true)
    #expect(plain.code == code)
    #expect(embedded.code == code)
    #expect(embedded.starts == plain.starts)
  }
}
