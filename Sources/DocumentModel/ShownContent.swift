/// The part of a page that is shown. Each box of the file is clipped to the media box; one that is missing or empty has
/// the default of the PDF specification.
public enum ShownBox: String, Hashable, Sendable, CaseIterable {
  /// The crop box; the media box by default.
  case crop
  /// The media box: the whole sheet.
  case media
  /// The trim box; the crop box by default.
  case trim
  /// The bleed box; the crop box by default.
  case bleed
  /// The art box; the crop box by default.
  case art
  /// The part of the crop box that is not white, found by drawing each page once, small; the crop box of a page that
  /// is white or cannot be drawn.
  case content
}

/// The annotations of a page that are drawn, form fields among them.
public enum ShownAnnotations: String, Hashable, Sendable, CaseIterable {
  /// Those for the screen.
  case on
  /// None, and no form fields.
  case off
  /// Those that are printed; layers are on or off as for printing, too.
  case print
}

/// What is shown of the pages of a document.
public struct ShownContent: Hashable, Sendable {
  /// A change of the layers with a name.
  public struct LayerChange: Hashable, Sendable {
    /// The name of one or several layers.
    public var name: String
    /// Whether they are shown.
    public var isOn: Bool

    /// A change from its parts.
    public init(_ name: String, isOn: Bool) {
      self.name = name
      self.isOn = isOn
    }
  }

  /// The part of each page. Sizes and coordinates follow it.
  public var box: ShownBox
  /// The annotations.
  public var annotations: ShownAnnotations
  /// Layers that are not as the document sets them. Of two changes of a layer, the last one counts; a layer that is
  /// switched on switches the others of its radio button groups off.
  public var layers: [LayerChange]

  /// What is shown; by default what a viewer shows.
  ///
  /// - Parameters:
  ///   - box: The part of each page.
  ///   - annotations: The annotations.
  ///   - layers: Layers that are not as the document sets them.
  public init(
    box: ShownBox = .crop,
    annotations: ShownAnnotations = .on,
    layers: [LayerChange] = []
  ) {
    self.box = box
    self.annotations = annotations
    self.layers = layers
  }

  /// Whether it is what a viewer shows.
  public var isUsual: Bool { self == ShownContent() }
}

/// A line in a document's list of layers: a layer, or the heading of some.
public struct DocumentLayer: Hashable, Sendable {
  /// The name of the layer, or the text of the heading.
  public var name: String
  /// Levels above it in the list.
  public var level: Int
  /// The state of the layer; nil for a heading.
  public var state: State?

  /// The state of a layer as the document sets it.
  public struct State: Hashable, Sendable {
    /// Whether it is shown on the screen.
    public var isOn: Bool
    /// Whether it is printed.
    public var isPrinted: Bool
    /// Whether viewers are asked not to let the user switch it.
    public var isLocked: Bool

    /// A state from its parts.
    ///
    /// - Parameters:
    ///   - isOn: Whether the layer is shown on the screen.
    ///   - isPrinted: Whether it is printed.
    ///   - isLocked: Whether viewers are asked not to let the user switch it.
    public init(isOn: Bool, isPrinted: Bool, isLocked: Bool) {
      self.isOn = isOn
      self.isPrinted = isPrinted
      self.isLocked = isLocked
    }
  }

  /// A line from its parts.
  ///
  /// - Parameters:
  ///   - name: The name of the layer, or the text of the heading.
  ///   - level: Levels above it in the list.
  ///   - state: The state of the layer; nil for a heading.
  public init(_ name: String, level: Int, state: State?) {
    self.name = name
    self.level = level
    self.state = state
  }
}
