/// A layer of the sandbox of a process that works on a document.
public struct SandboxLayer: Hashable, Sendable {
  /// The kind of restriction.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Networks, shared memory and other users' rights: separate namespaces.
    case namespaces
    /// Files other than fonts, tables and libraries: Landlock, or a separate root directory.
    case files
    /// Rights that the user has: capabilities, set-user-ID programs, the memory of other processes.
    case privileges
    /// Writing files, starting processes, using the processor forever: resource limits.
    case limits
    /// System calls that drawing does not need: a filter of seccomp.
    case calls

    /// Whether a process that requires a sandbox refuses to work without the layer.
    public var isRequired: Bool { self != .namespaces }
  }

  /// The kind of restriction.
  public var kind: Kind
  /// Whether it is in force.
  public var isInForce: Bool
  /// How, or why not: the call and what the system said.
  public var detail: String

  /// A layer from its parts.
  ///
  /// - Parameters:
  ///   - kind: The kind of restriction.
  ///   - isInForce: Whether it is in force.
  ///   - detail: How, or why not.
  public init(_ kind: Kind, isInForce: Bool, _ detail: String) {
    self.kind = kind
    self.isInForce = isInForce
    self.detail = detail
  }
}

/// Whether documents may be processed without a sandbox.
public enum SandboxPolicy: String, Hashable, Sendable, CaseIterable {
  /// With the layers that the machine allows.
  case auto
  /// Only if all layers that can be required are in force.
  case require
}

extension DocumentError {
  /// The error of a process that requires a sandbox; nil if all layers that can be required are in force.
  ///
  /// - Parameter layers: The layers of the process.
  public init?(requiring layers: [SandboxLayer]) {
    let missing = layers.filter { $0.kind.isRequired && !$0.isInForce }
    guard let first = missing.first else { return nil }
    self.init(.sandbox, during: "start", "no sandbox for \(first.kind.rawValue): \(first.detail)")
  }
}
