// SPDX-License-Identifier: GPL-2.0-or-later

internal import Glibc

/// The function of a library in whose place this program has one of the same name: the linker would have taken it
/// otherwise.
///
/// - Parameters:
///   - name: The name by which the linker knows both.
///   - type: The type of the function.
/// - Returns: The function; nil if no library has one of that name.
public func nextFunction<Function>(_ name: String, as type: Function.Type) -> Function? {
  // `RTLD_NEXT`, which is a cast and unknown to Swift.
  dlsym(UnsafeMutableRawPointer(bitPattern: -1), name).map { unsafeBitCast($0, to: type) }
}
