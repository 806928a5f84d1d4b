internal import DocumentModel

/// Bounds on what a hostile file can make the reader do. All of them hold in the parent process.
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
  /// Arrays and dictionaries inside each other. Poppler stops at 500, a few of which are taken by what
  /// it was reading before, and then makes something else of the object.
  package var nesting = 480
  /// Levels of the page tree; nothing recurses over them.
  package var depth = 1 << 17
  /// Page tree nodes visited in one call beyond three for each page asked for: a tree with two kids
  /// a node has two nodes a page.
  package var extraVisits = 1 << 17
  /// Kids in the page tree nodes that are kept at a time, eight bytes each.
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
  /// Entries of irregular cross-reference tables, which have to be read one by one.
  package var irregularEntries = 1 << 20
  /// Entries of a cross-reference that are all read to tell which object a long string is in, eight bytes each.
  package var knownStarts = 1 << 18
  /// Rows of a cross-reference table that are all looked at when it is opened; those of a longer one
  /// are looked at by ``PageTreeReader/checkCrossReference()``.
  package var checkedRows = 1 << 14
  /// Documents of up to this many pages are walked as a whole on first use, just as poppler would:
  /// then no count in the file has to be trusted.
  package var smallDocument = 64
  /// Objects in a file from which on a subset is a document of its own. A smaller cross-reference
  /// is read as fast as it is avoided, and has few streams that are better decoded beforehand.
  package var manyObjects = 512
  /// Objects in such a subset, and bytes of syntax of its own; streams count their dictionaries.
  package var subsetObjects = 8192
  /// See ``subsetObjects``.
  package var subsetBytes = 4 << 20
  /// Bytes of one encoded stream up to which such a subset may hold it decoded, and bytes of all
  /// that it holds decoded.
  package var decodedStream = 1 << 18
  /// See ``decodedStream``.
  package var decodedBytes = 32 << 20
  /// Fields in such a file's form from which on a subset leaves out those of other pages.
  package var manyFields = 64
  /// Objects that are looked for in a file whose cross-reference is rebuilt, and the highest number of one.
  package var rebuiltObjects = 1 << 20
  /// Ranges in /PageLabels.
  package var labelRanges = 1 << 14
  /// Bytes of a label's prefix: as many as a label has room for, in UTF-16.
  package var prefixBytes = 1 << 11
  /// Bytes of a title.
  package var textBytes = 4096
  /// Bytes of what a link leads to: an address, a name or a path. Of a longer one only its kind is told.
  package var targetBytes = TextLimit.target
  /// Bytes of what the links of one page lead to.
  package var pageTargetBytes = 4 << 20
  /// Rectangles of the links of one page.
  package var linkAreas = TextLimit.linkAreas
  /// Levels of the outline.
  package var outlineDepth = TextLimit.outlineDepth
  /// Items of the outline.
  package var outlineItems = TextLimit.outlineItems
  /// Bytes of the titles of the outline, and of what its items lead to.
  package var outlineBytes = TextLimit.outlineTexts
  /// Named destinations that are kept at a time.
  package var keptNames = 1 << 17
  /// Bytes of the names among them.
  package var keptNameBytes = 8 << 20

  /// The limits that the product uses.
  package static let standard = ReaderLimits()

  /// The standard limits, to be changed one by one.
  package init() {}
}
