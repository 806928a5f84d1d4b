internal import Glibc
package import SystemPackage

/// Files that a process opens while it connects to servers: certificates, the configuration of the name service, and
/// its modules.
package enum ConnectionFiles {
  /// The directories and files, whether they exist or not.
  ///
  /// - Parameter certificates: The file with the certificates of authorities; nil for that of the system.
  package static func paths(certificates: FilePath?) -> [FilePath] {
    ofSystem.map { FilePath($0) } + (certificates.map { [$0] } ?? [])
  }

  private static let ofSystem = [
    "/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/ssl/openssl.cnf", "/etc/pki/tls",
    "/etc/pki/ca-trust",
    "/usr/share/ca-certificates", "/usr/local/share/ca-certificates",
    "/etc/resolv.conf", "/etc/nsswitch.conf", "/etc/hosts", "/etc/host.conf", "/etc/gai.conf",
    "/etc/services", "/etc/protocols", "/etc/localtime", "/usr/share/zoneinfo",
    "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/lib", "/lib32", "/lib64",
    "/etc/ld.so.cache",
  ]
}
