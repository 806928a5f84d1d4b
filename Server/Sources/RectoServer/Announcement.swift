internal import Glibc
internal import RectoCommand

/// Says where the server listens, and opens a browser if that was asked for.
struct Announcement {
  private let command: ServerCommand
  private let address: String

  init(_ command: ServerCommand, port: Int) {
    self.command = command
    let name = command.address.host
    let everywhere = ["0.0.0.0": "127.0.0.1", "::": "::1"]
    let host = everywhere[name] ?? name
    let scheme = command.certificate == nil ? "http" : "https"
    let token = command.token.map { "?token=\($0)" } ?? ""
    address = "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)/\(token)"
  }

  /// Prints the address on a line of its own.
  func make() {
    ServerCommand.announce(address)
    if command.opensBrowser { openBrowser() }
  }

  private func openBrowser() {
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(address), nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    let status = posix_spawnp(&process, "xdg-open", nil, nil, &arguments, environ)
    if status != 0 {
      command.warn(nil, "--open: xdg-open: \(String(cString: strerror(status)))")
    }
  }
}
