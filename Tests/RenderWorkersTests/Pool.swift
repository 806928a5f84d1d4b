import DocumentModel
import Foundation
import PNGCoding
import RectoGeometry
import RenderWorkers
import SystemPackage
import TestSupport
import Testing

/// Runs `body` with a pool over a file and closes it afterwards.
func pool(
  _ file: URL,
  password: String? = nil,
  workers: Int = 1,
  limits: WorkerLimits = WorkerLimits(),
  program: FilePath = FilePath(TestPaths.worker.path),
  clock: PoolClock = .monotonic,
  rasterizer: Rasterizer = .auto,
  _ body: (WorkerPool) async throws -> Void
) async throws {
  let descriptor = try FileDescriptor.open(file.path, .readOnly)
  defer { try? descriptor.close() }
  let settings = WorkerPool.Settings(
    executable: program,
    password: password,
    workers: workers,
    limits: limits,
    rasterizer: rasterizer
  )
  let pool = WorkerPool(settings, document: descriptor, clock: clock)
  try await body(pool)
  await pool.close()
}

/// Runs `body` with a pool over a copy of a fixture: no other test has workers for this file.
func poolOfOwn(
  _ fixture: String,
  workers: Int = 1,
  limits: WorkerLimits = WorkerLimits(),
  _ body: (WorkerPool, URL) async throws -> Void
) async throws {
  let folder = try TemporaryFolder()
  let file = folder.url.appending(path: "\(fixture).pdf")
  try FileManager.default.copyItem(at: TestPaths.fixture(fixture), to: file)
  try await pool(file, workers: workers, limits: limits) { try await body($0, file) }
}

func raster(_ page: PageIndex, _ info: PageInfo, scale: Double = 1) throws -> PageRaster {
  try PageRaster(page: page, info: info, scale: scale, rotation: .none)
}

func whole(_ raster: PageRaster) -> PixelRect {
  PixelRect(x: 0, y: 0, width: raster.size.width, height: raster.size.height)
}

func decoded(_ png: [UInt8]) throws -> PNGPicture {
  try PNGDecoder.decode(png.span.bytes, maxPixels: 1 << 24)
}

/// How something ended; nil when it went well.
func failure(_ body: () async throws -> some Any) async -> DocumentError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? DocumentError
  }
}

extension WorkerPool {
  /// Draws a whole page.
  func page(_ raster: PageRaster, isOneOff: Bool = false) async throws(DocumentError) -> DrawnPage {
    try await draw(
      PageDrawing(raster, .parts([whole(raster)]), purpose: isOneOff ? .picture : .tiles),
      subset: nil
    )
  }
}
