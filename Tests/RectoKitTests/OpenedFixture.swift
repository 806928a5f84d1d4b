import DocumentModel
import Foundation
import PageLayout
import RectoGeometry
import RectoKit
import RectoTiles
import RenderWorkers
import SystemPackage
import TestSupport

/// Fixtures as tests of viewers open them: with the real worker and without a cache.
enum OpenedFixture {
  /// Opens a fixture.
  ///
  /// - Parameters:
  ///   - name: The name of the fixture, without extension.
  ///   - reader: The reader of pages.
  ///   - limits: The limits of the worker.
  /// - Returns: The document, without a cache.
  /// - Throws: An error if the document cannot be opened.
  static func document(
    _ name: String,
    reader: PageReader = .auto,
    limits: WorkerLimits = WorkerLimits()
  ) throws -> Document {
    try Document(
      FilePath(TestPaths.fixture(name).path),
      settings: DocumentSettings(
        cache: nil,
        limits: limits,
        pageReader: reader,
        workerProgram: FilePath(TestPaths.worker.path)
      )
    )
  }

  /// A viewer at the start of all pages of a document.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - configuration: The layout.
  ///   - viewport: In layout units.
  ///   - scale: Device pixels per layout unit.
  ///   - tileSide: In device pixels.
  /// - Returns: The viewer.
  /// - Throws: An error if the document cannot be opened or laid out.
  static func viewer(
    _ document: Document,
    configuration: LayoutConfiguration = LayoutConfiguration(),
    viewport: Size = Size(width: 500, height: 400),
    scale: Double = 1,
    tileSide: Int = 128
  ) async throws -> Viewer {
    try await Viewer(
      document,
      configuration: configuration,
      pages: PageSequence(pageCount: try await document.info().pageCount),
      viewport: viewport,
      scale: scale,
      tileSide: tileSide
    )
  }
}

extension ViewerScene {
  /// The pages in the window, in order.
  var pages: [LaidOutPage] { spreads.flatMap(\.pages) }

  /// The tiles that the window shows.
  var tiles: Set<TileKey> {
    Set(drawings().compactMap { try? $0?.get() }.flatMap(tiles(of:)))
  }
}

extension Viewer {
  /// Measures every page.
  ///
  /// - Parameter body: Receives each change.
  /// - Throws: An error if the document cannot be measured.
  func measureAll(_ body: (Measuring) -> Void = { _ in }) async throws {
    while true {
      let change = try await measureMore()
      body(change)
      if case .finished = change { return }
    }
  }
}
