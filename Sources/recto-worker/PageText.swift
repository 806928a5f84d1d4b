/// Keeps poppler from collecting and sorting the text of every page.
///
/// `poppler_page_render` makes a text page on the way, for selections that may follow: it puts each
/// glyph of a page into a word and sorts the words, a fifth of the time of a thumbnail. A worker
/// draws and never selects, and poppler-glib offers no drawing without it. The two functions by
/// which libpoppler-glib hands text over are therefore this program's own, which do nothing: the
/// dynamic linker takes the first function of a name that it meets, and looks in the program first.
/// Drawing itself asks for no text, so pixels stay the same.
///
/// A name contains the types of the parameters. A poppler that hands text over in another way finds
/// these functions of no use and draws as it always did, only slower. The names were checked with
/// poppler 22.12; `WorkerTextTests` tells whether they still are the right ones.
///
/// This holds for the whole program that links it, so it belongs to the worker and not to
/// `PDFEngine`, beside which a program may well want the text of a page.

/// In place of `ActualText::addChar(GfxState const*, double, double, double, double, unsigned int,
/// int, unsigned int const*, int)`.
@c(_ZN10ActualText7addCharEPK8GfxStateddddjiPKji)
public func leaveOutCharacter() {}

/// In place of `TextPage::updateFont(GfxState const*)`.
@c(_ZN8TextPage10updateFontEPK8GfxState)
public func leaveOutFont() {}
