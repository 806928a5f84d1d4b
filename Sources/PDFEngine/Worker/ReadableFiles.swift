// SPDX-License-Identifier: GPL-2.0-or-later

internal import CFontconfig
internal import CLinux
internal import Glibc
internal import SystemPackage

/// Files that a process opens while it draws: fonts and their configuration, poppler's character maps, and libraries
/// that are loaded on first use.
enum ReadableFiles {
  /// Files of packages, readable by all users: fonts are often links to other directories in here.
  private static let ofSystem = [
    "/usr/share", "/usr/local/share", "/usr/X11R6/lib/X11/fonts", "/etc/fonts",
    "/var/cache/fontconfig",
    "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/lib", "/lib32", "/lib64",
    "/etc/ld.so.cache",
  ]

  /// The directories and files, whether they exist or not.
  ///
  /// Fontconfig knows the font directories only after it has read its whole configuration, which takes longer than
  /// setting up the sandbox. So its files are searched for unusual directories, and fontconfig is asked only if there
  /// is one, or if a variable names another configuration. It is also asked if it has no cache: it then writes one,
  /// which it cannot do later.
  static func paths() -> [FilePath] {
    let usual = ofSystem + ofUser()
    let fonts = hasUsualConfiguration(usual) ? usual : usual + fromFontconfig()
    return (fonts + librariesElsewhere()).map { FilePath($0) }
  }

  /// The directories of the user's fonts, their configuration and their cache.
  private static func ofUser() -> [String] {
    guard let home = variable("HOME") else { return [] }
    return [
      "\(variable("XDG_DATA_HOME") ?? "\(home)/.local/share")/fonts",
      "\(variable("XDG_CONFIG_HOME") ?? "\(home)/.config")/fontconfig",
      "\(home)/.fonts", "\(home)/.fonts.conf", "\(home)/.fonts.conf.d", "\(home)/.fontconfig",
    ] + (userCache.map { [$0] } ?? [])
  }

  /// Fontconfig's cache directory for a user who cannot write to the system's.
  private static var userCache: String? {
    (variable("XDG_CACHE_HOME") ?? variable("HOME").map { "\($0)/.cache" }).map {
      "\($0)/fontconfig"
    }
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// Whether fonts are only in the usual directories.
  private static func hasUsualConfiguration(_ usual: [String]) -> Bool {
    let variables = ["FONTCONFIG_FILE", "FONTCONFIG_PATH", "FONTCONFIG_SYSROOT"]
    guard variables.allSatisfy({ getenv($0) == nil }) else { return false }
    let caches = ["/var/cache/fontconfig"] + (userCache.map { [$0] } ?? [])
    guard caches.contains(where: FontConfiguration.hasCache) else { return false }
    var files = ["/etc/fonts/fonts.conf", "/etc/fonts/local.conf"]
    var folders = ["/etc/fonts/conf.d"]
    if let home = variable("HOME") {
      let own = "\(variable("XDG_CONFIG_HOME") ?? "\(home)/.config")/fontconfig"
      files += ["\(own)/fonts.conf", "\(home)/.fonts.conf"]
      folders += ["\(own)/conf.d", "\(home)/.fonts.conf.d"]
    }
    return FontConfiguration.isUsual(files: files, folders: folders, within: usual)
  }

  /// The directories according to fontconfig, after it has read its configuration.
  private static func fromFontconfig() -> [String] {
    guard FcInit() == FcTrue else { return [] }
    return [FcConfigGetFontDirs, FcConfigGetCacheDirs, FcConfigGetConfigFiles].flatMap { list in
      strings(list(nil))
    }
  }

  private static func strings(_ list: OpaquePointer?) -> [String] {
    guard let list else { return [] }
    defer { FcStrListDone(list) }
    var strings: [String] = []
    while let string = FcStrListNext(list) { strings.append(String(cString: string)) }
    return strings
  }

  /// The directories of loaded libraries that are in none of the usual ones.
  private static func librariesElsewhere() -> [String] {
    var folders: [String] = []
    withUnsafeMutablePointer(to: &folders) { folders in
      recto_each_library(
        { library, _, folders in
          guard let name = library?.pointee.path, let folders, name.pointee == 0x2F else {
            return 0
          }
          let path = String(cString: name)
          guard !ReadableFiles.ofSystem.contains(where: { path.hasPrefix("\($0)/") }),
            let slash = path.lastIndex(of: "/")
          else { return 0 }
          folders.assumingMemoryBound(to: [String].self).pointee.append(String(path[..<slash]))
          return 0
        },
        folders
      )
    }
    return folders
  }
}
