#if !hasFeature(Embedded)
  extension KeyedDecodingContainer {
    /// Replaces a value, unless the key is missing.
    ///
    /// - Throws: The decoder's error for a value of another type.
    func update<Value: Decodable>(_ value: inout Value, _ key: Key) throws {
      if contains(key) { value = try decode(Value.self, forKey: key) }
    }
  }
#endif
