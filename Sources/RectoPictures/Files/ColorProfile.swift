/// An ICC profile, which defines the colors of a picture.
///
/// The elements are those that ICC.1:2010 (version 4.3) requires for a display. The values are those of sRGB (IEC
/// 61966-2-1), adapted to the white point of profiles, D50.
enum ColorProfile {
  /// sRGB.
  static let standardRGB: [UInt8] = {
    var profile = Builder()
    profile.add("desc", text("sRGB"))
    addCommon(to: &profile)
    profile.add("rXYZ", xyz(0.43606567, 0.22248840, 0.01391602))
    profile.add("gXYZ", xyz(0.38514709, 0.71687317, 0.09707642))
    profile.add("bXYZ", xyz(0.14306641, 0.06060791, 0.71409607))
    for name in ["rTRC", "gTRC", "bTRC"] { profile.add(name, curve) }
    return profile.finished("RGB ")
  }()

  /// Gray levels of the curve of sRGB.
  static let standardGray: [UInt8] = {
    var profile = Builder()
    profile.add("desc", text("sRGB gray"))
    addCommon(to: &profile)
    profile.add("kTRC", curve)
    return profile.finished("GRAY")
  }()

  /// Type 3: (a x + b)^g for x >= d, c x below.
  private static let curve =
    tag("para") + [0, 3, 0, 0]
    + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(fixed)

  private static func addCommon(to profile: inout Builder) {
    profile.add("cprt", text("No copyright, use freely"))
    // The adapted white point, which is that of the header.
    profile.add("wtpt", xyz(0.9642, 1, 0.8249))
    // From D65 to D50, by Bradford.
    profile.add(
      "chad",
      tag("sf32")
        + [
          1.04788208, 0.02291870, -0.05021667,
          0.02958679, 0.99047852, -0.01707458,
          -0.00924683, 0.01507568, 0.75167847,
        ].flatMap(fixed)
    )
  }

  /// The elements of a profile and their offsets.
  private struct Builder {
    private var names: [(name: String, start: Int, count: Int)] = []
    private var data: [UInt8] = []

    /// Adds an element; if it equals the previous one, both share the bytes.
    mutating func add(_ name: String, _ element: [UInt8]) {
      if let last = names.last, data[last.start..<last.start + last.count].elementsEqual(element) {
        names.append((name, last.start, last.count))
        return
      }
      names.append((name, data.count, element.count))
      data += element
      while data.count % 4 != 0 { data.append(0) }
    }

    /// The profile of a color space of four letters: the header of 128 bytes, the table of elements, the elements.
    func finished(_ space: String) -> [UInt8] {
      let start = 128 + 4 + names.count * 12
      var bytes = number(start + data.count)
      // No preferred program; version 4.3; a display, from a color space to XYZ.
      bytes += [0, 0, 0, 0, 4, 0x30, 0, 0] + Array("mntr\(space)XYZ ".utf8)
      // A creation date is required.
      bytes += [2026, 1, 1, 0, 0, 0].flatMap { number($0).suffix(2) }
      // No system, flags, maker, model or attributes; perceptual.
      bytes += Array("acsp".utf8) + Array(repeating: 0, count: 28)
      bytes += [0.9642, 1, 0.8249].flatMap(fixed)
      bytes += Array(repeating: 0, count: 128 - bytes.count) + number(names.count)
      for entry in names {
        bytes += Array(entry.name.utf8) + number(start + entry.start) + number(entry.count)
      }
      return bytes + data
    }
  }

  /// How an element of a type begins.
  private static func tag(_ type: String) -> [UInt8] { Array(type.utf8) + [0, 0, 0, 0] }

  private static func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
    tag("XYZ ") + [x, y, z].flatMap(fixed)
  }

  /// One text in one language, in UTF-16.
  private static func text(_ text: String) -> [UInt8] {
    let units = text.utf16.flatMap { number(Int($0)).suffix(2) }
    return tag("mluc") + number(1) + number(12) + Array("enUS".utf8) + number(units.count)
      + number(28) + units
  }

  /// 16.16 fixed point.
  private static func fixed(_ value: Double) -> [UInt8] {
    number(Int((value * 65_536).rounded()))
  }

  /// Four bytes, the highest first.
  private static func number(_ value: Int) -> [UInt8] {
    let bits = UInt32(truncatingIfNeeded: value)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) }
  }
}
