internal import Glibc
internal import RectoTiles
internal import RenderWorkers
internal import SystemPackage

extension WorkerProgram {
  /// The fonts, their configuration and the character maps of poppler: fontconfig's default directories, and the
  /// settings that change them.
  static func fontsKey() -> CacheKey {
    func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    let home = FilePath(variable("HOME"))
    let data = FilePath(variable("XDG_DATA_HOME"))
    let own = [
      (data.isAbsolute ? data : home.appending(".local/share")).appending("fonts"),
      home.appending(".fonts"),
    ]
    return .fonts(
      in: [
        "/usr/share/fonts", "/usr/local/share/fonts", "/etc/fonts", "/usr/share/poppler",
      ] + own.filter(\.isAbsolute),
      settings: ["FONTCONFIG_FILE", "FONTCONFIG_PATH", "FONTCONFIG_SYSROOT"].map(variable)
    )
  }
}
