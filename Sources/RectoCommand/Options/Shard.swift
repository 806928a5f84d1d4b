internal import ArgumentParser
internal import RectoBase

/// A part of a library: each document belongs to exactly one of several.
struct Shard: Hashable, Sendable {
  /// The number of the part, from 1.
  var number: Int
  /// The number of parts.
  var count: Int

  /// Whether a document belongs to the part. Depends only on the bytes of its path.
  func contains(_ path: [UInt8]) -> Bool {
    StableDigest(path).value % UInt64(count) == UInt64(number - 1)
  }

  /// The most parts.
  static let mostParts = 1_000_000
}

/// A given shard.
enum ShardArgument: Hashable, Sendable {
  case part(Shard)
  /// The part that the environment names; the number of parts, if that is given.
  case automatic(count: Int?)

  /// The shard.
  ///
  /// - Throws: ``InvalidShard`` if the environment does not name one.
  func shard(in environment: [String: String]) throws(InvalidShard) -> Shard {
    switch self {
    case .part(let shard): return shard
    case .automatic(let count):
      for system in ArraySystem.all {
        if let shard = try system.shard(in: environment, count: count) { return shard }
      }
      throw InvalidShard(
        "auto needs SLURM_ARRAY_TASK_ID, AWS_BATCH_JOB_ARRAY_INDEX or JOB_COMPLETION_INDEX"
      )
    }
  }
}

/// The error if there is no shard.
struct InvalidShard: Error, Hashable, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// A system that runs the same job many times, with the number of each run in variables.
private struct ArraySystem: Sendable {
  /// The variable with the number of the run.
  var number: String
  /// The variable with the number of the first run; nil if that is 0.
  var first: String?
  /// The variable with the difference of consecutive numbers; nil if that is 1.
  var step: String?
  /// The variable with the number of the last run; nil if there is none.
  var last: String?
  /// The variable with the number of runs.
  var count: String

  static let all = [
    ArraySystem(
      number: "SLURM_ARRAY_TASK_ID",
      first: "SLURM_ARRAY_TASK_MIN",
      step: "SLURM_ARRAY_TASK_STEP",
      last: "SLURM_ARRAY_TASK_MAX",
      count: "SLURM_ARRAY_TASK_COUNT"
    ),
    ArraySystem(number: "AWS_BATCH_JOB_ARRAY_INDEX", count: "AWS_BATCH_JOB_ARRAY_SIZE"),
    ArraySystem(number: "JOB_COMPLETION_INDEX", count: "JOB_COMPLETIONS"),
  ]

  /// The shard of this run.
  ///
  /// - Parameters:
  ///   - given: The number of parts, if it is given.
  /// - Returns: The shard; nil if the run is not of this system.
  /// - Throws: ``InvalidShard`` for variables that are missing or do not fit together.
  func shard(in environment: [String: String], count given: Int?) throws(InvalidShard) -> Shard? {
    guard environment[number] != nil else { return nil }
    let index = try value(number, environment)
    let start = try first.map { name throws(InvalidShard) in try value(name, environment) } ?? 0
    let step = step.flatMap { environment[$0] }.flatMap { Int($0) } ?? 1
    let parts: Int
    if let given {
      parts = given
    } else {
      guard environment[count] != nil else {
        throw InvalidShard("auto needs \(count), or auto/N")
      }
      parts = try value(count, environment)
    }
    let place = index.subtractingReportingOverflow(start).partialValue
    guard step > 0, place >= 0, place % step == 0, place / step < parts,
      (1...Shard.mostParts).contains(parts)
    else {
      throw InvalidShard(
        "\(number)=\(index) is not one of \(parts) runs from \(start) in steps of \(step)"
      )
    }
    if given == nil, let last, let text = environment[last], let last = Int(text),
      last.subtractingReportingOverflow(start).partialValue / step != parts - 1
    {
      throw InvalidShard("the array has gaps: \(parts) runs from \(start) to \(last); use K/N")
    }
    return Shard(number: place / step + 1, count: parts)
  }

  /// The value of a variable.
  ///
  /// - Throws: ``InvalidShard`` if it is missing, or not a number.
  private func value(_ name: String, _ environment: [String: String]) throws(InvalidShard) -> Int {
    guard let text = environment[name] else { throw InvalidShard("auto needs \(name)") }
    guard let value = Int(text), value >= 0 else {
      throw InvalidShard("\(name) must be a whole number from 0, is \(text)")
    }
    return value
  }
}

extension ValueReader<ShardArgument> {
  /// `K/N`, `auto` or `auto/N`.
  static var shard: Self {
    Self("must be K/N with K from 1 to N, auto, or auto/N, where N is at most \(Shard.mostParts)") {
      let parts = $0.split(separator: "/", omittingEmptySubsequences: false)
      if parts == ["auto"] { return .automatic(count: nil) }
      guard parts.count == 2, let count = Int(parts[1]), (1...Shard.mostParts).contains(count)
      else { return nil }
      if parts[0] == "auto" { return .automatic(count: count) }
      guard let number = Int(parts[0]), (1...count).contains(number) else { return nil }
      return .part(Shard(number: number, count: count))
    }
  }
}
