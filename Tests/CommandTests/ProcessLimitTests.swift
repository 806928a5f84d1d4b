import Foundation
import Glibc
import TestSupport
import Testing

/// What a command does where the system allows it little.
@Suite(.timeLimit(.minutes(10))) struct ProcessLimitTests {
  static let commands = [
    "info a.pdf", "layout a.pdf", "render a.pdf --image w.png", "pages a.pdf -o out/ --jobs 8",
    "thumbs a.pdf -o out --pages all --jobs 8", "text a.pdf", "doctor", "help render",
  ]

  /// Runs each command below a limit; it ends in time, with a code of the reference, and says why if it fails.
  private func run(below limit: String, before: String = "") throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("labels", to: "a.pdf")
    for command in Self.commands {
      let line = "\(before) ulimit \(limit) && exec timeout -k 1 60 \"$recto\" \(command)"
      let result = try sandbox.shell(line)
      #expect([0, 1, 69, 70, 71, 73, 74, 75].contains(result.code), "\(limit) \(command)")
      #expect(result.code == 0 || command == "doctor" || result.errors.hasPrefix("recto: "))
      #expect(result.code != 71 || result.errors.contains("recto needs "), "\(result.errors)")
    }
  }

  @Test(arguments: [8, 10, 12, 16, 24, 48, 66, 70, 80, 96])
  func `few open files are a message`(limit: Int) throws { try run(below: "-n \(limit)") }

  @Test(arguments: [60_000, 100_000, 200_000, 400_000, 800_000, 1_000_000, 1_100_000, 2_000_000])
  func `little address space is a message`(limit: Int) throws { try run(below: "-v \(limit)") }

  @Test(arguments: [0, 1, 8]) func `short files are a message`(limit: Int) throws {
    try run(below: "-f \(limit)", before: "exec 2> >(cat >&2); ")
  }

  @Test(arguments: [6, 8, 12, 16, 20, 24, 28, 32, 40, 64])
  func `few threads are a message`(limit: Int) throws {
    // The limit is not that of root.
    guard getuid() == 0 else { return try run(below: "-u \(limit)") }
    let sandbox = try CommandSandbox()
    try sandbox.copy("labels", to: "a.pdf")
    let programs = TestPaths.recto.deletingLastPathComponent()
    for name in ["recto", "recto-worker"] {
      try FileManager.default.copyItem(
        at: programs.appending(path: name),
        to: sandbox.folder.url.appending(path: name)
      )
    }
    let user = 60_000 + limit
    for command in Self.commands {
      let result = try sandbox.shell(
        """
        chmod -R a+rwX . "$XDG_CACHE_HOME" && exec setpriv --reuid=\(user) --clear-groups \
          bash -c 'ulimit -u \(limit) && exec timeout -k 1 60 ./recto \(command)'
        """
      )
      #expect([0, 1, 69, 70, 71, 73, 74, 75].contains(result.code), "\(limit) \(command)")
      #expect(result.code != 71 || result.errors.contains("recto needs "), "\(result.errors)")
    }
  }

  @Test func `the limit of open files is raised to the highest`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("labels", to: "a.pdf")
    #expect(try sandbox.shell("ulimit -S -n 8; \"$recto\" render a.pdf --image w.png").code == 0)
  }

  @Test func `the version is printed, or that it cannot be written`() throws {
    let sandbox = try CommandSandbox()
    let line = "ulimit -f 0; env --default-signal=XFSZ \"$recto\" --version"
    #expect(try sandbox.shell("(\(line)) >version").code == 74)
    #expect(try sandbox.shell("(\(line)) | cat").text.hasPrefix("recto "))
  }
}
