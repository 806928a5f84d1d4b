internal import Glibc
internal import RectoCommand

/// Prints the server's address, and opens a browser if requested.
struct Announcement {
  private let command: ServerCommand
  private let address: String
  /// The query with the token; empty if none is needed.
  private let token: String

  init(_ command: ServerCommand, port: Int) {
    self.command = command
    let name = command.address.host
    let everywhere = ["0.0.0.0": "127.0.0.1", "::": "::1"]
    let host = everywhere[name] ?? name
    let scheme = command.certificate == nil ? "http" : "https"
    token = command.token.map { "?token=\($0)" } ?? ""
    address = "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
  }

  /// Prints the address on a separate line. The token is printed only to a terminal: other output is stored, for
  /// example by systemd.
  func make() {
    ServerCommand.announce(isatty(STDOUT_FILENO) == 1 ? address + token : address)
    if command.opensBrowser { openBrowser() }
  }

  private func openBrowser() {
    var arguments: [UnsafeMutablePointer<CChar>?] = [
      strdup("xdg-open"), strdup(address + token), nil,
    ]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    let status = posix_spawnp(&process, "xdg-open", nil, nil, &arguments, environ)
    if status != 0 {
      command.warn(nil, "--open: xdg-open: \(String(cString: strerror(status)))")
    }
  }
}
