internal import Geometry
internal import PageNumbers

/// The members of a request, taken one by one with their types checked.
///
/// A member that has not been taken at the end is unknown, most likely misspelled, and an error.
struct RequestFields {
  /// The prefix of a member's name in errors: "view".
  private let name: String
  private var members: [String: JSONValue]

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
    guard case .string(let text) = value else { throw error(key, "must be a string") }
    // Paths and passwords become C strings, which would end there.
    guard !text.utf8.contains(0) else { throw error(key, "must not contain U+0000") }
    return text
  }

  /// Takes a Boolean value.
  ///
  /// - Throws: A request error if the value has another type.
  mutating func bool(_ key: String) throws(RequestError) -> Bool? {
    guard let value = take(key) else { return nil }
    guard case .bool(let flag) = value else { throw error(key, "must be true or false") }
    return flag
  }

  /// Takes a number.
  ///
  /// - Throws: A request error if the value has another type.
  mutating func number(_ key: String) throws(RequestError) -> Double? {
    guard let value = take(key) else { return nil }
    guard case .number(let number) = value else { throw error(key, "must be a number") }
    return number
  }

  /// Takes an integer.
  ///
  /// - Throws: A request error if the value has another type.
  mutating func integer(_ key: String) throws(RequestError) -> Int? {
    guard let number = try number(key) else { return nil }
    guard let integer = Int(exactly: number) else { throw error(key, "must be a whole number") }
    return integer
  }

  /// Takes a page number and returns the page.
  ///
  /// - Throws: A request error if the value is not a positive integer.
  mutating func page(_ key: String) throws(RequestError) -> PageIndex? {
    guard let number = try integer(key) else { return nil }
    guard let page = PageIndex(number: number) else { throw error(key, "must be at least 1") }
    return page
  }

  /// Takes an object.
  ///
  /// - Throws: A request error if the value has another type.
  mutating func object(_ key: String) throws(RequestError) -> RequestFields? {
    guard let value = take(key) else { return nil }
    guard case .object(let members) = value else { throw error(key, "must be an object") }
    return RequestFields(members, of: "\(name).\(key)")
  }

  /// Takes `{"x": …, "y": …}`; a missing coordinate is 0.
  ///
  /// - Throws: A request error if the value has another type.
  mutating func point(_ key: String) throws(RequestError) -> Point? {
    guard var object = try object(key) else { return nil }
    let point = Point(x: try object.number("x") ?? 0, y: try object.number("y") ?? 0)
    try object.finish()
    return point
  }

  /// Takes `{"width": …, "height": …}`.
  ///
  /// - Throws: A request error if a dimension is missing or has another type.
  mutating func size(_ key: String) throws(RequestError) -> Size? {
    guard var object = try object(key) else { return nil }
    let size = Size(
      width: try object.required("width", object.number("width")),
      height: try object.required("height", object.number("height"))
    )
    try object.finish()
    return size
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
}

/// A request that cannot be carried out as it is written.
struct RequestError: Error, Hashable {
  var message: String

  init(_ message: String) {
    self.message = message
  }
}
