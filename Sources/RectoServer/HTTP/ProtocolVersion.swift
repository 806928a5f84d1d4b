internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1

/// Adds the protocol version to a request for the access log, because Hummingbird's requests have none.
final class VersionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else {
      context.fireChannelRead(data)
      return
    }
    let (name, version) = (HTTPField.Name.noteOfVersion.rawName, head.version)
    // A client may have sent a field with this name.
    head.headers.remove(name: name)
    if version != .http1_1 {
      head.headers.add(name: name, value: "\(version.major).\(version.minor)")
    }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }
}

/// Inserts a ``VersionHandler`` after the decoder of HTTP/1 requests. HTTP/2 has no such position.
final class VersionSetup: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = Any

  func handlerAdded(context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    typealias Decoder = ByteToMessageHandler<HTTPRequestDecoder>
    guard let decoder = try? pipeline.handler(type: Decoder.self) else { return }
    try? pipeline.addHandler(VersionHandler(), position: .after(decoder))
  }
}
