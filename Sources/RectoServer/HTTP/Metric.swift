/// A value for Prometheus.
struct Metric: Sendable {
  /// How a value changes.
  enum Kind: String, Sendable {
    /// It only grows.
    case counter
    /// It grows and shrinks.
    case gauge
  }

  /// The name, with labels in braces; that of a counter ends in `_total`.
  let name: String
  /// What it counts.
  let help: String
  let kind: Kind
  let value: Double

  /// A value that only grows.
  static func counter(_ name: String, _ help: String, _ value: Double) -> Metric {
    Metric(name: name, help: help, kind: .counter, value: value)
  }

  /// A value that only grows.
  static func counter(_ name: String, _ help: String, _ value: Int) -> Metric {
    counter(name, help, Double(value))
  }

  /// A value that grows and shrinks.
  static func gauge(_ name: String, _ help: String, _ value: Double) -> Metric {
    Metric(name: name, help: help, kind: .gauge, value: value)
  }

  /// A value that grows and shrinks.
  static func gauge(_ name: String, _ help: String, _ value: Int) -> Metric {
    gauge(name, help, Double(value))
  }

  /// The line of the value.
  var line: String {
    // Whole numbers have no fraction: most values are counts.
    "\(name) \(Int(exactly: value).map(String.init) ?? String(value))"
  }
}
