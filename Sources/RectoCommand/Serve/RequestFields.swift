internal import RectoBase
internal import RectoGeometry

/// The members of a request, taken one by one with their types and ranges checked.
///
/// A member that is not taken at the end is an error: it is unknown, most likely misspelled.
struct RequestFields {
  /// The prefix of a member's name in errors: "view".
  private let name: String
  private var members: [String: JSONValue]

  /// Offsets and distances in layout units, and coordinates in points. Beyond these, a `Double`
  /// does not resolve a pixel.
  static let coordinates = -1e15...1e15

  init(_ members: [String: JSONValue], of name: String) {
    self.members = members
    self.name = name
  }

  /// Takes an optional member; null counts as missing.
  mutating func take(_ key: String) -> JSONValue? {
    switch members.removeValue(forKey: key) {
    case nil, .null: nil
    case .some(let value): value
    }
  }

  /// Takes a string.
  ///
  /// - Throws: A request error if the value has another type.
  mutating func string(_ key: String) throws(RequestError) -> String? {
    guard let value = take(key) else { return nil }
    guard case .string(let text) = value else { throw error(key, mustBe: "a string", value) }
    // Paths and passwords become C strings, which would end there.
    guard !text.utf8.contains(0) else { throw error(key, "must not contain U+0000") }
    return text
  }

  /// Takes one of the values of an enumeration.
  ///
  /// - Throws: A request error if the value is another one, or not a string.
  mutating func oneOf<Value: RawRepresentable<String> & CaseIterable>(
    _ key: String
  ) throws(RequestError) -> Value? {
    guard let text = try string(key) else { return nil }
    guard let value = Value(rawValue: text) else {
      throw error(key, mustBeOneOf: Value.allCases.map(\.rawValue), text)
    }
    return value
  }

  /// Takes a Boolean value.
  ///
  /// - Throws: A request error if the value has another type.
  mutating func bool(_ key: String) throws(RequestError) -> Bool? {
    guard let value = take(key) else { return nil }
    guard case .bool(let flag) = value else { throw error(key, mustBe: "true or false", value) }
    return flag
  }

  /// Takes a number.
  ///
  /// - Throws: A request error if the value has another type, or is not in the range.
  mutating func number(
    _ key: String,
    in range: ClosedRange<Double> = coordinates
  ) throws(RequestError) -> Double? {
    guard let value = take(key) else { return nil }
    guard case .number(let number) = value else { throw error(key, mustBe: "a number", value) }
    guard range.contains(number) else {
      throw error(
        key,
        "must be between \(range.lowerBound.decimal) and \(range.upperBound.decimal), is \(number.decimal)"
      )
    }
    return number
  }

  /// Takes a number above 0.
  ///
  /// - Throws: A request error if the value has another type, or is not in the range.
  mutating func positive(_ key: String, atMost limit: Double) throws(RequestError) -> Double? {
    guard let number = try number(key, in: -Double.infinity...Double.infinity) else { return nil }
    guard number > 0, number <= limit else {
      throw error(key, "must be above 0 and at most \(limit.decimal), is \(number.decimal)")
    }
    return number
  }

  /// Takes an integer.
  ///
  /// - Throws: A request error if the value has another type, or is less than `least` or more than `most`.
  mutating func integer(
    _ key: String,
    atLeast least: Int,
    atMost most: Int = .max
  ) throws(RequestError) -> Int? {
    guard let number = try number(key, in: -Double.infinity...Double.infinity) else { return nil }
    guard let integer = Int(exactly: number) else {
      throw error(key, "must be a whole number, is \(number.decimal)")
    }
    guard integer >= least else { throw error(key, "must be at least \(least), is \(integer)") }
    guard integer <= most else { throw error(key, "must be at most \(most), is \(integer)") }
    return integer
  }

  /// Takes a page number and returns the page.
  ///
  /// - Throws: A request error if the value is not a positive integer.
  mutating func page(_ key: String) throws(RequestError) -> PageIndex? {
    guard let number = try integer(key, atLeast: 1) else { return nil }
    guard let page = PageIndex(number: number) else {
      throw error(key, "no document has so many pages, is \(number)")
    }
    return page
  }

  /// Takes an object.
  ///
  /// - Throws: A request error if the value has another type.
  mutating func object(_ key: String) throws(RequestError) -> RequestFields? {
    guard let value = take(key) else { return nil }
    guard case .object(let members) = value else { throw error(key, mustBe: "an object", value) }
    return RequestFields(members, of: "\(name).\(key)")
  }

