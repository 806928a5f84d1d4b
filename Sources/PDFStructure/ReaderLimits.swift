internal import DocumentModel

/// Limits on the work that a hostile file can cause. All apply in the parent process.
package struct ReaderLimits: Hashable, Sendable {
  /// Bytes of syntax read plus bytes inflated in one call; about a second for 300 MiB.
  package var work = 3 << 29
  /// Seconds that one call may take.
  package var seconds = 15.0
  /// Bytes of one uncompressed object, from its number to its end.
  package var objectBytes = 64 << 20
  /// Bytes of one decoded stream.
  package var streamBytes = 32 << 20
  /// Bytes of decoded object streams kept at a time.
  package var objectStreamCache = 16 << 20
  /// Levels of nested arrays and dictionaries. Poppler stops at 500, including a few outer levels, and then misreads
  /// the object.
  package var nesting = 480
  /// Levels of the page tree; nothing recurses over them.
  package var depth = 1 << 17
  /// Page tree nodes visited in one call, in addition to three per requested page: a binary tree
  /// has two nodes per page.
  package var extraVisits = 1 << 17
  /// Kids of the page tree nodes kept in memory, eight bytes each.
  package var kids = 4 << 20
  /// Pages in one answer, about a hundred bytes each.
  package var pagesPerCall = 1 << 20
  /// Different sets of inherited attributes in one document, about 300 bytes each.
  package var inheritances = 1 << 17
  /// Bytes of decoded cross-references kept.
  package var crossReferenceBytes = 32 << 20
  /// Cross-reference sections.
  package var sections = 4096
  /// Subsections of all cross-reference sections together.
  package var subsections = 1 << 18
  /// Entries of irregular cross-reference tables, which must be read one by one.
  package var irregularEntries = 1 << 20
  /// Entries of a cross-reference, up to which all are read to find out which object a long string is in; eight bytes
  /// each.
  package var knownStarts = 1 << 18
  /// Rows of a cross-reference table, up to which all are checked when it is opened; those of a longer one are checked
  /// by ``PageTreeReader/checkCrossReference()``.
  package var checkedRows = 1 << 14
  /// Documents of up to this many pages are walked completely on first use, like poppler does, so
  /// that no count in the file must be trusted.
  package var smallDocument = 64
  /// Objects in a file from which a subset is a standalone document. Documents use 0: reading a small cross-reference
  /// costs no more than avoiding it, but poppler needs much longer to decode fonts.
  package var manyObjects = 512
  /// Objects in such a subset, and bytes of its syntax; streams count with their dictionaries.
  package var subsetObjects = 8192
  /// See ``subsetObjects``.
  package var subsetBytes = 4 << 20
  /// Bytes of an encoded stream up to which such a subset may contain it decoded, and bytes of all
  /// its decoded streams.
  package var decodedStream = 1 << 18
  /// See ``decodedStream``.
  package var decodedBytes = 32 << 20
  /// Fields in such a file's form from which a subset omits those of other pages.
  package var manyFields = 64
  /// Objects to search for in a file whose cross-reference is rebuilt, and the highest object number.
  package var rebuiltObjects = 1 << 20
  /// Ranges in /PageLabels.
  package var labelRanges = 1 << 14
  /// Bytes of a label's prefix in UTF-16: as many as fit a label.
  package var prefixBytes = 1 << 11
  /// Bytes of a title.
  package var textBytes = 4096
  /// Bytes of a link target: an address, a name or a path. For a longer one only the kind is returned.
  package var targetBytes = TextLimit.target
  /// Bytes of the targets of all links of a page, of its annotations, and of what is known of attached files.
  package var pageTargetBytes = 4 << 20
  /// Rectangles of the links of one page.
  package var linkAreas = TextLimit.linkAreas
  /// Levels of the outline.
  package var outlineDepth = TextLimit.outlineDepth
  /// Items of the outline.
  package var outlineItems = TextLimit.outlineItems
  /// Bytes of the titles and targets of the outline.
  package var outlineBytes = TextLimit.outlineTexts
  /// Levels of the list of layers.
  package var layerDepth = 32
  /// Lines of the list of layers, and elements of one of its arrays.
  package var layerItems = 1 << 18
  /// Named destinations kept in memory.
  package var keptNames = 1 << 17
  /// Bytes of the names among them.
  package var keptNameBytes = 8 << 20

  /// The limits that the product uses.
  package static let standard = ReaderLimits()

  /// The default limits.
  package init() {}
}
