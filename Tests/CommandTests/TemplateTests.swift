import Foundation
import Glibc
import TestSupport
import Testing

/// Runs of many documents, whose workers are copies of a template.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TemplateTests {
  /// Documents of which the first never ends.
  private func library() throws -> CommandSandbox {
    let sandbox = try CommandSandbox()
    try sandbox.copy("endless-forms", to: "in/a.pdf")
    for name in ["b", "c", "d"] { try sandbox.copy("book", to: "in/\(name).pdf") }
    return sandbox
  }

  private static let arguments = ["thumbs", "in", "-o", "out", "--pages", "1-3", "--timeout", "3"]

  @Test func `a template that is killed in mid-run changes no result`() throws {
    let sandbox = try library()
    let command = try RunningCommand(sandbox, Self.arguments)
    let processes = try command.waitForWorkers(busyFor: 0.2)
    kill(try #require(processes.first(where: ProcessTable.isTemplate)), SIGKILL)
    #expect(command.end(with: 0) == 1)
    let disturbed = sandbox.folder.files.filter { $0.hasPrefix("out") }
    let undisturbed = try library()
    #expect(try undisturbed.recto(Self.arguments).code == 1)
    #expect(disturbed == undisturbed.folder.files.filter { $0.hasPrefix("out") })
    try expectWholePictures(in: sandbox.folder)
  }

  @Test func `nothing survives a command that is killed`() throws {
    let sandbox = try library()
    let mark = UUID().uuidString
    let command = try RunningCommand(
      sandbox,
      Self.arguments,
      environment: ["RECTO_WORKER_TEST_MARK": mark]
    )
    let processes = try command.waitForWorkers(busyFor: 0.2)
    #expect(processes.contains(where: ProcessTable.isTemplate))
    #expect(command.end(with: SIGKILL) == 128 + SIGKILL)
    #expect(poll { ProcessTable.processes(marked: mark).allSatisfy(ProcessTable.isGone) })
  }

  @Test func `nothing is left of a command that has ended`() throws {
    let sandbox = try library()
    let run = try WatchedCommand(sandbox, Self.arguments, environment: [:])
    #expect(run.code == 1)
    #expect(run.leftovers.isEmpty)
  }
}
