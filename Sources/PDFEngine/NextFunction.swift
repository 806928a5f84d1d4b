// SPDX-License-Identifier: GPL-2.0-or-later

internal import Glibc

/// The library function that a function of the same name in this program replaces.
///
/// - Parameters:
///   - name: The symbol of both.
///   - type: The type of the function.
/// - Returns: The function; nil if no library has one of that name.
public func nextFunction<Function>(_ name: String, as type: Function.Type) -> Function? {
  // `RTLD_NEXT`, which is a cast and unknown to Swift.
  dlsym(UnsafeMutableRawPointer(bitPattern: -1), name).map { unsafeBitCast($0, to: type) }
}
