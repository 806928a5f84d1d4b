internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import RectoBase
internal import RectoTiles
internal import Synchronization

/// Reads requests and writes replies until the parent closes the socket or sends none for long.
struct StoreRequestLoop {
  /// Seconds without a request after which the process exits. The parent starts another one for its next request.
  private static let patience = 300

  private typealias Stream = NIOAsyncChannel<ByteBuffer, ByteBuffer>

  /// Serves the parent at the other end of a socket.
  ///
  /// - Throws: Why the socket cannot be read, and `ByteCodingError` for an invalid request.
  func run(_ socket: CInt) async throws {
    let stream = try await ClientBootstrap(group: NIOSingletons.posixEventLoopGroup)
      .withConnectedSocket(socket) { channel in
        channel.eventLoop.makeCompletedFuture { try Stream(wrappingChannelSynchronously: channel) }
      }
    let requests = RequestCount()
    Task { await requests.endWhenIdle(after: Self.patience) }
    let channel = stream.channel
    try await stream.executeThenClose { inbound, _ in
      try await withThrowingDiscardingTaskGroup { group in
        var reader = FrameReader()
        var store: (any TileStore)?
        for try await buffer in inbound {
          buffer.withUnsafeReadableBytes { reader.append($0) }
          while let payload = try reader.next(atMost: SharedCacheRequest.largestPayload) {
            let request = try SharedCacheRequest(payload: payload)
            if case .connect(let address) = request {
              store = address.store()
              continue
            }
            guard let store else { throw ByteCodingError.unknown }
            requests.begin()
            group.addTask {
              let reply = await Self.answer(request, store)
              requests.end()
              let frame = Frame.framed(reply.payload)
              channel.writeAndFlush(ByteBuffer(bytes: frame), promise: nil)
            }
          }
        }
        // The parent has closed the socket, so replies would not be read.
        exit(0)
      }
    }
  }

  private static func answer(
    _ request: SharedCacheRequest,
    _ store: any TileStore
  ) async -> SharedCacheReply {
    switch request {
    case .get(let number, let names, let limits):
      do throws(StoreError) {
        return .values(number: number, try await store.get(names, limits: limits))
      } catch {
        return .failed(number: number, error.description)
      }
    case .put(let number, let name, let value):
      do throws(StoreError) {
        try await store.put(name, value)
        return .kept(number: number)
      } catch {
        return .failed(number: number, error.description)
      }
    case .connect: return .failed(number: 0, "connected already")
    }
  }
}

/// Counts requests, to detect that there are none.
private final class RequestCount: Sendable {
  private struct State {
    var pending = 0
    var begun = 0
  }

  private let state = Mutex(State())

  func begin() {
    state.withLock { state in
      state.pending += 1
      state.begun += 1
    }
  }

  func end() { state.withLock { $0.pending -= 1 } }

  /// Exits after this number of seconds without a request.
  func endWhenIdle(after seconds: Int) async {
    var last = -1
    while true {
      let (pending, begun) = state.withLock { ($0.pending, $0.begun) }
      if pending == 0, begun == last { exit(0) }
      last = begun
      // It is never cancelled.
      try? await Task.sleep(for: .seconds(seconds))
    }
  }
}
