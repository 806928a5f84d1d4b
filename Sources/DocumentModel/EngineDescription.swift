/// A process that draws, described for a report about the machine.
public struct EngineDescription: Hashable, Sendable {
  /// The libraries that draw, with their versions.
  public var engine: String
  /// The layers of its sandbox, in the order in which they were set up.
  public var sandbox: [SandboxLayer]
  /// The number of fonts that are installed.
  public var fontCount: Int
  /// Installed font files that the process cannot read, at most ``largestUnreadable``.
  public var unreadableFonts: [String]
  /// The files of fonts in place of the standard fonts, by their names in PDF.
  public var standardFonts: [StandardFont]
  /// Whether the character maps of poppler are there, for text in Chinese, Japanese and Korean that is not embedded.
  public var hasCharacterMaps: Bool

  /// A font that every PDF can use without embedding it.
  public struct StandardFont: Hashable, Sendable {
    /// Its name in PDF.
    public var name: String
    /// The file that is used in its place; nil if there is none.
    public var file: String?

    /// A font from its parts.
    ///
    /// - Parameters:
    ///   - name: Its name in PDF.
    ///   - file: The file that is used in its place; nil if there is none.
    public init(_ name: String, file: String?) {
      self.name = name
      self.file = file
    }
  }

  /// The most files in ``unreadableFonts``.
  public static let largestUnreadable = 16

  /// A description from its parts.
  ///
  /// - Parameters:
  ///   - engine: The libraries that draw, with their versions.
  ///   - sandbox: The layers of its sandbox.
  ///   - fontCount: The number of fonts that are installed.
  ///   - unreadableFonts: Files of fonts that cannot be read.
  ///   - standardFonts: The files of fonts in place of the standard fonts.
  ///   - hasCharacterMaps: Whether the character maps of poppler are there.
  public init(
    engine: String,
    sandbox: [SandboxLayer],
    fontCount: Int,
    unreadableFonts: [String],
    standardFonts: [StandardFont],
    hasCharacterMaps: Bool
  ) {
    self.engine = engine
    self.sandbox = sandbox
    self.fontCount = fontCount
    self.unreadableFonts = unreadableFonts
    self.standardFonts = standardFonts
    self.hasCharacterMaps = hasCharacterMaps
  }
}
