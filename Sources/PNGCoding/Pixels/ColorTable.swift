/// Up to 256 colors in order of first occurrence. Exactly one owner.
///
/// Open addressing over 1024 slots: at most a quarter is in use, so a lookup takes one and a half
/// probes on average.
struct ColorTable: ~Copyable {
  private static let slotBits = 10
  private static let slots = 1 << slotBits

  /// The colors as opaque words; an opaque word is never 0, which marks a free slot.
  private let keys: UnsafeMutablePointer<UInt32>
  private let indices: UnsafeMutablePointer<UInt8>
  private let order: UnsafeMutablePointer<UInt32>
  /// How many colors there are.
  private(set) var count = 0

  init() {
    keys = .allocate(capacity: Self.slots)
    keys.initialize(repeating: 0, count: Self.slots)
    indices = .allocate(capacity: Self.slots)
    indices.initialize(repeating: 0, count: Self.slots)
    order = .allocate(capacity: 256)
    order.initialize(repeating: 0, count: 256)
  }

  deinit {
    keys.deallocate()
    indices.deallocate()
    order.deallocate()
  }

  /// The color with this index.
  subscript(index: Int) -> UInt32 {
    precondition(index >= 0 && index < count)
    return order[index]
  }

  /// Forgets all colors.
  mutating func removeAll() {
    guard count > 0 else { return }
    keys.update(repeating: 0, count: Self.slots)
    count = 0
  }

  /// The index of an opaque color, which is added if it is new; nil if it would be the 257th.
  @inline(__always)
  mutating func index(of color: UInt32) -> UInt8? {
    var slot = Int(truncatingIfNeeded: (color &* 0x9E37_79B1) >> UInt32(32 - Self.slotBits))
    while true {
      let key = keys[slot]
      if key == color { return indices[slot] }
      if key == 0 { break }
      slot = (slot &+ 1) & (Self.slots - 1)
    }
    guard count < 256 else { return nil }
    let index = UInt8(truncatingIfNeeded: count)
    keys[slot] = color
    indices[slot] = index
    order[count] = color
    count += 1
    return index
  }
}