  /// Takes the members of an object unchecked.
  ///
  /// - Throws: A request error if the value has another type.
  mutating func members(_ key: String) throws(RequestError) -> [String: JSONValue] {
    try object(key)?.members ?? [:]
  }

  /// Takes an object whose members, of any name, are true or false.
  ///
  /// - Throws: A request error if a value has another type.
  mutating func flags(_ key: String) throws(RequestError) -> [String: Bool]? {
    guard let object = try object(key) else { return nil }
    var flags: [String: Bool] = [:]
    for (name, value) in object.members {
      guard case .bool(let flag) = value else {
        throw object.error(name, mustBe: "true or false", value)
      }
      flags[name] = flag
    }
    return flags
  }

  /// Takes `{"x": …, "y": …}`, each of which can be missing, but not both.
  ///
  /// - Throws: A request error if the value has another type, or a coordinate is out of range.
  mutating func coordinates(_ key: String) throws(RequestError) -> (x: Double?, y: Double?)? {
    guard var object = try object(key) else { return nil }
    let (x, y) = (try object.number("x"), try object.number("y"))
    try object.finish()
    guard x != nil || y != nil else { throw error(key, "needs x, y or both") }
    return (x, y)
  }

  /// Takes a distance or a velocity `{"x": …, "y": …}`: a missing coordinate is 0.
  ///
  /// - Throws: A request error as for ``coordinates(_:)``.
  mutating func distance(_ key: String) throws(RequestError) -> Point? {
    try coordinates(key).map { Point(x: $0.x ?? 0, y: $0.y ?? 0) }
  }

  /// Takes a point `{"x": …, "y": …}`, with both coordinates.
  ///
  /// - Throws: A request error as for ``coordinates(_:)``, and if a coordinate is missing.
  mutating func point(_ key: String) throws(RequestError) -> Point? {
    guard let (x, y) = try coordinates(key) else { return nil }
    guard let x else { throw error("\(key).x", "missing") }
    guard let y else { throw error("\(key).y", "missing") }
    return Point(x: x, y: y)
  }

  /// Takes `{"width": …, "height": …}`.
  ///
  /// - Throws: A request error if a dimension is missing, negative, or has another type.
  mutating func size(_ key: String) throws(RequestError) -> Size? {
    guard var object = try object(key) else { return nil }
    let range = 0...Self.coordinates.upperBound
    let size = Size(
      width: try object.required("width", object.number("width", in: range)),
      height: try object.required("height", object.number("height", in: range))
    )
    try object.finish()
    return size
  }

  /// Takes `{"top": …, "right": …, "bottom": …, "left": …}`: a missing side is 0.
  ///
  /// - Throws: A request error if a side is negative, out of range, or has another type.
  mutating func insets(_ key: String) throws(RequestError) -> Insets? {
    guard var object = try object(key) else { return nil }
    let range = 0...Self.coordinates.upperBound
    let insets = Insets(
      top: try object.number("top", in: range) ?? 0,
      right: try object.number("right", in: range) ?? 0,
      bottom: try object.number("bottom", in: range) ?? 0,
      left: try object.number("left", in: range) ?? 0
    )
    try object.finish()
    return insets
  }

  /// The value of a member that must be present.
  ///
  /// - Throws: A request error if the value is nil.
  func required<Value>(_ key: String, _ value: Value?) throws(RequestError) -> Value {
    guard let value else { throw error(key, "missing") }
    return value
  }

  /// Checks that all members were taken.
  ///
  /// - Throws: A request error that names a member that was not taken.
  func finish() throws(RequestError) {
    guard let key = members.keys.min() else { return }
    throw RequestError("\(name): unknown member \"\(key)\"")
  }

  func error(_ key: String, _ reason: String) -> RequestError {
    RequestError("\(name).\(key): \(reason)")
  }

  /// The error for a member with none of the allowed values.
  func error(_ key: String, mustBeOneOf names: [String], _ text: String) -> RequestError {
    let first = names.dropLast().joined(separator: ", ")
    let words = [first, names.last ?? ""].filter { !$0.isEmpty }.joined(separator: " or ")
    return error(key, "must be \(words), is \"\(text)\"")
  }

  private func error(_ key: String, mustBe type: String, _ value: JSONValue) -> RequestError {
    error(key, "must be \(type), is \(value.kind)")
  }
}

/// An invalid request.
struct RequestError: Error, Hashable {
  var message: String

  init(_ message: String) {
    self.message = message
  }
}

extension JSONValue {
  /// The value's type, or the value if it is short.
  fileprivate var kind: String {
    switch self {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .number(let number): number.decimal
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
