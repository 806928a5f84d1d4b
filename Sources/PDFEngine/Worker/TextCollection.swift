// SPDX-License-Identifier: GPL-2.0-or-later

internal import Synchronization

/// Keeps poppler from collecting and sorting the text of every page that is drawn.
///
/// `poppler_page_render` also creates a text page, for later selections: it puts each glyph into a word and sorts the
/// words, a fifth of the time of a thumbnail. poppler-glib cannot draw without it. So this program replaces the two
/// functions that add text, and they do nothing unless text is wanted: the dynamic linker uses the first function of a
/// name, and searches the program first. Drawing needs no text, so pixels are the same. If text is wanted, they call
/// poppler's functions.
///
/// A name contains the types of the parameters. A poppler with other types ignores these functions,
/// and draws as usual, only slower. The names were checked with poppler 22.12; `WorkerTextTests`
/// checks that they are still right.
///
/// This affects the whole program that links it, so it belongs to the worker and not to
/// `PDFEngine`.
enum TextCollection {
  /// Whether text is wanted.
  fileprivate static let isOn = Atomic(false)

  /// Makes poppler collect text while a closure runs.
  static func during(_ body: () -> Void) {
    isOn.store(true, ordering: .relaxed)
    body()
    isOn.store(false, ordering: .relaxed)
  }

  fileprivate typealias AddCharacter =
    @convention(c) (
      OpaquePointer?, OpaquePointer?, Double, Double, Double, Double, UInt32, Int32, OpaquePointer?,
      Int32
    ) -> Void
  fileprivate typealias UpdateFont = @convention(c) (OpaquePointer?, OpaquePointer?) -> Void

  /// poppler's functions; nil if they have other names, in which case nothing calls these.
  fileprivate static let addCharacter = nextFunction(
    "_ZN10ActualText7addCharEPK8GfxStateddddjiPKji",
    as: AddCharacter.self
  )
  fileprivate static let updateFont = nextFunction(
    "_ZN8TextPage10updateFontEPK8GfxState",
    as: UpdateFont.self
  )
}

/// Replaces
/// `ActualText::addChar(GfxState const*, double, double, double, double, unsigned int, int, unsigned int const*, int)`.
@c(_ZN10ActualText7addCharEPK8GfxStateddddjiPKji)
public func addCharacter(
  _ text: OpaquePointer?,
  _ state: OpaquePointer?,
  _ x: Double,
  _ y: Double,
  _ width: Double,
  _ height: Double,
  _ code: UInt32,
  _ byteCount: Int32,
  _ unicode: OpaquePointer?,
  _ unicodeCount: Int32
) {
  guard TextCollection.isOn.load(ordering: .relaxed) else { return }
  TextCollection.addCharacter?(
    text,
    state,
    x,
    y,
    width,
    height,
    code,
    byteCount,
    unicode,
    unicodeCount
  )
}

/// Replaces `TextPage::updateFont(GfxState const*)`.
@c(_ZN8TextPage10updateFontEPK8GfxState)
public func updateFont(_ page: OpaquePointer?, _ state: OpaquePointer?) {
  guard TextCollection.isOn.load(ordering: .relaxed) else { return }
  TextCollection.updateFont?(page, state)
}
