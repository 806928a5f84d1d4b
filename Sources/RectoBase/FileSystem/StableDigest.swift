package import SystemPackage

/// A digest of bytes that is the same in every process and on every machine. Not collision-resistant: do not use it for
/// bytes that an attacker chooses.
package struct StableDigest: Hashable, Sendable {
  /// The digest.
  package let value: UInt64

  /// The digest of bytes: FNV-1a, and the last step of MurmurHash3, so that every bit depends on all bytes.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  package init(_ bytes: some Sequence<UInt8>) {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    digest = (digest ^ digest >> 33) &* 0xFF51_AFD7_ED55_8CCD
    digest = (digest ^ digest >> 33) &* 0xC4CE_B9FE_1A85_EC53
    value = digest ^ digest >> 33
  }

  /// The digest of the bytes of a path.
  package init(_ path: FilePath) { self.init(path.bytes) }
}
