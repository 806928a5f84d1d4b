import Testing

/// Under a lock values change; what follows from that is done after the lock was left.
///
/// The scan reads the closures given to `withLock` and `withEffects`, and the mutating functions of values, which are
/// what such closures call. What is added to `effects` is done later.
@Suite struct LockTests {
  /// What is found in a source.
  private static func findings(in source: String) -> [String] {
    let text = source.replacing(/(?m)\/\/.*$/, with: "")
      .replacing(/"(?:\\.|[^"\\\n])*"/, with: "\"\"")
    let resumed = /\.(?:resume|cancel)\(|\bTask ?[({]/
    let called = /\.(?:finish|yield)\(|[?)\]}]\(/
    let locked = blocks(after: /\.with(?:Lock|Effects)(?: ?\(| ){/, in: text)
    let changes = blocks(after: /mutating func [^{}]*{/, in: text)
    return (locked + changes).flatMap { $0.matches(of: resumed).map { String($0.output) } }
      + locked.flatMap { $0.matches(of: called).map { String($0.output) } }
  }

  /// What is between the braces that a pattern opens, without what is added to `effects`.
  private static func blocks(after pattern: Regex<Substring>, in text: String) -> [String] {
    text.matches(of: pattern).map { start in
      var depth = 1
      let rest = text[start.range.upperBound...].prefix { character in
        if character == "{" { depth += 1 }
        if character == "}" { depth -= 1 }
        return depth > 0
      }
      return String(rest.replacing(/effects\.add(?:\([^()]*\)| {[^{}]*})/, with: ""))
    }
  }

  @Test func `nothing is resumed, cancelled or called under a lock`() throws {
    var blocks = 0
    for (path, text) in try swiftSources(in: "Sources") {
      blocks += text.matches(of: /\.with(?:Lock|Effects)\b/).count
      for finding in Self.findings(in: text) { Issue.record("\(path): \(finding)") }
    }
    #expect(blocks > 2)
  }

  @Test(arguments: [
    "state.withLock { $0.waiting?.resume() }",
    "state.withLock({ (state) in state.task.cancel() })",
    "state.withEffects { state, _ in output.yield(state.line) }",
    "state.withLock { if $0.isDone { stream.finish() } }",
    "state.withLock { state in\n Task { await end() }\n}",
    "state.withLock { $0.end?() }",
    "state.withLock { $0.jobs.removeFirst()() }",
    "mutating func drop(_ ticket: Int) -> Int {\n waiting[ticket]?.resume()\n return 1 }",
  ])
  func `what follows from a change and is done under the lock is found`(text: String) {
    #expect(Self.findings(in: text).count == 1)
  }

  @Test(arguments: [
    "let waiting = state.withLock { $0.waiting.take() }\nwaiting?.resume()",
    "state.withEffects { state, effects in effects.add { state.waiting.resume() } }",
    "// state.withLock { $0.resume() }\nlet text = \"withLock { $0.resume() }\"",
  ])
  func `what is done after the lock was left is not found`(text: String) {
    #expect(Self.findings(in: text) == [])
  }
}
