// SPDX-License-Identifier: GPL-2.0-or-later

internal import CPoppler
internal import Glibc
internal import Synchronization

/// Keeps poppler from reading what drawing does not need of fonts: the maps from characters to Unicode (/ToUnicode) of
/// embedded Type 1 and CFF fonts.
///
/// Poppler makes the fonts of each page again, and parses their maps each time: 4 % of a thumbnail. In these kinds of fonts a
/// glyph is found by its name in the encoding; in others, and in fonts that are not embedded, the map can decide which
/// glyph is drawn. Poppler's constructor of fonts is told the kind of the program, which it has looked at, and its function that
/// reads the map is called next.
///
/// Annotations are another matter: where a field of a form has no appearance, poppler makes one, and finds the characters
/// of its font by the map. So all maps are read from the moment in which drawing has come to the annotations of the page,
/// the last thing on it. That poppler asks this program for them is not taken for granted: the first page that a process
/// draws shows it.
///
/// The object of a map is fetched all the same, since one that is missing has poppler rebuild its table of objects. Only where that
/// takes away the program of a font that has been made is a glyph without a known name another one than it was.
///
/// The names of the functions contain the types of their parameters. A poppler that has others calls its own, and
/// draws the same, only slower: poppler 25.03 is such a one. The names were checked with poppler 22.12; `WorkerTextTests` tells
/// whether they still are the right ones.
enum UnreadTextMaps {
  /// The thread that draws without these maps, as a number; 0 for none. What another thread draws or reads is not affected.
  private static let drawing = Atomic<UInt>(0)
  /// The address of the font that is being made, if its map is not to be read; else 0. The drawing thread's own.
  private static let font = Atomic<UInt>(0)
  /// Whether poppler has asked for the annotations of a page by the function of this program.
  private static let knowsAnnotations = Atomic(false)

  /// Runs a closure that draws a page.
  static func during(_ drawPage: () -> Void) {
    guard canLeaveOut, knowsAnnotations.load(ordering: .relaxed),
      drawing.compareExchange(expected: 0, desired: thread, ordering: .relaxed).exchanged
    else { return drawPage() }
    drawPage()
    end()
  }

  /// Takes note that drawing has come to the annotations: all maps are read from now on.
  fileprivate static func beginAnnotations() {
    knowsAnnotations.store(true, ordering: .relaxed)
    end()
  }

  private static func end() {
    _ = drawing.compareExchange(expected: thread, desired: 0, ordering: .relaxed)
  }

  /// Takes note of a font that is being made.
  ///
  /// - Parameters:
  ///   - kind: poppler's `GfxFontType`.
  ///   - program: The reference of the embedded program: the number of its object in the lower half, negative for none.
  fileprivate static func begin(_ address: OpaquePointer?, kind: Int32, program: UInt64) {
    guard drawing.load(ordering: .relaxed) == thread else { return }
    let isUnread = namedKinds.contains(kind) && Int32(truncatingIfNeeded: program) >= 0
    font.store(isUnread ? UInt(bitPattern: address) : 0, ordering: .relaxed)
  }

  /// Whether the map of a font is not to be read.
  fileprivate static func isUnread(_ address: OpaquePointer?) -> Bool {
    drawing.load(ordering: .relaxed) == thread
      && font.load(ordering: .relaxed) == UInt(bitPattern: address)
  }

  private static var thread: UInt { UInt(pthread_self()) }

  /// `fontType1`, `fontType1C` and `fontType1COT`.
  private static let namedKinds: ClosedRange<Int32> = 1...3

  /// Whether a font whose program is refused is not drawn. From poppler 25.05 on it is replaced by another, for which the
  /// map can decide.
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

/// In place of the constructor `GfxFont::GfxFont(char const*, Ref, std::optional<std::string>&&, GfxFontType, Ref)`.
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

/// In place of `GfxFont::readToUnicodeCMap(Dict*, int, CharCodeToUnicode*)`.
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
