public import DocumentModel
public import RectoGeometry
public import SystemPackage

/// A picture with a label on a contact sheet.
public struct SheetCell: Hashable, Sendable {
  /// The text below the picture; may be empty.
  public var label: String
  /// The picture; nil for a page without one, which gets a crossed frame.
  public var picture: SheetPicture?

  /// A cell from its parts.
  public init(label: String, picture: SheetPicture?) {
    self.label = label
    self.picture = picture
  }
}

/// A picture file for a contact sheet.
public struct SheetPicture: Hashable, Sendable {
  /// The path of the file: PNG, JPEG, WebP or PPM.
  public var file: FilePath
  /// The size of the picture.
  public var size: PixelSize

  /// A picture from its parts.
  public init(file: FilePath, size: PixelSize) {
    self.file = file
    self.size = size
  }
}

/// How contact sheets look.
public struct ContactSheetStyle: Hashable, Sendable {
  /// Pictures beside each other.
  public let columns: Int
  /// Rows of pictures.
  public let rows: Int
  /// The length of the longer side of pictures in pixels. Larger ones are reduced, smaller ones are not enlarged.
  public let pictureSide: Int
  /// Whether there are labels below the pictures.
  public let hasLabels: Bool
  /// The line above the pictures; nil for none.
  public let title: String?
  /// The format of the sheets.
  public let style: PictureStyle

  /// A style from its parts.
  ///
  /// - Parameters:
  ///   - columns: Pictures in a row, at least 1.
  ///   - rows: Rows of pictures, at least 1.
  ///   - pictureSide: The length of the longer side of pictures in pixels, at least 1.
  ///   - hasLabels: Whether there are labels below the pictures.
  ///   - title: The line above the pictures; nil for none.
  ///   - style: The format of the sheets.
  /// - Throws: `pageSize` if a sheet could have too many pixels.
  public init(
    columns: Int,
    rows: Int,
    pictureSide: Int,
    hasLabels: Bool = true,
    title: String? = nil,
    style: PictureStyle = .tile
  ) throws(DocumentError) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
    self.pictureSide = max(1, pictureSide)
    self.hasLabels = hasLabels
    self.title = title
    self.style = style
    try requirePossible()
  }

  /// The most cells that a sheet of any style can have.
  static let mostCells = 10_000

  /// The most cells of a sheet.
  public var capacity: Int { columns * rows }
}

/// A contact sheet that was written, or the error of one that was not.
public struct WrittenSheet: Sendable {
  /// A picture that could not be drawn; its cell is empty.
  public struct Unreadable: Hashable, Sendable {
    /// The path of the file.
    public var file: FilePath
    /// The reason.
    public var reason: String
  }

  /// The size of the sheet.
  public var size: PixelSize
  /// The size of the file in bytes.
  public var byteCount: Int
  /// Pictures that could not be drawn.
  public var unreadable: [Unreadable]
}
