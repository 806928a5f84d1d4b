// SPDX-License-Identifier: GPL-2.0-or-later

internal import CPoppler

/// A line that poppler has in pieces.
struct JoinedLine {
  /// A character of the line.
  struct Glyph {
    /// The index of the character.
    var index: Int
    /// Whether a space is before it.
    var hasSpace: Bool
    /// Its rectangle; for a slanted line, on the page turned about its top left corner until the line reads to the
    /// right.
    var box: PopplerRectangle
  }

  /// The characters in the order of reading.
  var glyphs: [Glyph]
  /// How far the line is turned clockwise, in degrees; nil for a line that is not slanted.
  var angle: Double?
}
