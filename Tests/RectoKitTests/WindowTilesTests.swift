import DocumentModel
import Foundation
import PageLayout
import RectoGeometry
import SystemPackage
import TestSupport
import Testing

@testable import RectoKit

/// How many tiles a window may have.
@Suite(.timeLimit(.minutes(10))) struct WindowTilesTests {
  @Test func `pages of a window share the limit of its tiles`() async throws {
    let settings = DocumentSettings(cache: nil, workerProgram: FilePath(TestPaths.worker.path))
    let document = try Document(FilePath(TestPaths.fixture("book").path), settings: settings)
    let info = try await document.info()
    var documentLayout = try DocumentLayout(
      document,
      configuration: LayoutConfiguration(),
      pages: PageSequence(pageCount: info.pageCount),
      viewport: Size(width: 1280, height: 800)
    )
    let window = try await documentLayout.window(at: .offset(.zero), sizes: .exact)
    let shown = try await documentLayout.spreads(in: window).flatMap(\.pages)
    func codes(_ scale: Double) -> [DocumentError.Code?] {
      documentLayout.placed(shown, in: window, scale: scale, tileSide: 512).map {
        if case .failure(let error) = $0 { error.code } else { nil }
      }
    }
    #expect(codes(1) == [nil, nil])
    // Each of the two has few enough by itself; both together have not.
    #expect(codes(250) == [nil, .pageSize])
    #expect(codes(1000) == [.pageSize, .pageSize])
  }
}
