import Foundation
import RectoGeometry
import RectoKit
import RectoTiles
import SystemPackage
import TestSupport

@testable import RectoCommand

extension ServedDocument.Context {
  /// What the documents of a conversation in a test have in common: no cache, small tiles, and no measuring ahead.
  ///
  /// - Parameters:
  ///   - viewport: The viewport of documents that are opened without one, in layout units.
  ///   - queue: The queue that draws.
  ///   - host: What has the documents; nil: requests name paths.
  ///   - output: Where lines go.
  /// - Returns: The context.
  static func test(
    viewport: Size = Size(width: 200, height: 300),
    queue: RenderQueue = RenderQueue(),
    host: (any ViewerHost)? = nil,
    output: LineOutput
  ) -> Self {
    Self(
      settings: DocumentSettings(cache: nil, workerProgram: FilePath(TestPaths.worker.path)),
      viewport: viewport,
      scale: 1,
      tileSide: 128,
      measuresAll: false,
      queue: queue,
      output: output,
      host: host
    )
  }
}
