internal import NIOCore

/// Closes a connection whose client does not read: what was written has to leave within a time.
final class SlowReaderHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = Any
  typealias InboundOut = Any
  typealias OutboundIn = Any
  typealias OutboundOut = Any

  private static let limit = TimeAmount.seconds(60)
  private var timer: Scheduled<Void>?

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    timer?.cancel()
    timer = nil
    if !context.channel.isWritable {
      let channel = context.channel
      timer = context.eventLoop.scheduleTask(in: Self.limit) { channel.close(promise: nil) }
    }
    context.fireChannelWritabilityChanged()
  }

  func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    context.fireChannelInactive()
  }
}
