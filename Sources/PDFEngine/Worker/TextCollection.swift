// SPDX-License-Identifier: GPL-2.0-or-later

internal import Synchronization

/// Keeps poppler from collecting and sorting the text of every page that is drawn.
///
/// `poppler_page_render` makes a text page on the way, for selections that may follow: it puts each
/// glyph of a page into a word and sorts the words, a fifth of the time of a thumbnail. poppler-glib offers
/// no drawing without it. The two functions by which poppler hands text over are therefore this program's
/// own, which do nothing unless text is wanted: the dynamic linker takes the first function of a name that
/// it meets, and looks in the program first. Drawing itself asks for no text, so pixels stay the same. When
/// text is wanted they call poppler's.
///
/// A name contains the types of the parameters. A poppler that hands text over in another way finds
/// these functions of no use and draws as it always did, only slower. The names were checked with
/// poppler 22.12; `WorkerTextTests` tells whether they still are the right ones.
///
/// This holds for the whole program that links it, so it belongs to the worker and not to
/// `PDFEngine`.
enum TextCollection {
  /// Whether text is wanted.
  fileprivate static let isOn = Atomic(false)

  /// Has poppler collect text while a closure runs.
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

  /// poppler's own functions; nil where they have other names, and then nothing calls for them.
  fileprivate static let addCharacter = nextFunction(
    "_ZN10ActualText7addCharEPK8GfxStateddddjiPKji",
    as: AddCharacter.self
  )
  fileprivate static let updateFont = nextFunction(
    "_ZN8TextPage10updateFontEPK8GfxState",
    as: UpdateFont.self
  )
}

/// In place of `ActualText::addChar(GfxState const*, double, double, double, double, unsigned int,
/// int, unsigned int const*, int)`.
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

/// In place of `TextPage::updateFont(GfxState const*)`.
@c(_ZN8TextPage10updateFontEPK8GfxState)
public func updateFont(_ page: OpaquePointer?, _ state: OpaquePointer?) {
  guard TextCollection.isOn.load(ordering: .relaxed) else { return }
  TextCollection.updateFont?(page, state)
}
