internal import NIOCore

/// Gives clients time to read, and closes connections of clients that do not read.
///
/// NIO drops unsent data when a connection is closed, for example after the last answer at shutdown. This handler
/// delays the close until all data is sent.
final class SlowReaderHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = Any
  typealias InboundOut = Any
  typealias OutboundIn = Any
  typealias OutboundOut = Any

  private static let limit = TimeAmount.seconds(60)
  private var context: ChannelHandlerContext?
  private var timer: Scheduled<Void>?
  /// Writes that have not left.
  private var unsent = 0
  /// The promise of a delayed close; nil if there is none.
  private var closing: EventLoopPromise<Void>?

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let promise = promise ?? context.eventLoop.makePromise()
    unsent += 1
    promise.futureResult.assumeIsolated().whenComplete { _ in
      self.unsent -= 1
      if self.unsent == 0, self.closing != nil, let context = self.context { self.close(context) }
    }
    context.write(data, promise: promise)
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    guard mode == .all, unsent > 0 else {
      context.close(mode: mode, promise: promise)
      return
    }
    if let closing {
      closing.futureResult.cascade(to: promise)
    } else {
      closing = promise ?? context.eventLoop.makePromise()
      startTimer(context)
      context.flush()
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if !context.channel.isWritable {
      startTimer(context)
    } else if closing == nil {
      stopTimer()
    }
    context.fireChannelWritabilityChanged()
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) {
    stopTimer()
    self.context = nil
    closing.take()?.succeed()
  }

  /// Closes the connection at once, regardless of unsent data and of later handlers.
  func abandon() { context.map(close) }

  func channelInactive(context: ChannelHandlerContext) {
    stopTimer()
    context.fireChannelInactive()
  }

  private func startTimer(_ context: ChannelHandlerContext) {
    guard timer == nil else { return }
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.limit) { self.close(context) }
  }

  private func stopTimer() {
    timer?.cancel()
    timer = nil
  }

  /// Closes the connection regardless of unsent data.
  private func close(_ context: ChannelHandlerContext) {
    stopTimer()
    context.close(promise: closing.take())
  }
}
