/// A clockwise rotation by quarter turns.
public enum Rotation: Int, Hashable, Sendable, CaseIterable {
  /// Upright.
  case none = 0
  /// A quarter turn clockwise.
  case quarter = 90
  /// Upside down.
  case half = 180
  /// A quarter turn counter-clockwise.
  case threeQuarters = 270

  /// The rotation for any whole number of degrees; nil unless it is a multiple of 90.
  public init?(degrees: Int) {
    self.init(rawValue: ((degrees % 360) + 360) % 360)
  }

  /// Clockwise degrees: 0, 90, 180 or 270.
  public var degrees: Int { rawValue }

  /// Whether width and height change places.
  public var isSideways: Bool { self == .quarter || self == .threeQuarters }

  /// One rotation after the other.
  public static func + (first: Rotation, second: Rotation) -> Rotation {
    // The sum of two multiples of 90 is one again, so the fallback is never taken.
    Rotation(degrees: first.rawValue + second.rawValue) ?? .none
  }

  /// The rotation that undoes this one.
  public var inverse: Rotation { Rotation(degrees: -rawValue) ?? .none }
}

#if !hasFeature(Embedded)
  extension Rotation: Codable {}
#endif
