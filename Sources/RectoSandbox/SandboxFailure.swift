internal import Glibc

/// Why a layer of the sandbox is not in force.
struct SandboxFailure: Error, CustomStringConvertible {
  /// The attempted operation, and the system's error.
  let description: String

  /// The failure of a call.
  init(_ call: String, _ error: Int32) {
    description = "\(call): \(String(cString: strerror(error)))"
  }

  /// Throws for a call that returns a negative number and sets `errno`.
  ///
  /// - Returns: The result of the call.
  /// - Throws: ``SandboxFailure`` with the name of the call.
  @discardableResult
  static func check(_ status: Int32, _ call: String) throws(SandboxFailure) -> Int32 {
    guard status >= 0 else { throw SandboxFailure(call, errno) }
    return status
  }
}
