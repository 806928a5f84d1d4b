// SPDX-License-Identifier: GPL-2.0-or-later

internal import CFontconfig
internal import DocumentModel
internal import Glibc

/// Information about the fonts that a worker finds inside its sandbox.
enum FontReport {
  /// Where poppler has its character maps.
  private static let characterMaps = "/usr/share/poppler/cMap"

  /// The results.
  ///
  /// - Parameter layers: The layers of the worker's sandbox.
  /// - Returns: A description of the worker and its fonts.
  static func description(with layers: [SandboxLayer]) -> EngineDescription {
    let files = fontFiles()
    return EngineDescription(
      engine: DrawingSession.engine,
      sandbox: layers,
      fontCount: files.count,
      unreadableFonts: Array(
        files.filter { !canRead($0) }.prefix(EngineDescription.largestUnreadable)
      ),
      standardFonts: ["Helvetica", "Times-Roman", "Courier", "Symbol", "ZapfDingbats"].map {
        .init($0, file: file(for: $0))
      },
      hasCharacterMaps: canRead(characterMaps)
    )
  }

  /// Whether a file or directory can be opened.
  private static func canRead(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    if file >= 0 { close(file) }
    return file >= 0
  }

  /// The files of all fonts, each once.
  private static func fontFiles() -> Set<String> {
    guard let pattern = FcPatternCreate() else { return [] }
    defer { FcPatternDestroy(pattern) }
    guard let objects = FcObjectSetCreate() else { return [] }
    defer { FcObjectSetDestroy(objects) }
    guard FcObjectSetAdd(objects, FC_FILE) == FcTrue, let list = FcFontList(nil, pattern, objects)
    else { return [] }
    defer { FcFontSetDestroy(list) }
    let fonts = UnsafeBufferPointer(start: list.pointee.fonts, count: Int(list.pointee.nfont))
    return Set(fonts.compactMap { $0.flatMap(file) })
  }

  /// The file that fontconfig has for a name.
  private static func file(for name: String) -> String? {
    guard let pattern = FcNameParse(name) else { return nil }
    defer { FcPatternDestroy(pattern) }
    guard FcConfigSubstitute(nil, pattern, FcMatchPattern) == FcTrue else { return nil }
    FcDefaultSubstitute(pattern)
    var result = FcResultNoMatch
    guard let match = FcFontMatch(nil, pattern, &result) else { return nil }
    defer { FcPatternDestroy(match) }
    return file(match)
  }

  private static func file(_ font: OpaquePointer) -> String? {
    var path: UnsafeMutablePointer<FcChar8>?
    guard FcPatternGetString(font, FC_FILE, 0, &path) == FcResultMatch, let path else { return nil }
    return String(cString: path)
  }
}
