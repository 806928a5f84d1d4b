internal import NIOCore

/// Gives a client time to read what was written, and closes a connection whose client does not read.
///
/// NIO drops what has not left when a connection is closed, as it is after the last answer when the server
/// ends. Here a close waits until all of it has left.
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
  /// What is told when the connection is closed; nil without a close that waits.
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

  /// Closes the connection at once, whatever has not left and whatever is in front of this handler.
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

  /// Closes the connection, whatever has not left.
  private func close(_ context: ChannelHandlerContext) {
    stopTimer()
    context.close(promise: closing.take())
  }
}
