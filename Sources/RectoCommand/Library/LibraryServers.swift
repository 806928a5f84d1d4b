internal import RectoKit

/// How the servers of a run's documents are asked. Files with settings are read, and a program is asked for
/// credentials, once, when the first document needs them.
struct LibraryServers {
  private let options: RemoteOptions
  private var servers: Result<RemoteAccess, Failure>?
  private var stores: Result<RemoteAccess, Failure>?

  /// Servers that no document has needed yet.
  ///
  /// - Parameter options: How documents on servers are fetched.
  init(_ options: RemoteOptions) { self.options = options }

  /// How the document at an address is fetched.
  ///
  /// - Throws: A failure if the settings cannot be read.
  mutating func access(to address: RemoteAddress) throws(Failure) -> RemoteAccess {
    let known = address.isObject ? stores : servers
    if let known { return try known.get() }
    let access: Result<RemoteAccess, Failure>
    do throws(Failure) {
      access = .success(try options.access(to: address))
    } catch {
      access = .failure(error)
    }
    if address.isObject { stores = access } else { servers = access }
    return try access.get()
  }
}
