// SPDX-License-Identifier: GPL-2.0-or-later

internal import CPoppler
internal import Glibc
internal import Synchronization

/// Keeps poppler from reading parts of fonts that drawing does not need: the maps from characters to Unicode
/// (/ToUnicode) of embedded Type 1 and CFF fonts.
///
/// Poppler creates the fonts of each page anew, and parses their maps each time: 4 % of a thumbnail. In these kinds of
/// fonts a glyph is found by its name in the encoding; in others, and in fonts that are not embedded, the map can
/// decide which glyph is drawn. The kind of the font program is passed to poppler's constructor of fonts, and the
/// function that reads the map is called next.
///
/// Annotations need maps: if a form field has no appearance, poppler creates one, and finds the characters of its font
/// by the map. So all maps are read from the moment at which drawing reaches the annotations, which come last on a
/// page. Whether poppler calls this program's function for them is checked with the first page that a process draws.
///
/// The object of a map is fetched all the same, because a missing one makes poppler rebuild its table of objects. Only
/// if that removes the program of an existing font can a glyph without a known name change.
///
/// The function names contain the types of the parameters. A poppler with other types, such as 25.03, calls its own
/// functions, with the same result, only slower. The names were checked with poppler 22.12; `WorkerTextTests` checks
/// that they are still right.
enum UnreadTextMaps {
  /// The number of the thread that draws without these maps; 0 for none. Other threads are not affected.
  private static let drawing = Atomic<UInt>(0)
  /// The address of the font that is being created, if its map must not be read; else 0. Only used by the drawing
  /// thread.
  private static let font = Atomic<UInt>(0)
  /// Whether poppler has called this program's function for the annotations of a page.
  private static let knowsAnnotations = Atomic(false)

  /// Runs a closure that draws a page.
  static func during(_ drawPage: () -> Void) {
    guard canLeaveOut, knowsAnnotations.load(ordering: .relaxed),
      drawing.compareExchange(expected: 0, desired: thread, ordering: .relaxed).exchanged
    else { return drawPage() }
    drawPage()
    end()
  }

  /// Records that drawing has reached the annotations: all maps are read from now on.
  fileprivate static func beginAnnotations() {
    knowsAnnotations.store(true, ordering: .relaxed)
    end()
  }

  private static func end() {
    _ = drawing.compareExchange(expected: thread, desired: 0, ordering: .relaxed)
  }

  /// Records a font that is being created.
  ///
  /// - Parameters:
  ///   - kind: poppler's `GfxFontType`.
  ///   - program: The reference of the embedded program: the number of its object in the lower half, negative for none.
  fileprivate static func begin(_ address: OpaquePointer?, kind: Int32, program: UInt64) {
    guard drawing.load(ordering: .relaxed) == thread else { return }
    let isUnread = namedKinds.contains(kind) && Int32(truncatingIfNeeded: program) >= 0
    font.store(isUnread ? UInt(bitPattern: address) : 0, ordering: .relaxed)
  }

  /// Whether the map of a font must not be read.
  fileprivate static func isUnread(_ address: OpaquePointer?) -> Bool {
    drawing.load(ordering: .relaxed) == thread
      && font.load(ordering: .relaxed) == UInt(bitPattern: address)
  }

  private static var thread: UInt { UInt(pthread_self()) }

  /// `fontType1`, `fontType1C` and `fontType1COT`.
  private static let namedKinds: ClosedRange<Int32> = 1...3

  /// Whether poppler omits a font whose program it rejects. Since poppler 25.05 it uses another font, for which the map
  /// can decide.
  private static let canLeaveOut: Bool = {
    let version = String(cString: poppler_get_version()).split(separator: ".")
    return version.compactMap { Int($0) }.lexicographicallyPrecedes([25, 5])
  }()

  /// Poppler's own functions.
  fileprivate enum Original {
    static let makeFont = nextFunction(
      "_ZN7GfxFontC2EPKc3RefOSt8optionalINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEE11GfxFontTypeS2_",
      as: (@convention(c) (
        OpaquePointer?, OpaquePointer?, UInt64, OpaquePointer?, Int32, UInt64
      ) -> Void).self
    )
    static let readMap = nextFunction(
      "_ZN7GfxFont17readToUnicodeCMapEP4DictiP17CharCodeToUnicode",
      as: (@convention(c) (
        OpaquePointer?, OpaquePointer?, Int32, OpaquePointer?
      ) -> OpaquePointer?).self
    )
    static let annotations = nextFunction(
      "_ZN4Page9getAnnotsEP4XRef",
      as: (@convention(c) (OpaquePointer?, OpaquePointer?) -> OpaquePointer?).self
    )
  }
}

/// Replaces the constructor `GfxFont::GfxFont(char const*, Ref, std::optional<std::string>&&, GfxFontType, Ref)`.
@c(
  _ZN7GfxFontC2EPKc3RefOSt8optionalINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEE11GfxFontTypeS2_
)
public func makeFont(
  _ font: OpaquePointer?,
  _ tag: OpaquePointer?,
  _ reference: UInt64,
  _ name: OpaquePointer?,
  _ kind: Int32,
  _ program: UInt64
) {
  UnreadTextMaps.Original.makeFont?(font, tag, reference, name, kind, program)
  UnreadTextMaps.begin(font, kind: kind, program: program)
}

/// Replaces `GfxFont::readToUnicodeCMap(Dict*, int, CharCodeToUnicode*)`.
@c(_ZN7GfxFont17readToUnicodeCMapEP4DictiP17CharCodeToUnicode)
public func readMap(
  _ font: OpaquePointer?,
  _ dictionary: OpaquePointer?,
  _ bits: Int32,
  _ map: OpaquePointer?
) -> OpaquePointer? {
  if UnreadTextMaps.isUnread(font), recto_fetch_entry(UnsafeRawPointer(dictionary), "ToUnicode") {
    return map
  }
  return UnreadTextMaps.Original.readMap?(font, dictionary, bits, map)
}

/// In place of `Page::getAnnots(XRef*)`.
@c(_ZN4Page9getAnnotsEP4XRef)
public func annotations(_ page: OpaquePointer?, _ objects: OpaquePointer?) -> OpaquePointer? {
  UnreadTextMaps.beginAnnotations()
  return UnreadTextMaps.Original.annotations?(page, objects)
}
