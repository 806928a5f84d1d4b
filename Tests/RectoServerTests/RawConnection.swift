import Foundation
import Glibc

/// A connection that sends what it is told to, and nothing else.
final class RawConnection {
  private let descriptor: Int32
  private var received: [UInt8] = []

  /// Connects.
  ///
  /// - Parameters:
  ///   - address: The address of a server.
  ///   - source: The address of this machine that the server sees.
  /// - Throws: A server error if there is no such server.
  init(to address: String, from source: String = "127.0.0.1") throws {
    guard let port = URL(string: address)?.port.flatMap(UInt16.init(exactly:)) else {
      throw ServerError("\(address) has no port")
    }
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard Self.apply(bind, descriptor, source, 0),
      Self.apply(connect, descriptor, "127.0.0.1", port)
    else {
      close(descriptor)
      throw ServerError("\(address): \(String(cString: strerror(errno)))")
    }
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Binds or connects a socket.
  private static func apply(
    _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32,
    _ descriptor: Int32,
    _ host: String,
    _ port: UInt16
  ) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { return false }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  func send(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    else { throw ServerError("the connection is closed") }
  }

  /// Whether the server closes the connection without another byte.
  func isClosed() -> Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, 0)
    return count == 0 || count < 0 && errno == ECONNRESET
  }

  /// The next answer, which has a length.
  func answer() throws -> (status: Int, body: [UInt8]) {
    let end = Array("\r\n\r\n".utf8)
    while received.count < 4 || received.firstRange(of: end) == nil { try receive() }
    guard let range = received.firstRange(of: end) else { throw ServerError("no answer") }
    let lines = String(decoding: received[..<range.lowerBound], as: UTF8.self).split(
      separator: "\r\n"
    )
    received.removeSubrange(..<range.upperBound)
    let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
      .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
    while received.count < length ?? 0 { try receive() }
    defer { received.removeFirst(length ?? 0) }
    return (status, Array(received.prefix(length ?? 0)))
  }

  private func receive() throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { throw ServerError("the connection was closed") }
    received += buffer.prefix(count)
  }
}
